package pulls_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// The sandbox's summary of 30 days, asked for as one window, must equal what we stitch from
// thirty single days: over HTTP and Postgres, to the cent, for every demo store.
func TestStitchedLast30EqualsReportedLast30(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	for _, s := range w.sandbox.Stores() {
		t.Run(s.Slug, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{})
			w.add(s.Slug, 61)
			w.sync(s.Slug)
			store := w.seen(s.Slug)
			now := time.Now()
			choice, err := report.ParseChoice(url.Values{}, now, store.Location(), store.FirstDay)
			if err != nil {
				t.Fatal(err)
			}
			stored, err := w.db.Stored(context.Background(), store, choice, nil)
			if err != nil {
				t.Fatal(err)
			}
			reported := overview.New(locale.English, stored, choice, now)
			if reported.Summary.Provenance.Basis != report.Reported {
				t.Fatalf("the 30 days are %s, want reported", reported.Summary.Provenance.Basis)
			}
			if c := reported.Summary.Provenance.Check; c == nil || !c.Agrees || c.Days != 30 {
				t.Errorf("nightly check is %+v, want 30 days that agree", c)
			}
			stored.Windows = nil // without the window's own answer, it is stitched
			stitched := overview.New(locale.English, stored, choice, now)
			if stitched.Summary.Provenance.Basis != report.Stitched || len(stitched.Summary.Provenance.Missing) > 0 {
				t.Fatalf("without the reported window the basis is %s with %d days missing", stitched.Summary.Provenance.Basis, len(stitched.Summary.Provenance.Missing))
			}
			r, s := reported.Summary, stitched.Summary
			if !r.TotalUpsoldValue.Equal(s.TotalUpsoldValue) || r.TotalUpsoldOrders != s.TotalUpsoldOrders || r.TotalOrders != s.TotalOrders || *r.OfferViews != *s.OfferViews {
				t.Errorf("reported %s %s, %d of %d orders, %d views; stitched %s, %d of %d, %d",
					r.Currency, r.TotalUpsoldValue, r.TotalUpsoldOrders, r.TotalOrders, *r.OfferViews,
					s.TotalUpsoldValue, s.TotalUpsoldOrders, s.TotalOrders, *s.OfferViews)
			}
			t.Logf("%s: %s %s from 30 days, %d of %d orders", store.Slug, r.Currency, r.TotalUpsoldValue, r.TotalUpsoldOrders, r.TotalOrders)
		})
	}
}
