package offers

import (
	"cmp"
	"net/url"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
)

func (p OfferPage) source(id, key, label, field string, prov report.Provenance) components.Source {
	return components.Source{ID: id, Key: key, Label: label, Field: field, P: prov, Reply: p.ReplyAddress(prov), Now: p.Detail.Now}
}

// provenances are those that "Copy as JSON" can give.
func (p OfferPage) provenances() map[string]report.Provenance {
	d := p.Detail
	out := map[string]report.Provenance{"results": d.Results.Provenance, "history": d.History.Provenance}
	if p.TellsNow() {
		out["stages"] = d.Stages.Provenance
	}
	if p.Shared == nil {
		out["listed"], out["recommendations"] = d.Listed(), d.Recommendations.Provenance
	}
	return out
}

func (p OfferPage) name() string {
	return cmp.Or(p.Detail.Offer.Name, p.T("offers.unnamed", "offer", p.Detail.Offer.ID))
}

// longName reports whether the name would fill a phone's window as a heading.
func (p OfferPage) longName() bool { return utf8.RuneCountInString(p.name()) > 80 }

func (p OfferPage) picker() components.Picker {
	return components.Picker{Path: p.Path, Choice: p.Detail.Choice, Error: p.ChoiceError}
}

// gone reports whether the service says that it has no such offer, which doesn't prove a
// deletion (N32).
func (p OfferPage) gone() bool {
	e := p.Detail.Setup.Empty
	return e != nil && e.Cause == offers.CauseGone
}

// ownTrouble reports whether a part has a problem that the page's banner doesn't mention.
func (p OfferPage) ownTrouble(panel report.Panel) bool {
	t, told := panel.Trouble, p.Detail.Results.Trouble
	return t != nil && (told == nil || told.Text != t.Text)
}

// facts follow the placement in the page's head.
func (p OfferPage) facts() []string {
	var out []string
	switch n, own := p.Detail.Offer.Priority, p.Detail.Setup.Priority; {
	case n != nil:
		out = append(out, p.T("offers.offer.position", "position", *n))
	case own != nil && !p.Detail.Offer.Deleted:
		out = append(out, p.T("offers.offer.position", "position", *own))
	}
	if p.Detail.Setup.Empty == nil {
		out = append(out, p.Detail.Setup.ScheduleWords(p.Locale, p.Detail.Now))
	}
	return out
}

