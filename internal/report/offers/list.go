package offers

import (
	"net/url"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/report"

	"github.com/storeglass/storeglass/internal/locale"
)

// Endpoints of the offers, as provenance names them.
const (
	endpointOffers          = "GET /data/offers"
	endpointOffer           = "GET /data/offer/{id}"
	endpointStages          = "GET /data/offer/{id}/stages"
	endpointRecommendations = "GET /data/products/recommendations"
)

// Causes of empty panels on the offer pages.
const (
	// CauseNoMatch: there are offers, but none matches the filter.
	CauseNoMatch report.Cause = "no_match"
	// CauseGone: the service says it has no such offer: it's another store's, or deleted (N32).
	CauseGone report.Cause = "gone"
	// CauseNotReported: the service doesn't report this for such an offer.
	CauseNotReported report.Cause = "not_reported"
)

// NewList builds the offer list from all stored rows. l is the reader's language.
func NewList(l locale.Locale, in StoredList, f report.OfferFilter, now time.Time) List {
	b := listBuilder{report.Builder{In: report.Stored{Store: in.Store, Credentials: in.Credentials, Ledger: in.Ledger}, Now: now, Locale: l}}
	list := List{
		Panel: report.Panel{Provenance: b.Provenance(endpointOffers, report.Reported)}, Filter: f, Rows: make([]Row, 0, len(in.Rows)), Verified: verified(l, in.Walk),
	}
	for _, r := range in.Rows {
		r.URL = adminLink(r)
		list.Rows = append(list.Rows, r)
	}
	if w := in.Walk; w != nil {
		list.Provenance.Replies = w.Calls
		list.Provenance.FetchedAt, list.Provenance.FetchedLast = w.FinishedAt, w.FinishedAt
		switch {
		case list.Verified.Whole:
		case w.Clamped:
			list.Provenance = list.Provenance.With(report.FlagCut)
		default:
			list.Provenance = list.Provenance.With(report.FlagIncomplete)
		}
	}
	for _, r := range list.Rows {
		if !r.Placement.Known() {
			list.Provenance = list.Provenance.With(report.FlagUnknownValue)
		}
	}
	if len(list.Rows) == 0 {
		list.Empty = b.noOffersListed(in.Walk != nil)
	}
	list.Panel = b.Finish(list.Panel, "upsell", "offers")
	if f.Sort == report.SortPriority && list.Trouble == nil {
		list.Panel = b.ofOrder(f.Placement).Finish(list.Panel, "upsell", pullPriority)
	}
	return list
}

// listBuilder makes the list of offers.
type listBuilder struct{ report.Builder }

const pullPriority = "offers.priority"

// ofOrder limits the ledger to one placement's display order.
func (b listBuilder) ofOrder(p report.Placement) listBuilder {
	b.In.Ledger = slices.DeleteFunc(slices.Clone(b.In.Ledger), func(l report.StoredPull) bool { return l.Pull != pullPriority || l.Subject != p.Key() })
	return b
}

// noOffersListed says why the list is empty.
func (b listBuilder) noOffersListed(walked bool) *report.Empty {
	if !walked {
		return b.NotPulled("upsell", "offers", b.Locale.T("offers.on_the_way.list"))
	}
	return &report.Empty{Cause: report.CauseNoOffers, Title: b.Locale.T("state.no_offers.title"), Text: b.Locale.T("offers.empty.none")}
}

// noMatch says that no offer matches the filter.
func noMatch(l locale.Locale, list List) *report.Empty {
	text := l.T("offers.empty.no_match_text", "n", list.Total)
	switch f := list.Filter; {
	case f.SoldNothing != nil && f.IDs == nil:
		text = l.T("offers.empty.ranking_not_whole")
	case f.NeverEarned && f.Placement == report.Coupon:
		text += " " + l.T("offers.empty.coupons")
	}
	return &report.Empty{Cause: CauseNoMatch, Title: l.T("offers.empty.no_match"), Text: text, Action: l.T("offers.empty.show_all", "n", list.Total), Href: "?"}
}

