package upsell

import (
	"context"
	"net/url"
	"strconv"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Client calls the Upsell Data API for one store. A token belongs to exactly one.
type Client struct {
	upstream upstream.Client
}

// New makes a client. base is what [upstream.CheckBase] gave.
func New(t *upstream.Transport, base *url.URL, token upstream.Secret, gate upstream.Gate) *Client {
	return &Client{upstream.Client{Transport: t, Base: base, Token: token, Gate: gate, Sort: sort}}
}

// Summary pulls the roll-up of the whole shop for a range of at most 90 days.
// It is the only source of shop totals: the rows of [Client.Stats] are none.
func (c *Client) Summary(ctx context.Context, r Range) (upstream.Answer[Summary], error) {
	return windowed[Summary](ctx, c, "summary", "/data/analytics/summary", r, r.check, nil)
}

// Stats pulls one row per placement for a range of at most 90 days.
func (c *Client) Stats(ctx context.Context, r Range) (upstream.Answer[Stats], error) {
	return windowed[Stats](ctx, c, "stats", "/data/analytics/stats", r, r.check, nil)
}

// Top pulls up to limit offers ranked by what they earned in a range of at most
// 90 days. Offers that earned nothing in it are not in the reply at all, at
// neither end (N16). The service's own default is 3, its maximum is not shown.
func (c *Client) Top(ctx context.Context, r Range, order Order, limit int) (upstream.Answer[Top], error) {
	check := func(op string) error {
		switch {
		case order != Highest && order != Lowest:
			return upstream.Refuse(op, "the order %q is neither highest nor lowest", string(order))
		case limit < 1:
			return upstream.Refuse(op, "the limit %d is below 1", limit)
		}
		return r.check(op)
	}
	query := url.Values{"order": {string(order)}, "limit": {strconv.Itoa(limit)}}
	return windowed[Top](ctx, c, "top "+string(order), "/data/analytics/top", r, check, query)
}

// Coverage pulls which placements have an active offer. The range is only for
// RecentRevenue and may be longer than 90 days; the counts are of now (N29).
func (c *Client) Coverage(ctx context.Context, r Range) (upstream.Answer[Coverage], error) {
	return windowed[Coverage](ctx, c, "coverage", "/data/analytics/coverage", r, r.checkOrder, nil)
}

// Lifetime pulls the totals of all time. They have no window: never subtract
// them from anything, never call them a period (N21).
func (c *Client) Lifetime(ctx context.Context) (upstream.Answer[Lifetime], error) {
	return get[Lifetime](ctx, c, "pull lifetime", "/data/analytics/lifetime", nil)
}

// Offers pulls one page of 20 offers. Page on HasMore, never on Total (N8), and
// not past page 50, which the service would only repeat (N9).
func (c *Client) Offers(ctx context.Context, q OffersQuery) (upstream.Answer[Offers], error) {
	op := "pull offers page " + strconv.Itoa(max(q.Page, 1))
	if err := q.check(op); err != nil {
		return upstream.Answer[Offers]{}, err
	}
	answer, err := get[Offers](ctx, c, op, "/data/offers", q.values())
	if err != nil {
		return answer, err
	}
	if !q.confirmedBy(answer.Data.AppliedFilter) {
		answer.Flag(upstream.FlagFilterDiffers)
	}
	if answer.Data.HasMore && q.Page >= LastPage {
		answer.Flag(upstream.FlagCut)
	}
	return answer, nil
}

// Count pulls how many offers there are by placement and status. It is the
// cheapest call, fit for checking a token. The service may answer success: false
// beside a total of 0: that is a failed pull, not a count (N7).
func (c *Client) Count(ctx context.Context) (upstream.Answer[Count], error) {
	return get[Count](ctx, c, "pull count", "/data/offers/count", nil)
}

func get[T any](ctx context.Context, c *Client, op, endpoint string, query url.Values) (upstream.Answer[T], error) {
	return upstream.Get[T](ctx, &c.upstream, op, endpoint, query)
}

// windowed pulls an answer that names the window it was computed for.
func windowed[T interface{ applied() Window }](
	ctx context.Context, c *Client, name, endpoint string, r Range, check func(op string) error, query url.Values,
) (upstream.Answer[T], error) {
	op := "pull " + name + " " + r.String()
	if err := check(op); err != nil {
		return upstream.Answer[T]{}, err
	}
	if query == nil {
		query = url.Values{}
	}
	query.Set("start", r.Start.String())
	query.Set("end", r.End.String())
	answer, err := get[T](ctx, c, op, endpoint, query)
	if err == nil && answer.Data.applied().Range() != r {
		answer.Flag(upstream.FlagWindowDiffers)
	}
	return answer, err
}
