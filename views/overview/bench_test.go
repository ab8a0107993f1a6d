package overview_test

import (
	"bytes"
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

// TestOverviewIsOfModerateSize holds the page's weight before compression: a fourth of it is
// what the five charts say about each day.
func TestOverviewIsOfModerateSize(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	var buf bytes.Buffer
	if err := overview.Show(overview.Page{Base: components.Base{Store: &o.Store}, Overview: o}).Render(context.Background(), &buf); err != nil {
		t.Fatal(err)
	}
	if buf.Len() > 135_000 {
		t.Errorf("%d bytes, at most 135,000", buf.Len())
	}
}
