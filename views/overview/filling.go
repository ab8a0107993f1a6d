package overview

import (
	"slices"

	"github.com/storeglass/storeglass/internal/locale"
	reportoverview "github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components/chart"
)

// fillingDays are the planned days in three rows, oldest first, with the next one to be pulled.
func fillingDays(days []bool) cells {
	c := cells{here: days, next: len(days) - 1, rows: 3}
	for c.next >= 0 && days[c.next] {
		c.next--
	}
	return c
}

// fillingAnswers are the answers that a store's first page needs in one row, with those already
// here first.
func fillingAnswers(here, of int) cells {
	return cells{here: append(slices.Repeat([]bool{true}, here), make([]bool, of-here)...), next: here, rows: 1}
}

// cells is a picture of what is planned: what is here is full, and what comes next is outlined.
type cells struct {
	here       []bool
	next, rows int
}

// place is where the i-th cell is, in a row across the whole width.
func (c cells) place(i int) (x, width string, y int) {
	perRow := (len(c.here) + c.rows - 1) / c.rows
	at := i % perRow
	from, to := at*10000/perRow, (at+1)*10000/perRow
	gap := min((to-from)*18/100, 40)
	return chart.Percent(from / 10), chart.Percent((to - from - gap) / 10), i / perRow * 19
}

func (c cells) class(i int) string {
	switch {
	case c.here[i]:
		return "cell-full"
	case i == c.next:
		return "cell-next"
	}
	return "cell-none"
}

// fillingTitle counts the first answers while they come, then the days.
func fillingTitle(l locale.Locale, f reportoverview.Filling) string {
	if f.First() {
		return l.T("filling.answers", "here", f.Answers, "of", f.AnswersOf)
	}
	return l.T("filling.days", "stored", f.Stored, "n", f.Planned)
}

// fillingWords says what a reader can expect.
func fillingWords(l locale.Locale, f reportoverview.Filling) string {
	if f.First() {
		return l.T("filling.answers_text")
	}
	return l.T("filling.days_text")
}
