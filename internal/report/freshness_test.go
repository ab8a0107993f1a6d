package report

import (
	"testing"
)

func TestN73APausedStoreHasOneSignEverywhere(t *testing.T) {
	t.Parallel()
	in := three()
	equal(t, "before", overview(t, in, threeDays).Freshness.Sign() == "none", false)
	in.Paused = true
	o := overview(t, in, threeDays)
	equal(t, "overview", o.Freshness.Sign(), "none")
}
