package web_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestPageIsConfirmedByItsETag(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, packing := range []string{"gzip", "identity"} {
		b.Header.Set("Accept-Encoding", packing)
		first := b.Get("/stores/acme")
		etag := first.Header.Get("ETag")
		if first.Status != 200 || !strings.HasPrefix(etag, `W/"`) || len(first.Body) == 0 {
			t.Fatalf("%d, ETag %q", first.Status, etag)
		}
		if packed := first.Header.Get("Content-Encoding") == "gzip"; packed && packing != "gzip" {
			t.Error("packed for who can't unpack")
		}
		for name, ask := range map[string]string{"same": etag, "strong": strings.TrimPrefix(etag, "W/"), "among others": `"x", ` + etag} {
			again := b.Do("GET", "/stores/acme", nil, http.Header{"If-None-Match": {ask}})
			if again.Status != http.StatusNotModified || again.Body != "" || again.Header.Get("ETag") != etag {
				t.Errorf("%s, %s: %d", packing, name, again.Status)
			}
		}
		if r := b.Do("GET", "/stores/acme", nil, http.Header{"If-None-Match": {`"other"`}}); r.Status != 200 {
			t.Errorf("another ETag: %d", r.Status)
		}
	}
}

func TestPageChangesWithTheStoresRevision(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	b.Get("/stores/acme")
	w.Exec(`update lifetimes set total_revenue = 777888.99`)
	w.Exec(`update stores set revision = revision + 1 where slug = 'acme'`)
	if r := b.Get("/stores/acme"); !strings.Contains(r.Body, "777,888") {
		t.Error("an older revision's numbers were shown")
	}
	w.Exec(`update stores set name = 'Renamed Foods', revision = revision + 1 where slug = 'acme'`)
	if r := b.Get("/stores/acme"); !strings.Contains(r.Body, "Renamed Foods") {
		t.Error("an older revision was shown")
	}
}

func TestKeptPageIsNotAnotherPersons(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada := w.SignedIn()
	first := ada.Get("/stores/acme")
	csrf := w.CSRF()
	other, err := w.Access.CreatePerson(t.Context(), "bo@example.com", "Bo Diddley", "")
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), other.ID, webtest.Own))
	w.Person = other
	w.Exec(`update sessions set expiry = expiry - interval '1 day'`) // so that csrf finds the newer
	bo := w.SignedIn()
	second := bo.Get("/stores/acme")
	if first.Header.Get("ETag") == second.Header.Get("ETag") || strings.Contains(second.Body, "Ada Byron King") || strings.Contains(second.Body, csrf) {
		t.Error("one person met another's page")
	}
	if !strings.Contains(second.Body, w.CSRF()) {
		t.Error("the page lacks the session's own form token")
	}
	// Within the minute, the same request gets exactly the same page from memory.
	if again := ada.Get("/stores/acme"); again.Body != first.Body {
		t.Error("the page changed within a minute without a reason")
	}
}

func TestPageSpeaksOfTheMinute(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	first := b.Get("/stores/acme")
	w.Clock.Add(time.Minute)
	if again := b.Get("/stores/acme"); again.Body == first.Body && strings.Contains(first.Body, "minutes ago") {
		t.Error("an older minute's page was shown")
	}
	if n := len(w.Server.Cache.Pages); n != 1 {
		t.Errorf("%d pages are kept, want this minute's", n)
	}
}

func TestWindowThatCantBeShownSaysWhy(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for query, want := range map[string]string{
		"window=fortnight":                      "is not a window",
		"start=2026-11-10&end=2026-11-01":       "the last day is before the first",
		"start=2026-11-10&end=2026-12-24":       "in the future",
		"start=10.11.2026&end=2026-11-11":       "YYYY-MM-DD",
		"compare=zodiac":                        "is not a comparison",
		"window=today&start=2026-11-01":         "not both",
		"start=1900-01-01&end=2026-11-01":       "at most 3,660 days",
		"window=" + url.QueryEscape("<script>"): "is not a window",
	} {
		r := b.Get("/stores/acme?" + query)
		if r.Status != http.StatusBadRequest || !strings.Contains(r.Body, "Acme Foods") {
			t.Errorf("%s: %d", query, r.Status)
		}
		if !strings.Contains(r.Body, want) {
			t.Errorf("%s: the page does not say %q", query, want)
		}
		if strings.Contains(r.Body, `="<script>`) || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: echoes markup, or may be kept", query)
		}
	}
}

func TestErrorPagesSayWhatToDo(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	r := w.SignedIn().Get("/stores/unknown")
	if r.Status != 404 || !strings.Contains(r.Body, "Not found") || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestTheBannerOfADisconnectedAppLeadsToWhereItsConnected(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`delete from credentials where service = 'upsell'`)
	w.Exec(`insert into ledger (store_id, pull, subject, service, outcome, last_good_at) select id, 'summary.window', '30', 'upsell', 'good', now() from stores where slug = 'acme'`)
	b := w.SignedIn()
	r := b.Get("/stores/acme")
	if _, banner, _ := strings.Cut(r.Body, `class="banner"`); !strings.Contains(banner, `Connect it again in the store’s settings. </div><a class="btn btn-plain" href="/stores/acme/settings/upsell">Connect the upsell app</a>`) {
		t.Errorf("%d, the banner is %.600s", r.Status, banner)
	}
	if r := b.Get("/stores/acme/sync"); strings.Count(r.Body, "The upsell app was disconnected.") != 1 || !strings.Contains(r.Body, `href="/stores/acme/settings/upsell">Connect the upsell app</a>`) {
		t.Errorf("%d, the Sync page doesn't say it once: %.600s", r.Status, r.Body)
	}
}

