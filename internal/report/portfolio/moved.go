package portfolio

import (
	"github.com/storeglass/storeglass/internal/report/answers"
)

// mostMoved is how many stores are said to have grown most, and fallen most.
const mostMoved = 3

// Mover is a store that moved more than most.
type Mover struct {
	Row
	// Index is its place among those that the list was made of.
	Index int
	// Input is what its answer is made from.
	Input answers.Input
	// Why is its reason in a few words; empty where nothing is clear.
	Why string
}

// moved are the stores of the list that grew and fell most, by percent (N34).
func (d *Builder) moved() (grew, fell []Mover) {
	begun := d.begun()
	at, all := make([]int, 0, len(begun)), make([]answers.Input, 0, len(begun))
	for _, i := range begun {
		if s := &d.stores[i]; s.row.Compared() {
			at, all = append(at, i), append(all, answers.Input{Choice: s.choice, Summary: s.row.Summary})
		}
	}
	movers := func(places []int) (out []Mover) {
		for _, p := range places {
			out = append(out, Mover{Row: *d.stores[at[p]].row, Index: at[p], Input: all[p]})
		}
		return out
	}
	up, down := answers.MostMoved(all, mostMoved)
	return movers(up), movers(down)
}

// Movers are those that a reason is looked for.
func (d *Builder) Movers() []*Mover {
	var out []*Mover
	for _, list := range [][]Mover{d.portfolio.Grew, d.portfolio.Fell} {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	return out
}
