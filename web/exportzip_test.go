package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/webtest"
)

// files unpacks a ZIP.
func files(w *webtest.World, r webtest.Response) map[string]string {
	w.T.Helper()
	z, err := zip.NewReader(bytes.NewReader([]byte(r.Body)), int64(len(r.Body)))
	w.Must(err)
	out := map[string]string{}
	for _, f := range z.File {
		part, err := f.Open()
		w.Must(err)
		raw, err := io.ReadAll(part)
		w.Must(err)
		out[f.Name] = string(raw)
	}
	return out
}

// notExported are a store's tables that hold no numbers, and why.
var notExported = map[string]string{
	"credentials":         "tokens; what else it says is in settings.csv",
	"replies":             "the services' raw answers, as the README says",
	"grants":              "people",
	"group_stores":        "people's order of stores",
	"store_tags":          "people's order of stores",
	"shares":              "links",
	"audit":               "what people did",
	"pending_connections": "what is not a store yet",
	"subscriptions":       "people, and the mails that they want",
	"deliveries":          "what was sent to people",
	"delivery_tries":      "what was sent to people",
	"mail_links":          "links",
	"goals":               "what people want to reach",
	"thresholds":          "what people want to be told",
	"alerts":              "what was wrong, which the numbers and the ledger say too",
	"alert_checks":        "when the store was checked",
	"alert_snoozes":       "what people want to be told",
	"alert_channels":      "where people want to be told",
	"alert_letters":       "what was sent to people",
	"alert_notices":       "what was sent to people",
	"offer_walks":         "how far a walk has come",
	"priority_walks":      "how far a walk has come",
}

func TestAnExportHasEveryTableOfNumbersWithItsProvenance(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Audit()
	r := w.SignedIn().Get("/stores/acme/export.zip")
	if r.Status != 200 || r.Header.Get("Content-Type") != "application/zip" || r.Header.Get("Content-Disposition") != `attachment; filename="acme-2026-11-20.zip"` || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", r.Status, r.Header)
	}
	if got := w.Audit(); !slices.Contains(got, "person ada@example.com store.exported acme") {
		t.Errorf("recorded %q", got)
	}
	files := files(w, r)
	for _, table := range w.StoredTexts(`select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
		where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`) {
		text, ok := files[table+".csv"]
		if _, named := notExported[table]; named == ok {
			t.Errorf("%s: exported %v, named as not exported %v", table, ok, named)
		}
		if !ok {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		w.Must(err)
		stored := w.StoredTexts(`select to_jsonb(x)::text from ` + table + ` x where store_id = (select id from stores where slug = 'acme')`)
		if len(rows)-1 != len(stored) {
			t.Errorf("%s: %d rows of %d", table, len(rows)-1, len(stored))
		}
		head := rows[0]
		for _, column := range []string{"store", "timezone"} {
			if !slices.Contains(head, column) {
				t.Errorf("%s has no column %s", table, column)
			}
		}
		if !slices.Contains(head, "basis") && table != "ledger" {
			t.Errorf("%s does not say how its numbers came to be", table)
		}
		for _, row := range rows[1:] {
			if row[0] != webtest.Own {
				t.Errorf("%s has a row of %q", table, row[0])
			}
			for i, cell := range row {
				if strings.HasPrefix(cell, "=") {
					t.Errorf("%s.%s is a formula: %q", table, head[i], cell)
				}
			}
		}
	}
	whole := webtest.WholeText(r)
	for _, want := range []string{"'" + webtest.Formula[:10], "side by side and never summed", "window_start and window_end", "no token is in it", "https://up.example", "100.25"} {
		if !strings.Contains(strings.ReplaceAll(whole, `""`, `"`), want) {
			t.Errorf("the export does not say %q", want)
		}
	}
	for _, never := range []string{webtest.Canary, "EUR", "token_sealed", "key_id"} {
		if strings.Contains(whole, never) {
			t.Errorf("the export holds %q", never)
		}
	}
	for _, table := range db.ExportTables() {
		if !strings.Contains(files["README.txt"], table.Name+".csv") {
			t.Errorf("README.txt does not tell of %s", table.Name)
		}
	}
}

