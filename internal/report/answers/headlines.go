package answers

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// ofPlacements says which placement changed the most, and which the most the other way, each with the
// offer that started or ended there. Without a comparison it says which earned the most. It adds up no
// amounts (N14); nil if nothing was sold.
func ofPlacements(in Input, m Movers) locale.Sentences {
	if len(m.Placements) == 0 {
		return earnedMost(in.Placements)
	}
	before := earlier(in.Choice, *in.Placements.Provenance.Window, *in.Placements.Compared.Window)
	var said locale.Sentences
	say := func(what locale.Message, e *report.Event) {
		said = append(said, what)
		if e != nil {
			said = append(said, locale.M("answers.placements.there."+kind(*e), "name", nameOf(*e), "day", dayOf(in, *e)))
		}
	}
	var first *decimal.Decimal // the largest change
	sold := false
	for _, p := range m.Placements {
		change, share := p.Change(), p.Share()
		if change == nil {
			continue
		}
		sold = sold || p.After.IsPositive() || p.Before.IsPositive()
		moved := share == nil && !change.IsZero() || share != nil && directionOf(*share) != locale.Level
		switch where := place(p.Placement); {
		case !moved:
		case first != nil:
			if share != nil && change.Sign() != first.Sign() {
				say(locale.M("answers.placements.other_way", "place", where, "change", inWords(*share)), p.Event)
				return said
			}
		case share == nil:
			first = change
			say(locale.M("answers.placements.after_nothing", "place", where, "value", amount{*p.After, m.Currency}, "before", before), p.Event)
		case p.After.IsZero():
			first = change
			say(locale.M("answers.placements.nothing_after", "place", where, "was", amount{*p.Before, m.Currency}, "before", before), p.Event)
		default:
			first = change
			say(locale.M("answers.placements.most", "place", where, "change", inWords(*share), "before", before), p.Event)
		}
	}
	if first == nil && sold {
		say(locale.M("answers.placements.same", "before", before), nil)
	}
	return said
}

// earnedMost says which of several placements earned the most; nil if fewer than two did.
func earnedMost(s overview.PlacementStats) locale.Sentences {
	var most *overview.PlacementRow
	earned := 0
	for i, r := range s.Rows {
		if r.Revenue == nil || !r.Revenue.IsPositive() {
			continue
		}
		earned++
		if most == nil || r.Revenue.GreaterThan(*most.Revenue) {
			most = &s.Rows[i]
		}
	}
	if earned < 2 {
		return nil
	}
	return locale.Sentences{locale.M("answers.placements.earned_most", "place", place(most.Placement), "value", amount{*most.Revenue, s.Currency})}
}

// place names a placement within a sentence.
func place(p report.Placement) locale.Message {
	if !p.Known() {
		return p.Name()
	}
	return locale.M("answers.place." + p.Key())
}

// Gifts says what gifts brought in, and if that changed, how many orders had one and what such an order
// was worth. It adds nothing to upsells (N3); nil if the window's revenue isn't known or days are missing.
func Gifts(c report.Choice, a gift.Analytics) locale.Sentences {
	w := a.Provenance.Window
	if a.Empty != nil || w == nil || a.Revenue.Value == nil || a.Revenue.Withheld || len(a.Provenance.Missing) > 0 || a.Provenance.Has(report.FlagIncomplete) {
		return nil
	}
	value, when, was := amount{*a.Revenue.Value, a.Currency}, during(c, *w), a.Revenue.Previous
	switch {
	case a.Provenance.Has(report.FlagPartial):
		return locale.Sentences{locale.M("answers.gifts.so_far", "value", value, "when", when)}
	case !a.Compared || a.Against == nil || was == nil || !was.IsPositive():
		if value.Amount.IsZero() {
			return locale.Sentences{locale.M("answers.gifts.nothing", "when", when)}
		}
		return locale.Sentences{locale.M("answers.gifts.alone", "value", value, "when", when)}
	}
	before, change := earlier(c, *w, *a.Against), inWords(value.Amount.Sub(*was).DivRound(*was, 8))
	switch {
	case value.Amount.IsZero():
		return locale.Sentences{locale.M("answers.gifts.nothing_after", "when", when, "was", amount{*was, a.Currency}, "before", before)}
	case change.ID == "":
		return locale.Sentences{locale.M("answers.gifts.same", "value", value, "when", when, "before", before)}
	}
	said := locale.Sentences{locale.M("answers.gifts.changed", "value", value, "when", when, "change", change, "before", before)}
	orders, worth := a.Orders, a.AOVByFG
	if orders.Value != nil && orders.Previous != nil && worth.Value != nil && worth.Previous != nil && !worth.Withheld && orders.Value.IsPositive() && orders.Previous.IsPositive() {
		said = append(said, locale.M("answers.gifts.orders", "n", orders.Value.IntPart(), "was", orders.Previous.IntPart(),
			"worth", amount{*worth.Value, a.Currency}, "then", amount{*worth.Previous, a.Currency}))
	}
	return said
}
