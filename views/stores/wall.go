package stores

import (
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/stores"
)

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
func (w WallPage) counts() []wallCount {
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
		out = append(out, wallCount{n, w.T("stores.wall_group."+string(g), "n", n), sign, g})
	}
	return out
}

// freshWords say how old the newest and the oldest numbers are.
func (w WallPage) freshWords() string {
	newest, oldest := w.List.Newest, w.List.Oldest
	switch {
	case newest == nil:
		return w.T("stores.wall.none_updated")
	case newest.At.Equal(oldest.At):
		return w.T("stores.wall.updated", "ago", w.Locale.Age(w.Now, newest.At))
	}
	return w.T("stores.wall.updated_range", "ago", w.Locale.Age(w.Now, newest.At), "store", locale.Name(oldest.Name), "oldest", w.Locale.Age(w.Now, oldest.At))
}

// rows are the shown rows, each store once.
func (w WallPage) rows() []portfolio.Row {
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
func (w WallPage) troubles() (rows []portfolio.Row, more int) {
	for _, r := range w.rows() {
		if g := r.Health.Group; (g == stores.HealthPerson || g == stores.HealthLate) && len(rows) < wallTroubles {
			rows = append(rows, r)
		}
	}
	return rows, w.List.Health[stores.HealthPerson] + w.List.Health[stores.HealthLate] - len(rows)
}

// stores are as many tiles as fit, and how many stores more there are.
func (w WallPage) stores() (tiles []row, more int) {
	for i, r := range w.rows() {
		if i == wallStores {
			break
		}
		tiles = append(tiles, row{r, i, &ListPage{Base: w.Base}})
	}
	return tiles, w.List.Matched - len(tiles)
}

// footWords are the window of the tiles, unless they show their own.
func (w WallPage) footWords() string {
	dates, rest := ListPage{Base: w.Base, List: w.List}.windowWords()
	return dates + rest
}

// troubleWords are what is wrong and since when; how far the data reach is shown next to them.
func troubleWords(r portfolio.Row) string {
	if strings.HasPrefix(r.Freshness.Words, r.Health.Note) {
		return r.Health.Words
	}
	return r.Health.Line()
}
