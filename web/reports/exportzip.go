package reports

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/web/site"
)

// ExportsAtOnce limits how many database connections slow downloads can hold.
const ExportsAtOnce = 2

// exportStall is how long a download may stall before it is cut off.
const exportStall = 30 * time.Second

var errExporting = site.NewProblem(fault.Unavailable, "exporting").Leading("stores", "/").Again(time.Minute)

// exportAll sends everything stored for a store as one ZIP, row by row as it comes from the
// database.
func (s *Handlers) exportAll(c *site.Call) error {
	head := func() {
		h := c.Response().Header()
		h.Set("Content-Type", "application/zip")
		h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%s.zip"`, c.Store.Slug, c.Now.In(c.Store.Location()).Format(time.DateOnly)))
		h.Set("Cache-Control", "no-store")
	}
	if c.Request().Method == http.MethodHead {
		head()
		return c.NoContent(http.StatusOK)
	}
	select {
	case s.Exporting <- struct{}{}:
		defer func() { <-s.Exporting }()
	default:
		return errExporting
	}
	ctx := c.Request().Context()
	settings, err := s.DB.StoredSettings(ctx, c.Store, c.Now)
	if err != nil {
		return err
	}
	if err := s.Audit.Record(ctx, audit.Event{Action: audit.StoreExported, Store: c.Store.Slug}); err != nil {
		return err
	}
	out := &exportWriter{to: c.Response(), head: head, deadline: http.NewResponseController(c.Response())}
	z := &exportZip{zip: zip.NewWriter(out), at: c.Now, settings: settings}
	if err = s.DB.Export(ctx, c.Store, z.table); err == nil {
		err = z.close()
	}
	if err == nil || !out.begun { // an error page can still be sent
		return err
	}
	// A download that breaks off must not look complete.
	s.Log.Error("an export was cut off", "id", c.ID, "store", c.Store.Slug, "error", err)
	panic(http.ErrAbortHandler)
}

// exportWriter moves the connection's deadline on with every write. Headers are sent only with
// the first byte.
type exportWriter struct {
	to       io.Writer
	head     func()
	deadline *http.ResponseController
	begun    bool
}

func (w *exportWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.head()
		w.begun = true
	}
	// If there is no deadline to move, as in some test servers, nothing cuts the download off.
	_ = w.deadline.SetWriteDeadline(time.Now().Add(exportStall))
	return w.to.Write(p)
}

// exportZip writes one file after another into the ZIP.
type exportZip struct {
	zip      *zip.Writer
	at       time.Time
	settings stores.Settings
	// lines are those of the file under way; nil before the first.
	lines *csv.Writer
}

// file ends the file before and begins the next.
func (z *exportZip) file(name string) (io.Writer, error) {
	if err := z.flush(); err != nil {
		return nil, err
	}
	w, err := z.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: z.at.UTC()})
	z.lines = csv.NewWriter(w)
	return w, err
}

func (z *exportZip) flush() error {
	if z.lines == nil {
		return nil
	}
	z.lines.Flush()
	return z.lines.Error()
}

func (z *exportZip) close() error {
	if err := z.flush(); err != nil {
		return err
	}
	return z.zip.Close()
}

// about writes an explanation of the files, and the store's settings without secrets.
func (z *exportZip) about() error {
	w, err := z.file("README.txt")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, z.readme()); err != nil {
		return err
	}
	if _, err = z.file("settings.csv"); err != nil {
		return err
	}
	s := z.settings
	put := func(name, value string) { _ = z.lines.Write([]string{site.Harmless(name), site.Harmless(value)}) } // flush returns errors
	put("setting", "value")
	put("store", s.Store.Slug)
	put("name", s.Store.Name)
	put("time zone", s.Store.Timezone)
	put("currency", s.Store.Currency)
	put("shop", s.Store.Domain)
	put("days of history", fmt.Sprint(s.HistoryDays))
	put("paused by a person", site.YesCell(s.Paused).Value)
	for _, service := range s.Services {
		if !service.Connected {
			put(service.Service+" service", "not connected")
			continue
		}
		put(service.Service+" service", service.Address)
		put(service.Service+" connected", service.ConnectedAt.UTC().Format(time.RFC3339))
		put(service.Service+" state", service.Words)
	}
	return nil
}

func (z *exportZip) readme() string {
	var b strings.Builder
	store := z.settings.Store
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s (%s), exported %s", store.Name, store.Slug, z.at.UTC().Format("2006-01-02 15:04 MST"))
	line("")
	line("Everything that Storeglass has stored of this store's numbers, one table a file. All files are of one moment.")
	line("")
	line("- window_start and window_end are the first and the last day of the window that the service APPLIED, both included.")
	line("  A day is a window of one day. Days are those of the store's clock, %s, unless a row names another time zone.", store.Timezone)
	line("- partial: the window held a day that was not over when it was asked. Such a row is no history.")
	line("- basis says how a number came to be: reported by the service for exactly that window, or derived from other")
	line("  answers (previous, difference), or computed here.")
	line("- fetched_at is when the service answered, in UTC. endpoint is what was asked. revised_at: the value was another one before.")
	line("- Placements are side by side and never summed: they share no denominator, and the shop's total is that of")
	line("  summaries alone. Gift revenue is never to be added to upsell revenue: the same order can be in both.")
	line("- An empty cell is \"not reported\", never zero. Each row names its currency; currencies are never mixed.")
	line("- A text that a spreadsheet would run as a formula begins with an apostrophe here.")
	line("")
	line("%-28s %s", "settings.csv", "how the store is connected; no token is in it")
	for _, t := range db.ExportTables() {
		line("%-28s %s", t.Name+".csv", t.Says)
	}
	line("")
	line("Not in it: the services' raw answers, tokens, people, share links, the audit log.")
	return b.String()
}

// table begins a file and returns a function that writes its rows. The last columns hold each
// row's provenance, unless the table's own columns do.
func (z *exportZip) table(t db.ExportTable) (func([]*string) error, error) {
	if z.lines == nil {
		if err := z.about(); err != nil {
			return nil, err
		}
	}
	if _, err := z.file(t.Name + ".csv"); err != nil {
		return nil, err
	}
	store := z.settings.Store
	extra := [][2]string{{"endpoint", t.Endpoint}, {"basis", t.Basis}, {"timezone", store.Timezone}}
	record := []string{"store"}
	own := map[string]bool{}
	for _, c := range t.Columns {
		own[c.Name] = true
		record = append(record, c.Name)
	}
	added := extra[:0]
	for _, e := range extra {
		if !own[e[0]] && e[1] != "" {
			added = append(added, e)
			record = append(record, e[0])
		}
	}
	if err := z.lines.Write(record); err != nil {
		return nil, err
	}
	return func(values []*string) error {
		record = append(record[:0], store.Slug)
		for i, v := range values {
			switch {
			case v == nil:
				record = append(record, "")
			case t.Columns[i].Name == "outcome_text":
				record = append(record, site.Harmless(storedWords(*v)))
			case t.Columns[i].Words:
				record = append(record, site.Harmless(*v))
			default:
				record = append(record, *v)
			}
		}
		for _, e := range added {
			record = append(record, e[1])
		}
		return z.lines.Write(record)
	}, nil
}

// storedWords is a stored message in English, as all files are.
func storedWords(message string) string {
	var m locale.Message
	_ = json.Unmarshal([]byte(message), &m) // what can't be read is empty
	return m.In(locale.English)
}
