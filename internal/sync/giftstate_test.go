package pulls_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/report/gift"
)

func TestEverythingOfTheGiftServiceIsKept(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime, details: true})
	equal(t, "campaigns without a configuration", get[int](w, `
		select count(*) from gift_campaigns c where not exists (select from gift_campaign_configs k where k.campaign_id = c.campaign_id and k.found)`), 0)
	equal(t, "configurations", get[int](w, `select count(*) from gift_campaign_configs`), 3)
	equal(t, "widget types", get[int](w, `select count(*) from gift_widgets`), 7)
	equal(t, "their settings", get[int](w, `select count(*) from gift_widget_settings s join gift_widgets g using (store_id, type)`), 7)
	equal(t, "one that was never configured (N54)", get[int](w, `select count(*) from gift_widget_settings where not found`) > 0, true)
	equal(t, "and says so", get[int](w, `select count(*) from ledger where pull = 'gift.widget' and outcome = 'good' and outcome_text ->> 'id' = 'sync.said.never_configured'`) > 0, true)
	equal(t, "settings", get[bool](w, `select found from gift_settings`), true)
	equal(t, "plan of the day", get[string](w, `select string_agg(day::text, ' ') from gift_plan_days`), "2026-11-20")
	for _, r := range w.ledger("") {
		if strings.HasPrefix(r.Pull, "gift.") && r.Outcome != "good" {
			t.Errorf("%s %s is %s: %s", r.Pull, r.Subject, r.Outcome, r.Text)
		}
	}
}

// The first reply names the languages; then each is asked for on its own, never all at once.
func TestWordingsAreAskedByLanguage_N58_N59(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 1)
	w.sync(shop)
	var asked []string
	for _, path := range w.arrivals(sandbox.Gift, 0) {
		if strings.HasPrefix(path, "/translations") {
			asked = append(asked, path)
		}
	}
	slices.Sort(asked)
	equal(t, "asked", asked, []string{"/translations?locale=de", "/translations?locale=en", "/translations?locale=fr", "/translations?locale=nl"})
	equal(t, "stored", get[string](w, `select string_agg(locale, ' ' order by locale) from gift_translations where found`), "de en fr nl")
	var body gift.TranslationsBody
	if err := json.Unmarshal(get[[]byte](w, `select body from gift_translations where locale = 'fr'`), &body); err != nil {
		t.Fatal(err)
	}
	absent := 0
	for _, e := range append(body.Widgets, body.Campaigns...) {
		if e.Text == "" || e.Path == "" {
			t.Errorf("a wording without text or place: %+v", e)
		}
		if _, ok := e.Translations["fr"]; !ok {
			absent++
		}
	}
	if absent == 0 || absent == len(body.Widgets)+len(body.Campaigns) {
		t.Errorf("%d of the wordings have no translation: want some, absent and not empty", absent)
	}

	// A language that is no longer active isn't asked for; a new one is.
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/translations", Edit: replaced(`["de","en","fr","nl"]`, `["de","it"]`)})
	w.clock.set(settledTime.AddDate(0, 0, 1))
	from := w.mark()
	w.sync(shop)
	equal(t, "asked the next day", countPrefix(w.arrivals(sandbox.Gift, from), "/translations?locale=it"), 1)
	w.clock.set(settledTime.AddDate(0, 0, 2))
	from = w.mark()
	w.sync(shop)
	asked = slices.DeleteFunc(w.arrivals(sandbox.Gift, from), func(p string) bool { return !strings.HasPrefix(p, "/translations") })
	slices.Sort(asked)
	equal(t, "asked the day after", asked, []string{"/translations?locale=de", "/translations?locale=it"})
	equal(t, "what was known stays", get[int](w, `select count(*) from gift_translations where locale in ('fr', 'nl') and found`), 2)
}

func countPrefix(paths []string, prefix string) int {
	return len(slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !strings.HasPrefix(p, prefix) }))
}

// Each reply names two languages but never its own, so each makes another's pull due. Without a
// pause they would go on forever.
func TestRepliesThatDisagreeAboutTheLanguagesDoNotWakeEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, details: true})
	w.add(shop, 1)
	n := 0
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/translations", Edit: func(b []byte) []byte {
		n++
		if n > 50 {
			t.Error("the pulls wake each other")
			w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/translations", Cause: sandbox.Internal})
		}
		pair := []string{`["de","it"]`, `["fr","nl"]`, `["en","fr"]`}[n%3]
		return replaced(`["de","en","fr","nl"]`, pair)(b)
	}})
	w.sync(shop)
	if n < 2 || n > 5 {
		t.Errorf("%d languages were asked for, want each once", n)
	}
}

