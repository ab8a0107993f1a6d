package web_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestHistoryFileHasEveryDayAndMissingDaysAreEmptyN1(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	r := w.SignedIn().Get("/stores/acme/history.csv?start=2026-11-01&end=2026-11-05")
	if got := r.Header.Get("Content-Disposition"); got != `attachment; filename="acme-history.csv"` {
		t.Error(got)
	}
	rows := webtest.File(t, r)
	if len(rows) != 5 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		missing := row["day"] == "2026-11-03"
		if value := row["total_upsold_value"]; missing != (value == "") || missing != (row["stored"] == "no") || row["total_upsold_orders"] == "0" {
			t.Errorf("%v", row)
		}
		if row["window_start"] != "2026-11-01" || row["window_end"] != "2026-11-05" || row["basis"] != "stitched" || !strings.Contains(row["flags"], "missing_days") {
			t.Errorf("the row does not say where it comes from: %v", row)
		}
	}
}

func TestPlacementsFileHasNoTotalAndNoRevenueForCouponsN13N14(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	rows := webtest.File(t, w.SignedIn().Get("/stores/acme/placements.csv"))
	if len(rows) != 4 {
		t.Errorf("%d rows, want one a placement and no total", len(rows))
	}
	for _, row := range rows {
		if coupon := row["placement"] == "Coupon offer"; coupon != (row["revenue"] == "") || coupon != (row["revenue_reported"] == "no") {
			t.Errorf("%v", row)
		}
	}
}

func TestPlacementsByDayAreInAFileAndMissingDaysAreEmptyN1N13(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	if page := b.Get("/stores/acme/placements").Body; !strings.Contains(page, `href="/stores/acme/placements/history.csv"`) {
		t.Error("the page doesn't lead to the file")
	}
	rows, stored := webtest.File(t, b.Get("/stores/acme/placements/history.csv?start=2026-11-01&end=2026-11-05")), 0
	if len(rows) != 4*5 {
		t.Errorf("%d rows, want one a placement and day", len(rows))
	}
	for _, row := range rows {
		missing, coupon := row["stored"] == "no", row["placement"] == "Coupon offer"
		if missing != (row["impressions"] == "") || missing != (row["claims"] == "") || (missing || coupon) != (row["revenue"] == "") {
			t.Errorf("%v", row)
		}
		if row["basis"] != "stitched" || row["window_start"] != "2026-11-01" || row["window_end"] != "2026-11-05" {
			t.Errorf("the row does not say where it comes from: %v", row)
		}
		if !missing {
			stored++
		}
	}
	if stored == 0 || stored == len(rows) {
		t.Errorf("%d of %d rows are stored, so this shows nothing", stored, len(rows))
	}
}

