package offers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// The pulls behind an offer's panels; their subject is the offer's id.
const (
	PullSetup           = "offer.setup"
	PullStages          = "offer.stages"
	PullRecommendations = "offer.recommendations"
)

// NewDetail builds everything on an offer's page from its stored rows. l is the reader's language.
func NewDetail(l locale.Locale, in StoredDetail, c report.Choice, now time.Time) Detail {
	b := detailBuilder{overview.Builder{Builder: report.Builder{In: in.Stored, Choice: c, Now: now, Locale: l}}, in}
	in.Offer.URL = adminLink(in.Offer)
	d := Detail{
		Store: in.Stored.Store, Now: b.OnStoreClock(now), Choice: c, Offer: in.Offer,
		Setup: b.setup(), Stages: b.stages(), Recommendations: b.recommendations(), History: b.history(),
		Events: append([]Event{}, in.Events...),
	}
	d.Results = b.results(d.History)
	d.listed = b.listed()
	slices.SortStableFunc(d.Events, func(x, y Event) int { return y.At.Compare(x.At) })
	return d
}

// detailsAge is how old an offer's details may be when someone opens its page.
const detailsAge = 24 * time.Hour

// Missing reports whether details are on their way that were never stored before.
func (d Detail) Missing() bool {
	return slices.ContainsFunc(d.details(), func(p report.Panel) bool { return p.Empty != nil && p.Empty.Cause == report.CauseFilling })
}

// Old reports whether opening the offer's page should fetch newer details.
func (d Detail) Old() bool {
	return slices.ContainsFunc(d.details(), func(p report.Panel) bool {
		at := p.Provenance.FetchedAt
		return !at.IsZero() && d.Now.Sub(at) > detailsAge
	})
}

func (d Detail) details() []report.Panel {
	return []report.Panel{d.Setup.Panel, d.Stages.Panel, d.Recommendations.Panel}
}

// detailBuilder makes the panels of one offer.
type detailBuilder struct {
	overview.Builder
	offer StoredDetail
}

// Listed is the provenance of the offer's own row: the last walk that saw it.
func (d Detail) Listed() report.Provenance {
	if d.listed.Endpoint != "" {
		return d.listed
	}
	return report.Provenance{ // a detail that wasn't built from stored rows
		Endpoint: endpointOffers, Basis: report.Reported, Replies: 1, Timezone: d.Store.Timezone, TimezoneFrom: "store",
		FetchedAt: d.Offer.LastListed, FetchedLast: d.Offer.LastListed,
	}
}

func (b detailBuilder) listed() report.Provenance {
	p := report.Panel{Provenance: report.Provenance{
		Endpoint: endpointOffers, Basis: report.Reported, Replies: 1, Timezone: b.In.Store.Timezone, TimezoneFrom: "store",
		FetchedAt: b.offer.Offer.LastListed, FetchedLast: b.offer.Offer.LastListed,
	}}
	return b.Finish(p, "upsell", "offers").Provenance
}

// body parses a stored body into v. It returns the panel, which is empty if nothing is stored. what is
// the suffix of its message ids.
func (b detailBuilder) body(stored *report.StoredJSON, endpoint, pull, what string, v any) report.Panel {
	l := b.Locale
	sub := b.Builder
	sub.In.Ledger = nil
	for _, l := range b.In.Ledger {
		if l.Pull == pull && l.Subject == b.offer.Offer.ID {
			sub.In.Ledger = append(sub.In.Ledger, l)
		}
	}
	p := report.Panel{Provenance: b.Provenance(endpoint, report.Reported)}
	if stored == nil {
		p.Empty = sub.NotPulled("upsell", pull, l.T("offers.on_the_way."+what))
		return sub.Finish(p, "upsell", pull)
	}
	p.Provenance = b.Current(endpoint, pull, stored.FetchedAt)
	p.Provenance.Subject = b.offer.Offer.ID
	switch body := bytes.TrimSpace(stored.Body); {
	case len(body) == 0 || string(body) == "null":
		p.Empty = &report.Empty{Cause: CauseGone, Title: l.T("offers.gone." + what), Text: l.T("offers.gone.title") + " " + l.T("offers.gone.text")}
	case json.Unmarshal(body, v) != nil:
		p.Empty = &report.Empty{Cause: report.CauseFailed, Title: l.T("offers.unreadable." + what), Text: l.T("offers.unreadable.text")}
	}
	return sub.Finish(p, "upsell", pull)
}

func (b detailBuilder) setup() Setup {
	var s Setup
	s.Panel = b.body(b.offer.Setup, endpointOffer, PullSetup, "setup", &s.SetupBody)
	if s.Empty != nil {
		s.SetupBody = SetupBody{}
	} else if p := report.Placement(s.Placement); s.Placement != "" && !p.Known() {
		s.Provenance = s.Provenance.With(report.FlagUnknownValue)
	}
	return s
}

func (b detailBuilder) stages() Stages {
	var s Stages
	s.Panel = b.body(b.offer.Stages, endpointStages, PullStages, "stages", &s.StagesBody)
	if s.Empty != nil {
		s.StagesBody = StagesBody{}
	}
	s.StagesBody = s.StagesBody.In(b.Locale)
	return s
}

func (b detailBuilder) recommendations() Recommendations {
	var r Recommendations
	r.Panel = b.body(b.offer.Recommendations, endpointRecommendations, PullRecommendations, "instead", &r.RecommendationsBody)
	if r.Empty != nil {
		r.RecommendationsBody = RecommendationsBody{}
	}
	r.RecommendationsBody = r.RecommendationsBody.In(b.Locale)
	return r
}

