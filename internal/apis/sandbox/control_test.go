package sandbox

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// order sends an order to the control address.
func (w *served) order(body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	out := httptest.NewRecorder()
	w.Control().ServeHTTP(out, r)
	return out
}

func (w *served) ordered(service, do string) {
	w.t.Helper()
	if got := w.order(`{"store":"fernhollow","service":"` + service + `","do":"` + do + `"}`); got.Code != http.StatusOK {
		w.t.Fatalf("%s: %d %s", do, got.Code, got.Body)
	}
}

func TestEveryDeedChangesWhatTheServiceAnswers(t *testing.T) {
	t.Parallel()
	const longWindow = "/data/analytics/summary?start=2026-01-01&end=2026-05-31"
	many := "/products?handles=a"
	for i := range 60 {
		many += "," + strings.Repeat("c", i+1)
	}
	for do, c := range map[string]struct{ service, path, holds string }{
		"unknown-token":        {"upsell", "/data/offers/count", "Invalid token"},
		"unchecked-token":      {"upsell", "/data/offers/count", "Unauthorized"},
		"limited":              {"gift", "/plan", "RATE_LIMIT"},
		"internal":             {"gift", "/plan", "INTERNAL_ERROR"},
		"unreadable":           {"gift", "/plan", "<html>"},
		"count-failed":         {"upsell", "/data/offers/count", `"success":false`},
		"clamped-windows":      {"upsell", longWindow, `"start":"2026-03-03","end":"2026-05-31","source":"adjusted"`},
		"many-handles-refused": {"gift", many, "INVALID_INPUT"},
		"bad-input":            {"gift", "/plan", "INVALID_INPUT"},
		"theme-away":           {"gift", "/setup-health", `"errors":[{`},
		"campaigns-away":       {"gift", "/setup-health", `"errors":[{`},
		"issues-away":          {"gift", "/setup-health", `"errors":[{`},
		"revoke":               {"gift", "/plan", "INVALID_KEY"},
		"uninstall":            {"gift", "/plan", "APP_UNINSTALLED"},
		"lapse-plan":           {"gift", "/plan", "NO_PLAN"},
	} {
		w := newWorld(t, Config{})
		ask := func() string {
			if c.service == "gift" {
				return w.gift("fernhollow", c.path).body
			}
			return w.upsell("fernhollow", c.path).body
		}
		hold(t, !strings.Contains(ask(), c.holds), do)
		w.ordered(c.service, do)
		if got := ask(); !strings.Contains(got, c.holds) {
			t.Errorf("%s: %q is not in %.300s", do, c.holds, got)
		}
	}
}

func TestWhatIsUndoneAnswersAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, c := range [][2]string{{"limited", "clear"}, {"uninstall", "reinstall"}, {"revoke", "renew"}} {
		w.ordered("gift", c[0])
		hold(t, w.gift("fernhollow", "/plan").status != http.StatusOK, c[0])
		w.ordered("gift", c[1])
		same(t, http.StatusOK, w.gift("fernhollow", "/plan").status, c[1])
	}
}

func TestTheControlAddressRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for body, says := range map[string]string{
		`{"store":"nobody","service":"gift","do":"clear"}`:                     "there is no store",
		`{"store":"fernhollow","service":"mail","do":"clear"}`:                 "there is no service",
		`{"store":"fernhollow","service":"gift","do":"explode"}`:               "nothing is called",
		`{"store":"fernhollow","service":"gift","do":"moving-rows"}`:           "is of the upsell service only",
		`{"store":"fernhollow","service":"gift","do":"limited","times":-1}`:    "times is not below 0",
		`{"store":"fernhollow","service":"gift","do":"revoke","path":"/plan"}`: "takes neither",
		`{"shop":"fernhollow"}`: "unknown field",
		`[]`:                    "cannot unmarshal",
	} {
		got := w.order(body)
		if got.Code != http.StatusBadRequest || !strings.Contains(got.Body.String(), says) {
			t.Errorf("%s: %d %s", body, got.Code, got.Body)
		}
	}
	form := httptest.NewRecorder()
	w.Control().ServeHTTP(form, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"store":"fernhollow","service":"gift","do":"revoke"}`)))
	same(t, http.StatusUnsupportedMediaType, form.Code, "a form of another site")
	list := httptest.NewRecorder()
	w.Control().ServeHTTP(list, httptest.NewRequest(http.MethodGet, "/", nil))
	for _, name := range append(Deeds(), w.store("fernhollow").GiftWriteKey) {
		hold(t, strings.Contains(list.Body.String(), `"`+name+`"`), name)
	}
	same(t, http.StatusOK, w.gift("fernhollow", "/plan").status, "nothing was done")
}

func TestBothReadingsOfWhatTheDocumentsLeaveOpenAreServed_N43_N57(t *testing.T) {
	t.Parallel()
	const path = "/data/analytics/summary?start=2026-01-01&end=2026-05-31"
	many := "/products?handles=a"
	for i := range 60 {
		many += "," + strings.Repeat("c", i+1)
	}
	one, other := newWorld(t, Config{}), newWorld(t, Config{Clamp: true, FewHandles: true})
	same(t, http.StatusBadRequest, one.upsell("fernhollow", path).status, "refused")
	same(t, http.StatusOK, other.upsell("fernhollow", path).status, "cut")
	same(t, http.StatusOK, one.gift("fernhollow", many).status, "cut")
	same(t, http.StatusBadRequest, other.gift("fernhollow", many).status, "refused")
}
