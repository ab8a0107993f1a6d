package web_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func stored(slug string, revision int64) db.ScopedStore {
	return db.ScopedStore{Store: report.Store{Slug: slug}, Revision: revision}
}

func keep(size int) *site.KeptPage { return &site.KeptPage{Before: make([]byte, size)} }

func TestPageCacheFindsOnlyTheVerySameAsking(t *testing.T) {
	t.Parallel()
	c := site.NewPageCache(1000)
	base := site.PageKey{Store: stored("a", 1), Path: "p", Query: "q", Minute: 5}
	p := keep(10)
	c.Put(base, p)
	if c.Get(base) != p {
		t.Fatal("not found")
	}
	for name, change := range map[string]func(*site.PageKey){
		"another store":    func(k *site.PageKey) { k.Store.Slug = "b" },
		"another name":     func(k *site.PageKey) { k.Store.Name = "B" },
		"a newer revision": func(k *site.PageKey) { k.Store.Revision = 2 },
		"a paused store":   func(k *site.PageKey) { k.Store.Paused = true },
		"another page":     func(k *site.PageKey) { k.Path = "o" },
		"another window":   func(k *site.PageKey) { k.Query = "r" },
		"the next minute":  func(k *site.PageKey) { k.Minute = 6 },
	} {
		k := base
		change(&k)
		if c.Get(k) != nil {
			t.Errorf("%s was answered", name)
		}
	}
}

func TestPageCacheStaysWithinItsRoom(t *testing.T) {
	t.Parallel()
	c := site.NewPageCache(100)
	for i := range 50 {
		c.Put(site.PageKey{Store: stored("a", int64(i)), Minute: 1}, keep(30))
		if c.Used > 100 || len(c.Pages) > 3 {
			t.Fatalf("%d bytes in %d pages", c.Used, len(c.Pages))
		}
	}
	c.Put(site.PageKey{Path: "large", Minute: 1}, keep(101))
	if c.Get(site.PageKey{Path: "large", Minute: 1}) != nil {
		t.Error("a page larger than the room was kept")
	}
	c.Put(site.PageKey{Path: "same", Minute: 1}, keep(10))
	used := c.Used
	c.Put(site.PageKey{Path: "same", Minute: 1}, keep(10))
	if c.Used != used {
		t.Error("one page was counted twice")
	}
}

func TestPageCacheForgetsEarlierMinutes(t *testing.T) {
	t.Parallel()
	c := site.NewPageCache(100)
	c.Put(site.PageKey{Minute: 1}, keep(10))
	c.Put(site.PageKey{Minute: 2}, keep(10))
	if c.Get(site.PageKey{Minute: 1}) != nil || c.Used != 10 {
		t.Error("an earlier minute is still there")
	}
	c.Put(site.PageKey{Minute: 1, Path: "late"}, keep(10)) // its rendering took long
	if c.Get(site.PageKey{Minute: 1, Path: "late"}) != nil {
		t.Error("an earlier minute came back")
	}
}

// keptPaths are the pages that all readers of a store share.
var keptPaths = []string{"", "?window=last_7_days", "/placements", "/offers", "/offers?sort=name", "/offers/acme-offer-1", "/gift", "/gift/campaigns/acme-campaign-1"}

func TestKeptPagesHoldNothingOfTheirReader(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Must(w.Access.GrantPerson(t.Context(), w.Person.ID, webtest.Foreign))
	b := w.SignedIn()
	for _, path := range keptPaths {
		r := b.Get("/stores/" + webtest.Own + path)
		for _, theirs := range []string{w.CSRF(), "Ada Byron King", webtest.Canary} {
			if r.Status != http.StatusOK || strings.Count(r.Body, theirs) == 0 {
				t.Fatalf("%s: %d, %q is not in the reader's header", path, r.Status, theirs)
			}
		}
	}
	if n := len(w.Server.Cache.Pages); n != len(keptPaths) {
		t.Errorf("%d pages are kept of %d", n, len(keptPaths))
	}
	for key, kept := range w.Server.Cache.Pages {
		for _, theirs := range []string{w.CSRF(), "Ada", webtest.Canary} {
			if strings.Contains(string(kept.Before)+string(bytes.Join(kept.After, nil)), theirs) {
				t.Errorf("%s %s is kept with %q in it", key.Path, key.Query, theirs)
			}
		}
	}
}

