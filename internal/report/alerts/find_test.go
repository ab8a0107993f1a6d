package alerts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/internal/report/stores"
)

var alertNow = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// watched is a store with everything as it should be.
func watched() Stored {
	health := func(section, body string) report.StoredHealth {
		return report.StoredHealth{Section: section, StoredJSON: report.StoredJSON{Body: []byte(body), FetchedAt: alertNow.Add(-30 * time.Minute)}}
	}
	return Stored{
		Stored: stores.Stored{
			Store: report.Store{Slug: "acme", Name: "Acme", Timezone: "UTC", Currency: "USD"}, Location: time.UTC,
			Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
			UpsellAt:    alertNow.Add(-time.Hour), GiftAt: alertNow.Add(-time.Hour),
			Coverage: []report.StoredCover{{Placement: report.PostPurchase, ActiveCount: 2, TotalCount: 5, FetchedAt: alertNow.Add(-time.Hour)}, {Placement: report.ThankYou, FetchedAt: alertNow.Add(-time.Hour)}},
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

// alertsSaid are the findings as "rule/subject standing: title", those that are right left out.
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
			in.Credentials[0] = report.StoredCredential{Service: "upsell", State: "paused", Cause: "token", Text: "Invalid token"}
		}, "credential/upsell wrong: Upsell token refused"},
		"credential: many at once (N37)": {func(in *Stored) {
			in.Credentials[0].State, in.Credentials[0].OutageSince = "doubtful", alertNow
		}, "credential/upsell unknown: , outage/upsell wrong: Upsell app is refusing the tokens of many stores"},
		"credential: doubtful (N70)":      {func(in *Stored) { in.Credentials[0].State = "doubtful" }, "credential/upsell unknown: "},
		"credential: not tried again yet": {func(in *Stored) { in.Credentials[0].State = "unchecked" }, "credential/upsell unknown: "},
		"plan: ended (N40)": {func(in *Stored) {
			in.Credentials[1] = report.StoredCredential{Service: "gift", State: "paused", Cause: "NO_PLAN"}
		}, "plan/ended wrong: Gift plan ended"},
		"plan: too many campaigns":    {plan(`{"campaigns_exceeded": true, "campaigns_used": 4, "campaigns_limit": 3}`), "plan/campaigns wrong: More gift campaigns than the plan allows"},
		"plan: limit reached":         {plan(`{"revenue_used": "1000", "revenue_limit": "1000"}`), "plan/revenue wrong: Gift plan’s revenue limit reached"},
		"plan: without a limit (N55)": {plan(`{"revenue_used": "1000", "revenue_limit": null, "revenue_unlimited": true}`), ""},
		"plan: trial ends":            {plan(`{"is_paid": false, "trial_ends_at": "2026-11-25T00:00:00Z"}`), "plan/trial wrong: Gift trial ends on 25 Nov"},
		"plan: trial ends much later": {plan(`{"is_paid": false, "trial_ends_at": "2026-12-25"}`), ""},
		"plan: garbage":               {plan(`{"plan": [`), "plan/campaigns unknown: , plan/revenue unknown: , plan/trial unknown: "},
		"plan: old":                   {func(in *Stored) { in.Plan.FetchedAt = alertNow.Add(-25 * time.Hour) }, "plan/campaigns unknown: , plan/revenue unknown: , plan/trial unknown: "},
		"embed-off":                   {func(in *Stored) { section(in, "theme", `{"os2": true, "embed_enabled": false}`) }, "embed-off/ wrong: The gift widget can’t appear"},
		"embed-off: not told (N50)":   {func(in *Stored) { section(in, "theme", `{}`) }, "embed-off/ unknown: , gift-stuck/THEME_NOT_OS2 unknown: "},
		"placement-off":               {func(in *Stored) { in.Coverage[0].ActiveCount = 0; worked("placement Post-purchase upsell")(in) }, "placement-off/Post-purchase upsell wrong: Post-purchase upsell: no offer is active any more"},
		"placement-off: deleted": {func(in *Stored) {
			in.Coverage[0].ActiveCount, in.Coverage[0].TotalCount = 0, 0
			worked("placement Post-purchase upsell")(in)
		}, "placement-off/Post-purchase upsell wrong: Post-purchase upsell: no offer is active any more"},
		"placement-off: never was live": {func(in *Stored) { in.Coverage[0].ActiveCount = 0 }, ""},
		"placement-off: long ago": {func(in *Stored) {
			in.Coverage[0].ActiveCount = 0
			in.Worked = map[string]time.Time{"placement Post-purchase upsell": alertNow.AddDate(0, 0, -15)}
		}, ""},
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
		"gift-stuck: not set up yet":       {func(in *Stored) { section(in, "campaigns", `{"total": 0, "active": 0}`) }, ""},
		"gift-stuck: an unknown problem": {func(in *Stored) {
			section(in, "issues", `[{"code": "GIFT_SOLD_OUT", "message": "The gift\nis sold out"}]`)
		}, "gift-stuck/GIFT_SOLD_OUT wrong: Gift set-up: The gift is sold out"},
		"gift-stuck: garbage (N50)":      {func(in *Stored) { section(in, "issues", `{"x": 1}`); open(in, "gift-stuck", "GIFT_SOLD_OUT") }, "gift-stuck/GIFT_SOLD_OUT unknown: "},
		"sync-stale":                     {func(in *Stored) { in.UpsellAt = alertNow.Add(-7 * time.Hour) }, "sync-stale/upsell wrong: No new upsell numbers since 20 Nov, 05:00"},
		"sync-stale: paused is another":  {func(in *Stored) { in.UpsellAt = alertNow.Add(-7 * time.Hour); in.Credentials[0].State = "paused" }, "credential/upsell wrong: Upsell token refused"},
		"sync-stale: never pulled":       {func(in *Stored) { in.UpsellAt = time.Time{} }, ""},
		"drift":                          {func(in *Stored) { in.Checks[0].Agrees = false }, "drift/ wrong: Reported totals differ from the stored days"},
		"drift: days are missing":        {func(in *Stored) { in.Checks[0].Agrees, in.Checks[0].Missing = false, 2 }, "drift/ unknown: Reported totals and stored days agree again"},
		"a paused store stays as it was": {func(in *Stored) { in.Paused = true; in.UpsellAt = time.Time{}; open(in, "embed-off", "") }, "embed-off/ unknown: "},
	} {
		in := watched()
		c.change(&in)
		if got := strings.Join(alertsSaid(in), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAPlacementIsKnownToHaveBeenLiveOnceItWasSeenSo(t *testing.T) {
	t.Parallel()
	in := watched()
	_, in.Worked = Find(in, alertNow)
	in.Coverage[0].ActiveCount = 0
	found, worked := Find(in, alertNow.Add(time.Hour))
	for _, f := range found {
		if f.Rule == "placement-off" {
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

// A rule is looked at every five minutes, with what it finds there.
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
