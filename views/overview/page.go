// Package overview shows one store at a glance: figures, days, placements, to-dos and
// all-time totals. It borrows panels from packages offers and gift.
package overview

import (
	"github.com/a-h/templ"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/views/components/trend"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/goal"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	reportoverview "github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
	"github.com/storeglass/storeglass/views/gift"
	"github.com/storeglass/storeglass/views/offers"
)

// source is where a number of this page comes from.
func (p Page) source(id, key, label, field string, prov report.Provenance) components.Source {
	return components.Source{ID: id, Key: key, Label: label, Field: field, P: prov, Reply: p.ReplyAddress(prov), Now: p.Overview.Now}
}

// provenances are the provenances for "Copy as JSON".
func (p Page) provenances() map[string]report.Provenance {
	o := p.Overview
	out := map[string]report.Provenance{
		"summary": o.Summary.Provenance, "trend": o.Trend.Provenance, "stats": o.Placements.Provenance, "gift": o.Gift.Provenance,
	}
	if p.Shared == nil {
		out["lifetime"] = o.Lifetime.Provenance
	}
	if p.Goal != nil {
		out["goal"] = p.Goal.Provenance
	}
	return out
}

// bare reports whether the store has no numbers at all: then a single panel says why.
func (p Page) bare() bool {
	o := p.Overview
	return !o.GiftLinked && o.Summary.Empty != nil && o.Summary.Empty.Cause == report.CauseNeverConnected
}

// nothingYet reports whether no upsell number exists, so that one panel says why instead of
// three.
func (p Page) nothingYet() bool {
	o := p.Overview
	return o.Summary.Empty != nil && o.Trend.Empty != nil && o.Summary.Empty.Cause == o.Trend.Empty.Cause
}

// summaryTrouble reports whether the page's banner is about the summary: problems that need
// attention come first and say the same.
func (p Page) summaryTrouble() bool {
	return p.Overview.Summary.Trouble != nil && len(p.Overview.Troubles) == 0
}

// ownTrouble reports whether a section has a problem that no banner above mentions.
func (p Page) ownTrouble(panel report.Panel) bool {
	t := panel.Trouble
	if t == nil || t.NeedsPerson && len(p.Overview.Troubles) > 0 {
		return false
	}
	return !p.summaryTrouble() || p.Overview.Summary.Trouble.Text != t.Text
}

// noOffers reports whether the service said that the store has no offers in any status.
func (p Page) noOffers() bool {
	none := func(e *report.Empty) bool { return e != nil && e.Cause == report.CauseNoOffers }
	return none(p.Overview.Top.Empty) || none(p.Overview.Summary.Empty)
}

func (p Page) noOffersEmpty() report.Empty {
	e := p.Overview.Top.Empty
	if e == nil || e.Cause != report.CauseNoOffers {
		e = p.Overview.Summary.Empty
	}
	out := *e
	if p.Overview.Summary.Empty == nil {
		out.Text += " " + p.T("todo.first_offer.text", "n", p.Overview.Summary.TotalOrders)
	}
	return out
}

// compared is the summary of the comparison window, if it may be compared with.
func (p Page) compared() *reportoverview.Summary { return p.Overview.Summary.Comparable() }

// than follows a change: "than 21 Sep – 20 Oct", or why there is none.
func (p Page) than() components.Compared {
	o := p.Overview
	if o.Choice.Against == nil {
		return components.Compared{}
	}
	against := p.Locale.DatesNear(o.Choice.Against.Start, o.Choice.Against.End, o.Choice.Today)
	switch {
	case p.compared() != nil:
		return components.Compared{Window: against}
	case o.Summary.Provenance.Has(report.FlagPartial):
		return components.Compared{Reason: p.T("overview.not_over")}
	case len(o.Summary.Provenance.Missing) > 0:
		return components.Compared{Reason: p.T("overview.days_missing")}
	case o.Asking:
		return components.Compared{Reason: p.T("overview.asked_before", "dates", against)}
	case o.BeforeTooOld:
		return components.Compared{Reason: p.T("overview.too_old", "dates", against)}
	}
	return components.Compared{Reason: p.T("overview.not_stored", "dates", against)}
}

func (p Page) comparedProvenance() *report.Provenance {
	if c := p.compared(); c != nil {
		return &c.Provenance
	}
	return nil
}

