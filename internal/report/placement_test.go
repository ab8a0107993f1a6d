package report_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// In English a placement is called what the app calls it, in other languages it has another name.
// A label that the app's documentation doesn't list is shown as sent everywhere (N31).
func TestPlacementsHaveANameInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, p := range report.Placements {
		if got := p.Name().In(locale.English); got != string(p) {
			t.Errorf("%s is called %q", p, got)
		}
		for _, l := range locale.All()[1:] {
			if got := p.Name().In(l); got == string(p) || got == "" {
				t.Errorf("%s is called %q in %s", p, got, l.Code())
			}
		}
	}
	for _, l := range locale.All() {
		if p := report.Placement("Cart drawer upsell (new)"); p.Name().In(l) != string(p) || p.ShortName().In(l) != string(p) {
			t.Errorf("%s is called %q and %q in %s", p, p.Name().In(l), p.ShortName().In(l), l.Code())
		}
	}
}
