package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/web/webtest"
)

// viewer is someone who sees the world's own store and may not share it.
func viewer(w *webtest.World) *webtest.Browser {
	p, err := w.Access.CreatePerson(w.T.Context(), "vera@example.com", "Vera", access.Viewer)
	w.Must(err)
	w.Must(w.Access.GrantPerson(w.T.Context(), p.ID, webtest.Own))
	return w.SignedInAs(p)
}

func TestAPrivateNoteIsForPeopleAndOneForClientsIsForAll(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada, vera := w.SignedIn(), viewer(w)
	ada.Send("/stores/acme/notes", "first", "2026-11-03", "last", "2026-11-05", "text", "The sale", "clients", "yes")
	ada.Send("/stores/acme/notes", "first", "2026-11-04", "text", "A quiet word")
	api, link := w.APIClient(w.Token(webtest.Own)), w.Share(nil)
	short := w.Share(func(n *sharing.Draft) {
		n.Window = sharing.Window{Start: civil.Date{Year: 2026, Month: 11, Day: 5}, End: civil.Date{Year: 2026, Month: 11, Day: 6}}
	})
	for name, c := range map[string]struct {
		browser *webtest.Browser
		path    string
		private bool
	}{
		"a viewer's overview":      {vera, "/stores/acme", true},
		"their list":               {vera, "/stores/acme/notes", true},
		"their file":               {ada, "/stores/acme/history.csv", true},
		"the export":               {ada, "/stores/acme/export.zip", true},
		"a page of a link":         {w.Browser(), link, false},
		"the numbers of a link":    {w.Browser(), link + "/overview.json", false},
		"the gift page of a link":  {w.Browser(), link + "/gift", false},
		"a file of a link":         {w.Browser(), link + "/history.csv", false},
		"the JSON API":             {api, "/api/v1/stores/acme/notes", false},
		"one day of it in the API": {api, "/api/v1/stores/acme/notes?start=2026-11-05&end=2026-11-05", false},
	} {
		r := c.browser.Get(c.path)
		text := webtest.WholeText(r)
		if r.Status != http.StatusOK || !strings.Contains(text, "The sale") {
			t.Errorf("%s: %d, without the note for clients", name, r.Status)
		}
		if strings.Contains(text, "A quiet word") != c.private {
			t.Errorf("%s: the private note is there: %v", name, !c.private)
		}
	}
	if r := w.Browser().Get(short + "/overview.json"); !strings.Contains(r.Body, `"start":"2026-11-05","end":"2026-11-05","text":"The sale"`) {
		t.Error("a link tells of days of a note that it does not show")
	}
	if rows := webtest.File(t, ada.Get("/stores/acme/history.csv?start=2026-11-04&end=2026-11-05")); rows[0]["notes"] != "The sale · Private: A quiet word" || rows[1]["notes"] != "The sale" {
		t.Errorf("the file has %q and %q", rows[0]["notes"], rows[1]["notes"])
	}
}

