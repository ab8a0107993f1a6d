package gift_test

import (
	"testing"
	_ "time/tzdata"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func TestAnalyticsIsReadInFull(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(analytics(thirty)))
	got, err := s.Analytics(t.Context(), 30, false)
	must.NoError(t, err)
	must.Equal(t, "acme.example", got.Data.Domain)
	must.Equal(t, upstream.Currency("USD"), got.Data.Currency)
	must.Equal(t, "2026-10-21", got.Data.Period.Start.String())
	must.Equal(t, "2026-11-19", got.Data.Period.End.String())
	must.Equal(t, "America/New_York", got.Data.Period.Timezone)
	must.Equal(t, "1234.5", got.Data.Metrics.Revenue.Value.String())
	must.Equal(t, "80.1", got.Data.Metrics.AOVStore.Value.String())
	must.Equal(t, 0, len(got.Flags))
	must.Equal(t, "30", s.sent(t, "/analytics").Get("days"))
	s.gate.Check(t, 1)
}

func TestN43_OnlyOneTo365DaysAreAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(analytics(thirty)))
	for _, days := range []int{0, -1, 366, 1 << 40} {
		_, err := s.Analytics(t.Context(), days, false)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
		must.ErrorContains(t, err, "the number of days is not 1 to 365")
	}
	must.Equal(t, 0, len(s.Requests()))
	for _, days := range []int{1, 365} {
		_, err := s.Analytics(t.Context(), days, false)
		must.NoError(t, err)
	}
}

func TestN43_AnotherPeriodThanMeantIsFlagged(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		days    int
		today   bool
		period  string
		differs bool
	}{
		"as meant":                   {30, false, thirty, false},
		"other number of days":       {90, false, thirty, true},
		"days and dates disagree":    {30, false, `{"start":"2026-10-22","end":"2026-11-19","days":30,"timezone":"Asia/Tokyo","includesToday":false}`, true},
		"today though not meant":     {30, false, `{"start":"2026-10-21","end":"2026-11-19","days":30,"timezone":"Asia/Tokyo","includesToday":true}`, true},
		"today meant, days and one":  {1, true, `{"start":"2026-11-19","end":"2026-11-20","days":1,"timezone":"Asia/Tokyo","includesToday":true}`, false},
		"today meant, today alone":   {1, true, `{"start":"2026-11-20","end":"2026-11-20","days":1,"timezone":"Asia/Tokyo","includesToday":true}`, false},
		"today meant, two counted":   {1, true, `{"start":"2026-11-19","end":"2026-11-20","days":2,"timezone":"Asia/Tokyo","includesToday":true}`, false},
		"today meant, three counted": {1, true, `{"start":"2026-11-19","end":"2026-11-20","days":3,"timezone":"Asia/Tokyo","includesToday":true}`, true},
		"today meant, three given":   {1, true, `{"start":"2026-11-18","end":"2026-11-20","days":2,"timezone":"Asia/Tokyo","includesToday":true}`, true},
		"a day too few counted":      {30, false, `{"start":"2026-10-21","end":"2026-11-19","days":29,"timezone":"Asia/Tokyo","includesToday":false}`, true},
		"today meant, not given":     {1, true, `{"start":"2026-11-19","end":"2026-11-19","days":1,"timezone":"Asia/Tokyo","includesToday":false}`, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, upstreamtest.OK(analytics(c.period))).Analytics(t.Context(), c.days, c.today)
			must.NoError(t, err)
			must.Equal(t, c.differs, got.Has(upstream.FlagWindowDiffers))
		})
	}
}

func TestPeriodIsReadFromDatesAndTimestamps(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ start, end, zone, wantStart, wantEnd string }{
		"dates":               {"2026-11-19", "2026-11-20", "Asia/Tokyo", "2026-11-19", "2026-11-20"},
		"UTC of New York":     {"2026-11-19T05:00:00.000Z", "2026-11-20T04:59:59.999Z", "America/New_York", "2026-11-19", "2026-11-19"},
		"UTC of Tokyo":        {"2026-11-18T15:00:00Z", "2026-11-19T14:59:59Z", "Asia/Tokyo", "2026-11-19", "2026-11-19"},
		"with offset":         {"2026-11-19T00:00:00-05:00", "2026-11-19T23:59:59-05:00", "America/New_York", "2026-11-19", "2026-11-19"},
		"offset, no colon":    {"2026-11-19T00:00:00.000-0500", "2026-11-19T23:59:59.999-0500", "America/New_York", "2026-11-19", "2026-11-19"},
		"space for T":         {"2026-11-19 00:00:00", "2026-11-19 23:59:59", "America/New_York", "2026-11-19", "2026-11-19"},
		"without zone":        {"2026-11-19T00:00:00", "2026-11-19T23:59:59.999", "America/New_York", "2026-11-19", "2026-11-19"},
		"no zone's name":      {"2026-11-19T00:00:00+02:00", "2026-11-19T23:59:59+02:00", "", "2026-11-19", "2026-11-19"},
		"unknown zone's name": {"2026-11-19T00:00:00+02:00", "2026-11-19T23:59:59+02:00", "Mars/Olympus", "2026-11-19", "2026-11-19"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			period := `{"start":"` + c.start + `","end":"` + c.end + `","days":1,"timezone":"` + c.zone + `","includesToday":false}`
			got, err := open(t, upstreamtest.OK(analytics(period))).Analytics(t.Context(), 1, false)
			must.NoError(t, err)
			p := got.Data.Period
			must.Equal(t, c.wantStart+" "+c.wantEnd, p.Start.String()+" "+p.End.String())
			must.Equal(t, c.zone, p.Timezone)
		})
	}
}

