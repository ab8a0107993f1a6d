package weekly_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode"

	pdfreader "github.com/ledongthuc/pdf"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/pdf"
	reportweekly "github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/internal/weekly"
)

func TestThePDFSaysEveryNumberOfTheMailOnTwoPages(t *testing.T) {
	t.Parallel()
	p, err := pdf.Find("")
	if err != nil {
		t.Fatal("install chromium (apt-get install chromium) to run the tests of what is printed: ", err)
	}
	for code, c := range map[string]struct {
		tongue locale.Locale
		wide   float64
	}{"USD": {locale.English, 612}, "EUR": {locale.German, 595}} {
		f := frameIn(c.tongue)
		f.View = "https://glass.example/mail/secret"
		w := weekIn(c.tongue, shop(code), usualBefore...)
		file, err := weekly.Print(t.Context(), p, w, f)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name != "fernhollow-2026-W46.pdf" || file.Type != "application/pdf" {
			t.Errorf("the file is %s, %s", file.Name, file.Type)
		}
		r, err := pdfreader.NewReader(bytes.NewReader(file.Body), int64(len(file.Body)))
		if err != nil {
			t.Fatal(err)
		}
		if n := r.NumPage(); n != 2 {
			t.Errorf("%s: it has %d pages", code, n)
		}
		if got := r.Page(1).V.Key("MediaBox").Index(2).Float64(); got < c.wide-1 || got > c.wide+1 {
			t.Errorf("%s: a page is %g points wide", code, got)
		}
		for n := 1; n <= r.NumPage(); n++ {
			for _, text := range r.Page(n).Content().Text {
				if !strings.Contains(text.Font, "Inter-") && strings.ContainsFunc(text.S, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
					t.Fatalf("%s: %q on page %d is set in %s", code, text.S, n, text.Font)
				}
			}
		}
		plain, err := r.GetPlainText()
		if err != nil {
			t.Fatal(err)
		}
		read, err := io.ReadAll(plain)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(strings.Fields(string(read)), "")
		for _, table := range append(w.Tables, reportweekly.Table{Rows: w.Figures[1:]}) {
			for _, row := range table.Rows {
				for _, text := range []string{row.Name, row.Value, row.Under, row.Change()} {
					if text = strings.Join(strings.Fields(text), ""); !strings.Contains(said, text) {
						t.Errorf("%s: %q is missing in %q", code, text, said)
					}
				}
			}
		}
		if !strings.Contains(said, "2/2") {
			t.Errorf("%s: its pages have no numbers", code)
		}
		// Nothing specific to one reader may be in the shared file.
		for _, own := range []string{f.Stop, f.View, "irene@"} {
			if bytes.Contains(file.Body, []byte(own)) || strings.Contains(said, own) {
				t.Errorf("%s: %s is in the file", code, own)
			}
		}
	}
}