func TestNotesAreWrittenChangedAndDeletedByThoseWhoMayShare(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada, vera := w.SignedIn(), viewer(w)
	w.Audit()
	for name, c := range map[string]struct {
		at, first, want string
	}{
		"in the window that was shown": {"?window=last_7_days", "2026-11-19", "/stores/acme?window=last_7_days#notes"},
		"outside it":                   {"?window=last_7_days", "2026-10-19", "/stores/acme/notes?saved="},
		"on the list":                  {"", "2026-11-19", "/stores/acme/notes?saved="},
	} {
		r := ada.Send("/stores/acme/notes", "first", c.first, "text", " A \n sale ", "at", c.at)
		if r.Status != http.StatusSeeOther || !strings.HasPrefix(r.Header.Get("Location"), c.want) {
			t.Errorf("%s: %d to %q, want %q", name, r.Status, r.Header.Get("Location"), c.want)
		}
	}
	ids := w.StoredTexts(`select id::text from notes where first_day = '2026-10-19'`)
	note := "/stores/acme/notes/" + ids[0]
	if page := ada.Get("/stores/acme/notes?saved=" + ids[0]); !strings.Contains(page.Body, "You see it when you show 19 Oct.") || !strings.Contains(page.Body, `href="/stores/acme?end=2026-11-02&amp;start=2026-10-05#notes"`) {
		t.Error("the list does not say when the note is seen")
	}
	for _, r := range []webtest.Response{vera.Send("/stores/acme/notes", "first", "2026-11-19", "text", "x"), vera.Send(note, "first", "2026-11-19", "text", "x"), vera.Send(note + "/delete")} {
		if r.Status != http.StatusForbidden {
			t.Errorf("someone who only sees the store gets %d", r.Status)
		}
	}
	if page := vera.Get("/stores/acme"); strings.Contains(page.Body, "note-form") || strings.Contains(page.Body, note) {
		t.Error("their page has what they may not do")
	}
	w.Has(ada.Get("/stores/acme"), "Add a note")
	w.Audit()
	if r := ada.Send(note, "first", "2026-10-20", "text", "A large sale", "clients", "yes"); r.Status != http.StatusSeeOther {
		t.Errorf("changed: %d", r.Status)
	}
	if form := ada.Get(note); !strings.Contains(form.Body, `value="2026-10-20"`) || !strings.Contains(form.Body, ">A large sale</textarea>") || !strings.Contains(form.Body, "checked") {
		t.Error("the form has not what was saved")
	}
	if r := ada.Send(note + "/delete"); r.Status != http.StatusSeeOther || ada.Get(note).Status != http.StatusNotFound || ada.Send(note+"/delete").Status != http.StatusNotFound {
		t.Errorf("deleted: %d, and it is still there", r.Status)
	}
	w.Recorded("person ada@example.com note.changed acme 20 Oct 2026, for clients: A large sale", "person ada@example.com note.deleted acme 20 Oct 2026, for clients: A large sale")
}

func TestANoteIsOfItsStoreAlone(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada := w.SignedIn()
	w.Must(w.Access.GrantPerson(t.Context(), w.Person.ID, "birch"))
	ada.Send("/stores/acme/notes", "first", "2026-11-03", "text", "A quiet word")
	note := "/stores/birch/notes/" + w.StoredTexts(`select id::text from notes`)[0]
	for name, r := range map[string]webtest.Response{"read": ada.Get(note), "changed": ada.Send(note, "first", "2026-11-04", "text", "x"), "deleted": ada.Send(note + "/delete")} {
		if r.Status != http.StatusNotFound {
			t.Errorf("%s as another store's: %d", name, r.Status)
		}
	}
	if strings.Contains(ada.Get("/stores/birch/notes").Body, "A quiet word") {
		t.Error("another store lists it")
	}
	if !strings.Contains(ada.Get("/stores/acme/notes").Body, "A quiet word") {
		t.Error("its own store doesn't list it any more")
	}
}

func TestANoteThatCantBeIsSaidSoAndKeptInTheForm(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada := w.SignedIn()
	for name, c := range map[string]struct{ first, last, text, want, wrong string }{
		"no text":       {"2026-11-03", "", " ", "Write 1 to 280 characters.", "text"},
		"too long":      {"2026-11-03", "", strings.Repeat("é", report.NoteLength+1), "Write 1 to 280 characters.", "text"},
		"no day":        {"", "", "x", "Choose a day.", "first"},
		"backwards":     {"2026-11-03", "2026-11-02", "x", "a last day that isn’t before the first", "last"},
		"in two years":  {"2028-11-03", "", "x", "Choose days from", "first"},
		"until then":    {"2026-11-03", "2028-11-03", "x", "Choose days from", "last"},
		"decades ago":   {"1990-11-03", "", "x", "Choose days from", "first"},
		"turned around": {"2026-11-03", "", "a\u202eb", "Write 1 to 280 characters.", "text"},
	} {
		r := ada.Send("/stores/acme/notes", "first", c.first, "last", c.last, "text", c.text)
		if r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, c.want) || !strings.Contains(r.Body, `value="`+c.first+`"`) {
			t.Errorf("%s: %d", name, r.Status)
		}
		if wrong := webtest.WrongField(r); wrong != c.wrong {
			t.Errorf("%s: the wrong field is %q", name, wrong)
		}
	}
	if r := ada.Send("/stores/acme/notes", "first", "2026-11-03", "text", strings.Repeat("é", report.NoteLength)); r.Status != http.StatusSeeOther {
		t.Errorf("280 characters: %d", r.Status)
	}
	w.Exec(`insert into notes (store_id, first_day, last_day, text) select id, '2026-11-03', '2026-11-03', 'x' from stores, generate_series(1, 999) where slug = $1`, webtest.Own)
	if r := ada.Send("/stores/acme/notes", "first", "2026-11-03", "text", "x"); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "Delete one first") {
		t.Errorf("one more than there may be: %d", r.Status)
	}
}