// The page folds good days away. A file or the JSON must hold them: people look there for a single day.
func TestTheLedgerInAFileAndInTheAPIHasEveryPull(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into ledger (store_id, pull, subject, service, outcome, tried_at, last_good_at)
		select id, 'stats.day', (date '2026-09-01' + n)::text, 'upsell', 'good', $1, $1 from stores, generate_series(1, 40) n`, w.Clock.Now())
	var all int
	w.Must(w.DB.Pool.QueryRow(t.Context(), `select count(*) from ledger l join stores s on s.id = l.store_id where s.slug = $1`, webtest.Own).Scan(&all))
	b := w.SignedIn()
	for _, file := range []string{"/stores/acme/ledger.csv", "/stores/acme/ledger.xlsx"} {
		if page := b.Get("/stores/acme/sync").Body; !strings.Contains(page, `href="`+file+`"`) {
			t.Errorf("the page doesn't lead to %s", file)
		}
	}
	if rows := webtest.File(t, b.Get("/stores/acme/ledger.csv")); len(rows) != all {
		t.Errorf("the file has %d of %d rows", len(rows), all)
	}
	if rows := object(t, w.APIClient(w.Token(webtest.Own)).Get("/api/v1/stores/acme/sync"))["ledger"].([]any); len(rows) != all {
		t.Errorf("the JSON API has %d of %d rows", len(rows), all)
	}
}

func TestFormulasInFilesAreHarmless(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	found := false
	for _, row := range webtest.File(t, b.Get("/stores/acme/top.csv")) {
		for name, value := range row {
			if strings.ContainsAny(value[:min(1, len(value))], "=+-@\t\r") {
				t.Errorf("%s is %q", name, value)
			}
		}
		found = found || row["offer"] == "'"+webtest.Formula
	}
	if !found {
		t.Error("the offer with the formula is not in the file")
	}
}

func TestNumbersInFilesAreExact(t *testing.T) {
	t.Parallel()
	exact := "-123456789012345678.90"
	n := decimal.RequireFromString(exact)
	tb := site.Table{Title: "x", Columns: []string{"n", "t"}, Rows: [][]site.Cell{{site.NumberOrNone(&n), site.TextCell("-5")}}}
	out, err := tb.CSV()
	if err != nil || string(out) != "n,t\n-123456789012345678.9,'-5\n" {
		t.Errorf("%q, %v", out, err)
	}
	book, err := tb.XLSX()
	if err != nil {
		t.Fatal(err)
	}
	if sheet := part(t, book, "xl/worksheets/sheet1.xml"); !strings.Contains(sheet, "<v>-123456789012345678.9</v>") {
		t.Errorf("the workbook rounds: %s", sheet)
	}
}

func TestWorkbookHoldsTheSameTableAndNoFormula(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, e := range reports.Exports {
		path := strings.ReplaceAll("/stores/acme/"+e.Path(), ":id", "acme-offer-1")
		text := b.Get(path + ".csv")
		r := b.Get(path + ".xlsx")
		if r.Status != 200 || r.Header.Get("Content-Type") != site.XLSXType {
			t.Fatalf("%s: %d", e.Path(), r.Status)
		}
		if again := b.Get(path + ".xlsx"); again.Header.Get("ETag") != r.Header.Get("ETag") {
			t.Errorf("%s: the same workbook has two names", e.Name)
		}
		f, err := excelize.OpenReader(strings.NewReader(r.Body))
		w.Must(err)
		rows, err := f.GetRows("Numbers")
		w.Must(err)
		if lines := webtest.File(t, text); len(rows) != len(lines)+1 {
			t.Errorf("%s: %d rows in the workbook, %d in the text file", e.Name, len(rows)-1, len(lines))
		}
		if about, err := f.GetCellValue("About", "A1"); err != nil || about != "Table" {
			t.Errorf("%s: the second sheet says %q, %v", e.Name, about, err)
		}
		w.Must(f.Close())
		if strings.Contains(part(t, []byte(r.Body), "xl/worksheets/sheet1.xml"), "<f>") {
			t.Errorf("%s holds a formula", e.Name)
		}
	}
}

func TestFileOfAWindowThatCantBe(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	r := w.SignedIn().Get("/stores/acme/history.csv?window=fortnight")
	if r.Status != 400 || r.Header.Get("Content-Disposition") != "" || !strings.Contains(r.Body, "is not a window") {
		t.Errorf("%d %v", r.Status, r.Header)
	}
}

// part is one file of a workbook.
func part(t *testing.T, book []byte, name string) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWorkbookHasDatesTimesAndNumbersAsSuch(t *testing.T) {
	t.Parallel()
	yen, dinar := decimal.RequireFromString("1500"), decimal.RequireFromString("0.125")
	at := time.Date(2026, 11, 21, 18, 30, 15, 0, time.FixedZone("", 3600))
	tb := site.Table{Title: "x", Columns: []string{"name", "day", "at", "orders", "value", "none", "euros"}, Rows: [][]site.Cell{
		{site.TextCell("- 10% =off"), site.DayCell(civil.Date{Year: 2026, Month: 11, Day: 21}), site.TimeCell(at), site.CountCell(1234567), site.NumberOrNone(&yen), {}, site.MoneyOrNone(&yen, "EUR")},
		{site.TextCell(strings.Repeat("long ", 30)), site.DayCell(civil.Date{Year: 1066, Month: 10, Day: 14}), site.TimeCell(at), site.CountCell(0), site.NumberOrNone(&dinar), {}, site.MoneyOrNone(&yen, `"]x`)},
	}}
	raw, err := tb.XLSX()
	if err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for cell, want := range map[string][2]string{ // as it is stored, as it is shown
		"A2": {"- 10% =off", "- 10% =off"},
		"B2": {"46347", "2026-11-21"}, "B3": {"1066-10-14", "1066-10-14"},
		"C2": {"46347.7293402778", "2026-11-21 17:30:15 UTC"},
		"D2": {"1234567", "1,234,567"}, "D3": {"0", "0"},
		"E2": {"1500", "1,500.000"}, "E3": {"0.125", "0.125"}, "F2": {"", ""},
		"G2": {"1500", "1,500 EUR"}, "G3": {"1500", "1,500"},
	} {
		stored, err := f.GetCellValue("Numbers", cell, excelize.Options{RawCellValue: true})
		if err != nil || stored != want[0] {
			t.Errorf("%s holds %q, not %q (%v)", cell, stored, want[0], err)
		}
		if shown, err := f.GetCellValue("Numbers", cell); err != nil || shown != want[1] {
			t.Errorf("%s shows %q, not %q (%v)", cell, shown, want[1], err)
		}
	}
	if sheet := part(t, raw, "xl/worksheets/sheet1.xml"); !strings.Contains(sheet, `<pane activePane="bottomLeft" state="frozen" topLeftCell="A2" ySplit="1">`) {
		t.Errorf("the first row does not stay: %.400s", sheet)
	}
	for column, want := range map[string]float64{"A": 60, "C": 22, "F": 8, "G": 9} {
		if width, err := f.GetColWidth("Numbers", column); err != nil || width != want {
			t.Errorf("column %s is %v wide, not %v (%v)", column, width, want, err)
		}
	}
}

