package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// clock is a clock that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock(text string) *clock {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return &clock{at: at}
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// ordinaryDay is a Friday afternoon in New York with every kind of offer present.
const ordinaryDay = "2026-11-20T20:00:00Z"

// served is a sandbox behind real HTTP.
type served struct {
	*Server
	t     *testing.T
	url   string
	clock *clock
}

func newWorld(t *testing.T, cfg Config) *served {
	t.Helper()
	c := newClock(ordinaryDay)
	if cfg.Now == nil {
		cfg.Now = c.now
	}
	if cfg.Seed == 0 {
		cfg.Seed = 7
	}
	s := New(cfg)
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return &served{s, t, srv.URL, c}
}

func (w *served) store(slug string) Store {
	for _, st := range w.Stores() {
		if st.Slug == slug {
			return st
		}
	}
	w.t.Fatalf("no store %s", slug)
	return Store{}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func (w *served) send(method, path, authorization string) answer {
	w.t.Helper()
	return w.sendBody(method, path, authorization, "")
}

func (w *served) sendBody(method, path, authorization, body string) answer {
	w.t.Helper()
	req, err := http.NewRequest(method, w.url+path, strings.NewReader(body))
	hold(w.t, err == nil, err)
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	res, err := http.DefaultClient.Do(req)
	hold(w.t, err == nil, err)
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	hold(w.t, err == nil, err)
	return answer{res.StatusCode, res.Header, string(got)}
}

// upsell and gift call a store's own endpoints with its own token.
func (w *served) upsell(slug, path string) answer {
	w.t.Helper()
	st := w.store(slug)
	return w.send(http.MethodGet, st.UpsellPath+path, "Bearer "+st.UpsellToken)
}

func (w *served) gift(slug, path string) answer {
	w.t.Helper()
	st := w.store(slug)
	return w.send(http.MethodGet, st.GiftPath+path, "Bearer "+st.GiftKey)
}

// write calls a store's gift service with the key that may do everything.
func (w *served) write(slug, method, path, body string) answer {
	w.t.Helper()
	st := w.store(slug)
	return w.sendBody(method, st.GiftPath+path, "Bearer "+st.GiftDeleteKey, body)
}

// data decodes the data of a success.
func data[T any](t *testing.T, a answer) T {
	t.Helper()
	hold(t, a.status == http.StatusOK || a.status == http.StatusCreated, a.status, a.body)
	var out struct {
		Success bool
		Data    T
	}
	d := json.NewDecoder(strings.NewReader(a.body))
	hold(t, d.Decode(&out) == nil, a.body)
	hold(t, out.Success, a.body)
	return out.Data
}

type (
	gotWindow  struct{ Start, End, Source string }
	gotSummary struct {
		TotalUpsoldValue, UpsellSuccessRate, AverageUpsoldValue decimal.Decimal
		TotalUpsoldOrders, TotalOrders, OfferViews              int64
		Currency, ShopDomain                                    string
		AppliedWindow                                           gotWindow
	}
	gotStats struct {
		Placements []struct {
			Placement           string
			Impressions, Claims int64
			Revenue             *decimal.Decimal
		}
		ShopOfferCount int
		AppliedWindow  gotWindow
	}
	gotOffer struct {
		ID, Name, Status, Type string
		ABTest                 bool
		URL                    *string
		Revenue                *decimal.Decimal
		CreatedAt              string
		Priority               int
		Claims                 *int64
		AcceptanceRate         *decimal.Decimal
		IsDeleted              *bool
	}
	gotOffers struct {
		Offers         []gotOffer
		Total          int
		HasMore        bool
		ShopOfferCount int
		AppliedFilter  map[string]any
		AppliedWindow  gotWindow
	}
	gotCoverage struct {
		Placements []struct {
			Placement               string
			HasActive               bool
			ActiveCount, TotalCount int
			RecentRevenue           *decimal.Decimal
		}
		AppliedWindow gotWindow
	}
	gotLifetime struct {
		TotalRevenue, ConversionRate, RevenuePerVisit decimal.Decimal
		OfferViews, UpsoldOrders                      int64
	}
	gotCount struct {
		Total  int
		ByType []struct {
			Type     string
			Count    int
			ByStatus map[string]int
		}
		ByStatus map[string]int
	}
)

func equalMoney(t *testing.T, want, got decimal.Decimal, what string) {
	t.Helper()
	hold(t, want.Equal(got), "%s: %s is not %s", what, got, want)
}

// every lists the offers of a store, from the oldest to the newest, slice by slice if a list is too long.
func every(t *testing.T, w *served, slug string) (out []gotOffer) {
	t.Helper()
	for _, label := range world.PlacementLabels {
		out = append(out, walk(t, w, slug, "/data/offers?sort=oldest&type="+url.QueryEscape(label))...)
	}
	return out
}

var sellers = []string{"fernhollow", "lumen", "kumo", "wattle"}
