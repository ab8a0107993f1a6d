package answers

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

// offersMoved is how many offers are listed.
const offersMoved = 5

// Movers are placements and offers with their upsold value in both windows. They show the same sales in
// two ways, so the two are never added together (N14).
type Movers struct {
	Currency string
	// Placements are all of them, largest change first and those without revenue last.
	Placements []PlacementMove
	// Offers are the five that moved most, up or down.
	Offers []OfferMove
	// OffersKnown is false if a ranking is missing or may lack offers: then none is listed.
	OffersKnown bool
}

// Move is an upsold value in two windows.
type Move struct {
	// Before and After are nil if the value isn't reported.
	Before, After *decimal.Decimal
	// Event is the start or end within the window, or else one in the comparison window that fits the
	// direction of the change; nil if there is none.
	Event *report.Event
}

// Change is After minus Before; nil if one is unknown.
func (m Move) Change() *decimal.Decimal {
	if m.Before == nil || m.After == nil {
		return nil
	}
	return new(m.After.Sub(*m.Before))
}

// Share is the change as a fraction of Before; nil without a baseline (N46).
func (m Move) Share() *decimal.Decimal {
	change := m.Change()
	if change == nil || m.Before.IsZero() {
		return nil
	}
	return new(change.DivRound(m.Before.Abs(), 8))
}

// PlacementMove is one placement. If revenue isn't reported, claims show how it did.
type PlacementMove struct {
	Placement report.Placement
	Move
	ClaimsAfter int64
}

// OfferMove is one offer.
type OfferMove struct {
	OfferID, Name string
	Placement     report.Placement
	Deleted       bool
	Move
}

func movers(in Input) Movers {
	m := Movers{Placements: []PlacementMove{}, Offers: []OfferMove{}}
	all := offerMoves(in)
	m.OffersKnown = all != nil
	for _, o := range all {
		if c := o.Change(); c != nil && !c.IsZero() && len(m.Offers) < offersMoved {
			m.Offers = append(m.Offers, o)
		}
	}
	if in.Top != nil {
		m.Currency = in.Top.Currency
	}
	p := in.Placements
	if p.Empty != nil || p.Compared == nil || !p.Compared.Comparable() || !p.Provenance.Comparable() {
		return m
	}
	m.Currency = p.Currency
	for _, r := range p.Rows {
		if r.Absent || r.Previous == nil {
			continue
		}
		row := PlacementMove{Placement: r.Placement, ClaimsAfter: r.Claims}
		row.Before, row.After = r.Previous.Revenue, r.Revenue
		row.Event = eventOfPlacement(in, r.Placement, row.Change(), all)
		m.Placements = append(m.Placements, row)
	}
	slices.SortStableFunc(m.Placements, func(a, b PlacementMove) int { return larger(a.Move, b.Move) })
	return m
}

// larger sorts the largest change first and unknown ones last.
func larger(a, b Move) int {
	x, y := a.Change(), b.Change()
	switch {
	case x == nil || y == nil:
		return cmp.Compare(known(y), known(x))
	default:
		return y.Abs().Cmp(x.Abs())
	}
}

func known(d *decimal.Decimal) int {
	if d == nil {
		return 0
	}
	return 1
}

// offerMoves are all offers that earned in either window, largest change first; nil if one of the
// rankings may lack an offer, which would then look like zero (N16).
func offerMoves(in Input) []OfferMove {
	after, before, known := in.Top.EarnersOfBoth(in.TopBefore)
	if !known {
		return nil
	}
	out, at := []OfferMove{}, map[string]int{}
	add := func(r report.TopRow) *OfferMove {
		i, ok := at[r.OfferID]
		if !ok {
			i, at[r.OfferID] = len(out), len(out)
			zero, none := decimal.Zero, decimal.Zero
			out = append(out, OfferMove{OfferID: r.OfferID, Name: r.Name, Placement: r.Placement, Deleted: r.Deleted, Move: Move{Before: &zero, After: &none}})
		}
		return &out[i]
	}
	for _, r := range after {
		add(r).After = r.Revenue
	}
	for _, r := range before {
		add(r).Before = r.Revenue
	}
	for i := range out {
		out[i].Event = eventOfOffer(in, out[i].OfferID, out[i].Change())
	}
	slices.SortFunc(out, func(a, b OfferMove) int { return cmp.Or(larger(a.Move, b.Move), cmp.Compare(a.OfferID, b.OfferID)) })
	return out
}

// eventOfOffer is the offer's newest start or end within the window, preferring one that fits the
// direction of the change. Without any, it is the newest in the comparison window that fits: an offer
// that ended there lacks all of its sales now.
func eventOfOffer(in Input, id string, change *decimal.Decimal) (best *report.Event) {
	for i, e := range in.Events {
		if e.OfferID != id || id == "" || !in.Choice.Window.Contains(e.Day) {
			continue
		}
		fits, has := fit(e, change), best != nil && fit(*best, change)
		if best == nil || fits && !has || fits == has && e.Day.After(best.Day) {
			best = &in.Events[i]
		}
	}
	if best != nil {
		return best
	}
	for i, e := range in.EventsBefore {
		if e.OfferID == id && fit(e, change) && (best == nil || e.Day.After(best.Day)) {
			best = &in.EventsBefore[i]
		}
	}
	return best
}

func fit(e report.Event, change *decimal.Decimal) bool {
	return change != nil && (e.Start && change.IsPositive() || !e.Start && change.IsNegative())
}

// eventOfPlacement is the event of the placement's offer that moved most, preferring one that moved in
// the same direction.
func eventOfPlacement(in Input, p report.Placement, change *decimal.Decimal, offers []OfferMove) *report.Event {
	var other *report.Event
	for _, o := range offers {
		if o.Placement != p || o.Event == nil {
			continue
		}
		if c := o.Change(); c != nil && change != nil && c.Sign() == change.Sign() {
			return o.Event
		}
		if other == nil {
			other = o.Event
		}
	}
	if other != nil {
		return other
	}
	for i, e := range in.Events { // for an offer that didn't earn, or without a known ranking
		if !e.Gift && e.Placement == p && in.Choice.Window.Contains(e.Day) && (other == nil || e.Day.After(other.Day)) {
			other = &in.Events[i]
		}
	}
	return other
}
