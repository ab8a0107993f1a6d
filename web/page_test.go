package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func TestPageIsConfirmedByItsETag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	for _, packing := range []string{"gzip", "identity"} {
		b.header.Set("Accept-Encoding", packing)
		first := b.get("/stores/acme")
		etag := first.header.Get("ETag")
		if first.status != 200 || !strings.HasPrefix(etag, `W/"`) || len(first.body) == 0 {
			t.Fatalf("%d, ETag %q", first.status, etag)
		}
		if packed := first.header.Get("Content-Encoding") == "gzip"; packed && packing != "gzip" {
			t.Error("packed for who can't unpack")
		}
		for name, ask := range map[string]string{"same": etag, "strong": strings.TrimPrefix(etag, "W/"), "among others": `"x", ` + etag} {
			again := b.do("GET", "/stores/acme", nil, http.Header{"If-None-Match": {ask}})
			if again.status != http.StatusNotModified || again.body != "" || again.header.Get("ETag") != etag {
				t.Errorf("%s, %s: %d", packing, name, again.status)
			}
		}
		if r := b.do("GET", "/stores/acme", nil, http.Header{"If-None-Match": {`"other"`}}); r.status != 200 {
			t.Errorf("another ETag: %d", r.status)
		}
	}
}

func TestPageChangesWithTheStoresRevision(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	b.get("/stores/acme")
	w.exec(`update lifetimes set total_revenue = 777888.99`)
	w.exec(`update stores set revision = revision + 1 where slug = 'acme'`)
	if r := b.get("/stores/acme"); !strings.Contains(r.body, "777,888") {
		t.Error("an older revision's numbers were shown")
	}
	w.exec(`update stores set name = 'Renamed Foods', revision = revision + 1 where slug = 'acme'`)
	if r := b.get("/stores/acme"); !strings.Contains(r.body, "Renamed Foods") {
		t.Error("an older revision was shown")
	}
}

func TestKeptPageIsNotAnotherPersons(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.signedIn()
	first := ada.get("/stores/acme")
	csrf := w.csrf()
	other, err := w.access.CreatePerson(t.Context(), "bo@example.com", "Bo Diddley", "")
	w.must(err)
	w.must(w.access.GrantPerson(t.Context(), other.ID, own))
	w.person = other
	w.exec(`update sessions set expiry = expiry - interval '1 day'`) // so that csrf finds the newer
	bo := w.signedIn()
	second := bo.get("/stores/acme")
	if first.header.Get("ETag") == second.header.Get("ETag") || strings.Contains(second.body, "Ada Byron King") || strings.Contains(second.body, csrf) {
		t.Error("one person met another's page")
	}
	if !strings.Contains(second.body, w.csrf()) {
		t.Error("the page lacks the session's own form token")
	}
	// Within the minute, asking again is answered from memory with the very same page.
	if again := ada.get("/stores/acme"); again.body != first.body {
		t.Error("the page changed within a minute without a reason")
	}
}

func TestPageSpeaksOfTheMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	first := b.get("/stores/acme")
	w.clock.add(time.Minute)
	if again := b.get("/stores/acme"); again.body == first.body && strings.Contains(first.body, "minutes ago") {
		t.Error("an older minute's page was shown")
	}
	if n := len(w.server.Cache.Pages); n != 1 {
		t.Errorf("%d pages are kept, want this minute's", n)
	}
}

func TestWindowThatCantBeShownSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	for query, want := range map[string]string{
		"window=fortnight":                      "is not a window",
		"start=2026-11-10&end=2026-11-01":       "the last day is before the first",
		"start=2026-11-10&end=2026-12-24":       "in the future",
		"start=10.11.2026&end=2026-11-11":       "YYYY-MM-DD",
		"compare=zodiac":                        "is not a comparison",
		"window=today&start=2026-11-01":         "not both",
		"start=1900-01-01&end=2026-11-01":       "at most 3660 days",
		"window=" + url.QueryEscape("<script>"): "is not a window",
	} {
		r := b.get("/stores/acme?" + query)
		if r.status != http.StatusBadRequest || !strings.Contains(r.body, "Acme Foods") {
			t.Errorf("%s: %d", query, r.status)
		}
		if !strings.Contains(r.body, want) {
			t.Errorf("%s: the page does not say %q", query, want)
		}
		if strings.Contains(r.body, `="<script>`) || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: echoes markup, or may be kept", query)
		}
	}
}

func TestErrorPagesSayWhatToDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.signedIn().get("/stores/unknown")
	if r.status != 404 || !strings.Contains(r.body, "Not found") || !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestStoredReplyIsShownAsText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	r := b.get("/stores/acme/replies?pull=lifetime")
	if r.status != 200 || strings.Contains(r.body, "<b>Acme Foods</b>") || !strings.Contains(r.body, "&lt;b&gt;Acme Foods&lt;/b&gt;") {
		t.Errorf("%d", r.status)
	}
	for _, q := range []string{"", "?pull=nothing", "?pull=lifetime&good=false", "?pull=lifetime&subject=x"} {
		if r := b.get("/stores/acme/replies" + q); r.status != 404 {
			t.Errorf("%q: %d", q, r.status)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	if r := b.get("/livez"); r.status != 200 || r.body != "ok\n" {
		t.Errorf("livez %d %q", r.status, r.body)
	}
	if r := b.get("/readyz"); r.status != 200 || r.body != "ready\n" {
		t.Errorf("readyz %d %q", r.status, r.body)
	}
	w.server.room = func() error { return errors.New("the disk is full") }
	if r := b.get("/readyz"); r.status != 503 || r.body != "not ready\n" || !strings.Contains(w.log.String(), "the disk is full") {
		t.Errorf("readyz on a full disk: %d %q", r.status, r.body)
	}
	w.server.room = nil
	w.exec(`delete from goose_db_version where version_id = (select max(version_id) from goose_db_version)`)
	w.server.schema = schemaCheck{}
	if r := b.get("/readyz"); r.status != 503 || r.body != "not ready\n" {
		t.Errorf("readyz on an older schema: %d %q", r.status, r.body)
	}
	if !strings.Contains(w.log.String(), "is not applied") {
		t.Error("the log does not say why")
	}
}

func TestInitials(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Ada Byron King": "AK", "ada": "A", "": "?", "Ödön von Horváth": "ÖH", "李 小龍": "李小"} {
		if got := site.Initials(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestAnotherStoreIsShownOnTheSamePageAndInTheSameWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all, err := w.access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Admin)
	w.must(err)
	w.must(w.access.GrantPerson(t.Context(), all.ID, access.AllStores))
	b := w.signedInAs(all)
	for from, want := range map[string]string{
		"/stores/acme":                       "/stores/birch",
		"/stores/acme/offers?q=socks&page=2": "/stores/birch/offers",
		"/stores/acme/placements?window=last_7_days&compare=none&by=x": "/stores/birch/placements?compare=none&window=last_7_days",
		"/stores/acme?start=2026-11-01&end=2026-11-03":                 "/stores/birch?end=2026-11-03&start=2026-11-01",
		"/stores/acme/sync":     "/stores/birch/sync",
		"/stores/acme/settings": "/stores/birch/settings",
	} {
		r := b.get(from)
		if !strings.Contains(r.body, `class="item" href="`+strings.ReplaceAll(want, "&", "&amp;")+`"`) {
			t.Errorf("%s does not lead to %s", from, want)
		}
		if got := b.get(want); got.status != http.StatusOK {
			t.Errorf("%s: %d", want, got.status)
		}
	}
}

func TestASlashAtTheEndOfAnAddressChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	link := w.share(nil)
	for _, path := range []string{link, "/stores/acme/offers"} {
		b := w.browser()
		if path == "/stores/acme/offers" {
			b = w.signedIn()
		}
		plain, slashed := b.get(path), b.get(path+"/")
		if slashed.status != plain.status || slashed.header.Get("Location") != plain.header.Get("Location") {
			t.Errorf("%s/: %d %q, want %d %q", path, slashed.status, slashed.header.Get("Location"), plain.status, plain.header.Get("Location"))
		}
	}
}

// Who looks at a page has changed nothing, and needs no word about it.
func TestARefusedPageSaysNothingOfChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`update people set role = 'viewer'`)
	b := w.signedIn()
	r := b.get("/people")
	w.has(r, "You don’t have access", "Your role doesn’t include this page.")
	w.hasNot(r, "Nothing was changed")
	if r.status != http.StatusForbidden {
		t.Errorf("status %d", r.status)
	}
	w.has(b.post("/stores/acme/sync/pull", url.Values{"csrf": {w.csrf()}}), "Nothing was changed")
}
