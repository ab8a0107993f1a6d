// Package gift shows the gift widget: its results, campaigns, setup, plan and product
// check. Nothing in it is added to upsells (N3).
package gift

import (
	"cmp"
	"slices"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/views/components/chart"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/components/trend"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components"
)

// Page is a store's Gifts page.
type Page struct {
	components.Base
	Gift gift.Page
	// ChoiceError is shown next to the picker if the requested window is invalid; otherwise
	// nil.
	ChoiceError *report.ChoiceError
	// SyncHref is the store's Sync page, CheckHref its product check.
	SyncHref, CheckHref string
}

// CampaignPage is one gift campaign.
type CampaignPage struct {
	components.Base
	Detail gift.CampaignPage
	// GiftHref is the page that lists it, SyncHref the store's Sync page.
	GiftHref, SyncHref string
}

// ProductsPage is the product check.
type ProductsPage struct {
	components.Base
	// Handles is what was typed; Check is nil before the first check.
	Handles string
	Check   *offers.ProductCheck
	// Wrong is why the check failed.
	Wrong    form.Wrong
	GiftHref string
}

func (p Page) source(id, key, label, field string, prov report.Provenance) components.Source {
	return components.Source{ID: id, Key: key, Label: label, Field: field, P: prov, Reply: p.ReplyAddress(prov), Now: p.Gift.Now}
}

func (p Page) provenances() map[string]report.Provenance {
	return map[string]report.Provenance{"gift": p.Gift.Analytics.Provenance, "history": p.Gift.History.Provenance}
}

func (p Page) picker() components.Picker {
	return components.Picker{Path: p.Path, Choice: p.Gift.Choice, Error: p.ChoiceError}
}

// yearHref chooses the longest window that the service answers.
func (p Page) yearHref() string {
	return giftsIn(p.Path, report.WindowEnding(p.Gift.Choice.Today.AddDays(-1), longest))
}

// longest is how many days the gift app answers at most.
const longest = 365

// giftsIn is the Gifts page of a window.
func giftsIn(path string, w report.Window) string {
	return components.WithQuery(path, report.Choice{Preset: report.Custom, Window: w}.Query())
}

// blocking are the issues that keep gifts from appearing. Readers of a share link see no setup.
func (p Page) blocking() []gift.HealthIssue {
	if h := p.Gift.Health; p.Shared == nil && h.Empty == nil {
		return h.Issues
	}
	return nil
}

// nothing is the reason why the whole page is empty.
func (p Page) nothing() report.Empty {
	if t := p.Gift.Trouble; t != nil {
		return report.Empty{Cause: report.CauseFailed, Title: t.Title, Text: t.Text, Action: p.T("empty.see_sync"), Href: p.SyncHref}
	}
	e := *p.Gift.Analytics.Empty
	if e.Cause == report.CauseNeverConnected && p.Shared == nil {
		e = p.Connectable(e, "gift")
		e.Title = p.T("gift.connect")
	}
	return e
}

// back makes an empty panel's action lead to this page.
func (p Page) back(e report.Empty) report.Empty {
	if len(e.Href) > 0 && e.Href[0] == '?' {
		e.Href = p.Path + e.Href
	}
	return e
}

// ownTrouble reports whether a part has a problem that no banner mentions.
func (p Page) ownTrouble(panel report.Panel) bool {
	told := p.Gift.Analytics.Trouble
	return panel.Trouble != nil && panel.Empty == nil && p.Gift.Trouble == nil && (told == nil || told.Text != panel.Trouble.Text)
}

// kpis are the figures of the window; orders and revenue with the shape of their days.
func (p Page) kpis() []components.KPI {
	kpis := KPIs(p.Locale, p.Gift.Analytics, p.Gift.Choice.Today, p.source)
	days := p.days()
	money := func(v decimal.Decimal) string { return p.Locale.Money(v, p.Gift.Analytics.Currency).String() }
	kpis[0].Days, kpis[0].DaysLabel = components.DayValues(p.Locale, days, p.T("figure.gift_orders"), func(d overview.DayPoint) *decimal.Decimal { return chart.Counted(d.Orders) }, func(v decimal.Decimal) string { return p.Locale.Decimal(v) })
	kpis[1].Days, kpis[1].DaysLabel = components.DayValues(p.Locale, days, p.T("figure.gift_revenue"), func(d overview.DayPoint) *decimal.Decimal { return d.Value }, money)
	if p.Shared != nil { // nothing can be compared, and that isn't worth saying
		for i := range kpis {
			kpis[i].Delta = locale.Delta{}
		}
	}
	return kpis
}

// days are the daily series for the chart.
func (p Page) days() []overview.DayPoint {
	out := make([]overview.DayPoint, len(p.Gift.History.Days))
	for i, d := range p.Gift.History.Days {
		out[i] = overview.DayPoint{
			Day: d.Day, Stored: d.Stored, Value: d.Revenue, Currency: d.Currency, Revised: d.Revised,
			Repaired: d.Basis == report.Derived, FetchedAt: d.FetchedAt,
		}
		if d.Orders != nil && d.Orders.IsInteger() {
			out[i].Orders = new(d.Orders.IntPart())
		}
	}
	return out
}

func (p Page) trend() trend.Panel {
	h := p.Gift.History
	src := p.source("trend", "history", p.T("chart.by_day", "metric", p.T("figure.gift_revenue")), "metrics.revenue", h.Provenance)
	src.Kind = components.Series
	t := overview.Trend{Panel: h.Panel, Currency: h.Currency, Days: p.days(), Marks: h.Marks, Notes: h.Notes}
	if h.Mixed != nil {
		t.Empty = h.Mixed
	} else if t.Empty != nil {
		e := p.back(*t.Empty)
		e.Action = "" // the panel above already offers it
		t.Empty = &e
	}
	return trend.Panel{
		Trend: t.Grouped(p.Gift.Choice.Group), Source: src, Now: p.Gift.Now, Exports: p.exports("history"),
		Names: trend.Gifts, Groupings: p.Groupings(p.Gift.Choice),
	}
}