func TestANoteThatAnotherTabChangedIsNotReplacedUnseen(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	b.Send("/stores/acme/notes", "first", "2026-11-03", "text", "The sale")
	note := "/stores/acme/notes/" + w.StoredTexts(`select id::text from notes`)[0]
	first := webtest.OpenedWith(b.Get(note))
	for range 2 { // a button pressed twice
		if r := b.Send(note, "first", "2026-11-03", "text", "The autumn sale", "opened", first); r.Status != http.StatusSeeOther {
			t.Fatalf("saved: %d", r.Status)
		}
	}
	r := b.Send(note, "first", "2026-11-04", "text", "A sale", "opened", first)
	if r.Status != http.StatusConflict || !strings.Contains(r.Body, ">A sale</textarea>") {
		t.Errorf("saved by the other tab: %d", r.Status)
	}
	w.Has(r, "It now says “\u2068The autumn sale\u2069” (3 Nov 2026 · Private).")
	if r := b.Send(note, "first", "2026-11-04", "text", "A sale", "opened", webtest.OpenedWith(r)); r.Status != http.StatusSeeOther {
		t.Errorf("saved again: %d", r.Status)
	}
}

func TestATextIsShownToCopyWhenItsSessionHasEnded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada, stranger := w.SignedIn(), w.Browser()
	note := url.Values{"first": {"2026-11-03"}, "text": {"The <b>big</b> sale"}, "csrf": {"of an ended session"}, "password": {"correct horse"}}
	for name, c := range map[string]struct {
		browser *webtest.Browser
		want    []string
	}{
		"signed out":     {stranger, []string{"so nothing was saved", `href="/sign-in?done=unsaved&amp;next=%2Fstores%2Facme%2Fnotes"`}},
		"signed in anew": {ada, []string{"You signed in again after opening it"}},
	} {
		r := c.browser.Do(http.MethodPost, "/stores/acme/notes", note, http.Header{"Referer": {"http://localhost:8080/stores/acme/notes?done=deleted"}})
		w.Has(r, "Your text")
		for _, want := range append(c.want, ">The &lt;b&gt;big&lt;/b&gt; sale</textarea>") {
			if r.Status != http.StatusForbidden || !strings.Contains(r.Body, want) {
				t.Errorf("%s: %d, without %s", name, r.Status, want)
			}
		}
		if strings.Contains(r.Body, "correct horse") {
			t.Errorf("%s: the answer shows a password", name)
		}
	}
	if r := ada.Get("/stores/acme/notes"); strings.Contains(r.Body, "big") {
		t.Error("the note was saved")
	}
	note.Del("text")
	if r := stranger.Post("/stores/acme/notes", note); r.Status != http.StatusSeeOther {
		t.Errorf("signed out, without a text: %d", r.Status)
	}
}

var formToken = regexp.MustCompile(`class="note-form"[^>]*>\s*<input type="hidden" name="csrf" value="([^"]+)"`)

func TestAFormOnAKeptPageHasItsReadersToken(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	first, second := w.SignedIn(), w.SignedIn()
	for range 2 { // made, and found
		for _, b := range []*webtest.Browser{first, second} {
			page := b.Get("/stores/acme")
			if got := formToken.FindStringSubmatch(page.Body); got == nil || got[1] != b.CSRF() {
				t.Errorf("the form has the token %q, not its reader's", got)
			}
		}
	}
	if len(w.Server.Cache.Pages) == 0 {
		t.Error("the page is not kept")
	}
}
