package weekly_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
	reportweekly "github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/internal/weekly"
)

var others = []locale.Locale{locale.German, locale.French, locale.Spanish}

// weekIn is a week in one language.
func weekIn(t locale.Locale, s report.Stored, before ...string) reportweekly.Week {
	now, earlier := reportweekly.ChoiceOf(first, first.AddDays(7)), first.AddDays(-7)
	if len(before) > 0 {
		s.TopLists = append(slices.Clone(s.TopLists), ranking(report.Window{Start: earlier, End: first.AddDays(-1)}, s.Store.Currency, before...)...)
	}
	o := overview.New(t, s, now, monday)
	why := answers.New(answers.Input{Choice: now, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, TopBefore: o.TopBefore, Days: s.Days, Events: o.Events})
	return reportweekly.New(o, why, nil, time.Time{})
}

func frameIn(t locale.Locale) weekly.Frame {
	f := frame
	f.Sent = t.T("weekly.sent.monday", "address", "irene@fernhollow.example", "hour", t.Time(time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC)), "clock", t.Clock("America/New_York"))
	return f
}

func TestTheMailsReadAsTheyShouldInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, tongue := range others {
		for name, w := range map[string]reportweekly.Week{
			"ordinary": weekIn(tongue, shop("USD"), usualBefore...), "missing-days": weekIn(tongue, missingDays()), "no-offers": weekIn(tongue, noOffers()), "digest": agency(t, tongue, 5),
		} {
			f := frameIn(tongue)
			if name == "missing-days" {
				f.Changed = revised().Changed
			}
			m := compose(t, w, f)
			golden(t, name+"."+tongue.Code()+".txt", "Subject: "+m.Subject+"\n\n"+m.Text)
			if !strings.Contains(m.HTML, `<html lang="`+tongue.Code()+`"`) {
				t.Errorf("%s: the HTML does not name its language", name)
			}
			if _, shown, _ := strings.Cut(m.HTML, "</div>"); strings.Contains(shown, "↑ ") || strings.Contains(shown, "↓ ") { // after the preheader
				t.Errorf("%s: on a phone an arrow may stand alone on its line", name)
			}
		}
	}
}

// golden compares with the stored copy of a mail that a person has checked.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "mails", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the mail differs from %s (write it again with -update):\n%s", path, got)
	}
}

