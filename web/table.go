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
	"unicode/utf8"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/storeglass/storeglass/internal/locale"
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

// cell is one value, as text files have it. Text may be anything and is made harmless; a
// number is written digit for digit and never passes through a float.
type cell struct {
	value string
	kind  cellKind
	// currency of an amount of money, as a workbook shows it; empty for all else.
	currency string
}

// cellKind is how a workbook has a value.
type cellKind int

const (
	isText cellKind = iota
	isNumber
	isDay
	isTime
)

func textCell(s string) cell    { return cell{value: s} }
func countCell(n int64) cell    { return cell{value: strconv.FormatInt(n, 10), kind: isNumber} }
func dayCell(d civil.Date) cell { return cell{value: d.String(), kind: isDay} }
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
	return cell{value: d.String(), kind: isNumber}
}

func moneyOrNone(d *decimal.Decimal, currency string) cell {
	c := numberOrNone(d)
	c.currency = currency
	return c
}

func timeCell(t time.Time) cell {
	if t.IsZero() {
		return cell{}
	}
	return cell{value: t.UTC().Format(time.RFC3339), kind: isTime}
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
		window = p.Window.Label() + " · " + locale.English.Days(p.Window.Days()) + " · " + locale.English.Clock(p.Timezone) + " · " + report.BasisWords(p.Basis)
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
			if record[i] = cl.value; cl.kind == isText {
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

// xlsx writes numbers, dates and times as such, which a spreadsheet sorts and counts
// with, and text as text cells, which none reads as a formula: it needs no apostrophe.
func (t table) xlsx() ([]byte, error) {
	f := excelize.NewFile()
	defer f.Close()
	const sheet, about = "Numbers", "About"
	if err := f.SetSheetName("Sheet1", sheet); err != nil {
		return nil, err
	}
	w := workbook{file: f, styles: map[string]int{}}
	header := make([]cell, len(t.columns))
	for i, name := range t.columns {
		header[i] = textCell(name)
	}
	if err := w.rows(sheet, append([][]cell{header}, t.rows...)); err != nil {
		return nil, err
	}
	bold, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return nil, err
	}
	if err := f.SetRowStyle(sheet, 1, 1, bold); err != nil {
		return nil, err
	}
	if err := f.SetPanes(sheet, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	if _, err := f.NewSheet(about); err != nil {
		return nil, err
	}
	words := [][]cell{{textCell("Table"), textCell(t.title)}}
	for _, line := range t.about {
		words = append(words, []cell{textCell(line[0]), textCell(line[1])})
	}
	if err := w.rows(about, words); err != nil {
		return nil, err
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write workbook %s: %w", t.title, err)
	}
	return b.Bytes(), nil
}

// workbook writes cells, each in the format of its kind.
type workbook struct {
	file   *excelize.File
	styles map[string]int // by number format
}

// rows writes rows from the first on. A column is as wide as what it holds, and its
// numbers have the same decimals.
func (w workbook) rows(sheet string, rows [][]cell) error {
	const narrowest, widest = 8, 60
	var widths, decimals []int
	for _, row := range rows {
		for i, cl := range row {
			if i == len(widths) {
				widths, decimals = append(widths, narrowest), append(decimals, 0)
			}
			widths[i] = min(max(widths[i], utf8.RuneCountInString(cl.value)+2+len(cl.currency)), widest)
			if _, behind, ok := strings.Cut(cl.value, "."); ok && cl.kind == isNumber {
				decimals[i] = max(decimals[i], len(behind))
			}
		}
	}
	for r, row := range rows {
		for i, cl := range row {
			if err := w.set(sheet, i+1, r+1, cl, decimals[i]); err != nil {
				return err
			}
		}
	}
	for i, width := range widths {
		name, err := excelize.ColumnNumberToName(i + 1)
		if err != nil {
			return err
		}
		if err := w.file.SetColWidth(sheet, name, name, float64(width)); err != nil {
			return err
		}
	}
	return nil
}

func (w workbook) set(sheet string, column, row int, cl cell, decimals int) error {
	if cl.value == "" {
		return nil
	}
	at, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return err
	}
	value, format := workbookValue(cl, decimals)
	if format == "" {
		return w.file.SetCellStr(sheet, at, workbookText(cl.value))
	}
	style, ok := w.styles[format]
	if !ok {
		if style, err = w.file.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
			return err
		}
		w.styles[format] = style
	}
	if err := w.file.SetCellDefault(sheet, at, value); err != nil { // as it is: a float would round it
		return err
	}
	return w.file.SetCellStyle(sheet, at, at, style)
}

// workbookValue is what a workbook stores for a cell and the format it is shown in. The format is "" for text, and for a date before
// the first one that workbooks know.
func workbookValue(cl cell, decimals int) (value, format string) {
	switch cl.kind {
	case isNumber:
		format = "#,##0"
		if decimals > 0 {
			format += "." + strings.Repeat("0", decimals)
		}
		if currencyCode.MatchString(cl.currency) {
			format += " [$" + cl.currency + "]"
		}
		return cl.value, format
	case isDay:
		if d, err := civil.ParseDate(cl.value); err == nil && d.After(workbookZero.AddDays(60)) {
			return strconv.Itoa(d.DaysSince(workbookZero)), "yyyy-mm-dd"
		}
	case isTime:
		if t, err := time.Parse(time.RFC3339, cl.value); err == nil && civil.DateOf(t.UTC()).After(workbookZero.AddDays(60)) {
			seconds := t.UTC().Unix() - workbookZero.In(time.UTC).Unix()
			return decimal.NewFromInt(seconds).DivRound(decimal.NewFromInt(24*60*60), 10).String(), `yyyy-mm-dd hh:mm:ss "UTC"`
		}
	}
	return "", ""
}

// currencyCode is what may stand in a format: the code is the service's.
var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

// workbookZero is day 0 of a workbook's calendar, as it counts from 1 March 1900 on.
var workbookZero = civil.Date{Year: 1899, Month: time.December, Day: 30}

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
