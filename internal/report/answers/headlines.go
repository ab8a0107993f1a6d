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
	b := Brought{Window: *w, Value: *a.Revenue.Value, Currency: a.Currency, SoFar: a.Provenance.Has(report.FlagPartial)}
	if a.Compared {
		b.Against, b.Was = a.Against, a.Revenue.Previous
	}
	changed, args := b.how(c)
	said := locale.Sentences{locale.M("answers.gifts."+changed, args...)}
	orders, worth := a.Orders, a.AOVByFG
	if changed == "changed" && orders.Value != nil && orders.Previous != nil && worth.Value != nil && worth.Previous != nil && !worth.Withheld && orders.Value.IsPositive() && orders.Previous.IsPositive() {
		said = append(said, locale.M("answers.gifts.orders", "n", orders.Value.IntPart(), "was", orders.Previous.IntPart(),
			"worth", amount{*worth.Value, a.Currency}, "then", amount{*worth.Previous, a.Currency}))
	}
	return said
}

// Offer says what an offer brought in, and when it started or ended in the window. b is nil if its value
// isn't known.
func Offer(c report.Choice, b *Brought, events []report.Event) locale.Sentences {
	var said locale.Sentences
	if b != nil {
		changed, args := b.how(c)
		said = append(said, locale.M("answers.offer."+changed, args...))
	}
	for _, e := range events {
		said = append(said, locale.M("answers.it."+kind(e), "day", dayOf(Input{Choice: c}, e)))
	}
	return said
}

// Brought is what something brought in, and what it brought in before: Against and Was are nil if that
// isn't known. SoFar: the window isn't over.
type Brought struct {
	Window   report.Window
	Against  *report.Window
	Value    decimal.Decimal
	Was      *decimal.Decimal
	Currency string
	SoFar    bool
}

// how is the suffix of the message that says it, with its arguments.
func (b Brought) how(c report.Choice) (string, []any) {
	args := []any{"value", amount{b.Value, b.Currency}, "when", during(c, b.Window)}
	switch compared := b.Against != nil && b.Was != nil && b.Was.IsPositive(); {
	case b.SoFar:
		return "so_far", args
	case !compared && b.Value.IsZero():
		return "nothing", args
	case !compared:
		return "alone", args
	}
	change := inWords(b.Value.Sub(*b.Was).DivRound(*b.Was, 8))
	args = append(args, "before", earlier(c, b.Window, *b.Against))
	switch {
	case b.Value.IsZero():
		return "nothing_after", append(args, "was", amount{*b.Was, b.Currency})
	case change.ID == "":
		return "same", args
	}
	return "changed", append(args, "change", change)
}
