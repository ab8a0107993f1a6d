package sandbox

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

func BenchmarkSummary(b *testing.B) {
	benchmark(b, "/data/analytics/summary?start=2026-10-21&end=2026-11-19")
}
func BenchmarkTop(b *testing.B) {
	benchmark(b, "/data/analytics/top?limit=50&start=2026-08-22&end=2026-11-19")
}
func BenchmarkOffers(b *testing.B) { benchmark(b, "/data/offers?sort=revenue") }

func benchmark(b *testing.B, path string) {
	s := New(Config{Seed: 7, Now: newClock(ordinaryDay).now})
	st := s.Stores()[0]
	r := httptest.NewRequest("GET", st.UpsellPath+path, nil)
	r.Header.Set("Authorization", "Bearer "+st.UpsellToken)
	s.ServeHTTP(httptest.NewRecorder(), r)
	for b.Loop() {
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// BenchmarkWorld builds a store's whole history, which happens once per store.
func BenchmarkWorld(b *testing.B) {
	at := newClock(ordinaryDay).now()
	for b.Loop() {
		s := New(Config{Seed: 7, Now: func() time.Time { return at }})
		s.shops[0].Book(at)
	}
}

// The vast store's endpoints: each should cost next to nothing once the history is built.
func BenchmarkVast(b *testing.B) {
	s := New(Config{Seed: 7, Now: newClock(ordinaryDay).now, Vast: true})
	st := s.Stores()[4]
	id := s.shops[4].Book(newClock(ordinaryDay).now()).Offers[world.VastOffers-1].Id
	for name, path := range map[string]string{
		"list": "/data/offers?page=50", "priority": "/data/offers/by-priority?placement=coupon-offer", "setup": "/data/offer/" + id,
		"stages": "/data/offer/" + id + "/stages", "recommendations": "/data/products/recommendations?offerId=" + id,
	} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest("GET", st.UpsellPath+path, nil)
			r.Header.Set("Authorization", "Bearer "+st.UpsellToken)
			for b.Loop() {
				s.ServeHTTP(httptest.NewRecorder(), r)
			}
		})
	}
}
