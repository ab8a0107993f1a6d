package alerts

import (
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestWhatStoppedGiftsCostIsACountOfOrdersWhereEveryDayIsKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		// first and last are days back; since is how many days the alert has been open.
		first, last, since int
		after              int64
		unproven           bool
		want               string
	}{
		"off for three days":        {20, 1, 3, 0, false, "12 gift orders a day before, 0 since on average, 10 – 16 Nov 2026"},
		"some since":                {20, 1, 3, 2, false, "12 gift orders a day before, 2 since on average, 10 – 16 Nov 2026"},
		"few since":                 {20, 1, 3, 0, false, "12 gift orders a day before on average, 10 – 16 Nov 2026"},
		"off since yesterday":       {20, 1, 1, 0, false, "12 gift orders a day before on average, 12 – 18 Nov 2026"},
		"off since today":           {20, 1, 0, 0, false, "12 gift orders a day before on average, 13 – 19 Nov 2026"},
		"a day since isn't stored":  {20, 2, 3, 0, false, "12 gift orders a day before on average, 10 – 16 Nov 2026"},
		"a day before isn't stored": {9, 1, 3, 0, false, "Gifts don’t appear"},
		"a day that is in doubt":    {20, 1, 3, 0, true, "12 gift orders a day before, 0 since on average, 10 – 16 Nov 2026, being checked"},
	} {
		in := watched()
		in.Health[0].Body = []byte(`{"os2": true, "embed_enabled": false}`)
		began := alertNow.AddDate(0, 0, -c.since)
		in.Open = []Open{{ID: 1, Rule: "embed-off", Since: began, SeenAt: began}}
		for back := c.first; back >= c.last; back-- {
			n := decimal.NewFromInt(12)
			if back < c.since {
				n = decimal.NewFromInt(c.after)
			}
			if name == "few since" && back == 1 {
				n = decimal.New(5, -1)
			}
			in.GiftDays = append(in.GiftDays, report.StoredGift{Window: daysBefore(back)[0].Window, Orders: report.GiftMetric{Value: &n}, Unproven: c.unproven})
		}
		found, _ := Find(in, alertNow)
		for _, f := range found {
			if f.Rule == "embed-off" {
				reporttest.Equal(t, name, f.Effect.In(locale.English), c.want)
			}
		}
	}
}

// The service counts a store's gifts, not a campaign's.
func TestWhatAnEndingCampaignGivesIsKnownOfTheOnlyOne(t *testing.T) {
	t.Parallel()
	const known = "12 gift orders a day on average, 13 – 19 Nov 2026"
	other := func(status, end string) func(*Stored) {
		return func(in *Stored) {
			in.Campaigns = append(in.Campaigns, report.Campaign{ID: "8", Name: "Cap", Status: status, EndDate: end})
		}
	}
	vanished := func(days int) func(*Stored) {
		return func(in *Stored) {
			other("active", "")(in)
			at := alertNow.AddDate(0, 0, -days)
			in.Campaigns[1].LastListed = &at
		}
	}
	for name, c := range map[string]struct {
		change func(*Stored)
		want   string
	}{
		"the only campaign":                     {func(*Stored) {}, known},
		"another is active":                     {other("active", "2027-01-01"), ""},
		"another is to come":                    {other("scheduled", "2027-01-01"), known},
		"another ended before the week":         {other("expired", "2026-11-12"), known},
		"another ended within the week":         {other("expired", "2026-11-13"), ""},
		"another was switched off at some time": {other("expired", ""), ""},
		"another vanished before (N52)":         {vanished(9), known},
		"another vanished within (N52)":         {vanished(3), ""},
		"the list is cut (N51)":                 {func(in *Stored) { in.CampaignsCut = true }, ""},
		"it began within the week":              {func(in *Stored) { in.Campaigns[0].StartDate = "2026-11-15" }, ""},
		"a day is missing (N1)":                 {func(in *Stored) { in.GiftDays = in.GiftDays[1:] }, ""},
		"a day that is in doubt":                {func(in *Stored) { in.GiftDays[0].Unproven = true }, known + ", being checked"},
		"of the week before it was seen": {func(in *Stored) {
			in.Open = []Open{{ID: 1, Rule: "campaign-ending", Subject: "7", Since: alertNow.AddDate(0, 0, -2)}}
		}, "12 gift orders a day on average, 11 – 17 Nov 2026"},
	} {
		in := watched()
		in.Campaigns[0].StartDate, in.Campaigns[0].EndDate = "2026-10-01", "2026-11-22"
		for back := 1; back <= 20; back++ {
			n := decimal.NewFromInt(12)
			in.GiftDays = append(in.GiftDays, report.StoredGift{Window: daysBefore(back)[0].Window, Orders: report.GiftMetric{Value: &n}})
		}
		c.change(&in)
		found, _ := Find(in, alertNow)
		f := found[slices.IndexFunc(found, func(f Finding) bool { return f.Rule == "campaign-ending" && f.Subject == "7" })]
		reporttest.Equal(t, name, f.Effect.In(locale.English), c.want)
	}
}