// kpis are the figures of the window.
func (p Page) kpis() []components.KPI {
	o := p.Overview
	s := o.Summary
	var before reportoverview.Summary
	var beforeValue *decimal.Decimal
	var beforeOrders *int64
	var was [4]string
	money := func(v decimal.Decimal) string { return p.Locale.Money(v, s.Currency).String() }
	if c := p.compared(); c != nil {
		before, beforeValue, beforeOrders = *c, &c.TotalUpsoldValue, &c.TotalUpsoldOrders
		was = [4]string{money(c.TotalUpsoldValue), p.Locale.Count(c.TotalUpsoldOrders), p.Locale.MoneyOrDash(c.AverageUpsoldValue, c.Currency).String(), p.Locale.CountOrDash(c.OfferViews)}
	}
	percent := func(v decimal.Decimal) string { return p.Locale.Share(&v).String() }
	rateNow, rateWas, rateChange := p.Locale.CompareShares(s.UpsellSuccessRate, before.UpsellSuccessRate)
	value := p.kpi(figure{
		id: "value", label: p.T("figure.upsold_value"), field: "totalUpsoldValue", note: p.T("offers.offer.in_currency", "currency", s.Currency), kind: components.Additive,
		now: p.Locale.Money(s.TotalUpsoldValue, s.Currency), change: p.Locale.Change(&s.TotalUpsoldValue, beforeValue),
		was: was[0], day: func(d reportoverview.DayPoint) *decimal.Decimal { return d.Value }, write: money,
	})
	value.Source.Code = s.Currency
	orders := p.kpi(figure{
		id: "orders", label: p.T("figure.upsold_orders"), field: "totalUpsoldOrders", note: p.T("overview.accepted"), kind: components.Additive,
		now: locale.Figure{Main: p.Locale.Count(s.TotalUpsoldOrders)}, change: p.Locale.ChangeCount(&s.TotalUpsoldOrders, beforeOrders),
		was: was[1], day: func(d reportoverview.DayPoint) *decimal.Decimal { return chart.Counted(d.Orders) }, write: p.Locale.Decimal,
	})
	rate := p.kpi(figure{
		id: "rate", label: p.T("figure.success_rate"), field: "upsellSuccessRate", note: p.T("overview.rate_note", "n", s.TotalOrders), kind: components.Rate,
		now: rateNow, change: rateChange,
		was: rateWas.String(), day: func(d reportoverview.DayPoint) *decimal.Decimal { return d.SuccessRate }, write: percent,
	})
	average := p.kpi(figure{
		id: "average", label: p.T("figure.average_value"), field: "averageUpsoldValue", note: p.T("overview.per_order"), kind: components.Rate,
		now: p.Locale.MoneyOrDash(s.AverageUpsoldValue, s.Currency), change: p.Locale.Change(s.AverageUpsoldValue, before.AverageUpsoldValue),
		was: was[2], day: func(d reportoverview.DayPoint) *decimal.Decimal { return d.Average }, write: money,
	})
	views := p.kpi(figure{
		id: "views", label: p.T("figure.offer_views"), field: "offerViews", note: p.T("figure.all_placements"), kind: components.Additive,
		now: locale.Figure{Main: p.Locale.CountOrDash(s.OfferViews)}, change: p.Locale.ChangeCount(s.OfferViews, before.OfferViews),
		was: was[3], day: func(d reportoverview.DayPoint) *decimal.Decimal { return chart.Counted(d.Views) }, write: p.Locale.Decimal,
	})
	views.Tone = components.Plain
	if s.OfferViews == nil {
		views.Source.P.Basis, views.Note = report.NotReported, p.T("provenance.basis.not_reported")
	}
	return alone([]components.KPI{value, orders, rate, average, views}, p.uncompared())
}

// figure is one number of the window's summary, with what is shown around it.
type figure struct {
	id, label, note string
	// field is the number's name in the reply.
	field  string
	kind   components.SourceKind
	now    locale.Figure
	change locale.Delta
	// was is the number before; empty if nothing is compared.
	was string
	// day is the number of one day, for the sparkline, and write its words.
	day   func(reportoverview.DayPoint) *decimal.Decimal
	write func(decimal.Decimal) string
}

func (p Page) kpi(f figure) components.KPI {
	s := p.Overview.Summary
	src := p.source(f.id, "summary", f.label, f.field, s.Provenance)
	src.Value, src.Kind, src.Gaps = f.now.String(), f.kind, p.Overview.Trend.Provenance.Missing
	k := components.KPI{Source: src, Figure: f.now, Note: f.note, Delta: f.change, Than: p.than().Follows(p.Locale, f.change), Tone: components.MoreIsGood, Stale: s.Trouble != nil}
	if d := f.change.Direction; f.was != "" && (d == locale.Up || d == locale.Down) { // the dates are already above the figures
		k.Than = p.T("change.was", "amount", f.was)
	}
	if k.Stale && s.Provenance.Window != nil {
		k.Note = p.T("overview.as_of", "day", p.Locale.Day(s.Provenance.Window.End))
	}
	k.Days, k.DaysLabel = components.DayValues(p.Locale, p.Overview.Trend.Days, f.label, f.day, f.write)
	return k
}

// uncompared: the page belongs to a share link without a comparison.
func (p Page) uncompared() bool { return p.Shared != nil && p.Overview.Choice.Against == nil }

// alone hides the note about a missing comparison if none is possible.
func alone(kpis []components.KPI, nothing bool) []components.KPI {
	if nothing {
		for i := range kpis {
			kpis[i].Delta = locale.Delta{}
		}
	}
	return kpis
}

