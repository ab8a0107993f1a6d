package report

import (
	"cmp"
	"strings"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// todos are the lines of "What to do next": the open alerts, then what no alert says.
func (b Builder) todos(o Overview) []Todo {
	out := append([]Todo{}, b.alertTodos()...)
	add := func(t Todo) { out = append(out, t) }
	for _, i := range o.Health.Issues {
		if b.alerted("gift-stuck", i.Code) || i.Code == "APP_EMBED_DISABLED" && b.alerted("embed-off", "") {
			continue
		}
		t := Todo{Kind: "warning", Title: i.Message, Text: i.Fix}
		switch i.Code {
		case "APP_EMBED_DISABLED":
			t = Todo{Kind: "error", Title: b.T("todo.widget_off.title"), Text: b.T("todo.widget_off.text", "fix", i.Fix)}
			if theme := o.Health.ThemeName; theme != "" {
				t.Text = b.T("todo.widget_off.text_theme", "theme", theme, "fix", i.Fix)
			}
		case "THEME_NOT_OS2":
			t.Kind, t.Title = "error", b.T("todo.theme_without_blocks")
		case "NO_CAMPAIGN":
			t.Title = b.T("todo.no_campaign")
		case "NO_ACTIVE_CAMPAIGN":
			t.Title = b.T("todo.no_active_campaign")
		}
		t.Title = cmp.Or(t.Title, i.Code)
		add(t)
	}
	for _, r := range o.Coverage.Rows {
		if r.State == SwitchedOff && !b.alerted("placement-off", string(r.Placement)) {
			placement := strings.TrimSuffix(string(r.Placement), " upsell")
			add(Todo{
				Kind: "off", Title: b.T("todo.placement_off.title", "placement", placement), Text: b.T("todo.placement_off.text", "n", r.TotalCount),
				Action: b.T("todo.see_offers", "n", r.TotalCount), Href: b.OffersHref(OfferFilter{Placement: r.Placement, Existing: true, Sort: SortPriority}), Count: r.TotalCount,
			})
		}
	}
	if d := b.deletedTriggers(); d != nil {
		add(Todo{Kind: "broken", Title: d.title(b.Locale), Text: d.Words(b.Locale), Action: d.Action(b.Locale), Href: d.Href, Count: d.Listed()})
	}
	if never := neverCreated(o.Coverage.Rows); len(never) > 0 && len(never) < len(o.Coverage.Rows) {
		add(Todo{Kind: "info", Title: b.T("todo.never_made.title", "placements", strings.Join(never, ", ")), Text: b.T("todo.never_made.text")})
	}
	if o.Plan.CampaignsExceeded && !b.alerted("plan", "campaigns") {
		add(Todo{Kind: "warning", Title: b.T("todo.too_many_campaigns.title"), Text: b.T("todo.too_many_campaigns.text")})
	}
	if n := int64(len(o.Top.SoldNothing)); n > 0 && o.Top.Empty == nil {
		window := b.Choice.Window
		add(Todo{
			Kind: "info", Title: b.T("todo.sold_nothing.title", "n", n), Text: b.T("todo.sold_nothing.text"),
			Action: b.T("todo.show_offers", "n", n), Href: b.OffersHref(OfferFilter{SoldNothing: &window}), Count: n,
		})
	}
	if c := o.Summary.Provenance.Check; c != nil && !c.Agrees && c.Missing == 0 && !b.alerted("drift", "") {
		money := func(d decimal.Decimal) string { return b.Money(d, o.Summary.Currency).String() }
		add(Todo{
			Kind: "warning", Title: b.T("todo.days_differ.title"), Text: b.T("todo.days_differ.text", "reported", money(c.Reported), "stitched", money(c.Stitched)),
			Action: b.T("todo.sync"), Href: b.SyncHref(),
		})
	}
	if m := b.missing(o); len(m) > 0 { // no mail says this: it names its own missing days
		add(Todo{Kind: "missing", Title: b.T("panel.todo.missing", "n", len(m), "days", b.DayList(m)), Text: b.missingText(o), Action: b.T("todo.sync"), Href: b.SyncHref()})
	}
	return out
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
	text := b.T("panel.todo.missing_waiting")
	for _, l := range b.In.Ledger {
		if l.Pull == "summary.day" && b.recent(l.Subject) && l.Attempts > 0 {
			text = b.T("panel.todo.missing_failed", "n", l.Attempts)
			if !l.DueAt.IsZero() {
				at := b.OnStoreClock(l.DueAt)
				text += " " + b.T("panel.todo.missing_next", "day", b.Day(civil.DateOf(at)), "time", b.Time(at))
			}
			break
		}
	}
	if o.Summary.Provenance.Basis == Reported {
		text += " " + b.T("panel.todo.missing_in_totals")
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
