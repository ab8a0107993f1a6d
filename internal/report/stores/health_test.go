package stores

import (
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestN73APausedStoreHasNoSignOfWork(t *testing.T) {
	t.Parallel()
	loc, err := report.Zone(reporttest.Acme.Timezone)
	if err != nil {
		t.Fatal(err)
	}
	in := reporttest.Three()
	stored := Stored{Store: reporttest.Acme, Location: loc, Paused: true, Credentials: in.Credentials, UpsellAt: reporttest.Noon, LastDay: in.LastDay}
	f := stored.Freshness(locale.English, reporttest.Noon)
	reporttest.Equal(t, "list", stored.Status(locale.English, f, reporttest.Noon).Sign, "none")
	reporttest.Equal(t, "list, freshness", f.Sign(), "none")
}