func TestPeriodThatCantBeReadIsBroken(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"words":         `{"start":"last month","end":"2026-11-19","days":30,"timezone":"Asia/Tokyo","includesToday":false}`,
		"odd timestamp": `{"start":"2026-11-19T99:00:00","end":"2026-11-19","days":30,"timezone":"Asia/Tokyo","includesToday":false}`,
		"reversed":      `{"start":"2026-11-20","end":"2026-11-19","days":30,"timezone":"Asia/Tokyo","includesToday":false}`,
		"null":          `null`,
		"no timezone":   `{"start":"2026-11-19","end":"2026-11-19","days":1,"includesToday":false}`,
		"odd days":      `{"start":"2026-11-19","end":"2026-11-19","days":-1,"timezone":"Asia/Tokyo","includesToday":false}`,
		"half a day":    `{"start":"2026-11-19","end":"2026-11-19","days":1.5,"timezone":"Asia/Tokyo","includesToday":false}`,
	}
	for name, period := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := open(t, upstreamtest.OK(analytics(period))).Analytics(t.Context(), 1, false)
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
			must.ErrorContains(t, err, "/data/period")
		})
	}
}

func TestN44_TheTimezoneIsNeverSentAndTodayOnlyWhenMeant(t *testing.T) {
	t.Parallel()
	for _, today := range []bool{false, true} {
		s := open(t, upstreamtest.OK(analytics(thirty)))
		_, err := s.Analytics(t.Context(), 30, today)
		must.NoError(t, err)
		query := s.sent(t, "/analytics")
		must.True(t, !query.Has("ianaTimezone"))
		must.Equal(t, today, query.Has("includeToday"))
		if today {
			must.Equal(t, "true", query.Get("includeToday"))
		}
	}
}

func TestN45_AWindowWithTodayIsPartial(t *testing.T) {
	t.Parallel()
	got, err := open(t, replaced(analytics(thirty), `"includesToday":false`, `"includesToday":true`)).Analytics(t.Context(), 30, true)
	must.NoError(t, err)
	must.True(t, got.Data.Period.IncludesToday && got.Has(upstream.FlagPartial))
}

func TestN46_N47_NullIsNotZero(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(analytics(thirty))).Analytics(t.Context(), 30, false)
	must.NoError(t, err)
	m := got.Data.Metrics
	must.True(t, m.Revenue.Previous.IsZero())
	must.Nil(t, m.Revenue.ChangePercent, "no baseline")
	must.Equal(t, gift.Metric{}, m.AOVByFG)

	got, err = open(t, replaced(analytics(thirty), `{"value":12,"previous":10,"changePercent":20}`, `{"value":0}`)).Analytics(t.Context(), 30, false)
	must.NoError(t, err)
	must.True(t, got.Data.Metrics.Orders.Value.IsZero())
	must.Nil(t, got.Data.Metrics.Orders.Previous)
}

func TestN48_TheUnitIsKeptAsItCame(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"percentage", "%", "basis points", ""} {
		got, err := open(t, replaced(analytics(thirty), `"unit":"percentage"`, `"unit":"`+unit+`"`)).Analytics(t.Context(), 30, false)
		must.NoError(t, err)
		must.Equal(t, unit, got.Data.Metrics.ConversionRate.Unit)
		must.Equal(t, "3.2", got.Data.Metrics.ConversionRate.Value.String())
	}
}

func TestN49_ACachedReplyIsFlagged(t *testing.T) {
	t.Parallel()
	got, err := open(t, replaced(analytics(thirty), `"cached":false`, `"cached":true`)).Analytics(t.Context(), 30, false)
	must.NoError(t, err)
	must.True(t, got.Data.Cached && got.Has(upstream.FlagCached))
}

func TestAnalyticsWithoutARequiredFieldIsQuarantined(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"period", "currency", "cached", "metrics", "orders", "revenue", "conversionRate", "aovByFG", "aovStore",
		"start", "end", "days", "timezone", "includesToday",
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			_, err := open(t, replaced(analytics(thirty), `"`+key+`":`, `"x":`)).Analytics(t.Context(), 30, false)
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
		})
	}
}
