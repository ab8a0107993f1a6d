package overview

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestN73APausedStoreHasOneSignEverywhere(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	reporttest.Equal(t, "before", overview(t, in, reporttest.ThreeDays).Freshness.Sign() == "none", false)
	in.Paused = true
	o := overview(t, in, reporttest.ThreeDays)
	reporttest.Equal(t, "overview", o.Freshness.Sign(), "none")
}