func TestAnExportSaysInWordsHowAPullWent(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	said, err := json.Marshal(locale.M("sync.said.server_error", "status", 502))
	w.Must(err)
	w.Exec(`update ledger set outcome = 'failed', outcome_text = $1 where pull = 'lifetime'`, string(said))
	ledger := files(w, w.SignedIn().Get("/stores/acme/export.zip"))["ledger.csv"]
	if !strings.Contains(ledger, ",failed,Server error (502),") || strings.Contains(ledger, "sync.said") || strings.Contains(ledger, `""""""`) {
		t.Error(ledger)
	}
}

func TestWholeExportsAreMadeTwoAtATime(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for range reports.ExportsAtOnce {
		w.Server.Parts.Reports.Exporting <- struct{}{}
	}
	w.Audit()
	if r := b.Get("/stores/acme/export.zip"); r.Status != 503 || r.Header.Get("Retry-After") == "" || strings.Contains(r.Header.Get("Content-Type"), "zip") {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	w.Recorded()
	<-w.Server.Parts.Reports.Exporting
	if r := b.Get("/stores/acme/export.zip"); r.Status != 200 {
		t.Errorf("%d", r.Status)
	}
	if len(w.Server.Parts.Reports.Exporting) != reports.ExportsAtOnce-1 {
		t.Error("an export that is done still counts")
	}
}

// A full export of many years may exceed the memory limit, so rows are streamed from the
// database. Not parallel, since other tests' memory would count.
func TestAnExportTakesNoMoreMemoryTheLongerItIs(t *testing.T) { //nolint:paralleltest // see above
	const most = 3 << 20
	w := webtest.NewWorld(t)
	w.Exec(`insert into revisions (store_id, pull, window_start, window_end, earlier, seen_at, replaced_at)
		select s.id, 'x', date '2026-11-01', date '2026-11-01', to_jsonb((select string_agg(encode(sha512((n::text || m::text)::bytea), 'base64'), '') from generate_series(1, 90) m)), now(), now()
		from stores s, generate_series(1, 1500) n where s.slug = 'acme'`)
	b := w.SignedIn()
	resp, err := b.Client.Get(w.HTTP.URL + "/stores/acme/export.zip")
	w.Must(err)
	defer func() { _ = resp.Body.Close() }()
	held := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, length, peak := held(), int64(0), int64(0)
	for {
		n, err := io.CopyN(io.Discard, resp.Body, 1<<20)
		length += n
		peak = max(peak, held()-before)
		if errors.Is(err, io.EOF) {
			break
		}
		w.Must(err)
	}
	if length < 2*most {
		t.Fatalf("the export has only %d bytes", length)
	}
	if peak > most {
		t.Errorf("%d bytes are held for an export of %d", peak, length)
	}
	t.Logf("an export of %d MiB holds %d KiB", length>>20, peak>>10)
}

// An unfinished export must not look like a finished one.
func TestAnExportThatBreaksOffIsNoZIP(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Exec(`revoke select on summaries from storeglass_pages`) // the first table
	if r := b.Get("/stores/acme/export.zip"); r.Status != 500 || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") || r.Header.Get("Content-Disposition") != "" {
		t.Errorf("before the first byte: %d %v", r.Status, r.Header)
	}
	w.Exec(`grant select on summaries to storeglass_pages`)
	w.Exec(`revoke select on gift_settings from storeglass_pages`) // one of the last
	w.Exec(`insert into revisions (store_id, pull, window_start, window_end, earlier, seen_at, replaced_at)
		select s.id, 'x', date '2026-11-01', date '2026-11-01', to_jsonb(md5(n::text)), now(), now() from stores s, generate_series(1, 5000) n where s.slug = 'acme'`)
	resp, err := b.Client.Get(w.HTTP.URL + "/stores/acme/export.zip")
	if err == nil {
		_, err = io.ReadAll(resp.Body)
		_ = resp.Body.Close()
	}
	if err == nil {
		t.Errorf("a cut export arrived as a whole one: %d", resp.StatusCode)
	}
	if !strings.Contains(w.Log.String(), "an export was cut off") {
		t.Error("nobody is told in the log")
	}
}