// trend is the daily chart.
func (p Page) trend() trend.Panel {
	src := p.source("trend", "trend", p.T("overview.value_by_day"), "totalUpsoldValue", p.Overview.Trend.Provenance)
	src.Kind = components.Series
	exports := p.exports("history")
	exports.Query = p.GroupedQuery(p.Overview.Choice)
	return trend.Panel{
		Trend: p.Overview.Trend.Grouped(p.Overview.Choice.Group), Source: src, Now: p.Overview.Now, Exports: exports,
		Names: trend.Upsold, Groupings: p.Groupings(p.Overview.Choice),
		Named: p.named(),
	}
}

// named are the starts and ends that the page gives as reasons, the first of them first.
func (p Page) named() (events []report.Event) {
	if e := p.Answer.Explains; e != nil {
		events = append(events, e.Event)
	}
	for _, o := range p.Answer.Movers.Offers {
		if o.Event != nil {
			events = append(events, *o.Event)
		}
	}
	for _, m := range p.Answer.Movers.Placements {
		if m.Event != nil {
			events = append(events, *m.Event)
		}
	}
	return events
}

// noteForm is the form of a note about the window's last day.
func (p Page) noteForm() components.NoteForm {
	c := p.Overview.Choice
	return components.NoteForm{Action: p.NotesHref(), First: c.Window.End.String(), At: "?" + c.Query().Encode()}
}

// charted reports whether the page has the daily chart, where the notes are.
func (p Page) charted() bool { return !p.noOffers() && !p.nothingYet() }

// allTimeSource is where the lifetime totals come from.
func (p Page) allTimeSource() components.Source {
	l := p.Overview.Lifetime
	src := p.source("all-time", "lifetime", p.T("all_time.title"), "", l.Provenance)
	if l.Empty == nil {
		src.Value, src.Code = p.Locale.Money(l.TotalRevenue, l.Currency).String(), l.Currency
	}
	return src
}

// offers are the ends of the window's ranking; each leads to its own page.
func (p Page) offers() offers.TopTable {
	return offers.TopTable{
		Top: p.Overview.Top, Before: p.Overview.TopBefore, Events: p.Overview.Events, Home: p.OffersHome(), AllHref: offers.ListHref(p.OffersHome(), report.OfferFilter{}), Exports: p.exports("top"),
		Dated: !p.TellsNow(), Drawn: p.Drawn, Days: p.OfferDays,
	}
}

// exports names the files of one of the page's tables, for the window it shows.
func (p Page) exports(table string) components.Exports {
	if p.Path == "" {
		return components.Exports{}
	}
	return components.Exports{Path: p.StoreHome() + "/" + table, Query: p.WindowQuery(p.Overview.Choice)}
}

// aged labels a panel with its applied window, basis and age.
func (p Page) aged(panel report.Panel) templ.Component {
	if panel.Empty == nil && p.inPageWindow(panel.Provenance) {
		return components.AgedBasis(panel.Provenance, p.Overview.Now)
	}
	return components.AgedPanel(panel, p.Overview.Now)
}

// inPageWindow reports whether a panel covers the same whole days, on the same clock, as the
// window under the page's title.
func (p Page) inPageWindow(panel report.Provenance) bool {
	page := p.Overview.Summary.Provenance
	if page.Window == nil || panel.Window == nil {
		return false
	}
	panel.Basis = page.Basis
	dates, rest := page.Words(p.Locale)
	panelDates, panelRest := panel.Words(p.Locale)
	return dates == panelDates && rest == panelRest
}

// Page is a store's overview (picture 01).
type Page struct {
	components.Base
	Overview reportoverview.Overview
	// Answer is what happened and why.
	Answer answers.Answer
	// Goal is nil if none is set, and for share links.
	Goal *goal.Progress
	// ChoiceError is shown next to the picker if the requested window is invalid; otherwise
	// nil.
	ChoiceError *report.ChoiceError
	// SyncHref is the store's Sync page.
	SyncHref string
	// OfferDays are the offers of the ranking with their days, Drawn; nil draws none.
	OfferDays map[string]reportoffers.TableRow
	Drawn     report.Window
	// Next are the starts and ends after the window, for a share link that includes plans.
	Next []report.Event
	// NextNotes are what clients may read about the days after the window.
	NextNotes []report.DayNote
}

// noGifts reports whether no part of the gift section has anything to show: then a single panel
// says why.
func (p Page) noGifts() bool {
	o := p.Overview
	return o.Gift.Empty != nil && (!o.GiftLinked || o.Campaigns.Empty != nil && o.Health.Empty != nil && o.Plan.Empty != nil)
}

// gift is the gift widget's results; nothing in it is added to upsells (N3).
func (p Page) gift() gift.Panel {
	g := p.Overview.Gift
	panel := gift.Panel{Empty: g.Empty, Campaigns: p.Overview.Campaigns, Dated: !p.TellsNow()}
	if g.Empty != nil {
		return panel
	}
	panel.KPIs = alone(gift.KPIs(p.Locale, g, p.Overview.Choice.Today, p.source), p.Shared != nil)
	panel.Compared = gift.Compared(p.Locale, g, p.Overview.Choice.Today)
	return panel
}