// verified says how complete the last finished walk is. A count that wasn't answered proves nothing
// (N7), and a mismatch deletes nothing (N10).
func verified(l locale.Locale, w *StoredWalk) Verified {
	if w == nil {
		return Verified{Words: l.T("offers.loaded.never")}
	}
	v := Verified{Seen: w.Seen, Counted: w.Counted, At: w.FinishedAt, Calls: w.Calls}
	switch {
	case w.Counted != nil && *w.Counted == 0 && w.Seen == 0:
		v.Whole = true
		v.Words = l.T("state.no_offers.title")
	case w.Counted != nil && *w.Counted == w.Seen: // even if parts were cut: both ends met
		v.Whole = true
		v.Words = l.T("offers.loaded.all", "n", w.Seen)
	case w.Clamped && w.Counted != nil:
		v.Words = l.T("offers.loaded.part", "seen", w.Seen, "n", *w.Counted)
	case w.Clamped:
		v.Words = l.T("offers.loaded.more", "n", w.Seen)
	case w.Counted == nil:
		v.Words = l.T("offers.loaded.uncounted", "n", w.Seen)
	default:
		v.Words = l.T("offers.loaded.differs", "n", w.Seen, "counted", *w.Counted)
	}
	return v
}

// Earned is the offer's all-time revenue, formatted. "Not reported" isn't zero (N13).
func (r Row) Earned(l locale.Locale) (f locale.Figure, reported bool) {
	if r.RevenueAllTime == nil {
		return locale.Figure{Main: l.T("offers.not_reported")}, false
	}
	return l.Money(*r.RevenueAllTime, r.Currency), true
}

// adminLink is the offer's URL in the store admin: https only, with a host and without a password;
// deleted offers have none (N17).
func adminLink(r Row) string {
	u, err := url.Parse(r.URL)
	if err != nil || r.Deleted || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	return r.URL
}

// quoted puts outside text in quotes and isolates its direction.
func quoted(l locale.Locale, s string) string { return l.T("unit.quoted", "name", report.Isolated(s)) }

// Words says what changed about an offer.
func (e Event) Words(l locale.Locale) string {
	switch e.Kind {
	case "first_seen":
		if e.After != "" {
			return l.T("offers.event.first_seen_as", "after", quoted(l, e.After))
		}
		return l.T("offers.event.first_seen")
	case "renamed":
		return l.T("offers.event.renamed", "before", quoted(l, e.Before), "after", quoted(l, e.After))
	case "status":
		return l.T("offers.event.status", "before", statusWord(l, e.Before), "after", statusWord(l, e.After))
	case "placement":
		return l.T("offers.event.placement", "before", quoted(l, report.Placement(e.Before).Name().In(l)), "after", quoted(l, report.Placement(e.After).Name().In(l)))
	case "ab_test":
		if e.After == "true" {
			return l.T("offers.event.ab_test_began")
		}
		return l.T("offers.event.ab_test_ended")
	case "priority":
		return l.T("offers.event.priority", "before", orNone(l, e.Before), "after", orNone(l, e.After))
	case "unlisted":
		return l.T("offers.event.unlisted")
	case "relisted":
		return l.T("offers.event.relisted")
	case "deleted":
		return l.T("offers.event.deleted")
	}
	return l.T("offers.event.unknown", "kind", e.Kind, "before", orNone(l, e.Before), "after", orNone(l, e.After))
}

func orNone(l locale.Locale, s string) string {
	if s == "" {
		return l.T("offers.events.none_value")
	}
	return report.Isolated(s)
}

func statusWord(l locale.Locale, raw string) string {
	if slices.Contains(report.OfferStatuses, raw) {
		return l.T("common.status." + raw)
	}
	return quoted(l, raw)
}
