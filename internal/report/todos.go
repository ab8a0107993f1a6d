package report

import (
	"fmt"
	"strings"

	"github.com/golang-sql/civil"
)

// todos are the lines of "What to do next", the most urgent first.
func (b builder) todos(o Overview) []Todo {
	out := []Todo{}
	for _, i := range o.Health.Issues {
		t := Todo{Kind: "warning", Title: i.Message, Text: i.Fix}
		switch i.Code {
		case "APP_EMBED_DISABLED":
			t.Kind, t.Title = "error", "The gift widget can’t appear"
			t.Text = "The app embed is off in the live theme."
			if o.Health.ThemeName != "" {
				t.Text = "The app embed is off in the live theme, " + o.Health.ThemeName + "."
			}
			t.Text += " " + i.Fix
		case "THEME_NOT_OS2":
			t.Kind, t.Title = "error", "The live theme can’t show the gift widget"
		case "NO_CAMPAIGN":
			t.Title = "No gift campaign exists"
		case "NO_ACTIVE_CAMPAIGN":
			t.Title = "No gift campaign is active"
		}
		if t.Title == "" {
			t.Title = i.Code
		}
		out = append(out, t)
	}
	for _, r := range o.Coverage.Rows {
		if r.State == SwitchedOff {
			out = append(out, Todo{
				Kind: "off", Title: strings.TrimSuffix(string(r.Placement), " upsell") + ": switched off",
				Text:   offersExist(r.TotalCount) + " none is active.",
				Action: seeOffers(r.TotalCount), Href: b.offersHref(OfferFilter{Placement: r.Placement, Sort: SortPriority}),
			})
		}
	}
	if d := b.deletedTriggers(); d != nil {
		out = append(out, Todo{Kind: "broken", Title: d.title(), Text: d.Words(), Action: d.Action(), Href: d.Href})
	}
	if never := neverCreated(o.Coverage.Rows); len(never) > 0 && len(never) < len(o.Coverage.Rows) {
		out = append(out, Todo{Kind: "info", Title: "Never created: " + strings.Join(never, ", "), Text: "No offer was ever made there, in any status."})
	}
	if o.Plan.CampaignsExceeded {
		out = append(out, Todo{Kind: "warning", Title: "More campaigns than the gift plan allows", Text: "Switch campaigns off or change the plan in the gift app."})
	}
	if n := o.Top.Silent; n != nil && *n > 0 && o.Top.Empty == nil {
		out = append(out, Todo{Kind: "info", Title: Plural(int64(*n), "offer", "offers") + " sold nothing in this window", Text: "They are not in the ranking below.", Action: "Those that never sold", Href: b.offersHref(OfferFilter{NeverEarned: true})})
	}
	if c := o.Summary.Provenance.Check; c != nil && !c.Agrees && c.Missing == 0 {
		out = append(out, Todo{
			Kind: "warning", Title: "Daily lines and the reported total differ",
			Text:   "Reported " + Money(c.Reported, o.Summary.Currency).String() + ", sum of stored days " + Money(c.Stitched, o.Summary.Currency).String() + ". The days are being pulled again.",
			Action: "Sync", Href: b.syncHref(),
		})
	}
	if m := b.missing(o); len(m) > 0 {
		out = append(out, Todo{
			Kind: "missing", Title: DayList(m) + isOrAre(len(m)) + " missing from the daily lines",
			Text: b.missingText(o), Action: "Sync", Href: b.syncHref(),
		})
	}
	return out
}

// missing are the window's gaps, when they are few enough to be gaps and not
// history that was never kept.
func (b builder) missing(o Overview) []civil.Date {
	m := o.Trend.Provenance.Missing
	if o.Filling != nil || o.Trend.Empty != nil || len(m) > 10 {
		return nil
	}
	var out []civil.Date
	for _, d := range m {
		if !d.Before(b.in.FirstDay) {
			out = append(out, d)
		}
	}
	return out
}

func (b builder) missingText(o Overview) string {
	text := "Its pull has not come back yet."
	for _, l := range b.in.Ledger {
		if l.Pull == "summary.day" && b.recent(l.Subject) && l.Attempts > 0 {
			text = Plural(int64(l.Attempts), "try", "tries") + " failed."
			if !l.DueAt.IsZero() {
				text += " Next try " + b.day(l.DueAt) + " at " + b.onStoreClock(l.DueAt).Format("15:04") + "."
			}
			break
		}
	}
	if o.Summary.Provenance.Basis == Reported {
		text += " Window totals include it."
	}
	return text
}

func (b builder) offersHref(f OfferFilter) string {
	return "/stores/" + b.in.Store.Slug + "/offers?" + f.Values().Encode()
}

func seeOffers(n int64) string {
	if n == 1 {
		return "See the offer"
	}
	return "See the " + Count(n) + " offers"
}

func offersExist(n int64) string {
	if n == 1 {
		return "1 offer exists,"
	}
	return Count(n) + " offers exist,"
}

func isOrAre(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

func neverCreated(rows []CoverRow) []string {
	var out []string
	for _, r := range rows {
		if r.State == NeverCreated {
			out = append(out, string(r.Placement))
		}
	}
	return out
}

// DayList names days in words: "4 Nov", "23 Sep and 4 Nov", "1, 2 and 5 more days".
func DayList(days []civil.Date) string {
	switch len(days) {
	case 0:
		return ""
	case 1:
		return DayShort(days[0])
	case 2:
		return DayShort(days[0]) + " and " + DayShort(days[1])
	case 3:
		return DayShort(days[0]) + ", " + DayShort(days[1]) + " and " + DayShort(days[2])
	}
	return fmt.Sprintf("%s, %s and %d more days", DayShort(days[0]), DayShort(days[1]), len(days)-2)
}
