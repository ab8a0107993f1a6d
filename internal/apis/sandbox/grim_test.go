package sandbox

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

func TestEveryPlacementOfTheHostileStoreHasContentAndItsEnumerationsAreThoseOfAnyStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Hostile: true})
	st := w.store("grim")
	same(t, "KES", st.Currency)
	hold(t, strings.Contains(st.Name, "<b>"), st.Name)
	count := data[gotCount](t, w.upsell("grim", "/data/offers/count"))
	for _, row := range count.ByType {
		for _, status := range []string{"active", "expired", "scheduled"} {
			hold(t, row.ByStatus[status] > 0, row.Type, status)
		}
	}
	for _, row := range data[gotStats](t, w.upsell("grim", "/data/analytics/stats")).Placements {
		hold(t, row.Impressions > 0 && row.Claims > 0, row.Placement)
	}
	same(t, true, data[gotGiftTotal](t, w.gift("grim", "/campaigns")).Total > 5)
	for _, o := range every(t, w, "grim") {
		hold(t, slices.Contains([]string{"active", "expired", "scheduled"}, o.Status), o.Status)
		hold(t, slices.Contains(world.PlacementLabels[:], o.Type), o.Type)
	}
}

type gotGiftTotal struct{ Total int }

func TestTheHostileStoreHoldsEveryKindOfHostileString(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Hostile: true})
	var names, urls, all strings.Builder
	longest, ids := 0, 0
	keep := func(body string) {
		var v any
		hold(t, json.Unmarshal([]byte(body), &v) == nil, body)
		eachString(v, func(s string) {
			hold(t, utf8.ValidString(s) && !strings.Contains(s, "\x00"), "valid text all the same")
			all.WriteString(s + "\n")
		})
	}
	for _, o := range every(t, w, "grim") {
		names.WriteString(o.Name + "\n")
		urls.WriteString(*o.URL + "\n")
		longest = max(longest, utf8.RuneCountInString(o.Name))
		if strings.ContainsAny(o.ID, "<&%") {
			ids++
		}
		for _, path := range []string{"/data/offer/" + url.PathEscape(o.ID), "/data/offer/" + url.PathEscape(o.ID) + "/stages", "/data/products/recommendations?offerId=" + url.QueryEscape(o.ID)} {
			a := w.upsell("grim", path)
			same(t, 200, a.status)
			hold(t, !strings.Contains(a.body, `"data":null`), o.ID)
			keep(a.body)
		}
	}
	hold(t, longest >= 300, longest)
	same(t, 1, ids, "an id that must be escaped in a path")
	for _, part := range []string{"<script>", "</script>", "=HYPERLINK", "@SUM", "\u202E", "\u2067", "מבצע", "تخفيض", "👩‍👩‍👧‍👦", `\slash \" quote`, "WWWW", "\x1b[31m", "{{.Secret}}", "${", "drop table", "\uFFFD", "\n", "null"} {
		hold(t, strings.Contains(names.String(), part), "names hold", part)
		hold(t, strings.Contains(all.String(), part), "set-up, stages and recommendations hold", part)
	}
	for _, part := range []string{"javascript:", "http://", "data:text/html", "//evil", "https://grim.example/admin", "@evil"} {
		hold(t, strings.Contains(urls.String(), part), part)
	}
}

// eachString visits every string in a JSON value.
func eachString(v any, visit func(string)) {
	switch v := v.(type) {
	case string:
		visit(v)
	case []any:
		for _, x := range v {
			eachString(x, visit)
		}
	case map[string]any:
		for _, x := range v {
			eachString(x, visit)
		}
	}
}

func TestTheVastStoreAnswersEveryEndpointOfAnOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true})
	for _, o := range data[gotOffers](t, w.upsell("penrose", "/data/offers?page=30")).Offers {
		s := setupOf(t, w, "penrose", o.ID)
		same(t, o.Name, s.Name)
		hold(t, *s.Priority > 0 && *s.Priority <= 460)
		hold(t, len(stagesOf(t, w, "penrose", o.ID).Stages) > 0)
		hold(t, shape(recommended(t, w, "penrose", "offerId="+o.ID)) != "")
	}
}
