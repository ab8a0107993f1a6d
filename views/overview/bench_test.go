package overview_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/overview"
)

func BenchmarkOverview(b *testing.B) {
	o := gallery.Fernhollow(locale.English)
	page := overview.Page{Base: components.Base{Path: "/stores/fernhollow", Store: &o.Store, Now: o.Now}, Overview: o}
	var buf bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		buf.Reset()
		if err := overview.Show(page).Render(context.Background(), &buf); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(buf.Len()), "bytes/page")
}

// The page after the first visit is what a reader waits for: 25 kB including network overhead.
func TestOverviewIsOfModerateSize(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	page := overview.Page{Base: components.Base{Store: &o.Store}, Overview: o}
	page.Drawn, page.OfferDays = gallery.RankedDays(o)
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if err := overview.Show(page).Render(context.Background(), z); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if buf.Len() > 25_000 {
		t.Errorf("%d bytes compressed, at most 25,000", buf.Len())
	}
	t.Logf("%d bytes compressed", buf.Len())
}
