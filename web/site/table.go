package site

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

// Table is rows for a file. Each row carries its own provenance in the last
// columns, since files get cut up and pasted together. There are no total rows.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]Cell
	// About are lines of words on what the table is, for the workbook's second sheet.
	About [][2]string
}

// Cell is one value, as text files write it. Text may be anything and is made harmless; a
// number is written digit for digit and never passes through a float.
type Cell struct {
	Value string
	kind  cellKind
	// currency of an amount of money, as a workbook shows it; empty for anything else.
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

func TextCell(s string) Cell    { return Cell{Value: s} }
func CountCell(n int64) Cell    { return Cell{Value: strconv.FormatInt(n, 10), kind: isNumber} }
func DayCell(d civil.Date) Cell { return Cell{Value: d.String(), kind: isDay} }
func YesCell(b bool) Cell       { return Cell{Value: map[bool]string{true: "yes", false: "no"}[b]} }

// OrNone is the cell of a value. A missing one is an empty cell, never 0.
func OrNone[T any](value *T, cell func(T) Cell) Cell {
	if value == nil {
		return Cell{}
	}
	return cell(*value)
}

func CountOrNone(n *int64) Cell    { return OrNone(n, CountCell) }
func TimeOrNone(t *time.Time) Cell { return OrNone(t, TimeCell) }

func NumberOrNone(d *decimal.Decimal) Cell {
	if d == nil {
		return Cell{}
	}
	return Cell{Value: d.String(), kind: isNumber}
}

func MoneyOrNone(d *decimal.Decimal, currency string) Cell {
	c := NumberOrNone(d)
	c.currency = currency
	return c
}

func TimeCell(t time.Time) Cell {
	if t.IsZero() {
		return Cell{}
	}
	return Cell{Value: t.UTC().Format(time.RFC3339), kind: isTime}
}

// ProvenanceColumns end every table; provenanceCells fills them.
var ProvenanceColumns = []string{"window_start", "window_end", "basis", "source", "timezone", "fetched_at", "flags", "endpoint"}

func ProvenanceCells(p report.Provenance) []Cell {
	var start, end Cell
	if p.Window != nil {
		start, end = DayCell(p.Window.Start), DayCell(p.Window.End)
	}
	flags := make([]string, len(p.Flags))
	for i, f := range p.Flags {
		flags[i] = string(f)
	}
	return []Cell{
		start, end, TextCell(string(p.Basis)), TextCell(p.Source), TextCell(p.Timezone),
		TimeCell(p.FetchedAt), TextCell(strings.Join(flags, " ")), TextCell(p.Endpoint),
	}
}

// WindowWords describes the days of a number, and how it was made.
func WindowWords(p report.Provenance) string {
	return locale.English.Dates(p.Window.Start, p.Window.End) + " · " + locale.English.Days(p.Window.Days()) + " · " + locale.English.Clock(p.Timezone) + " · " + p.Basis.In(locale.English)
}

// AboutProvenance is the same in words.
func AboutProvenance(store report.Store, p report.Provenance) [][2]string {
	window := "none: current state or all time"
	if p.Window != nil {
		window = WindowWords(p)
	}
	lines := [][2]string{{"Store", store.Name}, {"Window", window}, {"From", p.Endpoint}}
	if len(p.Missing) > 0 {
		lines = append(lines, [2]string{"Days that are missing", DaysText(p.Missing)})
	}
	if !p.FetchedAt.IsZero() {
		lines = append(lines, [2]string{"Fetched at", p.FetchedAt.UTC().Format(time.RFC3339)})
	}
	return lines
}

// Without returns the table without some columns.
func (t Table) Without(names ...string) Table {
	var kept []int
	for i, name := range t.Columns {
		if !slices.Contains(names, name) {
			kept = append(kept, i)
		}
	}
	out := Table{Title: t.Title, About: t.About, Rows: make([][]Cell, len(t.Rows))}
	for _, i := range kept {
		out.Columns = append(out.Columns, t.Columns[i])
	}
	for n, row := range t.Rows {
		for _, i := range kept {
			out.Rows[n] = append(out.Rows[n], row[i])
		}
	}
	return out
}

// Harmless keeps a spreadsheet from reading text as a formula, since strangers write offers'
// names. It puts an apostrophe wherever a cell may begin and a formula sign follows: at the
// start of the text, and after separators, for a program that expects semicolons or tabs and
// ignores our quotes. Removing one apostrophe at each of these places restores the text,
// because a place that already has one gets another.
func Harmless(s string) string {
	if !strings.ContainsAny(s, formulaSigns) {
		return s
	}
	var b strings.Builder
	for at := 0; at < len(s); {
		if MayBeginFormula(s[at:], at == 0) {
			b.WriteByte('\'')
		}
		end := strings.IndexAny(s[at:], CellEnds)
		if end < 0 {
			end = len(s) - at - 1
		}
		b.WriteString(s[at : at+end+1])
		at += end + 1
	}
	return b.String()
}

const (
	// Spreadsheets also accept the full-width and small signs.
	formulaSigns = "=+-@\t\r\n＝＋－＠﹦﹢﹣﹫"
	CellEnds     = ";\t\r\n"
)

// MayBeginFormula reports whether a cell that begins with s could be a formula: its sign comes
// first, apart from characters that a program may skip. At the start of a text, white space
// counts as a sign, too.
func MayBeginFormula(s string, start bool) bool {
	for _, r := range s {
		switch {
		case start && strings.ContainsRune("\t\r\n", r):
			return true
		case strings.ContainsRune(CellEnds, r):
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

func (t Table) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(t.Columns); err != nil {
		return nil, err
	}
	record := make([]string, len(t.Columns))
	for _, row := range t.Rows {
		for i, cl := range row {
			if record[i] = cl.Value; cl.kind == isText {
				record[i] = Harmless(cl.Value)
			}
		}
		if err := w.Write(record); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// XLSX writes numbers, dates and times as such, so that a spreadsheet can sort and calculate,
// and text as text cells, which are never read as formulas and need no apostrophe.
func (t Table) XLSX() ([]byte, error) {
	f := excelize.NewFile()
	defer f.Close()
	const sheet, about = "Numbers", "About"
	if err := f.SetSheetName("Sheet1", sheet); err != nil {
		return nil, err
	}
	w := workbook{file: f, styles: map[string]int{}}
	header := make([]Cell, len(t.Columns))
	for i, name := range t.Columns {
		header[i] = TextCell(name)
	}
	if err := w.rows(sheet, append([][]Cell{header}, t.Rows...)); err != nil {
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
	words := [][]Cell{{TextCell("Table"), TextCell(t.Title)}}
	for _, line := range t.About {
		words = append(words, []Cell{TextCell(line[0]), TextCell(line[1])})
	}
	if err := w.rows(about, words); err != nil {
		return nil, err
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write workbook %s: %w", t.Title, err)
	}
	return b.Bytes(), nil
}

// workbook writes cells, each in the format of its kind.
type workbook struct {
	file   *excelize.File
	styles map[string]int // by number format
}

// rows writes rows from the first one on. A column is as wide as its content, and its numbers
// have the same decimals.
func (w workbook) rows(sheet string, rows [][]Cell) error {
	const narrowest, widest = 8, 60
	var widths, decimals []int
	for _, row := range rows {
		for i, cl := range row {
			if i == len(widths) {
				widths, decimals = append(widths, narrowest), append(decimals, 0)
			}
			widths[i] = min(max(widths[i], utf8.RuneCountInString(cl.Value)+2+len(cl.currency)), widest)
			if _, behind, ok := strings.Cut(cl.Value, "."); ok && cl.kind == isNumber {
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

func (w workbook) set(sheet string, column, row int, cl Cell, decimals int) error {
	if cl.Value == "" {
		return nil
	}
	at, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return err
	}
	value, format := workbookValue(cl, decimals)
	if format == "" {
		return w.file.SetCellStr(sheet, at, workbookText(cl.Value))
	}
	style, ok := w.styles[format]
	if !ok {
		if style, err = w.file.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
			return err
		}
		w.styles[format] = style
	}
	if err := w.file.SetCellDefault(sheet, at, value); err != nil { // as text: a float would round it
		return err
	}
	return w.file.SetCellStyle(sheet, at, at, style)
}

// workbookValue is what a workbook stores for a cell and the format it is shown in. The format is "" for text, and for a date before
// the first one that workbooks know.
func workbookValue(cl Cell, decimals int) (value, format string) {
	switch cl.kind {
	case isNumber:
		format = "#,##0"
		if decimals > 0 {
			format += "." + strings.Repeat("0", decimals)
		}
		if currencyCode.MatchString(cl.currency) {
			format += " [$" + cl.currency + "]"
		}
		return cl.Value, format
	case isDay:
		if d, err := civil.ParseDate(cl.Value); err == nil && d.After(workbookZero.AddDays(60)) {
			return strconv.Itoa(d.DaysSince(workbookZero)), "yyyy-mm-dd"
		}
	case isTime:
		if t, err := time.Parse(time.RFC3339, cl.Value); err == nil && civil.DateOf(t.UTC()).After(workbookZero.AddDays(60)) {
			seconds := t.UTC().Unix() - workbookZero.In(time.UTC).Unix()
			return decimal.NewFromInt(seconds).DivRound(decimal.NewFromInt(24*60*60), 10).String(), `yyyy-mm-dd hh:mm:ss "UTC"`
		}
	}
	return "", ""
}

// currencyCode limits what goes into a number format, since the code comes from the service.
var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

// workbookZero is day 0 of a workbook's calendar, as it counts from 1 March 1900 on.
var workbookZero = civil.Date{Year: 1899, Month: time.December, Day: 30}

// workbookText escapes characters that XML can't hold as workbooks do, _x001B_, and an
// underscore that would look like such an escape (ISO 29500, part 1, 22.9.2.19).
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

// DaysText writes days in ISO format.
func DaysText(days []civil.Date) string {
	out := make([]string, len(days))
	for i, d := range days {
		out[i] = d.String()
	}
	return strings.Join(out, " ")
}
