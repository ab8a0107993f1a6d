package sandbox

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

func byPriority(placement string) string {
	return "/data/offers/by-priority?placement=" + url.QueryEscape(placement)
}

func TestN39PriorityIsRefusedWithoutAPlacementAndIsNeverAnEmptyList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, path := range []string{"/data/offers/by-priority", "/data/offers/by-priority?placement=", "/data/offers/by-priority?type=coupon-offer", byPriority("cart")} {
		a := w.upsell("fernhollow", path)
		requireUpsellError(t, a, http.StatusUnprocessableEntity, "")
		hold(t, strings.Contains(a.body, "priority is ranked within one placement"), a.body)
	}
}

func TestPriorityRunsFromOneWithinEachPlacement(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true, Hostile: true})
	for _, st := range w.Stores() {
		var ranked []string
		for _, label := range world.PlacementLabels {
			rows := walk(t, w, st.Slug, byPriority(label))
			for i, o := range rows {
				same(t, i+1, o.Priority)
				same(t, label, o.Type)
				same(t, label == "Coupon offer", o.Revenue == nil, "N13", o.Name)
				ranked = append(ranked, o.ID)
			}
		}
		var listed []string
		for _, o := range every(t, w, st.Slug) {
			same(t, 0, o.Priority, "other lists carry none")
			listed = append(listed, o.ID)
		}
		hold(t, !slices.Equal(ranked, listed) || len(listed) == 0, "the order is the merchant's, not that of creation")
		slices.Sort(ranked)
		slices.Sort(listed)
		same(t, listed, ranked, st.Slug)
	}
}

func TestPriorityPagesLikeTheList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true})
	path := byPriority("post-purchase-upsell")
	first, second := data[gotOffers](t, w.upsell("penrose", path)), data[gotOffers](t, w.upsell("penrose", path+"&page=2"))
	same(t, pageSize, len(first.Offers))
	same(t, 460, first.Total)
	same(t, 440, second.Total, "N8: counted from its own page on")
	hold(t, first.HasMore)
	same(t, 21, second.Offers[0].Priority)
	same(t, map[string]any{"scope": "filtered", "placement": "Post-purchase upsell"}, first.AppliedFilter)
	for _, page := range []string{"0", "-1", "x"} {
		same(t, first, data[gotOffers](t, w.upsell("penrose", path+"&page="+page)), page)
	}
	same(t, w.upsell("penrose", path+"&page=50").body, w.upsell("penrose", path+"&page=51").body, "N9")
	empty := w.upsell("wattle", path)
	same(t, http.StatusOK, empty.status)
	hold(t, strings.Contains(empty.body, `"offers":[]`), empty.body)
}

func TestN31EveryEndpointTakesLabelsAndSlugs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for slug, p := range world.PlacementSlugs {
		label := world.PlacementLabels[p]
		for _, asked := range []string{slug, strings.ToUpper(slug), label, strings.ToLower(label)} {
			asked = url.QueryEscape(asked)
			stats := data[gotStats](t, w.upsell("fernhollow", "/data/analytics/stats?type="+asked))
			same(t, 1, len(stats.Placements))
			same(t, label, stats.Placements[0].Placement)
			same(t, 22, stats.ShopOfferCount, "of the whole store")
			count := data[gotCount](t, w.upsell("fernhollow", "/data/offers/count?type="+asked))
			same(t, 1, len(count.ByType))
			same(t, label, count.ByType[0].Type)
			same(t, count.ByType[0].Count, count.Total)
			same(t, count.ByType[0].ByStatus, count.ByStatus)
			list := data[gotOffers](t, w.upsell("fernhollow", "/data/offers?type="+asked))
			same(t, label, list.AppliedFilter["placement"])
			same(t, count.Total, list.Total)
			same(t, count.Total, data[gotOffers](t, w.upsell("fernhollow", "/data/offers/by-priority?placement="+asked)).Total)
		}
	}
}

func TestN10RowsMoveBetweenPages(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		cfg        Config
		cause      Cause
		path       string
		met, wants int // different offers met, rows shown
	}{
		"still":                        {Config{Vast: true}, "", "/data/offers?status=active&type=coupon-offer", 0, 0},
		"shuffled, newest":             {Config{Vast: true, Shuffle: true}, "", "/data/offers?type=coupon-offer", -22, 0},
		"shuffled, priority":           {Config{Vast: true, Shuffle: true}, "", byPriority("coupon-offer"), -22, 0},
		"shuffled, oldest stands":      {Config{Vast: true, Shuffle: true}, "", "/data/offers?sort=oldest&type=coupon-offer", 0, 0},
		"moving, oldest moves as well": {Config{Vast: true}, Moving, "/data/offers?sort=oldest&type=coupon-offer", -22, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.cfg)
			if c.cause != "" {
				w.Break(Upsell, "penrose", Fault{Cause: c.cause, Path: "/data/offers"})
			}
			rows := walk(t, w, "penrose", c.path)
			first := data[gotOffers](t, w.upsell("penrose", c.path))
			same(t, first.Total, len(rows), "the number of rows is right all the same")
			met := map[string]bool{}
			for _, o := range rows {
				met[o.ID] = true
			}
			same(t, first.Total+c.met, len(met))
			same(t, rows[20:40], data[gotOffers](t, w.upsell("penrose", c.path+"&page=2")).Offers, "without chance")
		})
	}
	w := newWorld(t, Config{})
	w.Break(Upsell, "fernhollow", Fault{Cause: Moving, Path: "/data/offers", Times: 2})
	torn, whole := walk(t, w, "fernhollow", "/data/offers?sort=oldest"), walk(t, w, "fernhollow", "/data/offers?sort=oldest")
	same(t, torn[19], torn[20])
	hold(t, whole[20].ID != whole[19].ID)
}
