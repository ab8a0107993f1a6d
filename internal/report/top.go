package report

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// topShown is how many highest earners a page shows; lowestShown how many lowest.
const (
	topShown    = 5
	lowestShown = 3
)

// top joins the two rankings of a window. Where they meet, every earner is known
// and ranks count from the top; where they don't, the list is said to be cut (N16).
func (b builder) top() TopOffers {
	w := b.choice.Window
	t := TopOffers{Panel: Panel{Provenance: b.provenance(endpointTop, Reported)}, Highest: []TopRow{}, Lowest: []TopRow{}}
	var high, low *StoredTopList
	for i, l := range b.in.TopLists {
		if l.Window != w {
			continue
		}
		if l.Direction == "highest" {
			high = &b.in.TopLists[i]
		} else {
			low = &b.in.TopLists[i]
		}
	}
	if high == nil {
		t.Provenance.Window = &w
		t.Provenance = b.asked(t.Provenance)
		t.Empty = b.topNotKept()
		t.Panel = b.finish(t.Panel, "upsell", "top.highest")
		return t
	}
	t.Provenance = b.asked(b.reported(endpointTop, w, high.Source, high.FetchedAt, high.Partial))
	t.Provenance.Pull, t.Provenance.Subject = b.replyOfTop(w)
	t.Currency, t.ShopOfferCount = high.Currency, high.ShopOfferCount
	if low != nil && low.Currency != high.Currency { // amounts of two currencies have no order (N34)
		low = nil
	}
	if low != nil {
		t.Provenance.seen(low.FetchedAt, false)
	}
	all, complete := joinRankings(high, low)
	for i := range all {
		if !all[i].Placement.Known() {
			t.Provenance = t.Provenance.With(FlagUnknownValue)
		}
	}
	if complete {
		n := len(all)
		t.Earned = &n
		t.Highest = all
		if n > topShown {
			t.Highest, t.Lowest = all[:n-min(lowestShown, n-topShown)], all[n-min(lowestShown, n-topShown):]
		}
		b.silent(&t, all)
	} else {
		t.Provenance = t.Provenance.With(FlagCut)
		t.Highest = high.Rows
		for i := range t.Highest {
			t.Highest[i].Rank = i + 1
		}
		if low != nil {
			t.Lowest = without(falling(low.Rows), high.Rows)
		}
	}
	if len(all) == 0 {
		t.Empty = b.nothingEarned(high)
	}
	t.Panel = b.finish(t.Panel, "upsell", "top.highest", "top.lowest")
	return t
}

// joinRankings walks from the highest down and adds the lowest list behind it.
// complete is true when no offer can be missing between the two (see meet).
func joinRankings(high, low *StoredTopList) (all []TopRow, complete bool) {
	seen := map[string]bool{}
	for _, r := range high.Rows {
		if !seen[r.OfferID] {
			seen[r.OfferID] = true
			all = append(all, r)
		}
	}
	if low == nil {
		return ranked(all), len(high.Rows) == 0
	}
	shared := false
	for _, r := range falling(low.Rows) {
		if seen[r.OfferID] {
			shared = true
			continue
		}
		seen[r.OfferID] = true
		all = append(all, r)
	}
	return ranked(all), len(all) == 0 || shared && meet(high, low, len(all))
}

// meet reports whether two rankings that share an offer hold every earner between
// them: the highest must reach below where the lowest begins. Where both end on
// the same amount, offers that earned just as much may be in neither; then they
// meet only when each holds all there is, and that is less than was asked for.
func meet(high, low *StoredTopList, all int) bool {
	least, most := high.Rows[len(high.Rows)-1].Revenue, low.Rows[len(low.Rows)-1].Revenue
	whole := len(high.Rows) == all && len(low.Rows) == all && all < min(high.Limit, low.Limit)
	return whole || least != nil && most != nil && least.LessThan(*most)
}

func ranked(rows []TopRow) []TopRow {
	for i := range rows {
		rows[i].Rank = i + 1
	}
	return rows
}