func TestAStoreInWhichNothingIsSavedIsAnAnswer_N54(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, details: true})
	w.add("wattle", 1) // a plain install
	w.sync("wattle")
	equal(t, "wordings", get[string](w, `select locale || ' ' || found from gift_translations`), "en false")
	equal(t, "settings", get[bool](w, `select found from gift_settings`), false)
	equal(t, "widgets", get[int](w, `select count(*) from gift_widget_settings where found`), 0)
	for _, pull := range []string{"gift.translations", "gift.settings"} {
		r := w.one(pull)
		equal(t, pull, r.Outcome+", "+r.Text, "good, never configured")
		if r.Due == nil || r.Due.Before(settledTime.Add(time.Hour)) || r.Due.After(settledTime.Add(26*time.Hour)) {
			t.Errorf("%s is due at %v, want the next night", pull, r.Due)
		}
	}
}

func TestACampaignThatIsNotFoundIsNoDeletion_N54(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, details: true})
	w.add(shop, 1)
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/campaigns/", Body: `{"success":true,"data":{"found":false},"error":null}`})
	w.sync(shop)
	campaigns := get[int](w, `select count(*) from gift_campaigns`)
	equal(t, "not found", get[int](w, `select count(*) from gift_campaign_configs where not found`), campaigns)
	equal(t, "good, and said so", get[int](w, `select count(*) from ledger where pull = 'gift.campaign' and outcome = 'good' and outcome_text ->> 'id' = 'sync.said.no_campaign'`), campaigns)
}

// A campaign whose row changed is asked for at once; the others wait for their night of the
// week.
func TestOnlyAChangedCampaignIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime, details: true})
	id, name := get[string](w, `select campaign_id from gift_campaigns order by position limit 1`), get[string](w, `select name from gift_campaigns order by position limit 1`)
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/campaigns", Edit: replaced(`"`+name+`"`, `"Renamed"`)})
	w.exec(`update ledger set due_at = '2100-01-01'`)
	w.wake("gift.campaigns")
	from := w.mark()
	w.sync(shop)
	equal(t, "asked", w.arrivals(sandbox.Gift, from), []string{"/campaigns", "/campaigns/" + id})
}

// A truncated reply changes nothing and counts as a failed pull.
func TestACutReplyOfWordingsIsAFailedPull_N58(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	before := w.dump([]string{"gift_translations"})
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/translations", Edit: func(b []byte) []byte { return b[:len(b)/2] }})
	w.wake("gift.translations")
	equal(t, "failed", w.run().Failed, 4)
	same(t, w.dump([]string{"gift_translations"}), before)
	equal(t, "quarantined", get[int](w, `select count(*) from ledger where pull = 'gift.translations' and outcome = 'quarantined' and last_good_at is not null`), 4)
}

func TestThePlanOfEachDayIsItsLastAnswer(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	w.clock.set(settledTime.Add(9 * time.Hour)) // 22:00 in Berlin
	w.sync(shop)
	last := w.clock.Now()
	w.clock.set(settledTime.Add(12 * time.Hour)) // 01:00
	w.sync(shop)
	equal(t, "days", get[string](w, `select string_agg(day::text, ' ' order by day) from gift_plan_days`), "2026-11-20 2026-11-21")
	equal(t, "the first is of", get[time.Time](w, `select fetched_at from gift_plan_days where day = '2026-11-20'`).UTC(), last.UTC())
	equal(t, "revenue of the month only grows", get[bool](w, `select (select body ->> 'revenue_used' from gift_plan_days where day = '2026-11-21')::numeric >= (select body ->> 'revenue_used' from gift_plan_days where day = '2026-11-20')::numeric`), true)
}

// The trial lapses between two pulls of one run: the next call isn't made.
func TestATrialThatLapsesWhileItIsPulledStopsTheRun_N40(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, rateLimit: 60})
	w.add(shop, 1)
	w.exec(`delete from credentials where service = 'upsell'`)
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/plan", Edit: func(b []byte) []byte {
		return replaced(`"isPaid":true`, `"isPaid":false`)(replaced(`"trialEndsAt":null`, `"trialEndsAt":"2026-11-20T12:30:00Z"`)(b))
	}})
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/analytics", Edit: func(b []byte) []byte {
		w.clock.set(settledTime.Add(time.Hour)) // during the first answer after the plan's
		return b
	}})
	from := w.mark()
	w.run()
	equal(t, "calls", w.arrivals(sandbox.Gift, from), []string{"/setup-health", "/plan", "/analytics?days=30"})
	equal(t, "cause", w.credential(shop, "gift").Cause, "trial_lapsed")
}
