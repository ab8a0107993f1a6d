package report

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

// cardOf is a connected store with the 60 days before 20 November, 100 a day.
func cardOf(t *testing.T) StoredCard {
	t.Helper()
	loc, err := Zone(acme.Timezone)
	if err != nil {
		t.Fatal(err)
	}
	in := StoredCard{
		Store: acme, Location: loc, PulledAt: noon.Add(-12 * time.Minute),
		Credentials: []StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
	}
	for d := range span("2026-09-21", "2026-11-19").All() {
		in.Days = append(in.Days, daySummary(d.String(), "100", 10, 100))
	}
	for _, p := range Placements {
		in.Coverage = append(in.Coverage, StoredCover{Placement: p, HasActive: true, ActiveCount: 1, TotalCount: 2})
	}
	return in
}

func TestACardIsTheLast30DaysOnTheStoresClock_N2(t *testing.T) {
	t.Parallel()
	in := cardOf(t)
	c := NewStoreCard(in, noon)
	equal(t, "window", c.Summary.Provenance.Window, ptr(span("2026-10-21", "2026-11-19")))
	equal(t, "value", c.Summary.TotalUpsoldValue, *dec("3000"))
	equal(t, "success rate", c.Summary.UpsellSuccessRate, dec("0.1"))
	if c.Summary.Previous == nil || !c.Summary.Previous.TotalUpsoldValue.Equal(decimal.NewFromInt(3000)) {
		t.Errorf("compared with %+v", c.Summary.Previous)
	}
	equal(t, "freshness", c.Freshness.Words, "Data to 19 Nov, pulled 12 minutes ago")
	equal(t, "state", c.Health+", "+c.HealthState, "All placements live, active")
	equal(t, "points", len(c.Spark), 30)

	tokyo, err := Zone("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	in.Location = tokyo // there it is two in the morning of the 21st
	equal(t, "window in Tokyo", NewStoreCard(in, noon).Summary.Provenance.Window, ptr(span("2026-10-22", "2026-11-20")))
}

func TestACardsLineHasGapsAndOneCurrency_N1_N34(t *testing.T) {
	t.Parallel()
	in := cardOf(t)
	in.Days[59].Partial = true
	in.Days = append(in.Days[:40], in.Days[41:]...)
	c := NewStoreCard(in, noon)
	for i, v := range c.Spark {
		equal(t, "a gap", v == nil, i == 10 || i == 29)
	}
	in = cardOf(t)
	in.Days[45].Currency = "EUR"
	c = NewStoreCard(in, noon)
	if len(c.Spark) != 0 || c.Summary.Empty == nil {
		t.Errorf("dollars and euros in one line of %d points, summed to %s", len(c.Spark), c.Summary.TotalUpsoldValue)
	}
}

func TestACardSaysTheStoresState(t *testing.T) {
	t.Parallel()
	off := func(n, created int) func(*StoredCard) {
		return func(c *StoredCard) {
			for i := range n {
				c.Coverage[i] = StoredCover{Placement: c.Coverage[i].Placement, TotalCount: int64(created)}
			}
		}
	}
	for name, c := range map[string]struct {
		change        func(*StoredCard)
		health, state string
		fresh         string
	}{
		"all live":           {func(*StoredCard) {}, "All placements live", "active", "good"},
		"one off":            {off(1, 2), "1 placement switched off", "off", "good"},
		"two off":            {off(2, 2), "2 placements switched off", "off", "good"},
		"one never created":  {off(1, 0), "Post-purchase upsell never created", "none", "good"},
		"two never created":  {off(2, 0), "2 placements never created", "none", "good"},
		"no offers (N15)":    {off(4, 0), "No offers yet", "none", "good"},
		"off beats never":    {func(c *StoredCard) { off(2, 0)(c); c.Coverage[2].ActiveCount = 0 }, "1 placement switched off", "off", "good"},
		"filling":            {func(c *StoredCard) { c.Coverage = nil }, "Filling in", "filling", "good"},
		"no whole day":       {func(c *StoredCard) { c.Days = nil }, "Filling in", "filling", "good"},
		"nothing pulled":     {func(c *StoredCard) { c.Days, c.PulledAt = nil, time.Time{} }, "Filling in", "filling", "filling"},
		"paused by a person": {func(c *StoredCard) { c.Paused = true }, "Paused", "none", "good"},
		"not connected":      {func(c *StoredCard) { c.Credentials = nil }, "Not connected", "none", "good"},
		"gifts alone":        {func(c *StoredCard) { c.Credentials, c.Coverage = c.Credentials[1:], nil }, "Free gifts only", "none", "good"},
		"upsell token (N37)": {func(c *StoredCard) { c.Credentials[0].State = "paused" }, "Upsell token needs a person", "person", "failed"},
		"gift key (N40)":     {func(c *StoredCard) { c.Credentials[1].State = "paused" }, "Gift key needs a person", "person", "failed"},
		"old":                {func(c *StoredCard) { c.PulledAt = noon.Add(-4 * time.Hour) }, "All placements live", "active", "stale"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := cardOf(t)
			c.change(&in)
			got := NewStoreCard(in, noon)
			equal(t, "state", got.Health+", "+got.HealthState, c.health+", "+c.state)
			equal(t, "freshness", got.Freshness.State, c.fresh)
		})
	}
}
