package report

import (
	"strings"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"github.com/storeglass/storeglass/internal/locale"
)

// todos are the lines of "What to do next", the most urgent first.
func (b Builder) todos(o Overview) []Todo {
	w := b.words()
	out := []Todo{}
	list := func(kind string, s Notice, action, href string, count int64) {
		out = append(out, Todo{Kind: kind, Title: s.Title, Text: s.Text, Action: action, Href: href, Count: count})
	}
	add := func(kind string, s Notice, action, href string) { list(kind, s, action, href, 0) }
	for _, i := range o.Health.Issues {
		kind, s := "warning", Notice{i.Message, i.Fix}
		switch i.Code {
		case "APP_EMBED_DISABLED":
			kind, s = "error", w.GiftWidgetOff(o.Health.ThemeName, i.Fix)
		case "THEME_NOT_OS2":
			kind, s.Title = "error", w.T("todo.theme_without_blocks")
		case "NO_CAMPAIGN":
			s.Title = w.T("todo.no_campaign")
		case "NO_ACTIVE_CAMPAIGN":
			s.Title = w.T("todo.no_active_campaign")
		}
		if s.Title == "" {
			s.Title = i.Code
		}
		add(kind, s, "", "")
	}
	for _, r := range o.Coverage.Rows {
		if r.State == SwitchedOff {
			placement := strings.TrimSuffix(string(r.Placement), " upsell")
			list("off", Notice{w.T("todo.placement_off.title", "placement", placement), w.T("todo.placement_off.text", "n", r.TotalCount)}, w.T("todo.see_offers", "n", r.TotalCount), b.OffersHref(OfferFilter{Placement: r.Placement, Existing: true, Sort: SortPriority}), r.TotalCount)
		}
	}
	if d := b.deletedTriggers(); d != nil {
		list("broken", Notice{d.title(w), d.said(w)}, d.action(w), d.Href, d.Listed())
	}
	if never := neverCreated(o.Coverage.Rows); len(never) > 0 && len(never) < len(o.Coverage.Rows) {
		add("info", Notice{w.T("todo.never_made.title", "placements", strings.Join(never, ", ")), w.T("todo.never_made.text")}, "", "")
	}
	if o.Plan.CampaignsExceeded {
		add("warning", Notice{w.T("todo.too_many_campaigns.title"), w.T("todo.too_many_campaigns.text")}, "", "")
	}
	if n := int64(len(o.Top.SoldNothing)); n > 0 && o.Top.Empty == nil {
		window := b.Choice.Window
		list("info", Notice{w.T("todo.sold_nothing.title", "n", n), w.T("todo.sold_nothing.text")}, w.T("todo.show_offers", "n", n), b.OffersHref(OfferFilter{SoldNothing: &window}), n)
	}
	if c := o.Summary.Provenance.Check; c != nil && !c.Agrees && c.Missing == 0 {
		money := func(d decimal.Decimal) string { return b.tongue.Money(d, o.Summary.Currency).String() }
		add("warning", w.LinesDiffer(money(c.Reported), money(c.Stitched)), w.T("todo.sync"), b.SyncHref())
	}
	if m := b.missing(o); len(m) > 0 { // no mail says this: it names its own missing days
		add("missing", Notice{w.T("panel.todo.missing", "n", len(m), "days", w.DayList(m)), b.missingText(o)}, w.T("todo.sync"), b.SyncHref())
	}
	return out
}

// alertsNamed is how many open alerts their to-do names.
const alertsNamed = 3

// AlertTodo stands for the store's open alerts; nil when none is open.
func AlertTodo(l locale.Locale, titles []string, href string) *Todo {
	n := len(titles)
	if n == 0 {
		return nil
	}
	var named []string
	for _, title := range titles[:min(n, alertsNamed)] {
		named = append(named, OneLine(title, 2*NameLength))
	}
	text := strings.Join(named, " · ")
	if n > alertsNamed {
		text = l.T("common.and_more", "named", text, "n", n-alertsNamed)
	}
	return &Todo{Kind: "error", Title: l.T("panel.todo.alerts", "n", n), Text: text, Action: l.T("panel.todo.see_alerts"), Href: href, Count: int64(n)}
}

// missing are the window's gaps, when they are few enough to be gaps and not
// history that was never kept.
func (b Builder) missing(o Overview) []civil.Date {
	m := o.Trend.Provenance.Missing
	if o.Filling != nil || o.Trend.Empty != nil || len(m) > 10 {
		return nil
	}
	var out []civil.Date
	for _, d := range m {
		if !d.Before(b.In.FirstDay) {
			out = append(out, d)
		}
	}
	return out
}

func (b Builder) missingText(o Overview) string {
	w := b.words()
	text := w.T("panel.todo.missing_waiting")
	for _, l := range b.In.Ledger {
		if l.Pull == "summary.day" && b.recent(l.Subject) && l.Attempts > 0 {
			text = w.T("panel.todo.missing_failed", "n", l.Attempts)
			if !l.DueAt.IsZero() {
				at := b.OnStoreClock(l.DueAt)
				text += " " + w.T("panel.todo.missing_next", "day", w.Day(civil.DateOf(at)), "time", w.Time(at))
			}
			break
		}
	}
	if o.Summary.Provenance.Basis == Reported {
		text += " " + w.T("panel.todo.missing_in_totals")
	}
	return text
}

func (b Builder) OffersHref(f OfferFilter) string {
	return "/stores/" + b.In.Store.Slug + "/offers?" + f.Values().Encode()
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
func DayList(days []civil.Date) string { return English.DayList(days) }
