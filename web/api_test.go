package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/web/webtest"
)

// object decodes a JSON answer.
func object(t *testing.T, r webtest.Response) map[string]any {
	t.Helper()
	if r.Status != 200 || r.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s %s", r.Status, r.Header.Get("Content-Type"), r.Body)
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(r.Body), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// at walks into a JSON value.
func at(v any, path ...string) any {
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

func TestAPITakesTokensAndNoSessions(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	r := w.SignedIn().Get("/api/v1/stores")
	if r.Status != http.StatusUnauthorized || r.Header.Get("WWW-Authenticate") != `Bearer realm="storeglass"` {
		t.Errorf("a session: %d %q", r.Status, r.Header.Get("WWW-Authenticate"))
	}
	token := w.Token(webtest.Own)
	if r := w.APIClient(token).Get("/stores/acme"); r.Status != http.StatusSeeOther {
		t.Errorf("a token opened a page: %d", r.Status)
	}
	b := w.Browser()
	b.Header.Set("Authorization", "bearer "+token)
	if r := b.Get("/api/v1/stores"); r.Status != 200 {
		t.Errorf("the scheme's case: %d", r.Status)
	}
	b.Header.Set("Authorization", "Basic "+token)
	if r := b.Get("/api/v1/stores"); r.Status != 401 {
		t.Errorf("another scheme: %d", r.Status)
	}
	b.Header.Set("Authorization", "Bearer "+token+"x")
	if r := b.Get("/api/v1/stores"); r.Status != 401 || !strings.Contains(r.Header.Get("WWW-Authenticate"), `error="invalid_token"`) {
		t.Errorf("a wrong token: %d %q", r.Status, r.Header.Get("WWW-Authenticate"))
	}
	w.Must(w.Tokens.Revoke(t.Context(), "test acme"))
	if r := w.APIClient(token).Get("/api/v1/stores"); r.Status != 401 {
		t.Errorf("a revoked token: %d", r.Status)
	}
}

func TestAPISummaryIsTheReportedWindowWithItsProvenance(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	v := object(t, w.APIClient(w.Token(webtest.Own)).Get("/api/v1/stores/acme/summary"))
	for path, want := range map[string]any{
		"total_upsold_value":            "3007.5",
		"currency":                      "USD",
		"provenance.endpoint":           "GET /data/analytics/summary",
		"provenance.basis":              "reported",
		"provenance.window.start":       "2026-10-21",
		"provenance.window.end":         "2026-11-19",
		"provenance.window.days":        30.0,
		"provenance.window.source":      "merchant",
		"provenance.window.asked.start": "2026-10-21",
		"provenance.window.asked.end":   "2026-11-19",
		"provenance.fetched_at":         "2026-11-20T15:18:20Z",
	} {
		if got := at(v, strings.Split(path, ".")...); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if _, ok := at(v, "provenance", "flags").([]any); !ok {
		t.Error("flags is no list")
	}
}

func TestAPIHistoryHasARowADayAndGapsAreNullN1(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	for metric, want := range map[string]string{
		"": "100.25", "total_upsold_value": "100.25", "total_upsold_orders": "4", "total_orders": "50", "offer_views": "200", "upsell_success_rate": "0.08",
	} {
		v := object(t, b.Get("/api/v1/stores/acme/history?start=2026-11-01&end=2026-11-05&metric="+metric))
		days := v["days"].([]any)
		if len(days) != 5 {
			t.Fatalf("%d days", len(days))
		}
		for _, d := range days {
			value, stored := at(d, "value"), at(d, "stored")
			if at(d, "day") == "2026-11-03" {
				if value != nil || stored != false || at(d, "fetched_at") != nil {
					t.Errorf("%s: the missing day is %v", metric, d)
				}
			} else if value != want {
				t.Errorf("%s: %v, want %s", metric, d, want)
			}
		}
		money := metric == "" || strings.HasSuffix(metric, "_value")
		if _, ok := at(days[0], "currency").(string); ok != money {
			t.Errorf("%s: a day’s currency: %v", metric, days[0])
		}
		if _, ok := v["currency"].(string); ok != money {
			t.Errorf("%s: currency %v", metric, v["currency"])
		}
	}
}

func TestAPIHistoryIsByDayUnlessAskedOtherwise(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	for query, want := range map[string]string{"start=2025-11-20&end=2026-11-19": "day", "start=2025-11-20&end=2026-11-19&group=month": "month"} {
		if got := object(t, b.Get("/api/v1/stores/acme/history?"+query))["group"]; got != want {
			t.Errorf("%s: by %v", query, got)
		}
	}
}

func TestAPIListOfStoresHoldsNumbersWhereThereAreSomeN1(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into stores (slug, name, timezone) values ('bare', 'Bare', 'Asia/Tokyo')`)
	w.Exec(`update coverage set active_count = 0, total_count = 0`)
	w.Exec(`update summaries set total_upsold_value = 0, total_upsold_orders = 0`)
	for _, s := range object(t, w.APIClient(w.Token(webtest.Own, "bare")).Get("/api/v1/stores"))["stores"].([]any) {
		summary := at(s, "summary")
		switch at(s, "slug") {
		case "bare":
			if summary != nil || at(s, "not_compared") != nil {
				t.Errorf("a store without numbers: %v", s)
			}
		default:
			if at(summary, "total_upsold_value") != "0" || at(summary, "empty") != nil {
				t.Errorf("a store without offers: %v", s)
			}
		}
	}
}

func TestAPISummaryHasNoComparisonWithoutNumbersN74(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	w.Exec(`delete from summaries where window_start < '2026-11-16'`)
	for query, compared := range map[string]bool{"start=2026-11-18&end=2026-11-19": true, "start=2026-11-16&end=2026-11-19": false} {
		if v := object(t, b.Get("/api/v1/stores/acme/summary?"+query)); (v["previous"] != nil) != compared {
			t.Errorf("%s: %v", query, v["previous"])
		}
	}
}

func TestAPIPlacementsHaveNoTotalN14(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	v := object(t, w.APIClient(w.Token(webtest.Own)).Get("/api/v1/stores/acme/placements"))
	if rows := v["placements"].([]any); len(rows) != 4 {
		t.Errorf("%d rows", len(rows))
	}
	for key := range v {
		if strings.Contains(key, "total") {
			t.Errorf("the answer has %s", key)
		}
	}
}

func TestAPIPlacementsOfAMissingDayAreNullN1(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	v := object(t, w.APIClient(w.Token(webtest.Own)).Get("/api/v1/stores/acme/placements"))
	for _, row := range v["placements"].([]any) {
		days := at(row, "days").([]any)
		if len(days) != 30 {
			t.Fatalf("%d days", len(days))
		}
		for _, d := range days {
			missing := at(d, "day") == "2026-11-03"
			if stored := at(d, "stored").(bool); stored == missing || (at(d, "impressions") == nil) != missing || (at(d, "claims") == nil) != missing {
				t.Errorf("%v: %v", at(row, "placement"), d)
			}
		}
	}
}

func TestAPILifetimeHasNoWindowN21(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	v := object(t, b.Get("/api/v1/stores/acme/lifetime"))
	if window, ok := at(v, "provenance").(map[string]any)["window"]; !ok || window != nil {
		t.Errorf("window is %v", window)
	}
	if r := b.Get("/api/v1/stores/acme/lifetime?window=today"); r.Status != 400 || !strings.Contains(r.Body, "no window") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestAPIKeepsGiftAndUpsellApartN3(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	if v := object(t, b.Get("/api/v1/stores/acme/gift/analytics")); at(v, "revenue", "value") != "900.1" {
		t.Errorf("gift revenue %v", at(v, "revenue"))
	}
	if body := b.Get("/api/v1/stores/acme/summary").Body; strings.Contains(body, "900.1") || strings.Contains(body, "3907.6") {
		t.Error("the summary knows of gift revenue")
	}
}

func TestAPIEmptyAnswersHoldNoNumbersN1(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into stores (slug, name, timezone) values ('bare', 'Bare', 'Asia/Tokyo')`)
	b := w.APIClient(w.Token("bare"))
	for _, path := range []string{"summary", "placements", "top", "coverage", "lifetime", "history", "gift/analytics", "gift/campaigns", "gift/setup-health", "gift/plan"} {
		v := object(t, b.Get("/api/v1/stores/bare/"+path))
		if at(v, "empty", "cause") != "never_connected" {
			t.Errorf("%s: cause %v", path, at(v, "empty", "cause"))
		}
		for key := range v {
			if key != "provenance" && key != "empty" && key != "trouble" {
				t.Errorf("%s: an empty answer has %s", path, key)
			}
		}
		if at(v, "provenance", "fetched_at") != nil {
			t.Errorf("%s: fetched at %v", path, at(v, "provenance", "fetched_at"))
		}
	}
}

func TestAPIProblemsAreProblemDetails(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	for path, want := range map[string]struct {
		status int
		kind   string
		field  any
		detail string
	}{
		"/api/v1/stores/nowhere":                            {404, "not-found", nil, "you don’t have access to"},
		"/api/v1/nothing":                                   {404, "not-found", nil, "nothing at this address"},
		"/api/v1/stores/acme/summary?window=fortnight":      {400, "window", "window", "last_7_days"},
		"/api/v1/stores/acme/summary?start=2026-11-09":      {400, "window", "end", "YYYY-MM-DD"},
		"/api/v1/stores/acme/summary?windw=today":           {400, "bad-request", "windw", "Known: window, start, end, compare"},
		"/api/v1/stores/acme/summary?window=today&window=x": {400, "bad-request", "window", "more than once"},
		"/api/v1/stores/acme/history?metric=profit":         {400, "bad-request", "metric", "total_upsold_value"},
		"/api/v1/stores/acme/notes?compare=year":            {400, "bad-request", "compare", "leave compare out"},
		"/api/v1/stores/acme/sync?filter=x":                 {400, "bad-request", "filter", "waiting"},
		"/api/v1/stores?limit=3":                            {400, "bad-request", "limit", "Known: window, start, end, compare"},
		"/api/v1/stores?window=today":                       {400, "window", "window", "several stores"},
		"/api/v1/stores/acme/lifetime?limit=3":              {400, "bad-request", "limit", "Known: none"},
		"/api/v1/stores/acme/offers?sort=best":              {400, "bad-request", "sort", "value, value_reversed, change"},
	} {
		r := b.Get(path)
		var p map[string]any
		if err := json.Unmarshal([]byte(r.Body), &p); err != nil || r.Status != want.status || r.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s %v", path, r.Status, r.Body, err)
			continue
		}
		if p["type"] != "/api/v1/openapi.json#/x-problems/"+want.kind || p["status"] != float64(want.status) || p["title"] == "" ||
			p["field"] != want.field || !strings.Contains(p["detail"].(string), want.detail) || !strings.HasSuffix(p["detail"].(string), ".") {
			t.Errorf("%s: %s", path, r.Body)
		}
	}
}

// A program whose token ran out must not look for a typing mistake.
func TestAnExpiredTokenIsSaidToBePossible(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	w.Clock.Add(apitoken.Life + time.Hour)
	if r := b.Get("/api/v1/stores"); r.Status != 401 || !strings.Contains(r.Body, "has expired, was revoked, or") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestAPIAnswersAreConfirmedByETag(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	first := b.Get("/api/v1/stores/acme/lifetime")
	for known, status := range map[string]int{
		first.Header.Get("ETag"): 304, `"another", ` + first.Header.Get("ETag"): 304, "*": 304,
		strings.TrimPrefix(first.Header.Get("ETag"), "W/"): 304, // a proxy may turn a weak tag into a strong one
		`"another"`: 200, `W/""`: 200,
	} {
		r := b.Do("GET", "/api/v1/stores/acme/lifetime", nil, http.Header{"If-None-Match": {known}})
		if vary := strings.Join(r.Header.Values("Vary"), ", "); r.Status != status || r.Header.Get("Cache-Control") != "private, no-cache" || vary != "Cookie, Authorization, Accept-Encoding" {
			t.Errorf("%s: %d, %s, varies by %s", known, r.Status, r.Header.Get("Cache-Control"), vary)
		}
	}
	for _, path := range []string{
		"", "/acme", "/acme/summary", "/acme/placements", "/acme/top", "/acme/coverage", "/acme/history", "/acme/offers", "/acme/notes",
		"/acme/gift/analytics", "/acme/gift/history", "/acme/gift/campaigns", "/acme/gift/setup-health", "/acme/gift/plan",
	} {
		known := b.Get("/api/v1/stores" + path).Header.Get("ETag")
		w.Clock.Add(time.Second)
		if r := b.Do("GET", "/api/v1/stores"+path, nil, http.Header{"If-None-Match": {known}}); r.Status != 304 {
			t.Errorf("%s, a second later: %d", path, r.Status)
		}
	}
}

func TestAPIAndFileShowTheSameNumbers(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	api, page := w.APIClient(w.Token(webtest.Own)), w.SignedIn()
	w.Exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, currency, asked_start, asked_end, partial, fetched_at)
		select store_id, '2026-11-20', '2026-11-20', 12.5, 1, 3, currency, '2026-11-20', '2026-11-20', true, $1
		from summaries where window_start = '2026-11-19' and window_end = '2026-11-19'`, w.Clock.Now())
	for window, want := range map[string]int{"last_7_days": 7, "today": 1} {
		days := object(t, api.Get("/api/v1/stores/acme/history?window="+window))["days"].([]any)
		rows := webtest.File(t, page.Get("/stores/acme/history.csv?window="+window))
		if len(days) != len(rows) || len(rows) != want {
			t.Fatalf("%s: %d and %d days", window, len(days), len(rows))
		}
		for i, row := range rows {
			if at(days[i], "day") != row["day"] || at(days[i], "value") != row["total_upsold_value"] || at(days[i], "partial") != (window == "today") {
				t.Errorf("%s: %v and %v", window, days[i], row)
			}
		}
	}
}

func TestAWeekWithoutAnyStoredDaySaysThatItHoldsNone(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`delete from summaries where window_start between '2026-11-02' and '2026-11-08' and window_start = window_end`)
	api := w.APIClient(w.Token(webtest.Own))
	weeks := object(t, api.Get("/api/v1/stores/acme/history?group=week&start=2026-11-02&end=2026-11-15"))["days"].([]any)
	for i, want := range []float64{0, 7} {
		if got := at(weeks[i], "days_counted"); got != want {
			t.Errorf("week %d holds %v days, want %v: %v", i, got, want, weeks[i])
		}
	}
	for _, d := range object(t, api.Get("/api/v1/stores/acme/history?start=2026-11-09&end=2026-11-10"))["days"].([]any) {
		if at(d, "days_counted") != nil {
			t.Errorf("a day: %v", d)
		}
	}
}
