//go:build bench

package bench

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/golang-sql/civil"
	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// loop makes calls through the typed clients and an open gate, and stores nothing.
type loop struct {
	upsell *upsell.Client
	gift   *gift.Client
	calls  []func(context.Context) error
}

// open lets everything through.
type open struct{}

func (open) Enter(context.Context) (upstream.Slot, error) { return open{}, nil }
func (open) Leave(context.Context, upstream.Observed)     {}

// newLoop makes the loop from the requests that a sync made.
func (w *world) newLoop(t testing.TB, a account, requests []string) *loop {
	t.Helper()
	transport := upstream.NewTransport(upstream.Options{Allow: w.allow})
	t.Cleanup(transport.Close)
	upsellBase, err := upstream.CheckBase(a.UpsellURL, w.allow)
	must(t, err)
	giftBase, err := upstream.CheckBase(a.GiftURL, w.allow)
	must(t, err)
	l := &loop{
		upsell: upsell.New(transport, upsellBase, upstream.NewSecret(a.UpsellToken), open{}),
		gift:   gift.New(transport, giftBase, upstream.NewSecret(a.GiftToken), open{}),
	}
	for _, r := range requests {
		u, err := url.Parse(r)
		must(t, err)
		call := l.callOf(u)
		if call == nil {
			t.Fatalf("the loop knows no call for %s", r)
		}
		l.calls = append(l.calls, call)
	}
	return l
}

// run makes every call once, with this many at a time.
func (l *loop) run(t testing.TB, concurrency int) {
	t.Helper()
	var group errgroup.Group
	group.SetLimit(concurrency)
	for _, call := range l.calls {
		group.Go(func() error { return call(context.Background()) })
	}
	must(t, group.Wait())
}

// callOf is the typed call that makes a request; nil if unknown.
func (l *loop) callOf(u *url.URL) func(context.Context) error {
	service, endpoint, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/v1")
	q := u.Query()
	if service == "gift" {
		return l.giftCall(endpoint, q)
	}
	start, _ := civil.ParseDate(q.Get("start"))
	end, _ := civil.ParseDate(q.Get("end"))
	r, placement, page := upsell.Range{Start: start, End: end}, upsell.Placement(q.Get("type")), number(q.Get("page"))
	switch endpoint {
	case "/data/analytics/summary":
		return func(ctx context.Context) error { return second(l.upsell.Summary(ctx, r)) }
	case "/data/analytics/stats":
		return func(ctx context.Context) error { return second(l.upsell.Stats(ctx, r)) }
	case "/data/analytics/top":
		order, limit := upsell.Order(q.Get("order")), number(q.Get("limit"))
		return func(ctx context.Context) error { return second(l.upsell.Top(ctx, r, order, limit)) }
	case "/data/analytics/coverage":
		return func(ctx context.Context) error { return second(l.upsell.Coverage(ctx, r)) }
	case "/data/analytics/lifetime":
		return func(ctx context.Context) error { return second(l.upsell.Lifetime(ctx)) }
	case "/data/offers/count":
		return func(ctx context.Context) error { return second(l.upsell.Count(ctx)) }
	case "/data/offers":
		query := upsell.OffersQuery{
			Page: page, Sort: upsell.Sort(q.Get("sort")), Type: placement,
			Status: upsell.Status(q.Get("status")), ABTest: q.Get("abTest") == "true",
		}
		return func(ctx context.Context) error { return second(l.upsell.Offers(ctx, query)) }
	case "/data/offers/by-priority":
		placement := upsell.Placement(q.Get("placement"))
		return func(ctx context.Context) error { return second(l.upsell.ByPriority(ctx, placement, page)) }
	case "/data/products/recommendations":
		query := upsell.RecommendationsQuery{OfferID: q.Get("offerId")}
		return func(ctx context.Context) error { return second(l.upsell.Recommendations(ctx, query)) }
	}
	id, isOffer := strings.CutPrefix(endpoint, "/data/offer/")
	switch {
	case isOffer && path.Base(id) == "stages":
		return func(ctx context.Context) error { return second(l.upsell.Stages(ctx, path.Dir(id))) }
	case isOffer:
		return func(ctx context.Context) error { return second(l.upsell.Offer(ctx, id)) }
	}
	return nil
}

func (l *loop) giftCall(endpoint string, q url.Values) func(context.Context) error {
	switch endpoint {
	case "/analytics":
		days, today := number(q.Get("days")), q.Get("includeToday") == "true"
		return func(ctx context.Context) error { return second(l.gift.Analytics(ctx, days, today)) }
	case "/plan":
		return func(ctx context.Context) error { return second(l.gift.Plan(ctx)) }
	case "/setup-health":
		return func(ctx context.Context) error { return second(l.gift.SetupHealth(ctx)) }
	case "/campaigns":
		return func(ctx context.Context) error { return second(l.gift.Campaigns(ctx, nil)) }
	case "/widgets":
		return func(ctx context.Context) error { return second(l.gift.Widgets(ctx)) }
	case "/settings":
		return func(ctx context.Context) error { return second(l.gift.Settings(ctx)) }
	case "/translations":
		return func(ctx context.Context) error { return second(l.gift.Translations(ctx, q.Get("locale"))) }
	}
	name := path.Base(endpoint)
	switch path.Dir(endpoint) {
	case "/campaigns":
		return func(ctx context.Context) error { return second(l.gift.Campaign(ctx, name)) }
	case "/widgets":
		return func(ctx context.Context) error { return second(l.gift.Widget(ctx, name)) }
	}
	return nil
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil && text != "" {
		panic(fmt.Sprintf("a request of ours has the number %q", text))
	}
	return n
}

func second[T any](_ T, err error) error { return err }
