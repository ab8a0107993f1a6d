package fetch

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// rankingLimits are how many offers a ranking is asked for. The service's maximum isn't
// documented: most services answer a large limit with as many rows as they allow. The smaller
// limits are for a service that refuses or ignores it; the last is the documented default
// (N68).
var rankingLimits = []int{250, 100, 50, 20, defaultRanking}

const defaultRanking = 3

// rankingLimit is the limit that this credential's rankings use.
func (f Caller) rankingLimit() int {
	if n := f.Limit.Load(); n > 0 {
		return int(n)
	}
	return rankingLimits[0]
}

// ranked is one end of a ranking.
type ranked struct {
	upstream.Answer[upsell.Top]
	limit int
	// learned: the limit should be remembered.
	learned bool
}

// ranking asks for one end of a ranking, with a smaller limit if the service refuses or ignores
// the usual one.
func (f Caller) ranking(ctx context.Context, c *upsell.Client, r upsell.Range, order upsell.Order) (ranked, error) {
	limit := f.rankingLimit()
	got, err := c.Top(ctx, r, order, limit)
	first := ranked{Answer: got, limit: limit}
	if unfit, unread := f.limitUnfit(ctx, first, err); unread != nil || !unfit {
		return first, cmp.Or(unread, err)
	}
	failing := breaksDown(err)
	if failing { // because of the limit, or altogether? The documented default tells.
		if _, failure := c.Top(ctx, r, order, defaultRanking); failure != nil {
			return ranked{}, err
		}
	}
	for _, lower := range rankingLimits {
		if lower > limit || lower == limit && !failing {
			continue
		}
		again, failure := c.Top(ctx, r, order, lower)
		switch {
		case refusesLimit(failure), failing && breaksDown(failure), failure == nil && err == nil && len(again.Data.Offers) <= defaultRanking:
			continue // no better than the larger limit
		case failure != nil:
			return ranked{}, failure
		}
		f.Limit.Store(int32(lower))
		return ranked{again, lower, true}, nil
	}
	if err != nil {
		return ranked{}, err
	}
	f.Limit.Store(int32(limit)) // only the default works: don't search again
	first.learned = true
	return first, nil
}

// limitUnfit reports whether the service refuses or ignores the limit of the request. If the
// limit worked before, the refusal has another cause.
func (f Caller) limitUnfit(ctx context.Context, r ranked, err error) (bool, error) {
	q, limit := f.DB.Queries(), int32(r.limit)
	switch {
	case refusesLimit(err), breaksDown(err):
		taken, unread := q.RankingLimitTaken(ctx, sqlc.RankingLimitTakenParams{StoreID: f.Store, RowLimit: limit})
		return !taken, unread
	case err == nil && len(r.Data.Offers) == defaultRanking && f.Limit.Load() == 0:
		return q.RankingLimitIgnored(ctx, sqlc.RankingLimitIgnoredParams{StoreID: f.Store, RowLimit: limit})
	}
	return false, nil
}

// refusesLimit reports whether a failure may be due to a parameter's value.
func refusesLimit(err error) bool {
	var f *upstream.Failure
	return errors.As(err, &f) && f.Kind == upstream.OurFault && (f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity)
}

// breaksDown reports whether the service failed at a request: some do so at a value that they don't
// expect, and it isn't documented how a limit is refused.
func breaksDown(err error) bool {
	var f *upstream.Failure
	return errors.As(err, &f) && f.Kind == upstream.Retry && f.Status == http.StatusInternalServerError
}
