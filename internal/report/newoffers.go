package report

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Endpoints of the offers as provenance names them.
const (
	endpointOffers          = "GET /data/offers"
	endpointOffer           = "GET /data/offer/{id}"
	endpointStages          = "GET /data/offer/{id}/stages"
	endpointRecommendations = "GET /data/products/recommendations"
)

// Causes of the offer pages' empty panels.
const (
	// CauseNoMatch: offers exist, and none is what was asked for.
	CauseNoMatch Cause = "no_match"
	// CauseGone: the service answers that it has no such offer: not this store's, or
	// gone (N32).
	CauseGone Cause = "gone"
	// CauseNotReported: the service does not say this for such an offer.
	CauseNotReported Cause = "not_reported"
)

// NewOfferList makes the offer list from the asked page of stored rows.
func NewOfferList(in StoredOffers, f OfferFilter, now time.Time) OfferList {
	b := Builder{In: Stored{Store: in.Store, Credentials: in.Credentials, Ledger: in.Ledger, Counts: in.Counts, RateLimit: in.RateLimit}, Now: now}
	l := OfferList{
		Panel: Panel{Provenance: b.provenance(endpointOffers, Reported)}, Filter: f, Rows: []OfferListRow{},
		Matched: in.Matched, Total: in.Total, Coupons: in.Coupons, Verified: verified(in.Walk), Counts: b.counts(),
	}
	for _, r := range in.Rows {
		r.URL = adminLink(r)
		l.Rows = append(l.Rows, r)
	}
	l.Pages = max(1, (in.Matched+OffersPerPage-1)/OffersPerPage)
	if w := in.Walk; w != nil {
		l.Provenance.Replies = w.Calls
		l.Provenance.FetchedAt, l.Provenance.FetchedLast = w.FinishedAt, w.FinishedAt
		switch {
		case l.Verified.Whole:
		case w.Clamped:
			l.Provenance = l.Provenance.With(FlagCut)
		default:
			l.Provenance = l.Provenance.With(FlagIncomplete)
		}
	}
	for _, r := range l.Rows {
		if !r.Placement.Known() {
			l.Provenance = l.Provenance.With(FlagUnknownValue)
		}
	}
	l.Empty = b.noOffersListed(l, in.Walk != nil)
	l.Panel = b.finish(l.Panel, "upsell", "offers")
	if f.Sort == SortPriority && l.Trouble == nil {
		l.Panel = b.ofOrder(f.Placement).finish(l.Panel, "upsell", pullPriority)
	}
	return l
}

const pullPriority = "offers.priority"

// ofOrder knows the ledger of one placement's display order only.
func (b Builder) ofOrder(p Placement) Builder {
	b.In.Ledger = slices.DeleteFunc(slices.Clone(b.In.Ledger), func(l StoredPull) bool { return l.Pull != pullPriority || l.Subject != p.Key() })
	return b
}

// noOffersListed is why the list shows no row: each cause has its own words.
func (b Builder) noOffersListed(l OfferList, walked bool) *Empty {
	all := OfferFilter{}.Values()
	switch {
	case l.Total == 0 && !walked:
		return b.notPulled("upsell", "offers", onItsWay("The offer list"))
	case l.Total == 0:
		return &Empty{Cause: CauseNoOffers, Title: "No offers yet in this store", Text: "The service listed 0 offers, in any status."}
	case l.Matched == 0:
		return &Empty{Cause: CauseNoMatch, Title: "No offer is like that", Text: noMatchText(l), Action: "Show all " + Plural(int64(l.Total), "offer", "offers"), Href: "?" + all.Encode()}
	case len(l.Rows) == 0:
		first := l.Filter
		first.Page = 1
		return &Empty{Cause: CauseNoMatch, Title: "There is no page " + strconv.Itoa(l.Filter.Page), Text: Plural(int64(l.Matched), "offer fills", "offers fill") + " " + Plural(int64(l.Pages), "page", "pages") + ".", Action: "Show the first page", Href: "?" + first.Values().Encode()}
	}
	return nil
}

