package portfolio

import (
	"strconv"

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
	var all []answers.StoreAnswer
	for _, i := range d.begun() {
		if s := &d.stores[i]; s.row.Compared() {
			in := answers.Input{Choice: s.choice, Summary: s.row.Summary}
			all = append(all, answers.StoreAnswer{Key: strconv.Itoa(i), Input: in, Answer: answers.New(in)})
		}
	}
	up, down := answers.MostMoved(all, mostMoved)
	movers := func(of []answers.StoreAnswer) (out []Mover) {
		for _, a := range of {
			i, _ := strconv.Atoi(a.Key)
			out = append(out, Mover{Row: *d.stores[i].row, Index: i, Input: a.Input})
		}
		return out
	}
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
