package report

import (
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
)

func TestN73APausedStoreHasOneSignEverywhere(t *testing.T) {
	t.Parallel()
	in := three()
	equal(t, "before", overview(t, in, threeDays).Freshness.Sign() == "none", false)
	in.Paused = true
	o := overview(t, in, threeDays)
	equal(t, "overview", o.Freshness.Sign(), "none")
	gifts := NewGift(locale.English, StoredGiftPage{Stored: in}, choose(t, threeDays), noon)
	equal(t, "gifts", gifts.Freshness.Sign(), "none")
}