func TestStoredReplyIsShownAsText(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	r := b.Get("/stores/acme/replies?pull=lifetime")
	if r.Status != 200 || strings.Contains(r.Body, "<b>Acme Foods</b>") || !strings.Contains(r.Body, "&lt;b&gt;Acme Foods&lt;/b&gt;") {
		t.Errorf("%d", r.Status)
	}
	for _, q := range []string{"", "?pull=nothing", "?pull=lifetime&good=false", "?pull=lifetime&subject=x"} {
		if r := b.Get("/stores/acme/replies" + q); r.Status != 404 {
			t.Errorf("%q: %d", q, r.Status)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Browser()
	if r := b.Get("/livez"); r.Status != 200 || r.Body != "ok\n" {
		t.Errorf("livez %d %q", r.Status, r.Body)
	}
	if r := b.Get("/readyz"); r.Status != 200 || r.Body != "ready\n" {
		t.Errorf("readyz %d %q", r.Status, r.Body)
	}
	w.Server.Room = func() error { return errors.New("the disk is full") }
	if r := b.Get("/readyz"); r.Status != 503 || r.Body != "not ready\n" || !strings.Contains(w.Log.String(), "the disk is full") {
		t.Errorf("readyz on a full disk: %d %q", r.Status, r.Body)
	}
	w.Server.Room = nil
	w.Exec(`delete from goose_db_version where version_id = (select max(version_id) from goose_db_version)`)
	w.Server.Schema = web.SchemaCheck{}
	if r := b.Get("/readyz"); r.Status != 503 || r.Body != "not ready\n" {
		t.Errorf("readyz on an older schema: %d %q", r.Status, r.Body)
	}
	if !strings.Contains(w.Log.String(), "is not applied") {
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
	w := webtest.NewWorld(t)
	all, err := w.Access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Admin)
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), all.ID, access.AllStores))
	b := w.SignedInAs(all)
	for from, want := range map[string]string{
		"/stores/acme":                       "/stores/birch",
		"/stores/acme/offers?q=socks&page=2": "/stores/birch/offers",
		"/stores/acme/placements?window=last_7_days&compare=none&by=x": "/stores/birch/placements?compare=none&window=last_7_days",
		"/stores/acme?start=2026-11-01&end=2026-11-03":                 "/stores/birch?end=2026-11-03&start=2026-11-01",
		"/stores/acme/sync":     "/stores/birch/sync",
		"/stores/acme/settings": "/stores/birch/settings",
	} {
		r := b.Get(from)
		if !strings.Contains(r.Body, `class="item" href="`+strings.ReplaceAll(want, "&", "&amp;")+`"`) {
			t.Errorf("%s does not lead to %s", from, want)
		}
		if got := b.Get(want); got.Status != http.StatusOK {
			t.Errorf("%s: %d", want, got.Status)
		}
	}
}

func TestASlashAtTheEndOfAnAddressChangesNothing(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	link := w.Share(nil)
	for _, path := range []string{link, "/stores/acme/offers"} {
		b := w.Browser()
		if path == "/stores/acme/offers" {
			b = w.SignedIn()
		}
		plain, slashed := b.Get(path), b.Get(path+"/")
		if slashed.Status != plain.Status || slashed.Header.Get("Location") != plain.Header.Get("Location") {
			t.Errorf("%s/: %d %q, want %d %q", path, slashed.Status, slashed.Header.Get("Location"), plain.Status, plain.Header.Get("Location"))
		}
	}
}

// A person who only opens a page has changed nothing, so the page doesn't say that nothing
// changed.
func TestARefusedPageSaysNothingOfChanges(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`update people set role = 'viewer'`)
	b := w.SignedIn()
	r := b.Get("/people")
	w.Has(r, "You don’t have access", "Your role doesn’t include this page.")
	w.HasNot(r, "Nothing was changed")
	if r.Status != http.StatusForbidden {
		t.Errorf("status %d", r.Status)
	}
	w.Has(b.Post("/stores/acme/refresh", url.Values{"csrf": {w.CSRF()}}), "Nothing was changed")
}

func TestABaseSaysNothingOfTheAddressOfAMailsLink(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	for address, want := range map[string]string{
		site.UnsubscribePath + "secret": "/", site.ConfirmPath + "secret": "/", site.MailPath + "secret/weeks": "/", site.BouncePath + "secret": "/",
		"/Unsubscribe/secret": "/", "/unsubscribed": "/unsubscribed", "/stores/acme": "/stores/acme",
	} {
		c := w.Server.NewCall(w.Server.Echo.NewContext(httptest.NewRequest("GET", address, nil), httptest.NewRecorder()))
		if got := w.Server.PageBase(c, "").Path; got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
