package portfolio

import (
	"slices"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/answers"
)

// mostMoved is how many stores are listed as having grown, or fallen, the most.
const mostMoved = 3

// Mover is a store in the list that gets a reason for its change.
type Mover struct {
	*Row
	// Index is its index among the stores that the list was built from.
	Index int
	// Input is what the reason is worked out from.
	Input answers.Input
}

// moved are the stores in the list that grew and fell the most, in percent (N34).
func (d *Builder) moved() (grew, fell []Mover) {
	var all []Mover
	for _, i := range d.begun() {
		if m := d.mover(i); m.Compared() {
			all = append(all, m)
		}
	}
	inputs := make([]answers.Input, len(all))
	for i, m := range all {
		inputs[i] = m.Input
	}
	movers := func(places []int) (out []Mover) {
		for _, p := range places {
			out = append(out, all[p])
		}
		return out
	}
	up, down := answers.MostMoved(inputs, mostMoved)
	return movers(up), movers(down)
}

// ways counts the matched stores by the direction in which their upsold value moved.
func (d *Builder) ways() map[locale.Direction]int {
	out := map[locale.Direction]int{}
	for _, i := range d.matched {
		way := locale.NotCompared
		switch row := d.stores[i].row; {
		case row == nil, row.Delta.Direction == locale.NoNumber:
		case row.Delta.Direction == locale.NoBaseline:
			way = locale.Up // from zero
		default:
			way = row.Delta.Direction
		}
		out[way]++
	}
	return out
}

func (d *Builder) mover(store int) Mover {
	s := &d.stores[store]
	return Mover{Row: s.row, Index: store, Input: answers.Input{Choice: s.choice, Summary: s.row.Summary}}
}

// Movers are the stores that get a reason: those that moved most, and the rows of a mail.
func (d *Builder) Movers() []*Mover {
	var out []*Mover
	for _, list := range [][]Mover{d.portfolio.Grew, d.portfolio.Fell} {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	for _, s := range d.shown[:min(len(d.shown), d.query.Mailed)] {
		if m := d.mover(s.store); m.Compared() && !slices.ContainsFunc(out, func(has *Mover) bool { return has.Index == m.Index }) {
			out = append(out, &m)
		}
	}
	return out
}