// history has one entry per day. If a day's ranking is complete and doesn't have the offer, it earned
// nothing that day; if the ranking is cut or not stored, the day is a gap (N1, N16, N68). Claims aren't
// known for a day without the offer: an offer can be accepted without earning anything.
func (b detailBuilder) history() History {
	w := b.Choice.Window
	h := History{Panel: report.Panel{Provenance: b.Asked(b.Stitched(overview.EndpointTop, w))}, Currency: b.currency(), Days: make([]Day, 0, w.Days()), Notes: b.In.Notes}
	ranked := map[civil.Date]StoredDay{}
	for _, d := range b.offer.Days {
		ranked[d.Day] = d
	}
	lists := map[civil.Date]report.StoredRankedDay{}
	for _, d := range b.offer.RankedDays {
		lists[d.Day] = d
	}
	if !b.offer.Offer.Placement.ReportsRevenue() && len(ranked) == 0 {
		h.Days = []Day{}
		h.Empty = &report.Empty{Cause: CauseNotReported, Title: b.Locale.T("offers.days.not_reported"), Text: b.Locale.T("offers.days.not_reported_text")}
		return h
	}
	sum, known, newest := decimal.Zero, true, ""
	for day := range w.All() {
		d := Day{Day: day}
		row, ok := ranked[day]
		list, hasList := lists[day]
		switch {
		case ok:
			d.Stored, d.Revenue, d.Currency, d.Claims = true, row.Revenue, row.Currency, row.Claims
			h.Provenance.Seen(row.FetchedAt, false)
			if day == b.Choice.Today {
				h.Provenance = h.Provenance.With(report.FlagPartial)
			}
		case list.Whole && b.offer.Offer.Placement.ReportsRevenue():
			d.Stored, d.Revenue, d.Currency = true, new(decimal.Zero), list.Currency
			h.Provenance.Seen(list.FetchedAt, false)
		case list.Whole: // the placement reports no revenue, so no offer is missing from the list
			h.Provenance = h.Provenance.With(report.FlagNotReported)
		case hasList:
			h.Provenance.AddCut(day)
		default:
			h.Provenance.Missed(day)
		}
		switch {
		case d.Revenue != nil:
			if newest != "" && newest != d.Currency && h.Mixed == nil {
				h.Mixed = b.TwoCurrencies(newest, d.Currency, day)
			}
			newest, sum = d.Currency, sum.Add(*d.Revenue)
		case d.Stored:
			known = false // a sum that lacks one of its days would be too low (N13)
		}
		h.Days = append(h.Days, d)
	}
	h.Currency = cmp.Or(newest, h.Currency)
	if h.Provenance.Replies == 0 {
		h.Days = []Day{}
		h.Empty = b.noDay(w)
	} else if known && h.Mixed == nil {
		h.Revenue = &sum
	}
	h.Panel = b.Finish(h.Panel, "upsell", "top.day")
	return h
}

// noDay says why no day of the window is known: none is stored, or the stored rankings are cut before
// they reach the offer.
func (b detailBuilder) noDay(w report.Window) *report.Empty {
	if !slices.ContainsFunc(b.In.DaysKept, w.Contains) {
		return b.NothingStored(w, "top")
	}
	if failed := b.Failed("upsell", "top.day"); failed != nil {
		return failed
	}
	return &report.Empty{Cause: report.CauseNotKept, Title: b.Locale.T("offers.days.none_known"), Text: b.Locale.T("offers.days.none_known_text")}
}

func (b detailBuilder) currency() string {
	return cmp.Or(b.offer.Offer.Currency, b.In.Store.Currency)
}

// results are the window's figures.
func (b detailBuilder) results(h History) Results {
	t := b.Top()
	r := Results{Panel: report.Panel{Provenance: t.Provenance, Trouble: t.Trouble}, Currency: t.Currency, AcceptanceUnit: t.AcceptanceUnit}
	for _, row := range slices.Concat(t.Highest, t.Lowest) {
		if row.OfferID == b.offer.Offer.ID {
			r.Revenue, r.Claims, r.AcceptanceRate = row.Revenue, row.Claims, row.AcceptanceRate
			r.Provenance = r.Provenance.Without(report.FlagCut) // what a cut list lacks is other offers, not this one
			return r
		}
	}
	reports := b.offer.Offer.Placement.ReportsRevenue()
	if reports && t.Earned != nil { // the ranking is complete, and the offer isn't in it
		r.Revenue = new(decimal.Zero)
		return r
	}
	if !reports {
		r.Currency = b.currency()
		r.Provenance.Basis = report.NotReported
		r.Provenance.Window = &b.Choice.Window
		r.Provenance = r.Provenance.With(report.FlagNotReported)
		r.Empty = &report.Empty{Cause: CauseNotReported, Title: b.Locale.T("offers.offer.nothing_reported"), Text: b.Locale.T("offers.offer.coupon_results")}
		r.Trouble = nil
		return r
	}
	r.Panel, r.Currency, r.Revenue = h.Panel, h.Currency, h.Revenue
	r.Empty = cmp.Or(r.Empty, h.Mixed)
	for _, d := range h.Days {
		if d.Claims != nil {
			n := *d.Claims
			if r.Claims != nil {
				n += *r.Claims
			}
			r.Claims = &n
		}
	}
	return r
}