// falling turns a list that was answered lowest first.
func falling(rows []TopRow) []TopRow {
	out := make([]TopRow, len(rows))
	for i, r := range rows {
		out[len(rows)-1-i] = r
	}
	return out
}

// without leaves out the offers that another list shows already.
func without(rows, shown []TopRow) []TopRow {
	return slices.DeleteFunc(rows, func(r TopRow) bool {
		return slices.ContainsFunc(shown, func(s TopRow) bool { return s.OfferID == r.OfferID })
	})
}

// soldNothing are the offers that were active on every day of the window and are not
// in its whole ranking. The to-do that counts them and the list behind it are this one
// answer (N73).
func (b builder) soldNothing(all []TopRow) []string {
	if b.in.ActiveThroughout == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.in.ActiveThroughout), func(id string) bool {
		return slices.ContainsFunc(all, func(r TopRow) bool { return r.OfferID == id })
	})
}

// SoldNothing are the offers that the overview's to-do counts for the chosen window;
// known is false where the ranking may lack offers.
func SoldNothing(in Stored, c Choice, now time.Time) (ids []string, known bool) {
	ids = builder{in: in, choice: c, now: now}.top().SoldNothing
	return ids, ids != nil
}

// silent counts the offers that could have earned and did not: all that exist,
// less the coupon offers, less those in the ranking that still exist.
func (b builder) silent(t *TopOffers, all []TopRow) {
	t.SoldNothing = b.soldNothing(all)
	var total, coupons *int64
	for _, c := range b.in.Counts {
		switch c.Placement {
		case "":
			total = &c.Total
		case Coupon:
			coupons = &c.Total
		}
	}
	if total == nil || coupons == nil {
		return
	}
	t.Coupons = coupons
	existing := int64(0)
	for _, r := range all {
		if !r.Deleted && r.Placement != Coupon {
			existing++
		}
	}
	if n := int(*total - *coupons - existing); n >= 0 {
		t.Silent = &n
	}
}

func (b builder) replyOfTop(w Window) (pull, subject string) {
	for _, l := range b.in.Ledger {
		if l.Pull == "top.highest" && l.Applied != nil && *l.Applied == w {
			return l.Pull, l.Subject
		}
	}
	return "", ""
}

func (b builder) topNotKept() *Empty {
	if !b.connected("upsell") || len(b.in.DaysKept) == 0 {
		return b.notPulled("upsell", "top.highest", b.words().OnTheWay(theRanking))
	}
	return empty(CauseNotKept, b.words().NoRanking()).leading("Show 30 days", "?window="+string(Last30))
}

func (b builder) nothingEarned(high *StoredTopList) *Empty {
	if high.ShopOfferCount != nil && *high.ShopOfferCount == 0 {
		return empty(CauseNoOffers, b.words().NoOffers())
	}
	return empty(CauseNothing, b.words().NothingEarned())
}

func (b builder) lifetime() Lifetime {
	l := Lifetime{Panel: Panel{Provenance: b.provenance(endpointLifetime, Reported)}}
	if r := b.in.Lifetime; r == nil {
		l.Empty = b.notPulled("upsell", "lifetime", b.words().OnTheWay(theAllTimeTotal))
	} else {
		l.Provenance = b.current(endpointLifetime, "lifetime", r.FetchedAt)
		for _, f := range r.Flags {
			l.Provenance = l.Provenance.With(f)
		}
		l.Currency, l.TotalRevenue, l.OfferViews, l.UpsoldOrders = r.Currency, r.TotalRevenue, r.OfferViews, r.UpsoldOrders
		l.ConversionRate = ratio(decimal.NewFromInt(r.UpsoldOrders), r.OfferViews)
		l.RevenuePerVisit = ratio(r.TotalRevenue, r.OfferViews)
	}
	l.Panel = b.finish(l.Panel, "upsell", "lifetime")
	return l
}