// todayWords are today's numbers: partial, and compared with nothing (N45).
func (p Page) todayWords() string {
	t := *p.Gift.Today
	revenue := p.Locale.MoneyOrDash(t.Revenue.Value, t.Currency).String()
	text := p.T("gift.today_without_orders", "revenue", revenue)
	if t.Orders.Value != nil {
		text = p.T("gift.today", "n", *t.Orders.Value, "revenue", revenue)
	}
	dates, rest := t.Provenance.Words(p.Locale)
	return text + " · " + dates + rest + " · " + p.T("gift.today_not_compared") + " · " + p.T("common.updated", "ago", p.Locale.Age(p.Gift.Now, t.Provenance.FetchedLast))
}

func (p Page) campaigns() CampaignTable {
	around := civil.DateOf(p.Gift.Now)
	if !p.TellsNow() {
		around = p.Gift.Choice.Window.End
	}
	return CampaignTable{Campaigns: p.Gift.Campaigns, Home: p.StoreHome(), Today: around, Exports: p.exports("campaigns"), Dated: !p.TellsNow()}
}

// ages are the ages of setup health and plan.
func (p Page) ages() (health, plan string) {
	if p.Gift.Health.Empty == nil {
		health = p.T("gift.setup.setup_updated", "ago", p.Locale.Age(p.Gift.Now, p.Gift.Health.Provenance.FetchedLast))
	}
	if p.Gift.Plan.Empty == nil {
		plan = p.T("gift.setup.plan_updated", "ago", p.Locale.Age(p.Gift.Now, p.Gift.Plan.Provenance.FetchedLast))
		if health != "" {
			plan = " · " + plan
		}
	}
	return health, plan
}

func (p Page) exports(table string) components.Exports {
	if p.Path == "" {
		return components.Exports{}
	}
	e := components.Exports{Path: p.Path + "/" + table}
	if table == "history" {
		e.Query = p.WindowQuery(p.Gift.Choice)
	}
	return e
}

func (p CampaignPage) name() string {
	return cmp.Or(p.Detail.Campaign.Name, p.T("gift.campaign.unnamed", "id", locale.Name(p.Detail.Campaign.ID)))
}

// facts are what the list says about the campaign.
func (p CampaignPage) facts() []string {
	c := p.Detail.Campaign
	out := []string{When(p.Locale, c)}
	if c.Type != "" {
		kind, ok := gift.Word(p.Locale, "type", c.Type)
		if !ok {
			kind = p.T("unit.quoted", "name", locale.Name(c.Type)) // the app's own word
		}
		out = append(out, p.T("gift.campaign.type", "type", kind))
	}
	if page := targetPage(p.Locale, c.TargetPage); page != "" {
		out = append(out, p.T("gift.campaign.shown_on", "page", locale.Name(page)))
	}
	if c.Code != "" {
		out = append(out, p.T("gift.campaign.code", "code", locale.Name(c.Code)))
	}
	if !c.FirstSeen.IsZero() {
		out = append(out, p.T("gift.campaign.first_seen", "day", p.Locale.DayYear(civil.DateOf(c.FirstSeen.In(p.Detail.Now.Location())))))
	}
	return out
}

// names says which names of the configuration are the app's own, if any are.
func (p CampaignPage) names() string {
	if !slices.ContainsFunc(p.Detail.Configuration.Groups, func(g gift.SettingGroup) bool { return gift.HasOwn(g.Settings) }) {
		return ""
	}
	return p.T("gift.campaign.field_names")
}

// ran are the days of the campaign that are over; false if there are none, or more than the app answers.
func (p CampaignPage) ran() (report.Window, bool) {
	c, yesterday := p.Detail.Campaign, civil.DateOf(p.Detail.Now).AddDays(-1)
	if c.Start == nil {
		return report.Window{}, false
	}
	w := report.Window{Start: *c.Start, End: yesterday}
	if c.End != nil && c.End.Before(yesterday) {
		w.End = *c.End
	}
	return w, !w.Start.After(w.End) && yesterday.DaysSince(w.Start) < longest
}

// vanished says that the list no longer has the campaign (N52).
func (p CampaignPage) vanished() report.Trouble {
	at := p.Locale.DayYear(civil.DateOf(p.Detail.Campaign.LastListed.In(p.Detail.Now.Location())))
	return report.Trouble{Title: p.T("gift.campaign.vanished", "day", at), Text: p.T("gift.campaign.vanished_text")}
}

func (p ProductsPage) verdicts() string {
	can := 0
	for _, each := range p.Check.Products {
		if each.CanBeGifted != nil && *each.CanBeGifted {
			can++
		}
	}
	return p.T("gift.products.can_be_given", "can", can, "n", len(p.Check.Requested))
}

// noCampaign says that the list is empty.
func (p Page) noCampaign() report.Empty {
	e := report.Empty{Cause: report.CauseNothing, Title: p.T("gift.no_campaign.title"), Text: p.T("gift.no_campaign.text")}
	switch {
	case p.Shared == nil:
		e.Text += " " + p.T("gift.no_campaign.create")
	case p.Shared.Fixed:
		e.Title, e.Text = p.T("gift.no_campaign.title_fixed"), p.T("gift.campaigns.none_ran")
	}
	return e
}
