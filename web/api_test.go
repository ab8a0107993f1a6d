package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// object decodes a JSON answer.
func object(t *testing.T, r response) map[string]any {
	t.Helper()
	if r.status != 200 || r.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s %s", r.status, r.header.Get("Content-Type"), r.body)
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(r.body), &out); err != nil {
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
	w := newWorld(t)
	r := w.signedIn().get("/api/v1/stores")
	if r.status != http.StatusUnauthorized || r.header.Get("WWW-Authenticate") != `Bearer realm="storeglass"` {
		t.Errorf("a session: %d %q", r.status, r.header.Get("WWW-Authenticate"))
	}
	token := w.token(own)
	if r := w.apiClient(token).get("/stores/acme"); r.status != http.StatusSeeOther {
		t.Errorf("a token opened a page: %d", r.status)
	}
	b := w.browser()
	b.header.Set("Authorization", "bearer "+token)
	if r := b.get("/api/v1/stores"); r.status != 200 {
		t.Errorf("the scheme's case: %d", r.status)
	}
	b.header.Set("Authorization", "Bearer "+token+"x")
	if r := b.get("/api/v1/stores"); r.status != 401 || !strings.Contains(r.header.Get("WWW-Authenticate"), `error="invalid_token"`) {
		t.Errorf("a wrong token: %d %q", r.status, r.header.Get("WWW-Authenticate"))
	}
	w.must(w.access.RevokeToken(t.Context(), "test acme"))
	if r := w.apiClient(token).get("/api/v1/stores"); r.status != 401 {
		t.Errorf("a revoked token: %d", r.status)
	}
}

func TestAPISummaryIsTheReportedWindowWithItsProvenance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := object(t, w.apiClient(w.token(own)).get("/api/v1/stores/acme/summary"))
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
	w := newWorld(t)
	b := w.apiClient(w.token(own))
	for metric, want := range map[string]string{
		"": "100.25", "total_upsold_value": "100.25", "total_upsold_orders": "4", "total_orders": "50", "offer_views": "200", "upsell_success_rate": "0.08",
	} {
		v := object(t, b.get("/api/v1/stores/acme/history?start=2026-11-01&end=2026-11-05&metric="+metric))
		days := v["days"].([]any)
		if len(days) != 5 {
			t.Fatalf("%d days", len(days))
		}
		for _, d := range days {
			value, stored := at(d, "value"), at(d, "stored")
			if at(d, "day") == "2026-11-03" {
				if value != nil || stored != false {
					t.Errorf("%s: the missing day is %v", metric, d)
				}
			} else if value != want {
				t.Errorf("%s: %v, want %s", metric, d, want)
			}
		}
		money := metric == "" || strings.HasSuffix(metric, "_value")
		if _, ok := v["currency"].(string); ok != money {
			t.Errorf("%s: currency %v", metric, v["currency"])
		}
	}
}

func TestAPIPlacementsHaveNoTotalN14(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := object(t, w.apiClient(w.token(own)).get("/api/v1/stores/acme/placements"))
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
	w := newWorld(t)
	v := object(t, w.apiClient(w.token(own)).get("/api/v1/stores/acme/placements"))
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
	w := newWorld(t)
	b := w.apiClient(w.token(own))
	v := object(t, b.get("/api/v1/stores/acme/lifetime"))
	if window, ok := at(v, "provenance").(map[string]any)["window"]; !ok || window != nil {
		t.Errorf("window is %v", window)
	}
	if r := b.get("/api/v1/stores/acme/lifetime?window=today"); r.status != 400 || !strings.Contains(r.body, "no window") {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestAPIKeepsGiftAndUpsellApartN3(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.apiClient(w.token(own))
	if v := object(t, b.get("/api/v1/stores/acme/gift/analytics")); at(v, "revenue", "value") != "900.1" {
		t.Errorf("gift revenue %v", at(v, "revenue"))
	}
	if body := b.get("/api/v1/stores/acme/summary").body; strings.Contains(body, "900.1") || strings.Contains(body, "3907.6") {
		t.Error("the summary knows of gift revenue")
	}
}

func TestAPIEmptyAnswersHoldNoNumbersN1(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into stores (slug, name, timezone) values ('bare', 'Bare', 'Asia/Tokyo')`)
	b := w.apiClient(w.token("bare"))
	for _, path := range []string{"summary", "placements", "top", "coverage", "lifetime", "history", "gift/analytics", "gift/campaigns", "gift/setup-health", "gift/plan"} {
		v := object(t, b.get("/api/v1/stores/bare/"+path))
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
	w := newWorld(t)
	b := w.apiClient(w.token(own))
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
		"/api/v1/stores/acme/sync?filter=x":                 {400, "bad-request", "filter", "waiting"},
		"/api/v1/stores?limit=3":                            {400, "bad-request", "limit", "Known: window, start, end, compare"},
		"/api/v1/stores?window=today":                       {400, "window", "window", "several stores"},
		"/api/v1/stores/acme/lifetime?limit=3":              {400, "bad-request", "limit", "Known: none"},
	} {
		r := b.get(path)
		var p map[string]any
		if err := json.Unmarshal([]byte(r.body), &p); err != nil || r.status != want.status || r.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s %v", path, r.status, r.body, err)
			continue
		}
		if p["type"] != "/api/v1/openapi.json#/x-problems/"+want.kind || p["status"] != float64(want.status) || p["title"] == "" ||
			p["field"] != want.field || !strings.Contains(p["detail"].(string), want.detail) {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}

func TestAPIAnswersAreConfirmedByETag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.apiClient(w.token(own))
	first := b.get("/api/v1/stores/acme/lifetime")
	if r := b.do("GET", "/api/v1/stores/acme/lifetime", nil, http.Header{"If-None-Match": {first.header.Get("ETag")}}); r.status != 304 {
		t.Errorf("%d", r.status)
	}
}

func TestAPIAndFileShowTheSameNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	api, page := w.apiClient(w.token(own)), w.signedIn()
	days := object(t, api.get("/api/v1/stores/acme/history?window=last_7_days"))["days"].([]any)
	rows := file(t, page.get("/stores/acme/history.csv?window=last_7_days"))
	if len(days) != len(rows) || len(rows) != 7 {
		t.Fatalf("%d and %d days", len(days), len(rows))
	}
	for i, row := range rows {
		if at(days[i], "day") != row["day"] || at(days[i], "value") != row["total_upsold_value"] {
			t.Errorf("%v and %v", days[i], row)
		}
	}
}
