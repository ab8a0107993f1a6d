package alerts

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/internal/report/stores"
)

var alertNow = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// watched is a store without any problems.
func watched() Stored {
	health := func(section, body string) report.StoredHealth {
		return report.StoredHealth{Section: section, Body: []byte(body), FetchedAt: alertNow.Add(-30 * time.Minute)}
	}
	return Stored{
		Stored: stores.Stored{
			Store: report.Store{Slug: "acme", Name: "Acme", Timezone: "UTC", Currency: "USD"}, Location: time.UTC,
			Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
			UpsellAt:    alertNow.Add(-time.Hour), GiftAt: alertNow.Add(-time.Hour), LastDay: civil.Date{Year: 2026, Month: 11, Day: 19},
			Coverage: []report.StoredCover{{Placement: report.PostPurchase, ActiveCount: 2, TotalCount: 5, FetchedAt: alertNow.Add(-time.Hour)}, {Placement: report.ThankYou, ActiveCount: 1, TotalCount: 1, FetchedAt: alertNow.Add(-time.Hour)}},
		},
		Health: []report.StoredHealth{
			health("theme", `{"name": "Dawn", "os2": true, "embed_enabled": true}`), health("campaigns", `{"total": 3, "active": 1}`), health("issues", `[]`), health("errors", `[]`),
		},
		Plan:         &report.StoredJSON{Body: []byte(`{"plan": "Pro", "is_paid": true}`), FetchedAt: alertNow.Add(-time.Hour)},
		Campaigns:    []report.Campaign{{ID: "7", Name: "Tote", Status: "active", EndDate: "2027-03-01"}},
		ListedAt:     alertNow.Add(-6 * time.Hour),
		CampaignDays: 3,
		Checks:       []report.StoredCheck{{Window: report.WindowEnding(civil.Date{Year: 2026, Month: 11, Day: 19}, 30), Check: report.Check{Agrees: true, Days: 30}}},
	}
}

// alertsSaid are the findings as "rule/subject standing: title", without those that are right.
func alertsSaid(in Stored) []string {
	found, _ := Find(in, alertNow)
	var out []string
	for _, f := range found {
		if f.Standing != Right {
			out = append(out, fmt.Sprintf("%s/%s %s: %s", f.Rule, f.Subject, []string{"unknown", "right", "wrong"}[f.Standing], f.Title.In(locale.English)))
		}
	}
	return out
}

func TestNothingIsFoundInAStoreThatIsWell(t *testing.T) {
	t.Parallel()
	reporttest.Equal(t, "found", alertsSaid(watched()), []string(nil))
}

