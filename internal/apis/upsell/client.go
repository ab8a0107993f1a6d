package upsell

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Client calls the Upsell Data API for one store. A token belongs to exactly one store.
type Client struct {
	upstream upstream.Client
}

// New makes a client. base comes from [upstream.CheckBase].
func New(t *upstream.Transport, base *url.URL, token upstream.Secret, gate upstream.Gate) *Client {
	return &Client{upstream.Client{Transport: t, Base: base, Token: token, Gate: gate, Classify: classify}}
}

// Summary pulls the roll-up of the whole shop for a range of at most 90 days. It is the only
// source of shop totals: the rows of [Client.Stats] don't add up to any.
func (c *Client) Summary(ctx context.Context, r Range) (upstream.Answer[Summary], error) {
	return windowed[Summary](ctx, c, "summary", "/data/analytics/summary", r, r.check, nil)
}

// Stats pulls one row per placement for a range of at most 90 days.
func (c *Client) Stats(ctx context.Context, r Range) (upstream.Answer[Stats], error) {
	return windowed[Stats](ctx, c, "stats", "/data/analytics/stats", r, r.check, nil)
}

// Top pulls up to limit offers ranked by what they earned in a range of at most 90 days. Offers
// that earned nothing in it aren't in the reply at either end (N16). The service's own default
// is 3, its maximum isn't documented.
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

// Coverage pulls which placements have an active offer. The range only applies to RecentRevenue
// and may be longer than 90 days; the counts are current (N29).
func (c *Client) Coverage(ctx context.Context, r Range) (upstream.Answer[Coverage], error) {
	return windowed[Coverage](ctx, c, "coverage", "/data/analytics/coverage", r, r.checkOrder, nil)
}

// Lifetime pulls the totals of all time. They have no window, so never subtract them from
// anything or treat them as a period (N21).
func (c *Client) Lifetime(ctx context.Context) (upstream.Answer[Lifetime], error) {
	return get[Lifetime](ctx, c, "pull lifetime", "/data/analytics/lifetime", nil)
}

// Offers pulls one page of 20 offers. Follow HasMore, never Total (N8), and don't go past page
// 50: the service would only repeat it (N9).
func (c *Client) Offers(ctx context.Context, q OffersQuery) (upstream.Answer[Offers], error) {
	op := "pull offers page " + strconv.Itoa(max(q.Page, 1))
	if err := q.check(op); err != nil {
		return upstream.Answer[Offers]{}, err
	}
	answer, err := get[Offers](ctx, c, op, "/data/offers", q.values())
	if err != nil {
		return answer, err
	}
	flagPage(&answer, q.Page, q.ConfirmedBy(answer.Data))
	return answer, nil
}

// ByPriority pulls one page of 20 offers of one placement in display order, 1 first: Priority
// is on every row. The service refuses a request without a placement, so none is sent. Pages
// are as in [Client.Offers]; 0 means 1.
func (c *Client) ByPriority(ctx context.Context, placement Placement, page int) (upstream.Answer[Offers], error) {
	op := "pull by-priority " + string(placement) + " page " + strconv.Itoa(max(page, 1))
	if strings.TrimSpace(string(placement)) == "" {
		return upstream.Answer[Offers]{}, upstream.Refuse(op, "no placement is named")
	}
	if err := checkPage(op, page); err != nil {
		return upstream.Answer[Offers]{}, err
	}
	query := url.Values{"placement": {string(placement)}}
	if page > 0 {
		query.Set("page", strconv.Itoa(page))
	}
	got, err := get[ranked](ctx, c, op, "/data/offers/by-priority", query)
	answer := upstream.WithData(got, Offers(got.Data))
	if err != nil {
		return answer, err
	}
	flagPage(&answer, page, answer.Data.confirms(placement))
	return answer, nil
}

// Offer pulls how an offer is set up. Any id is safe to give; a reply about another offer
// breaks the contract. A nil Data means that the id isn't this store's or the offer is gone:
// neither an error nor proof of a deletion (N32).
func (c *Client) Offer(ctx context.Context, id string) (upstream.Answer[*OfferSetup], error) {
	op := "pull offer " + id
	segment, err := upstream.Segment(op, id)
	if err != nil {
		return upstream.Answer[*OfferSetup]{}, err
	}
	answer, err := upstream.GetOptional[OfferSetup](ctx, &c.upstream, op, "/data/offer/"+segment, nil)
	if err == nil && answer.Data != nil && answer.Data.ID != id {
		failure := answer.Broken(op, "/data/id", "it is another offer's")
		answer.Data = nil
		return answer, failure
	}
	return answer, err
}

// Stages pulls what an offer sells, stage by stage. It isn't documented what an unknown id
// gets; a nil Data means the same as in [Client.Offer].
func (c *Client) Stages(ctx context.Context, id string) (upstream.Answer[*Stages], error) {
	op := "pull stages of offer " + id
	segment, err := upstream.Segment(op, id)
	if err != nil {
		return upstream.Answer[*Stages]{}, err
	}
	return upstream.GetOptional[Stages](ctx, &c.upstream, op, "/data/offer/"+segment+"/stages", nil)
}

// Recommendations pulls which products go with an offer or a product. An answer that doesn't
// fit the query, such as "nothing was named" although something was, is flagged with
// [upstream.FlagFilterDiffers] (N30). A nil Data means that the offer isn't this store's or is
// gone (N32), as the service says about every unknown offer id.
func (c *Client) Recommendations(ctx context.Context, q RecommendationsQuery) (upstream.Answer[Recommendations], error) {
	const op = "pull recommendations"
	if err := q.check(op); err != nil {
		return upstream.Answer[Recommendations]{}, err
	}
	got, err := upstream.GetOptional[recommended](ctx, &c.upstream, op, "/data/products/recommendations", q.values())
	switch {
	case err != nil:
		return upstream.WithData(got, Recommendations(nil)), err
	case got.Data == nil && q.OfferID == "":
		return upstream.WithData(got, Recommendations(nil)), got.Broken(op, "/data", "it is null")
	case got.Data == nil:
		return upstream.WithData(got, Recommendations(nil)), nil
	}
	answer := upstream.WithData(got, got.Data.Recommendations)
	if !q.confirmedBy(answer.Data) {
		answer.Flag(upstream.FlagFilterDiffers)
	}
	return answer, nil
}

// Count pulls how many offers there are by placement and status. It is the cheapest call, so it
// also serves to check a token. The service may answer success: false with a total of 0: that
// is a failed pull, not a count (N7).
func (c *Client) Count(ctx context.Context) (upstream.Answer[Count], error) {
	return get[Count](ctx, c, "pull count", "/data/offers/count", nil)
}

// flagPage flags what a page of offers is missing or doesn't confirm.
func flagPage(answer *upstream.Answer[Offers], page int, confirmed bool) {
	if !confirmed {
		answer.Flag(upstream.FlagFilterDiffers)
	}
	if answer.Data.HasMore && page >= LastPage {
		answer.Flag(upstream.FlagCut)
	}
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
