package stores

import (
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Board is the list of stores for a screen on a wall.
type Board struct {
	Locale locale.Locale
	List   portfolio.Portfolio
	Now    time.Time
}

// What fits on a screen.
const (
	wallTroubles = 5
	wallStores   = 12
)

// wallCount is a number of stores with what they do.
type wallCount struct {
	Count int
	Words string
	Sign  string
	Group stores.HealthGroup
}

// counts are the groups with stores, those that need attention first. If none need attention,
// that is shown, too.
func (w Board) counts() []wallCount {
	signs := map[stores.HealthGroup]string{
		stores.HealthPerson: "person", stores.HealthLate: "waiting", stores.HealthFilling: "filling",
		stores.HealthWorking: "active", stores.HealthPaused: "none",
	}
	var out []wallCount
	for _, g := range countedGroups {
		n, sign := w.List.Health[g], signs[g]
		if n == 0 && g != stores.HealthPerson {
			continue
		}
		if n == 0 {
			sign = "active"
		}
		out = append(out, wallCount{n, w.Locale.T("stores.wall_group."+string(g), "n", n), sign, g})
	}
	return out
}

// freshWords say how old the newest and the oldest numbers are.
func (w Board) freshWords() string {
	newest, oldest := w.List.Newest, w.List.Oldest
	switch {
	case newest == nil:
		return w.Locale.T("stores.wall.none_updated")
	case newest.At.Equal(oldest.At):
		return w.Locale.T("stores.wall.updated", "ago", w.Locale.Age(w.Now, newest.At))
	}
	return w.Locale.T("stores.wall.updated_range", "ago", w.Locale.Age(w.Now, newest.At), "store", locale.Name(oldest.Name), "oldest", w.Locale.Age(w.Now, oldest.At))
}

// rows are the shown rows, each store once.
func (w Board) rows() []portfolio.Row {
	var out []portfolio.Row
	seen := map[string]bool{}
	for _, s := range w.List.Sections {
		for _, r := range s.Rows {
			if !seen[r.Store.Slug] {
				seen[r.Store.Slug] = true
				out = append(out, r)
			}
		}
	}
	return out
}

// troubles are the stores that need attention, and how many more there are.
func (w Board) troubles() (rows []portfolio.Row, more int) {
	for _, r := range w.rows() {
		if g := r.Health.Group; (g == stores.HealthPerson || g == stores.HealthLate) && len(rows) < wallTroubles {
			rows = append(rows, r)
		}
	}
	return rows, w.List.Health[stores.HealthPerson] + w.List.Health[stores.HealthLate] - len(rows)
}

// stores are as many tiles as fit, and how many stores more there are.
func (w Board) stores() (tiles []row, more int) {
	for i, r := range w.rows() {
		if i == wallStores {
			break
		}
		tiles = append(tiles, row{r, i, Listing{Locale: w.Locale, Now: w.Now}})
	}
	return tiles, w.List.Matched - len(tiles)
}

// FootWords are the window of the tiles, unless they show their own.
func (w Board) FootWords() string {
	dates, rest := Listing{Locale: w.Locale, List: w.List}.windowWords()
	return dates + rest
}

// tileNote dates a tile: its own window if it isn't the screen's.
func (r row) tileNote() string { return r.windowNote() }

// troubleWords are what is wrong and since when; how far the data reach is shown next to them.
func troubleWords(r portfolio.Row) string {
	if strings.HasPrefix(r.Freshness.Words, r.Health.Note) {
		return r.Health.Words
	}
	return r.Health.Line()
}