// states are weeks in every condition that changes what a mail says.
func states() map[string]func() report.Stored {
	changed := func(change func(*report.Stored)) func() report.Stored {
		return func() report.Stored {
			s := shop("USD")
			change(&s)
			return s
		}
	}
	failing := func(service, pull string, outcome fact.Outcome, good time.Time) report.StoredPull {
		return report.StoredPull{
			Service: service, Pull: pull, Outcome: outcome, Text: locale.Text("Server error (500)"), Attempts: 3, LastGoodAt: good,
			TriedAt: monday.Add(-time.Hour), FailingSince: monday.Add(-9 * time.Hour), DueAt: monday.Add(time.Hour),
		}
	}
	out := map[string]func() report.Stored{
		"ordinary": func() report.Stored { return shop("USD") }, "missing days": missingDays, "no offers": noOffers,
		"nothing stored": changed(func(s *report.Stored) {
			*s = report.Stored{Store: s.Store, Credentials: s.Credentials}
		}),
		"nothing connected": changed(func(s *report.Stored) { *s = report.Stored{Store: s.Store} }),
		"upsells disconnected": changed(func(s *report.Stored) {
			s.Credentials = s.Credentials[1:]
			s.Ledger = []report.StoredPull{{Service: "upsell", Pull: "summary.window", Outcome: "good", LastGoodAt: monday.Add(-72 * time.Hour)}}
		}),
		"history before it": changed(func(s *report.Stored) {
			s.Windows, s.Days, s.StatWindows, s.TopLists, s.Gift, s.Lifetime = nil, nil, nil, nil, nil, nil
			s.FirstDay, s.LastDay = first.AddDays(-60), first.AddDays(-30)
		}),
		"all pulls failed": changed(func(s *report.Stored) {
			*s = report.Stored{Store: s.Store, Credentials: s.Credentials}
			for _, p := range []string{"summary.window", "summary.day", "stats.window", "top.highest", "coverage", "lifetime"} {
				s.Ledger = append(s.Ledger, failing("upsell", p, "failed", time.Time{}))
			}
			s.Ledger = append(s.Ledger, failing("gift", "gift.window", "quarantined", time.Time{}), failing("gift", "gift.setup_health", "refused", time.Time{}))
		}),
		"two currencies": changed(func(s *report.Stored) {
			s.Windows = nil
			for i := range s.Days[10:] {
				s.Days[10+i].Currency = "EUR"
			}
		}),
		"another currency before": changed(func(s *report.Stored) { s.Windows[0].Currency = "EUR" }),
		"a partial answer":        changed(func(s *report.Stored) { s.Windows[1].Partial, s.Days = true, nil }),
		"no week before":          changed(func(s *report.Stored) { s.Windows, s.Days = s.Windows[1:], s.Days[7:] }),
		"no views": changed(func(s *report.Stored) {
			for i := range s.Windows {
				s.Windows[i].OfferViews = nil
			}
		}),
		"placements left out": changed(func(s *report.Stored) { s.StatWindows, s.Coverage = s.StatWindows[4:6], nil }),
		"placements by day": changed(func(s *report.Stored) {
			at := s.StatWindows[0]
			s.StatWindows = nil
			for i := range 3 {
				at.Window = report.OneDay(first.AddDays(i))
				s.StatDays = append(s.StatDays, at)
			}
		}),
		"nothing earned": changed(func(s *report.Stored) {
			for i := range s.TopLists {
				s.TopLists[i].Rows = nil
			}
		}),
		"no ranking": changed(func(s *report.Stored) { s.TopLists = nil }),
		"deleted offers": changed(func(s *report.Stored) {
			for i := range s.TopLists {
				for j := range s.TopLists[i].Rows {
					s.TopLists[i].Rows[j].Deleted, s.TopLists[i].Rows[j].Claims = true, nil
				}
			}
		}),
		"offers that sold nothing": changed(func(s *report.Stored) {
			s.Counts = []report.StoredCount{{Total: 14}, {Placement: report.Coupon, Total: 1}}
		}),
		"no gift answer": changed(func(s *report.Stored) {
			s.Gift = nil
			s.Ledger = []report.StoredPull{{Service: "gift", Pull: "gift.window", Outcome: "good", LastGoodAt: monday, Asked: &report.Window{}}}
		}),
		"gift days": changed(func(s *report.Stored) {
			g := s.Gift[0]
			s.Gift = nil
			for i := range 5 {
				g.Window = report.OneDay(first.AddDays(i))
				s.GiftDays = append(s.GiftDays, g)
			}
		}),
		"gifts without units": changed(func(s *report.Stored) {
			g := &s.Gift[0]
			g.ConversionRate.Unit, g.Orders.Value, g.Revenue.ChangePercent = "per mille", nil, nil
		}),
		"pulls that failed since": changed(func(s *report.Stored) {
			for _, p := range []string{"summary.window", "stats.window", "top.highest", "coverage", "lifetime"} {
				s.Ledger = append(s.Ledger, failing("upsell", p, "failed", monday.Add(-50*time.Hour)))
			}
		}),
		"days that differ from the total": changed(func(s *report.Stored) {
			s.Check = &report.StoredCheck{
				Window: reportweekly.ChoiceOf(first, first).Window,
				Check:  report.Check{Days: 7, Reported: *dec("11943.49"), Stitched: *dec("11900.00"), At: monday},
			}
		}),
		"revised before": changed(func(s *report.Stored) { s.Days[0].Revised, s.Days[1].Revised, s.Days[8].Revised = true, true, true }),
		"deleted triggers": changed(func(s *report.Stored) {
			s.Alerts = append(s.Alerts, report.OpenAlert{
				Rule: "trigger-deleted", Since: monday, Title: locale.M("todo.offers_with_deleted_trigger", "n", 3), Do: locale.M("alert.do.trigger", "n", 3), Href: "/stores/fernhollow/offers",
				Text: locale.Sentences{locale.M("todo.still_name", "offer", locale.M("unit.quoted", "name", "Boot care kit"), "n", 2)}, Effect: locale.Sentences{locale.M("alert.effect.unknown"), locale.M("alert.effect.of_offers", "n", 3, "total", 21)},
			})
		}),
	}
	for _, cause := range []string{"token", "wrong_shop"} {
		out["upsells need attention: "+cause] = changed(func(s *report.Stored) {
			s.Credentials[0] = report.StoredCredential{Service: "upsell", State: "paused", Cause: cause, PausedAt: monday}
		})
	}
	for _, cause := range []string{"REVOKED", "trial_lapsed", "NO_PLAN", "APP_UNINSTALLED", "WRONG_SURFACE", "INSUFFICIENT_SCOPE", "MISSING_KEY"} {
		out["gifts need attention: "+cause] = changed(func(s *report.Stored) {
			s.Credentials[1] = report.StoredCredential{Service: "gift", State: "paused", Cause: cause, PausedAt: monday}
		})
	}
	return out
}

