package web

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/storeglass/storeglass/internal/report"
)

// table is rows for a file. Each row carries its own provenance in the last
// columns, since files get cut up and pasted together. There are no total rows.
type table struct {
	title   string
	columns []string
	rows    [][]cell
	// about are lines of words on what the table is, for the workbook's second sheet.
	about [][2]string
}

// cell is one value: text may be anything and is made harmless, a number is
// written digit for digit and never passes through a float.
type cell struct {
	value  string
	number bool
}

func textCell(s string) cell    { return cell{value: s} }
func countCell(n int64) cell    { return cell{strconv.FormatInt(n, 10), true} }
func dayCell(d civil.Date) cell { return cell{value: d.String()} }
func yesCell(b bool) cell       { return cell{value: map[bool]string{true: "yes", false: "no"}[b]} }

// An absent value is an empty cell, never 0.
func countOrNone(n *int64) cell {
	if n == nil {
		return cell{}
	}
	return countCell(*n)
}

func numberOrNone(d *decimal.Decimal) cell {
	if d == nil {
		return cell{}
	}
	return cell{d.String(), true}
}

func timeCell(t time.Time) cell {
	if t.IsZero() {
		return cell{}
	}
	return cell{value: t.UTC().Format(time.RFC3339)}
}

func timeOrNone(t *time.Time) cell {
	if t == nil {
		return cell{}
	}
	return timeCell(*t)
}

// provenanceColumns end every table; provenanceCells fills them.
var provenanceColumns = []string{"window_start", "window_end", "basis", "source", "timezone", "fetched_at", "flags", "endpoint"}

func provenanceCells(p report.Provenance) []cell {
	var start, end cell
	if p.Window != nil {
		start, end = dayCell(p.Window.Start), dayCell(p.Window.End)
	}
	flags := make([]string, len(p.Flags))
	for i, f := range p.Flags {
		flags[i] = string(f)
	}
	return []cell{
		start, end, textCell(string(p.Basis)), textCell(p.Source), textCell(p.Timezone),
		timeCell(p.FetchedAt), textCell(strings.Join(flags, " ")), textCell(p.Endpoint),
	}
}

// aboutProvenance is the same in words.
func aboutProvenance(store report.Store, p report.Provenance) [][2]string {
	window := "none: current state or all time"
	if p.Window != nil {
		window = p.Window.Label() + " · " + report.DaysWord(p.Window.Days()) + " · " + report.ClockWords(p.Timezone) + " · " + report.BasisWords(p.Basis)
	}
	lines := [][2]string{{"Store", store.Name}, {"Window", window}, {"From", p.Endpoint}}
	if len(p.Missing) > 0 {
		days := make([]string, len(p.Missing))
		for i, d := range p.Missing {
			days[i] = d.String()
		}
		lines = append(lines, [2]string{"Days that are missing", strings.Join(days, " ")})
	}
	if !p.FetchedAt.IsZero() {
		lines = append(lines, [2]string{"Fetched at", p.FetchedAt.UTC().Format(time.RFC3339)})
	}
	return lines
}

// without leaves columns out.
func (t table) without(names ...string) table {
	var kept []int
	for i, name := range t.columns {
		if !slices.Contains(names, name) {
			kept = append(kept, i)
		}
	}
	out := table{title: t.title, about: t.about, rows: make([][]cell, len(t.rows))}
	for _, i := range kept {
		out.columns = append(out.columns, t.columns[i])
	}
	for n, row := range t.rows {
		for _, i := range kept {
			out.rows[n] = append(out.rows[n], row[i])
		}
	}
	return out
}

