package alerts

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestWhatStoppedGiftsCostIsACountOfOrdersWhereEveryDayIsKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		// first and last are days back; since is how many days the alert is open.
		first, last, since int
		after              int64
		unproven           bool
		want               string
	}{
		"off for three days":        {20, 1, 3, 0, false, "12 gift orders a day before, 0 since on average, 10 – 16 Nov 2026"},
		"some since":                {20, 1, 3, 2, false, "12 gift orders a day before, 2 since on average, 10 – 16 Nov 2026"},
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