// earlier are reports that couldn't be sent.
func earlier(t locale.Locale) weekly.Earlier {
	return weekly.Earlier{
		Words: t.T("weekly.earlier_reports", "n", 1) + " " + t.T("weekly.earlier_reports", "n", 2), Weeks: []weekly.WeekLink{{Words: "1", Href: "https://shop.example/"}},
		All: &weekly.WeekLink{Words: t.T("weekly.all_reports", "n", 2), Href: "https://shop.example/"},
	}
}

// names are proper names and shop texts, which aren't translated.
const names = "Storeglass Fernhollow Outfitters irene example New York UTC USD EUR upsell " +
	"Trail socks second pair Headlamp spare batteries Boot care kit Tent pegs Dawn upsells widget token app Developer Tools Store API MCP Authorization Sync"

// shared are words that a language shares with English.
var shared = map[locale.Locale]string{
	locale.German:  "an conversion details do editor hand in mail mails nov post purchase so theme was",
	locale.French:  "active an assistant attention base conversion coupon date dates documentation guide mail nov oct on page point post service total",
	locale.Spanish: "active base editor no nov oct plan total",
}

var word = regexp.MustCompile(`\p{L}{2,}`)

// A partly English mail shares words with the English mail of the same week. Addresses are
// the same in every language.
func TestNoEnglishIsLeftInAnotherLanguage(t *testing.T) {
	t.Parallel()
	address := regexp.MustCompile(`https://\S+|"/stores/\S+`)
	words := func(w reportweekly.Week, f weekly.Frame) map[string]bool {
		m := compose(t, w, f)
		out := map[string]bool{}
		for _, each := range word.FindAllString(address.ReplaceAllString(m.Subject+" "+m.Text+" "+visible(t, m.HTML)+" "+w.Preheader, ""), -1) {
			out[strings.ToLower(each)] = true
		}
		return out
	}
	for name, state := range states() {
		frame := revised()
		frame.Earlier = earlier(locale.English)
		english := words(weekIn(locale.English, state(), usualBefore...), frame)
		for _, tongue := range others {
			f := frameIn(tongue)
			f.Changed, f.Earlier = revised().Changed, earlier(tongue)
			own := words(weekIn(tongue, state(), usualBefore...), f)
			same := strings.Fields(strings.ToLower(names + " " + shared[tongue]))
			for _, each := range slices.Sorted(maps.Keys(own)) {
				if english[each] && !slices.Contains(same, each) {
					t.Errorf("%s, %s: %q stands in the English mail too", name, tongue.Code(), each)
				}
			}
		}
	}
}

func TestTheMailSaysWhyTheWeekChanged(t *testing.T) {
	t.Parallel()
	w := weekIn(locale.English, shop("USD"), usualBefore...)
	for _, c := range []struct{ why, evidence, text string }{
		{"Most of it comes from more store orders: 90, up from 60.", "", "Most of it comes from more store orders: 90, up from 60.\n"},
		{"Since the offer “Mug” ended, less.", "7 days after.", "Since the offer “Mug” ended, less. 7 days after.\n"},
	} {
		w.Why, w.Evidence = c.why, c.evidence
		m, err := weekly.Compose(w, frame)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(m.Text, w.Headline+"\n"+c.text) || !strings.Contains(m.HTML, c.why) || !strings.Contains(m.HTML, c.evidence) {
			t.Errorf("the mail does not say %q:\n%s", c.why, m.Text)
		}
	}
}