// harmless keeps a spreadsheet from reading text as a formula: an offer's name is
// written by strangers. An apostrophe goes where a cell may begin and a formula's sign
// follows: ahead of the text, and behind what parts cells for a program that expects
// semicolons or tabs, which then knows nothing of our quotes. Taking one away at each
// of these places gives the text back, since a place that has one of its own gets
// another.
func harmless(s string) string {
	if !strings.ContainsAny(s, formulaSigns) {
		return s
	}
	var b strings.Builder
	for at := 0; at < len(s); {
		if mayBeginFormula(s[at:], at == 0) {
			b.WriteByte('\'')
		}
		end := strings.IndexAny(s[at:], cellEnds)
		if end < 0 {
			end = len(s) - at - 1
		}
		b.WriteString(s[at : at+end+1])
		at += end + 1
	}
	return b.String()
}

const (
	// Spreadsheets take the wide and the small signs too.
	formulaSigns = "=+-@\t\r\n＝＋－＠﹦﹢﹣﹫"
	cellEnds     = ";\t\r\n"
)

// mayBeginFormula reports whether a cell that begins with s could be a formula: its
// sign is the first thing behind what a program may pass over. At the start of a text
// white space is a sign too.
func mayBeginFormula(s string, start bool) bool {
	for _, r := range s {
		switch {
		case start && strings.ContainsRune("\t\r\n", r):
			return true
		case strings.ContainsRune(cellEnds, r):
			return false
		case strings.ContainsRune(formulaSigns, r):
			return true
		case r == '\'' || r == '"' || unicode.IsSpace(r) || unicode.Is(unicode.C, r):
			continue
		}
		return false
	}
	return false
}

func (t table) csv() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(t.columns); err != nil {
		return nil, err
	}
	record := make([]string, len(t.columns))
	for _, row := range t.rows {
		for i, cl := range row {
			if record[i] = cl.value; !cl.number {
				record[i] = harmless(cl.value)
			}
		}
		if err := w.Write(record); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// xlsx writes text as text cells, which no spreadsheet reads as a formula, so
// it needs no leading apostrophe.
func (t table) xlsx() ([]byte, error) {
	f := excelize.NewFile()
	defer f.Close()
	const sheet, about = "Numbers", "About"
	if err := f.SetSheetName("Sheet1", sheet); err != nil {
		return nil, err
	}
	bold, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return nil, err
	}
	for i, name := range t.columns {
		at, err := excelize.CoordinatesToCellName(i+1, 1)
		if err != nil {
			return nil, err
		}
		if err := f.SetCellStr(sheet, at, name); err != nil {
			return nil, err
		}
	}
	if err := f.SetRowStyle(sheet, 1, 1, bold); err != nil {
		return nil, err
	}
	for r, row := range t.rows {
		for i, cl := range row {
			if err := setCell(f, sheet, i+1, r+2, cl); err != nil {
				return nil, err
			}
		}
	}
	if err := f.SetPanes(sheet, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	if _, err := f.NewSheet(about); err != nil {
		return nil, err
	}
	for r, line := range append([][2]string{{"Table", t.title}}, t.about...) {
		for i, text := range line {
			if err := setCell(f, about, i+1, r+1, textCell(text)); err != nil {
				return nil, err
			}
		}
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write workbook %s: %w", t.title, err)
	}
	return b.Bytes(), nil
}

func setCell(f *excelize.File, sheet string, column, row int, cl cell) error {
	if cl.value == "" {
		return nil
	}
	at, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return err
	}
	if cl.number {
		return f.SetCellDefault(sheet, at, cl.value) // written as it is: a float would round it
	}
	return f.SetCellStr(sheet, at, workbookText(cl.value))
}

// workbookText writes what XML has no place for as a workbook does, _x001B_, and an
// underscore that would read like the start of that too (ISO 29500, part 1, 22.9.2.19).
func workbookText(s string) string {
	odd := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == '\ufffe' || r == '\uffff' }
	if !strings.Contains(s, "_x") && strings.IndexFunc(s, odd) < 0 {
		return s
	}
	var b strings.Builder
	for at, r := range s {
		if odd(r) || r == '_' && escapedSign.MatchString(s[at:]) {
			fmt.Fprintf(&b, "_x%04X_", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

var escapedSign = regexp.MustCompile(`^_x[0-9A-Fa-f]{4}_`)