// A workbook keeps names as they were typed; a text file escapes those that a spreadsheet would
// read as formulas.
func TestNamesAreInWorkbooksAsTyped(t *testing.T) {
	t.Parallel()
	names := []string{"=cmd", "+49 shop", "-10 % deal", "@home", "O'Neil", "'quoted"}
	tb := site.Table{Title: "x", Columns: []string{"name"}}
	for _, name := range names {
		tb.Rows = append(tb.Rows, []site.Cell{site.TextCell(name)})
	}
	book, err := tb.XLSX()
	if err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(book))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	shared := part(t, book, "xl/sharedStrings.xml")
	for i, name := range names {
		at := fmt.Sprintf("A%d", i+2)
		kept, err := f.GetCellValue("Numbers", at)
		if formula, _ := f.GetCellFormula("Numbers", at); err != nil || kept != name || formula != "" {
			t.Errorf("%s holds %q, formula %q, not %q (%v)", at, kept, formula, name, err)
		}
		if !strings.Contains(shared, ">"+strings.ReplaceAll(name, "'", "&#39;")+"</t>") {
			t.Errorf("%q is not stored as typed: %s", name, shared)
		}
	}
	if strings.Contains(part(t, book, "xl/styles.xml"), "quotePrefix") {
		t.Error("a style puts an apostrophe ahead of texts")
	}
	text, err := tb.CSV()
	if want := "name\n'=cmd\n'+49 shop\n'-10 % deal\n'@home\nO'Neil\n'quoted\n"; err != nil || string(text) != want {
		t.Errorf("the text file is %q (%v), not %q", text, err, want)
	}
}

func TestOnlyAFileThatIsSentIsADownload(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	const file = "/stores/acme/history.csv"
	w.Audit()
	first := b.Get(file)
	w.Recorded("person ada@example.com export.downloaded acme acme-history.csv")
	if r := b.Do("HEAD", file, nil, nil); r.Status != http.StatusOK {
		t.Errorf("HEAD: %d", r.Status)
	}
	if r := b.Do("GET", file, nil, http.Header{"If-None-Match": {first.Header.Get("ETag")}}); r.Status != http.StatusNotModified {
		t.Errorf("known: %d", r.Status)
	}
	w.Recorded()
	b.Do("GET", file, nil, http.Header{"If-None-Match": {`"another"`}})
	w.Recorded("person ada@example.com export.downloaded acme acme-history.csv")
}
