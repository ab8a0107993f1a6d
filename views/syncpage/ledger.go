package syncpage

import (
	"strconv"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
)

// countDays counts the strip: stored, the missing ones by day, revised.
func countDays(days []report.StoredDay) (stored int, missing []civil.Date, revised int) {
	for _, d := range days {
		switch {
		case d.Stored:
			stored++
		default:
			missing = append(missing, d.Day)
		}
		if d.Revised {
			revised++
		}
	}
	return stored, missing, revised
}

// cell is the position of one cell in a row, in percent of its width: "12.34%".
type cell struct{ from, middle, width string }

// cellAt is the i-th of n cells, each including the gap after it.
func cellAt(i, n int, gap float64) cell {
	percent := func(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + "%" }
	from, width := float64(i)/float64(n), (1-gap)/float64(n)
	return cell{percent(from), percent(from + width/2), percent(width)}
}

// stripWords is the strip's window with its counts.
func stripWords(l locale.Locale, days []report.StoredDay, timezone string) (dates, rest string) {
	if len(days) == 0 {
		return "", l.T("sync.days.nothing")
	}
	stored, missing, _ := countDays(days)
	rest = " · " + l.Days(len(days)) + " · " + l.Clock(timezone) + " · " + l.T("sync.days.stored_of", "n", stored)
	if len(missing) > 0 {
		rest += ", " + l.T("sync.days.missing_of", "n", len(missing))
	}
	return l.Dates(days[0].Day, days[len(days)-1].Day), rest
}

// stripTicks names the first day, the starts of months that have room, and the last.
func stripTicks(l locale.Locale, days []report.StoredDay) []chart.Tick {
	n := len(days)
	if n == 0 {
		return nil
	}
	const room = 70 // a name takes about 7% of the width
	out := []chart.Tick{{Text: l.Day(days[0].Day)}}
	every := n/300 + 1
	for i, d := range days {
		at := i * 1000 / n
		if d.Day.Day == 1 && int(d.Day.Month)%every == 0 && at-out[len(out)-1].At >= room && at < 1000-2*room {
			out = append(out, chart.Tick{Text: l.Day(d.Day), At: at})
		}
	}
	return append(out, chart.Tick{Text: l.Day(days[n-1].Day), At: 1000})
}

// dueWords is when a pull is due: "today 14:00", "21 Nov 00:20", "in 48 seconds", "now", "not due".
func dueWords(l locale.Locale, due *time.Time, now time.Time) string {
	if due == nil {
		return l.T("sync.due_never")
	}
	switch d := due.Sub(now); {
	case d <= 0:
		return l.T("sync.due_now")
	case d < 2*time.Minute:
		return l.T("sync.due_in", "n", int(d/time.Second))
	}
	return components.Clock(l, due, now)
}

// tries is a pull's attempts.
func tries(n int) string { return strconv.Itoa(n) }

// ledgerFilter is a way to see the ledger, with how many rows it shows.
type ledgerFilter struct {
	name, href string
	rows       int
}

func ledgerFilters(s ledger.Page, path string) []ledgerFilter {
	return []ledgerFilter{{"all", path, s.All}, {"due", path + "?filter=due", s.Due}, {"waiting", path + "?filter=waiting", s.Waiting}}
}

// splitGood separates the good rows from the others if all rows are shown; filtered rows aren't
// folded.
func splitGood(s ledger.Page) (good, others []ledger.Row) {
	if s.Filter != "" && s.Filter != "all" {
		return nil, s.Rows
	}
	for _, r := range s.Rows {
		if r.State == "active" {
			good = append(good, r)
		} else {
			others = append(others, r)
		}
	}
	return good, others
}

// ledgerRows splits the rows by service.
func ledgerRows(rows []ledger.Row) [][]ledger.Row {
	var out [][]ledger.Row
	for i, r := range rows {
		if i == 0 || rows[i-1].Service != r.Service {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], r)
	}
	return out
}

// outcomeState maps a row's state to a sign. A wait for speed is neither amber nor brick.
func outcomeState(state string) string {
	switch state {
	case "active", "waiting", "slot", "person", "filling":
		return state
	}
	return "none"
}
