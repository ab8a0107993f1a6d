package portfolio_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/portfolio/portfoliotest"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestTheStoresThatMovedMostAreSaidByPercent_N34(t *testing.T) {
	t.Parallel()
	stores := []portfoliotest.Store{
		portfoliotest.New(t, "grew", "UTC", "JPY", reporttest.Noon), portfoliotest.New(t, "fell", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "same", "UTC", "USD", reporttest.Noon),
		portfoliotest.New(t, "gaps", "UTC", "USD", reporttest.Noon),
	}
	w := reporttest.Span("2026-10-21", "2026-11-19")
	for i, value := range []string{"2000", "500", "1000", "9000"} {
		stores[i].Answered(w, value, 50, 900)
		if stores[i].Store.Slug != "gaps" {
			stores[i].Answered(w.Previous(), "1000", 50, 900)
		}
	}
	stores[3].Without(w.Previous().End.String())
	p := list(t, "", reporttest.Noon, stores...)
	var said []string
	for _, m := range slices.Concat(p.Grew, p.Fell) {
		said = append(said, m.Row.Store.Slug+" "+m.Delta.String())
	}
	reporttest.Equal(t, "moved", strings.Join(said, ", "), "grew ↑ 100.0% more, fell ↓ 50.0% less")
	reporttest.Equal(t, "ways", fmt.Sprint(p.Moved), fmt.Sprint(map[locale.Direction]int{locale.Up: 1, locale.Down: 1, locale.Level: 1, locale.NotCompared: 1}))
	reporttest.Equal(t, "ways of those that a filter leaves", fmt.Sprint(list(t, "currency=JPY", reporttest.Noon, stores...).Moved), fmt.Sprint(map[locale.Direction]int{locale.Up: 1}))
	reporttest.Equal(t, "ways where nothing is compared", fmt.Sprint(list(t, "compare=none", reporttest.Noon, stores...).Moved), fmt.Sprint(map[locale.Direction]int{locale.NotCompared: 4}))
	begun := portfoliotest.New(t, "begun", "UTC", "USD", reporttest.Noon)
	begun.Answered(w, "500", 50, 900)
	begun.Answered(w.Previous(), "0", 0, 900)
	reporttest.Equal(t, "way from nothing", fmt.Sprint(list(t, "", reporttest.Noon, begun).Moved), fmt.Sprint(map[locale.Direction]int{locale.Up: 1}))
}