// kpis are the window's figures, and all time last in its dashed frame.
func (p OfferPage) kpis() []KPI {
	r, d := p.Detail.Results, p.Detail
	kpi := func(id, label, field, note string, f locale.Figure, reported bool) KPI {
		src := p.source("offer-"+id, "results", label, field, r.Provenance)
		if src.Value = f.String(); !reported {
			src.P.Basis, src.Value = report.NotReported, ""
		}
		return KPI{Source: src, Figure: f, Note: note, Stale: r.Trouble != nil}
	}
	stitched := r.Provenance.Basis == report.Stitched
	note := p.T("offers.offer.in_currency", "currency", r.Currency)
	switch {
	case r.Empty != nil && r.Empty.Cause != offers.CauseNotReported:
		note = r.Empty.Title
	case r.Revenue == nil:
		note = p.T("offers.not_reported")
	case stitched:
		note = p.T("offers.offer.known_days", "currency", r.Currency)
	case r.Revenue.IsZero():
		note = p.T("offers.offer.not_ranked")
	}
	value := kpi("value", p.T("offers.value_in_period"), "revenue", note, p.Locale.MoneyOrDash(r.Revenue, r.Currency), r.Revenue != nil)
	value.Source.Code = r.Currency
	if was := d.Answer.Before; was != nil {
		value.Delta = changeOfOffer(p.Locale, d.Offer.ID, r.Revenue, was, d.Answer.Events)
		if was.IsPositive() {
			value.Was = p.T("change.was", "amount", p.Locale.Money(*was, r.Currency).String())
		}
	}
	claims := kpi("claims", p.T("offers.claims_in_period"), "claims", p.T("offers.offer.accepted"), locale.Figure{Main: p.Locale.CountOrDash(r.Claims)}, r.Claims != nil)
	switch {
	case r.Claims == nil:
		claims.Note = p.T("offers.not_reported")
	case stitched:
		claims.Note = p.T("offers.offer.ranked_days")
	}
	rate := kpi("rate", p.T("offers.acceptance_rate"), "acceptanceRate", p.T("offers.offer.rate_unproven"), locale.NoFigure, r.AcceptanceRate != nil)
	switch {
	case r.AcceptanceRate != nil:
		rate.Figure = r.AcceptanceUnit.Acceptance(p.Locale, r.AcceptanceRate)
		rate.Source.Value = rate.Figure.String()
		if r.AcceptanceUnit.Proven() {
			rate.Note = p.T("offers.offer.rate_proven")
		}
	case stitched:
		rate.Note = p.T("offers.offer.rate_not_from_days")
	default:
		rate.Note = p.T("offers.not_reported")
	}
	if p.Shared != nil {
		return []KPI{value, claims, rate}
	}
	all := KPI{Source: p.source("offer-all", "listed", p.T("offers.value_all_time"), "revenue", d.Listed()), Figure: p.Locale.MoneyOrDash(d.Offer.RevenueAllTime, d.Offer.Currency), Note: p.T("offers.offer.all_time"), AllTime: true}
	if d.Offer.RevenueAllTime == nil {
		all.Source.P.Basis, all.Note = report.NotReported, p.T("offers.not_reported")
	} else {
		all.Source.Value, all.Source.Code = all.Figure.String(), d.Offer.Currency
	}
	return []KPI{value, claims, rate, all}
}

// days are the offer's days as bars.
func (p OfferPage) days() DaysPanel {
	src := p.source("offer-day", "history", p.T("offers.days.title"), "revenue", p.Detail.History.Provenance)
	src.Kind = components.Series
	panel := DaysPanel{History: p.Detail.History, Placement: p.Detail.Offer.Placement, Source: src, Said: !p.ownTrouble(p.Detail.History.Panel), Events: p.Detail.Answer.Events}
	if p.Path != "" {
		panel.Exports = components.Exports{Path: p.Path + "/history", Query: p.WindowQuery(p.Detail.Choice)}
	}
	return panel
}

// funnel is what the customer sees.
func (p OfferPage) funnel() FunnelPanel {
	return FunnelPanel{
		Setup: p.Detail.Setup, Stages: p.Detail.Stages, Coupon: !p.Detail.Offer.Placement.ReportsRevenue(),
		Source: p.source("offer-stages", "stages", p.T("offers.funnel.source", "n", len(p.Detail.Stages.Stages)), "stages", p.Detail.Stages.Provenance),
	}
}

func (p OfferPage) recommended() components.Source {
	return p.source("offer-instead", "recommendations", p.T("offers.instead.title"), "", p.Detail.Recommendations.Provenance)
}

// instead is the section's label: its age.
func (p OfferPage) instead() string {
	return p.T("offers.instead.aged", "basis", AgedWords(p.Locale, p.recommended()))
}

// OfferPage is one offer (picture 06).
type OfferPage struct {
	components.Base
	Detail offers.Detail
	// Asking: the app was asked about the window, and its answer is to come.
	Asking bool
	// ChoiceError is shown next to the picker if the requested window is invalid; otherwise
	// nil.
	ChoiceError *report.ChoiceError
	// SyncHref is the store's Sync page.
	SyncHref string
}

// watchable: the reader may set a threshold on its value. Coupon offers report no value.
func (p OfferPage) watchable() bool {
	return p.Writes && p.Shared == nil && !p.Detail.Offer.Deleted && p.Detail.Offer.Placement.ReportsRevenue()
}

// watchHref opens the form of a threshold that watches the offer.
func (p OfferPage) watchHref() string {
	return p.StoreHome() + "/alerts/thresholds?" + url.Values{"offer": {p.Detail.Offer.ID}}.Encode() + "#new-threshold"
}