func noMatchText(l OfferList) string {
	if l.Filter.SoldNothing != nil && l.Filter.IDs == nil {
		return "The ranking of these days is not complete, so offers that sold nothing are not known."
	}
	text := Plural(int64(l.Total), "offer is stored", "offers are stored") + ", none of them is what you asked for."
	if l.Filter.NeverEarned && l.Filter.Placement == Coupon {
		text += " Coupon offers report no revenue, so none is known to have earned nothing."
	}
	return text
}

// verified says how complete the last whole walk is, in words. A count that was
// not answered is no proof (N7), and a mismatch deletes nothing (N10).
func verified(w *StoredWalk) Verified {
	if w == nil {
		return Verified{Words: "not yet read to its end"}
	}
	v := Verified{Seen: w.Seen, Counted: w.Counted, At: w.FinishedAt, Calls: w.Calls}
	switch {
	case w.Counted != nil && *w.Counted == w.Seen: // also where parts were cut: both ends met
		v.Whole = true
		v.Words = Count(w.Seen) + " of " + Count(*w.Counted) + ", verified against the count"
	case w.Clamped && w.Counted != nil:
		v.Words = Count(w.Seen) + " of " + Count(*w.Counted) + "; the rest is beyond what the service lists"
	case w.Clamped:
		v.Words = Count(w.Seen) + " listed; there are more, beyond what the service lists"
	case w.Counted == nil:
		v.Words = Count(w.Seen) + " listed, not verified: the count was not answered"
	default:
		v.Words = Count(w.Seen) + " listed, the service counts " + Count(*w.Counted) + ": read again on the next walk"
	}
	return v
}

// Earned is what the offer earned in all its time, in words: "not reported" is
// not zero (N13).
func (r OfferListRow) Earned() (f Figure, reported bool) {
	if r.RevenueAllTime == nil {
		return Figure{Main: "not reported"}, false
	}
	return Money(*r.RevenueAllTime, r.Currency), true
}

// adminLink is the offer's address in the store admin: https alone, to a host and
// nobody's password; a deleted offer has none (N17).
func adminLink(r OfferListRow) string {
	u, err := url.Parse(r.URL)
	if err != nil || r.Deleted || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	return r.URL
}

// controls are the signs that turn the direction of text; a name that holds them
// could turn the words around it too.
var controls = strings.NewReplacer("\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "", "\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "")

// isolated keeps a stranger's text from turning the words around it: names may be
// written from right to left.
func isolated(s string) string { return "\u2068" + controls.Replace(s) + "\u2069" }

// quoted is a stranger's text in quotes, isolated.
func quoted(s string) string { return "“" + isolated(s) + "”" }

// Words say what changed about an offer.
func (e OfferEvent) Words() string {
	switch e.Kind {
	case "first_seen":
		if e.After != "" {
			return "First seen, as " + quoted(e.After)
		}
		return "First seen"
	case "renamed":
		return "Renamed from " + quoted(e.Before) + " to " + quoted(e.After)
	case "status":
		return "Status from " + statusWord(e.Before) + " to " + statusWord(e.After)
	case "placement":
		return "Placement from " + quoted(e.Before) + " to " + quoted(e.After)
	case "ab_test":
		if e.After == "true" {
			return "An A/B test began"
		}
		return "The A/B test ended"
	case "priority":
		return "Display order from " + orNone(e.Before) + " to " + orNone(e.After)
	case "unlisted":
		return "No longer listed; that alone is no deletion"
	case "relisted":
		return "Listed again"
	case "deleted":
		return "A ranking marks it as deleted"
	}
	return e.Kind + ": " + orNone(isolated(e.Before)) + " to " + orNone(isolated(e.After))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func statusWord(raw string) string {
	for _, s := range OfferStatuses {
		if s.Status == raw {
			return raw
		}
	}
	return quoted(raw)
}