func TestReadersShareAKeptPageAndNothingElse(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada := w.SignedIn()
	adas := w.CSRF()
	var err error
	w.Person, err = w.Access.CreatePerson(t.Context(), "bo@example.com", "Bo Diddley", access.Merchant) // readers with another role get other links
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), w.Person.ID, webtest.Own))
	w.Must(w.Access.GrantPerson(t.Context(), w.Person.ID, webtest.Foreign))
	w.Exec(`update sessions set expiry = expiry - interval '1 day'`) // so that csrf finds the newer
	bo := w.SignedIn()
	bos := w.CSRF()
	for _, path := range keptPaths {
		first, second := ada.Get("/stores/"+webtest.Own+path), bo.Get("/stores/"+webtest.Own+path)
		if first.Header.Get("ETag") == second.Header.Get("ETag") {
			t.Errorf("%s: one name for two readers' pages", path)
		}
		for _, theirs := range []string{bos, "Bo Diddley", webtest.Canary} {
			if strings.Contains(first.Body, theirs) {
				t.Errorf("%s: the first reader meets %q", path, theirs)
			}
		}
		for _, theirs := range []string{adas, "Ada Byron King"} {
			if strings.Contains(second.Body, theirs) {
				t.Errorf("%s: the second reader meets %q", path, theirs)
			}
		}
		if _, after, _ := strings.Cut(second.Body, "</header>"); !strings.HasSuffix(first.Body, strings.ReplaceAll(after, bos, adas)) { // a form's token is its reader's
			t.Errorf("%s: the page below the header differs", path)
		}
		if !strings.Contains(first.Body, adas) || !strings.Contains(second.Body, bos) {
			t.Errorf("%s lacks the session's own form token", path)
		}
		if strings.Contains(first.Body, "<!--") {
			t.Errorf("%s shows where it was put together", path)
		}
	}
	if n := len(w.Server.Cache.Pages); n != len(keptPaths) {
		t.Errorf("%d pages are kept for two readers, want %d", n, len(keptPaths))
	}
}

func TestReadersWithOtherRightsHaveKeptPagesOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for n, role := range []access.Role{access.Merchant, access.Agency, access.Viewer} {
		w.Exec(`update people set role = $1`, string(role))
		b.Get("/stores/" + webtest.Own)
		if kept := len(w.Server.Cache.Pages); kept != n+1 {
			t.Errorf("%d pages are kept after that of the role %s, want %d", kept, role, n+1)
		}
	}
}

func TestKeptPageIsNotMetWithoutItsGrant(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, path := range keptPaths {
		if r := b.Get("/stores/" + webtest.Own + path); r.Status != http.StatusOK {
			t.Fatalf("%s: %d", path, r.Status)
		}
	}
	w.Exec(`delete from grants`)
	for _, path := range keptPaths {
		if r := b.Get("/stores/" + webtest.Own + path); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d after the grant was taken", path, r.Status)
		}
	}
}

func TestStoreInAnothersPlaceHasPagesOfItsOwn(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into grants (person_id, store_id) values ($1, null)`, w.Person.ID)
	b := w.SignedIn()
	if r := b.Get("/stores/" + webtest.Own); !strings.Contains(r.Body, "3,007.50") {
		t.Fatal("the first store's value is not shown")
	}
	w.Exec(`delete from stores where slug = $1`, webtest.Own)
	w.Exec(`insert into stores (slug, name, timezone, currency, domain) values ($1, 'Acme Foods', 'UTC', 'USD', 'acme.example.com')`, webtest.Own)
	if r := b.Get("/stores/" + webtest.Own); r.Status != http.StatusOK || strings.Contains(r.Body, "3,007.50") {
		t.Errorf("%d, or the numbers of the store that had the address before", r.Status)
	}
}

func TestServerWithoutRoomKeepsNoPage(t *testing.T) {
	t.Parallel()
	c := site.NewPageCache(-1)
	c.Put(site.PageKey{Minute: 1}, keep(0))
	if len(c.Pages) != 0 {
		t.Error("a page is kept")
	}
}

func TestAPageWithItsChartsDataIsKeptApart(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for n, path := range []string{"/stores/acme", "/stores/acme?charts="} {
		if r := b.Get(path); strings.Contains(r.Body, `-data" type="application/json"`) != (n == 1) {
			t.Errorf("%s: the charts' data is there: %v", path, n == 0)
		}
	}
	if r := b.Get("/stores/acme"); strings.Contains(r.Body, `-data" type="application/json"`) {
		t.Error("the page has the charts' data once someone asked for it")
	}
}

func TestAKeptPageShowsTheAlertsThatItsReaderHasNotSnoozed(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	id := w.Outage("credential", "upsell")
	vera := viewer(w)
	if !strings.Contains(vera.Get("/stores/acme").Body, "Trouble with upsell") {
		t.Fatal("the alert is not on the page")
	}
	vera.Send("/alerts/snoozes", "alert", id, "reach", "this-mine", "life", "day")
	if strings.Contains(vera.Get("/stores/acme").Body, "Trouble with upsell") {
		t.Error("a snoozed alert is still on a kept page")
	}
}
