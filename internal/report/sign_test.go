package report

import "testing"

func TestN73APausedStoreHasOneSignEverywhere(t *testing.T) {
	t.Parallel()
	in := three()
	equal(t, "before", overview(t, in, threeDays).Freshness.Sign() == "none", false)
	in.Paused = true
	o := overview(t, in, threeDays)
	equal(t, "overview", o.Freshness.Sign(), "none")
	gifts := NewGift(StoredGiftPage{Stored: in}, choose(t, threeDays), noon)
	equal(t, "gifts", gifts.Freshness.Sign(), "none")
	loc, err := Zone(acme.Timezone)
	if err != nil {
		t.Fatal(err)
	}
	stored := StoredStore{Store: acme, Location: loc, Paused: true, Credentials: in.Credentials, UpsellAt: noon, LastDay: in.LastDay}
	f := stored.freshness(noon, 60)
	equal(t, "list", stored.status(f, noon).Sign, "none")
	equal(t, "list, freshness", f.Sign(), "none")
}