func TestWhatEachAlertRuleFinds(t *testing.T) {
	t.Parallel()
	worked := func(name string) func(*Stored) {
		return func(in *Stored) { in.Worked = map[string]time.Time{name: alertNow.Add(-2 * 24 * time.Hour)} }
	}
	open := func(in *Stored, rule, subject string) {
		in.Open = append(in.Open, Open{ID: 1, Rule: rule, Subject: subject, Since: alertNow.Add(-time.Hour), OpenedAt: alertNow.Add(-time.Hour)})
	}
	section := func(in *Stored, name, body string) {
		for i := range in.Health {
			if in.Health[i].Section == name {
				in.Health[i].Body = []byte(body)
			}
		}
	}
	plan := func(body string) func(*Stored) {
		return func(in *Stored) { in.Plan.Body = []byte(body) }
	}
	for name, c := range map[string]struct {
		change func(*Stored)
		want   string
	}{
		"credential: refused": {func(in *Stored) {
			in.Credentials[0] = report.StoredCredential{Service: "upsell", State: "paused", Cause: "token", Said: "Invalid token"}
		}, "credential/upsell wrong: Upsell token refused"},
		"credential: many at once (N37)": {func(in *Stored) {
			in.Credentials[0].State, in.Credentials[0].OutageSince = "doubtful", alertNow
		}, "credential/upsell unknown: , outage/upsell wrong: Upsell app is refusing the tokens of many stores"},
		"credential: doubtful (N70)":      {func(in *Stored) { in.Credentials[0].State = "doubtful" }, "credential/upsell unknown: "},
		"credential: not tried again yet": {func(in *Stored) { in.Credentials[0].State = "unchecked" }, "credential/upsell unknown: "},
		"plan: ended (N40)": {func(in *Stored) {
			in.Credentials[1] = report.StoredCredential{Service: "gift", State: "paused", Cause: "NO_PLAN"}
		}, "plan/ended wrong: Gift plan ended"},
		"plan: too many campaigns":     {plan(`{"campaigns_exceeded": true, "campaigns_used": 4, "campaigns_limit": 3}`), "plan/campaigns wrong: More gift campaigns than the plan allows"},
		"plan: how many isn't told":    {plan(`{"campaigns_exceeded": true, "campaigns_used": 4}`), "plan/campaigns wrong: More gift campaigns than the plan allows"},
		"plan: none is counted":        {plan(`{"campaigns_exceeded": true, "campaigns_limit": 3}`), "plan/campaigns wrong: More gift campaigns than the plan allows"},
		"plan: limit almost reached":   {plan(`{"revenue_used": "999.99", "revenue_limit": "1000"}`), ""},
		"plan: limit of nothing":       {plan(`{"revenue_used": "0", "revenue_limit": "0"}`), ""},
		"plan: nothing used":           {plan(`{"revenue_limit": "1000"}`), ""},
		"plan: unlimited all the same": {plan(`{"revenue_used": "1000", "revenue_limit": "1000", "revenue_unlimited": true}`), ""},
		"plan: a day old":              {func(in *Stored) { in.Plan.FetchedAt = alertNow.Add(-24 * time.Hour) }, ""},
		"plan: never answered":         {func(in *Stored) { in.Plan = nil }, "plan/campaigns unknown: , plan/revenue unknown: , plan/trial unknown: "},
		"plan: limit reached":          {plan(`{"revenue_used": "1000", "revenue_limit": "1000"}`), "plan/revenue wrong: Gift plan’s revenue limit reached"},
		"plan: without a limit (N55)":  {plan(`{"revenue_used": "1000", "revenue_limit": null, "revenue_unlimited": true}`), ""},
		"plan: paid after a trial":     {plan(`{"is_paid": true, "trial_ends_at": "2026-11-25"}`), ""},
		"plan: paid isn't told":        {plan(`{"trial_ends_at": "2026-11-25"}`), "plan/trial wrong: Gift trial ends on 25 Nov"},
		"plan: trial over":             {plan(`{"is_paid": false, "trial_ends_at": "2026-11-19"}`), ""},
		"plan: trial ends":             {plan(`{"is_paid": false, "trial_ends_at": "2026-11-25T00:00:00Z"}`), "plan/trial wrong: Gift trial ends on 25 Nov"},
		"plan: trial ends much later":  {plan(`{"is_paid": false, "trial_ends_at": "2026-12-25"}`), ""},
		"plan: garbage":                {plan(`{"plan": [`), "plan/campaigns unknown: , plan/revenue unknown: , plan/trial unknown: "},
		"plan: old":                    {func(in *Stored) { in.Plan.FetchedAt = alertNow.Add(-25 * time.Hour) }, "plan/campaigns unknown: , plan/revenue unknown: , plan/trial unknown: "},
		"embed-off":                    {func(in *Stored) { section(in, "theme", `{"os2": true, "embed_enabled": false}`) }, "embed-off/ wrong: The gift widget can’t appear"},
		"embed-off: an old answer": {func(in *Stored) {
			section(in, "theme", `{"os2": true, "embed_enabled": false}`)
			in.Health[0].FetchedAt = alertNow.Add(-25 * time.Hour)
		}, "embed-off/ unknown: , gift-stuck/THEME_NOT_OS2 unknown: "},
		"embed-off: not told (N50)": {func(in *Stored) { section(in, "theme", `{}`) }, "embed-off/ unknown: , gift-stuck/THEME_NOT_OS2 unknown: "},
		"placement-off":             {func(in *Stored) { in.Coverage[0].ActiveCount = 0; worked("placement Post-purchase upsell")(in) }, "placement-off/Post-purchase upsell wrong: Post-purchase upsell: no offer is active any more"},
		"placement-off: deleted": {func(in *Stored) {
			in.Coverage[0].ActiveCount, in.Coverage[0].TotalCount = 0, 0
			worked("placement Post-purchase upsell")(in)
		}, "placement-off/Post-purchase upsell wrong: Post-purchase upsell: no offer is active any more"},
		"placement-idle: never was seen live": {func(in *Stored) { in.Coverage[0].ActiveCount = 0 }, "placement-idle/Post-purchase upsell wrong: Post-purchase upsell: no offer is active any more"},
		"placement-idle: for more than two weeks": {func(in *Stored) {
			in.Coverage[0].ActiveCount = 0
			in.Worked = map[string]time.Time{"placement Post-purchase upsell": alertNow.AddDate(0, 0, -15)}
		}, "placement-idle/Post-purchase upsell wrong: Post-purchase upsell: no offer is active any more"},
		"placement-unused": {func(in *Stored) {
			in.Coverage = append(in.Coverage, report.StoredCover{Placement: report.Coupon, FetchedAt: alertNow})
		}, "placement-unused/ wrong: Never used: Coupon offer"},
		"placement-unused: an old answer": {func(in *Stored) {
			in.Coverage = append(in.Coverage, report.StoredCover{Placement: report.Coupon, FetchedAt: alertNow.AddDate(0, 0, -2)})
		}, "placement-off/Coupon offer unknown: Coupon offer: an offer is active again"},
		"placement-unused: it was shown before": {func(in *Stored) {
			in.Coverage = append(in.Coverage, report.StoredCover{Placement: report.Coupon, FetchedAt: alertNow})
			in.StatDays = []report.StoredStat{{Window: daysBefore(9)[0].Window, Placement: report.Coupon, Impressions: 1}}
		}, ""},
		"placement-unused: no offer at all (N15)": {func(in *Stored) {
			for i := range in.Coverage {
				in.Coverage[i].ActiveCount, in.Coverage[i].TotalCount = 0, 0
			}
		}, ""},
		"trigger-deleted": {func(in *Stored) {
			in.Triggers = []report.StoredDeletedTriggers{{Placement: report.ThankYou, Offers: 3, OfferID: "a", Name: "Cap"}}
		}, "trigger-deleted/ wrong: 3 offers point to deleted products or collections"},
		"unconnected":                          {func(in *Stored) { in.Credentials = nil }, "unconnected/ wrong: Not connected"},
		"days-missing":                         {func(in *Stored) { in.Days = daysBefore(1, 2, 4, 40) }, "days-missing/ wrong: 27 days are missing from the daily data: 21 Oct – 17 Nov 2026"},
		"days-missing: no placement is listed": {func(in *Stored) { in.Days, in.Coverage = daysBefore(1, 3), nil }, "days-missing/ wrong: 18 Nov 2026 is missing from the daily data"},
		"days-missing: filling":                {func(in *Stored) { in.Days, in.DaysLeft = daysBefore(1, 3), 90 }, ""},
		"days-missing: yesterday":              {func(in *Stored) { in.Days = daysBefore(2, 3) }, "days-missing/ wrong: 19 Nov 2026 is missing from the daily data"},
		"days-missing: none is":                {func(in *Stored) { in.Days = daysBefore(1, 2, 3) }, ""},
		"days-missing: token gone":             {func(in *Stored) { in.Days, in.Credentials[0].State = daysBefore(1, 3), "paused" }, "credential/upsell wrong: Upsell token refused"},
		"placement-off: old answer": {func(in *Stored) {
			in.Coverage[0].ActiveCount, in.Coverage[0].FetchedAt = 0, alertNow.AddDate(0, 0, -2)
			worked("placement Post-purchase upsell")(in)
		}, "placement-off/Post-purchase upsell unknown: Post-purchase upsell: an offer is active again"},
		"campaign-ending: in three days":   {func(in *Stored) { in.Campaigns[0].EndDate = "2026-11-23" }, "campaign-ending/7 wrong: “Tote” ends on 23 Nov"},
		"campaign-ending: in four":         {func(in *Stored) { in.Campaigns[0].EndDate = "2026-11-24" }, ""},
		"campaign-ending: ended":           {func(in *Stored) { in.Campaigns[0].EndDate = "2026-11-19" }, ""},
		"campaign-ending: scheduled":       {func(in *Stored) { in.Campaigns[0].EndDate, in.Campaigns[0].Status = "2026-11-22", "scheduled" }, ""},
		"campaign-ending: not listed":      {func(in *Stored) { in.Campaigns[0].EndDate = "2026-11-22"; in.Campaigns[0].LastListed = &alertNow }, ""},
		"campaign-ending: a garbled date":  {func(in *Stored) { in.Campaigns[0].EndDate = "soon\x00" }, ""},
		"campaign-ending: an old list":     {func(in *Stored) { in.ListedAt = alertNow.AddDate(0, 0, -3); open(in, "campaign-ending", "7") }, "campaign-ending/7 unknown: "},
		"gift-stuck: theme":                {func(in *Stored) { section(in, "theme", `{"os2": false, "embed_enabled": true}`) }, "gift-stuck/THEME_NOT_OS2 wrong: The live theme can’t show the gift widget"},
		"gift-stuck: no campaign any more": {func(in *Stored) { section(in, "campaigns", `{"total": 3, "active": 0}`); worked("campaign")(in) }, "gift-stuck/NO_ACTIVE_CAMPAIGN wrong: No gift campaign is active any more"},
		"gift-setup: no campaign":          {func(in *Stored) { section(in, "campaigns", `{"total": 0, "active": 0}`) }, "gift-setup/NO_CAMPAIGN wrong: No gift campaign exists"},
		"gift-setup: none was active yet":  {func(in *Stored) { section(in, "campaigns", `{"total": 3, "active": 0}`) }, "gift-setup/NO_ACTIVE_CAMPAIGN wrong: No gift campaign is active"},
		"gift-stuck: an unknown problem": {func(in *Stored) {
			section(in, "issues", `[{"code": "GIFT_SOLD_OUT", "message": "The gift\nis sold out"}]`)
		}, "gift-stuck/GIFT_SOLD_OUT wrong: Gift setup: The gift is sold out"},
		"gift-stuck: garbage (N50)":     {func(in *Stored) { section(in, "issues", `{"x": 1}`); open(in, "gift-stuck", "GIFT_SOLD_OUT") }, "gift-stuck/GIFT_SOLD_OUT unknown: "},
		"sync-stale":                    {func(in *Stored) { in.UpsellAt = alertNow.Add(-7 * time.Hour) }, "sync-stale/upsell wrong: No new upsell numbers since 20 Nov, 05:00"},
		"sync-stale: paused is another": {func(in *Stored) { in.UpsellAt = alertNow.Add(-7 * time.Hour); in.Credentials[0].State = "paused" }, "credential/upsell wrong: Upsell token refused"},
		"sync-stale: never pulled":      {func(in *Stored) { in.UpsellAt = time.Time{} }, ""},
		"drift":                         {func(in *Stored) { in.Checks[0].Agrees = false }, "drift/ wrong: Reported totals differ from the stored days"},
		"drift: days are missing":       {func(in *Stored) { in.Checks[0].Agrees, in.Checks[0].Missing = false, 2 }, "drift/ unknown: Reported totals and stored days agree again"},
		"drift: an older comparison": {func(in *Stored) {
			older := in.Checks[0]
			older.Agrees, older.Window.End = false, older.Window.End.AddDays(-1)
			in.Checks = append(in.Checks, older)
		}, ""},
		"drift: no comparison for three days": {func(in *Stored) {
			in.Checks[0].Agrees, in.Checks[0].Window.End = false, in.Checks[0].Window.End.AddDays(-2)
			open(in, "drift", "")
		}, "drift/ unknown: "},
		"drift: another window lacks days": {func(in *Stored) {
			in.Checks = append(in.Checks, in.Checks[0])
			in.Checks[0].Agrees, in.Checks[1].Missing = false, 2
		}, "drift/ wrong: Reported totals differ from the stored days"},
		"sync-stale: an outage is another": {func(in *Stored) {
			in.UpsellAt, in.Credentials[0].State, in.Credentials[0].OutageSince = alertNow.Add(-7*time.Hour), "doubtful", alertNow
		}, "credential/upsell unknown: , outage/upsell wrong: Upsell app is refusing the tokens of many stores"},
		"a paused store stays as it was": {func(in *Stored) { in.Paused = true; in.UpsellAt = time.Time{}; open(in, "embed-off", "") }, "embed-off/ unknown: "},
	} {
		in := watched()
		c.change(&in)
		if got := strings.Join(alertsSaid(in), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// daysBefore are whole days, that many days before today.
func daysBefore(back ...int) (days []report.StoredSummary) {
	for _, n := range back {
		days = append(days, report.StoredSummary{Window: report.OneDay(civil.Date{Year: 2026, Month: 11, Day: 20}.AddDays(-n))})
	}
	return days
}

// A placement's cost is what it earned before it was switched off, and is called an estimate.
func TestWhatASwitchedOffPlacementCostsIsEstimatedFromItsWeeksBefore(t *testing.T) {
	t.Parallel()
	in := watched()
	in.Coverage[0].ActiveCount, in.Coverage[0].Currency = 0, "USD"
	revenue := decimal.NewFromInt(150)
	for back := 10; back < 38; back++ {
		in.StatDays = append(in.StatDays, report.StoredStat{Window: daysBefore(back)[0].Window, Placement: report.PostPurchase, Impressions: 5, Revenue: &revenue, Currency: "USD"})
	}
	idle := func() Finding {
		found, _ := Find(in, alertNow)
		return found[slices.IndexFunc(found, func(f Finding) bool { return f.Rule == "placement-idle" && f.Standing == Wrong })]
	}
	f := idle()
	reporttest.Equal(t, "effect", f.Effect.In(locale.English), "About $1,050 a week estimated from 14 Oct – 10 Nov 2026")
	reporttest.Equal(t, "since", f.Since, time.Date(2026, 11, 11, 0, 0, 0, 0, time.UTC))
	in.Coverage[0].Currency = "EUR" // since then
	f = idle()
	reporttest.Equal(t, "another currency is no estimate, N34", f.Stake == nil && f.Effect == nil, true)
	in.Coverage[0].Currency = "USD"
	in.StatDays = in.StatDays[:27] // one day of the four weeks is missing
	f = idle()
	reporttest.Equal(t, "unknown is no estimate", f.Stake == nil && f.Effect == nil, true)
}

// The amount is what the offers earned, not what is lost: they may have other triggers.
func TestN14WhatOffersWithADeletedTriggerEarnedIsOfOnePlacement(t *testing.T) {
	t.Parallel()
	const unknown, known = "Amount not known 2 of 6 offers", "Earned about $350 a week from 1 offer on the post-purchase page (average of 23 Oct – 19 Nov 2026)"
	money := func(amount int64) *decimal.Decimal { a := decimal.NewFromInt(amount); return &a }
	trigger := func(p report.Placement, id string) report.StoredDeletedTriggers {
		return report.StoredDeletedTriggers{Placement: p, Offers: 1, IDs: []string{id}, OfferID: id, Name: id}
	}
	for name, c := range map[string]struct {
		change func(*Stored)
		want   string
	}{
		"of two placements the one with more": {func(*Stored) {}, known},
		"of the weeks before it was seen": {func(in *Stored) {
			in.Open = []Open{{ID: 1, Rule: "trigger-deleted", Since: alertNow.AddDate(0, 0, -7)}}
		}, "Earned about $350 a week from 1 offer on the post-purchase page (average of 16 Oct – 12 Nov 2026)"},
		"coupon offers report no revenue (N13)": {func(in *Stored) {
			in.Triggers = []report.StoredDeletedTriggers{trigger(report.Coupon, "a"), trigger(report.Coupon, "b")}
		}, unknown},
		"beside a coupon offer":               {func(in *Stored) { in.Triggers[1] = trigger(report.Coupon, "b") }, known},
		"a day is missing (N1)":               {func(in *Stored) { in.TriggerDays.Ranked = in.TriggerDays.Ranked[1:] }, unknown},
		"a day's ranking is cut (N16)":        {func(in *Stored) { in.TriggerDays.Ranked[3].Whole = false }, unknown},
		"a day in another currency (N34)":     {func(in *Stored) { in.TriggerDays.Ranked[3].Currency = "EUR" }, unknown},
		"an amount in another currency (N34)": {func(in *Stored) { in.TriggerDays.Days[0].Currency = "EUR" }, unknown},
		"a day without its amount":            {func(in *Stored) { in.TriggerDays.Days[0].Revenue = nil }, unknown},
		"days that no ranking has earned nothing": {func(in *Stored) { in.TriggerDays.Days = in.TriggerDays.Days[2:] },
			"Earned about $338 a week from 1 offer on the post-purchase page (average of 23 Oct – 19 Nov 2026)"},
		"nothing was earned": {func(in *Stored) { in.TriggerDays.Days = nil }, unknown},
	} {
		in := watched()
		in.Triggers = []report.StoredDeletedTriggers{trigger(report.PostPurchase, "a"), trigger(report.ThankYou, "b")}
		for back := 1; back <= 40; back++ {
			day := daysBefore(back)[0].Window.Start
			in.TriggerDays.Ranked = append(in.TriggerDays.Ranked, report.StoredRankedDay{Day: day, Whole: true, Currency: "USD"})
			in.TriggerDays.Days = append(in.TriggerDays.Days,
				report.StoredOfferDay{OfferID: "a", Day: day, Revenue: money(50), Currency: "USD"},
				report.StoredOfferDay{OfferID: "b", Day: day, Revenue: money(20), Currency: "USD"},
				report.StoredOfferDay{OfferID: "another", Day: day, Revenue: money(900), Currency: "USD"})
		}
		c.change(&in)
		found, _ := Find(in, alertNow)
		f := found[slices.IndexFunc(found, func(f Finding) bool { return f.Rule == "trigger-deleted" })]
		reporttest.Equal(t, name, f.Effect.In(locale.English), c.want)
		reporttest.Equal(t, name+": no stake", f.Stake == nil, true)
	}
}

func TestN73OffersThatSoldNothingAreTheListBehindTheirCount(t *testing.T) {
	t.Parallel()
	in := watched()
	window := SilentWindow(civil.Date{Year: 2026, Month: 11, Day: 20})
	in.Top = report.Stored{ActiveThroughout: []string{"a", "x", "y"}, TopLists: []report.StoredTopList{{Window: window, Direction: fact.Highest, Whole: true, Currency: "USD", Rows: []report.TopRow{{OfferID: "a"}}}}}
	silent := func() (f Finding) {
		found, _ := Find(in, alertNow)
		for _, f = range found {
			if f.Rule == "sold-nothing" {
				return f
			}
		}
		return Finding{}
	}
	f := silent()
	reporttest.Equal(t, "title", f.Title.In(locale.English), "2 active offers sold nothing")
	href, err := url.Parse(f.Href)
	if err != nil {
		t.Fatal(err)
	}
	filter, err := report.ParseOfferFilter(href.Query())
	if err != nil {
		t.Fatal(err)
	}
	reporttest.Equal(t, "the list's window", *filter.SoldNothing, window)
	in.Top.TopLists[0].Whole = false
	reporttest.Equal(t, "of a cut ranking nothing is known (N16)", silent().Rule, "")
}

func TestAPlacementIsKnownToHaveBeenLiveOnceItWasSeenSo(t *testing.T) {
	t.Parallel()
	in := watched()
	_, in.Worked = Find(in, alertNow)
	in.Coverage[0].ActiveCount = 0
	found, worked := Find(in, alertNow.Add(time.Hour))
	for _, f := range found {
		if f.Rule == "placement-off" && f.Subject == "Post-purchase upsell" {
			reporttest.Equal(t, "standing", f.Standing, Wrong)
			reporttest.Equal(t, "since", f.Since, alertNow)
			reporttest.Equal(t, "text", f.Text.In(locale.English), "Until 20 Nov an offer was active there. 5 offers exist, none is active.")
		}
	}
	reporttest.Equal(t, "remembered", worked["placement Post-purchase upsell"], alertNow)
}

func TestAnAlertSaysEachThingOnce(t *testing.T) {
	t.Parallel()
	in := watched()
	in.Health[2].Body = []byte(`[{"code": "APP_EMBED_DISABLED", "message": "The app embed is off in the live theme."}]`)
	in.Health[0].Body = []byte(`{"os2": true, "embed_enabled": false}`)
	in.Checks[0].Agrees = false
	wider := in.Checks[0]
	wider.Window.Start = wider.Window.Start.AddDays(-60)
	in.Checks = append(in.Checks, wider)
	found, _ := Find(in, alertNow)
	drifts := 0
	for _, f := range found {
		if f.Rule == "embed-off" && strings.Count(f.Text.In(locale.English), "embed is off") != 1 {
			t.Errorf("embed: %q", f.Text.In(locale.English))
		}
		if f.Rule == "drift" {
			drifts++
			reporttest.Equal(t, "windows told", strings.Count(f.Text.In(locale.English), "reported "), 2)
		}
	}
	reporttest.Equal(t, "alerts of one drift", drifts, 1)
}

// A store with no active campaign for two weeks probably doesn't want one. The alert ends then, without a
// message that it's resolved: nothing was fixed.
func TestAnAlertAboutNoActiveCampaignEndsWithoutARecovery(t *testing.T) {
	t.Parallel()
	in := watched()
	in.Health[1].Body = []byte(`{"total": 3, "active": 0}`)
	in.Worked = map[string]time.Time{"campaign": alertNow.AddDate(0, 0, -15)}
	in.Open = []Open{{ID: 1, Rule: "gift-stuck", Subject: "NO_ACTIVE_CAMPAIGN", Since: alertNow.AddDate(0, 0, -15), OpenedAt: alertNow.AddDate(0, 0, -15)}}
	found, _ := Find(in, alertNow)
	for _, s := range Steps(in.Open, found, alertNow) {
		if s.ID == 1 {
			reporttest.Equal(t, "step", s.Kind, StepGone)
		}
	}
}

func TestAShareOfTheOffersIsSaidOnlyIfItFitsTheirCount(t *testing.T) {
	t.Parallel()
	for offers, want := range map[int64]string{6: "Amount not known 6 of 6 offers", 7: ""} {
		in := watched()
		in.Triggers = []report.StoredDeletedTriggers{{Placement: report.ThankYou, Offers: offers, OfferID: "a", Name: "Cap"}}
		found, _ := Find(in, alertNow)
		f := found[slices.IndexFunc(found, func(f Finding) bool { return f.Rule == "trigger-deleted" })]
		reporttest.Equal(t, "effect", f.Effect.In(locale.English), want)
	}
}

func TestASubjectThatIsFoundTwiceIsOneAlertAndNeverFromTheFuture(t *testing.T) {
	t.Parallel()
	f := Finding{Rule: "credential", Subject: "upsell", Standing: Wrong, Since: alertNow.Add(time.Hour)}
	steps := Steps(nil, []Finding{f, f}, alertNow)
	reporttest.Equal(t, "steps", len(steps), 1)
	reporttest.Equal(t, "since", steps[0].Since, alertNow)
}

func TestEveryAlertRuleHasItsWords(t *testing.T) {
	t.Parallel()
	for _, r := range Rules {
		if r.Key == "" || !locale.Has("alerts.rule."+r.Key+".title") || !locale.Has("alerts.rule."+r.Key+".means") || !locale.Has("alerts.action."+r.Key) || r.find == nil {
			t.Error(r.Key)
		}
		if got, ok := RuleOf(r.Key); !ok || got.Key != r.Key {
			t.Errorf("%s is not found", r.Key)
		}
	}
}

// If someone marks a broken thing as done, the alert returns after a day if it's still broken; advice
// marked as done doesn't return.
func TestWhatIsDoneComesBackAfterADayWhereItIsStillBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rule string
		ago  time.Duration
		is   Standing
		want string
	}{
		"broken, a moment ago":   {"embed-off", time.Hour, Wrong, "keep false"},
		"broken, a day ago":      {"embed-off", 24 * time.Hour, Wrong, "keep true"},
		"data, a day ago":        {"days-missing", 24 * time.Hour, Wrong, "keep true"},
		"advice, long ago":       {"placement-unused", 900 * time.Hour, Wrong, "keep false"},
		"right, and it was told": {"embed-off", time.Hour, Right, "recover false"},
	} {
		o := Open{ID: 1, Rule: c.rule, SeenAt: alertNow.Add(-c.ago), DoneAt: alertNow.Add(-c.ago)} // nobody was notified
		s := Steps([]Open{o}, []Finding{{Rule: c.rule, Standing: c.is}}, alertNow)
		reporttest.Equal(t, name, fmt.Sprint(s[0].Kind, " ", s[0].Again), c.want)
	}
}

// The check runs every five minutes; each letter of finds is what the rule finds then.
func TestAnOutageOpensOnceAndDoesNotFlap(t *testing.T) {
	t.Parallel()
	const wrong, right, unknown, gone = 'w', 'r', '?', '-'
	for name, c := range map[string]struct{ rule, finds, want string }{
		"opens after its grace":             {"embed-off", "wwwwwwwwwwwwwwwwwwww", "suspect@0 open@15"},
		"a short trouble is not told":       {"embed-off", "wwwrwwwrwwwr", "suspect@0 forget@3 suspect@4 forget@7 suspect@8 forget@11"},
		"unknown is no recovery":            {"credential", "w???????w??", "open@0"},
		"recovers":                          {"credential", "wwwrrrr", "open@0 recover@3"},
		"what is gone is no recovery":       {"credential", "www-", "open@0 gone@3"},
		"flapping within the calm is one":   {"plan", "wrwrwrwrwrwrwrwrwrwrwrw", "open@0"},
		"recovers when calm for long":       {"plan", "wrrrrrrrrrrrrrrrrrrrrr", "open@0 recover@16"},
		"and what was suspected is dropped": {"embed-off", "ww-", "suspect@0 forget@2"},
	} {
		var open []Open
		var got []string
		for n, look := range c.finds {
			now := alertNow.Add(time.Duration(n) * 5 * time.Minute)
			var found []Finding
			if look != gone {
				found = []Finding{{Rule: c.rule, Standing: map[rune]Standing{wrong: Wrong, right: Right, unknown: Unknown}[look]}}
			}
			for _, s := range Steps(open, found, now) {
				switch s.Kind {
				case StepSuspect:
					open = []Open{{ID: 1, Rule: c.rule, SeenAt: now}}
				case StepOpen:
					open = []Open{{ID: 1, Rule: c.rule, SeenAt: now, OpenedAt: now}}
				case StepKeep:
					open[0].CalmSince = time.Time{}
				case StepCalm:
					open[0].CalmSince = now
				case StepRecover, StepGone, StepForget:
					open = nil
				}
				if s.Kind != StepKeep && s.Kind != StepCalm {
					got = append(got, fmt.Sprintf("%s@%d", s.Kind, n))
				}
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", name, s, c.want)
		}
	}
}
