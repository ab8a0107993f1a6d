package web

import (
	"github.com/storeglass/storeglass/internal/access"
	"net/http"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

func stored(slug string, revision int64) db.ScopedStore {
	return db.ScopedStore{Store: report.Store{Slug: slug}, Revision: revision}
}

func keep(size int) *keptPage { return &keptPage{before: make([]byte, size)} }

func TestPageCacheFindsOnlyTheVerySameAsking(t *testing.T) {
	t.Parallel()
	c := newPageCache(1000)
	base := pageKey{store: stored("a", 1), path: "p", query: "q", minute: 5}
	p := keep(10)
	c.put(base, p)
	if c.get(base) != p {
		t.Fatal("not found")
	}
	for name, change := range map[string]func(*pageKey){
		"another store":    func(k *pageKey) { k.store.Slug = "b" },
		"another name":     func(k *pageKey) { k.store.Name = "B" },
		"a newer revision": func(k *pageKey) { k.store.Revision = 2 },
		"a paused store":   func(k *pageKey) { k.store.Paused = true },
		"another page":     func(k *pageKey) { k.path = "o" },
		"another window":   func(k *pageKey) { k.query = "r" },
		"the next minute":  func(k *pageKey) { k.minute = 6 },
	} {
		k := base
		change(&k)
		if c.get(k) != nil {
			t.Errorf("%s was answered", name)
		}
	}
}

func TestPageCacheStaysWithinItsRoom(t *testing.T) {
	t.Parallel()
	c := newPageCache(100)
	for i := range 50 {
		c.put(pageKey{store: stored("a", int64(i)), minute: 1}, keep(30))
		if c.used > 100 || len(c.pages) > 3 {
			t.Fatalf("%d bytes in %d pages", c.used, len(c.pages))
		}
	}
	c.put(pageKey{path: "large", minute: 1}, keep(101))
	if c.get(pageKey{path: "large", minute: 1}) != nil {
		t.Error("a page larger than the room was kept")
	}
	c.put(pageKey{path: "same", minute: 1}, keep(10))
	used := c.used
	c.put(pageKey{path: "same", minute: 1}, keep(10))
	if c.used != used {
		t.Error("one page was counted twice")
	}
}

func TestPageCacheForgetsEarlierMinutes(t *testing.T) {
	t.Parallel()
	c := newPageCache(100)
	c.put(pageKey{minute: 1}, keep(10))
	c.put(pageKey{minute: 2}, keep(10))
	if c.get(pageKey{minute: 1}) != nil || c.used != 10 {
		t.Error("an earlier minute is still there")
	}
	c.put(pageKey{minute: 1, path: "late"}, keep(10)) // its rendering took long
	if c.get(pageKey{minute: 1, path: "late"}) != nil {
		t.Error("an earlier minute came back")
	}
}

// keptPaths are the pages that all readers of a store share.
var keptPaths = []string{"", "?window=last_7_days", "/placements", "/offers", "/offers?sort=name", "/offers/acme-offer-1", "/gift", "/gift/campaigns/acme-campaign-1"}

func TestKeptPagesHoldNothingOfTheirReader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.access.GrantPerson(t.Context(), w.person.ID, foreign))
	b := w.signedIn()
	for _, path := range keptPaths {
		r := b.get("/stores/" + own + path)
		for _, theirs := range []string{w.csrf(), "Ada Byron King", canary} {
			if r.status != http.StatusOK || strings.Count(r.body, theirs) == 0 {
				t.Fatalf("%s: %d, %q is not in the reader's header", path, r.status, theirs)
			}
		}
	}
	if n := len(w.server.cache.pages); n != len(keptPaths) {
		t.Errorf("%d pages are kept of %d", n, len(keptPaths))
	}
	for key, kept := range w.server.cache.pages {
		for _, theirs := range []string{w.csrf(), "Ada", canary} {
			if strings.Contains(string(kept.before)+string(kept.after), theirs) {
				t.Errorf("%s %s is kept with %q in it", key.path, key.query, theirs)
			}
		}
	}
}

func TestReadersShareAKeptPageAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.signedIn()
	adas := w.csrf()
	var err error
	w.person, err = w.access.CreatePerson(t.Context(), "bo@example.com", "Bo Diddley", access.Merchant) // readers of another role meet other links
	w.must(err)
	w.must(w.access.GrantPerson(t.Context(), w.person.ID, own))
	w.must(w.access.GrantPerson(t.Context(), w.person.ID, foreign))
	w.exec(`update sessions set expiry = expiry - interval '1 day'`) // so that csrf finds the newer
	bo := w.signedIn()
	bos := w.csrf()
	for _, path := range keptPaths {
		first, second := ada.get("/stores/"+own+path), bo.get("/stores/"+own+path)
		if first.header.Get("ETag") == second.header.Get("ETag") {
			t.Errorf("%s: one name for two readers' pages", path)
		}
		for _, theirs := range []string{bos, "Bo Diddley", canary} {
			if strings.Contains(first.body, theirs) {
				t.Errorf("%s: the first reader meets %q", path, theirs)
			}
		}
		for _, theirs := range []string{adas, "Ada Byron King"} {
			if strings.Contains(second.body, theirs) {
				t.Errorf("%s: the second reader meets %q", path, theirs)
			}
		}
		if _, after, _ := strings.Cut(second.body, "</header>"); !strings.HasSuffix(first.body, after) {
			t.Errorf("%s: the page below the header differs", path)
		}
		if !strings.Contains(first.body, adas) || !strings.Contains(second.body, bos) {
			t.Errorf("%s lacks the session's own form token", path)
		}
		if strings.Contains(first.body, "<!--") {
			t.Errorf("%s shows where it was put together", path)
		}
	}
	if n := len(w.server.cache.pages); n != len(keptPaths) {
		t.Errorf("%d pages are kept for two readers, want %d", n, len(keptPaths))
	}
}

func TestKeptPageIsNotMetWithoutItsGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	for _, path := range keptPaths {
		if r := b.get("/stores/" + own + path); r.status != http.StatusOK {
			t.Fatalf("%s: %d", path, r.status)
		}
	}
	w.exec(`delete from grants`)
	for _, path := range keptPaths {
		if r := b.get("/stores/" + own + path); r.status != http.StatusNotFound {
			t.Errorf("%s: %d after the grant was taken", path, r.status)
		}
	}
}

func TestStoreInAnothersPlaceHasPagesOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into grants (person_id, store_id) values ($1, null)`, w.person.ID)
	b := w.signedIn()
	if r := b.get("/stores/" + own); !strings.Contains(r.body, "3,007.50") {
		t.Fatal("the first store's value is not shown")
	}
	w.exec(`delete from stores where slug = $1`, own)
	w.exec(`insert into stores (slug, name, timezone, currency, domain) values ($1, 'Acme Foods', 'UTC', 'USD', 'acme.example.com')`, own)
	if r := b.get("/stores/" + own); r.status != http.StatusOK || strings.Contains(r.body, "3,007.50") {
		t.Errorf("%d, or the numbers of the store that had the address before", r.status)
	}
}

func TestServerWithoutRoomKeepsNoPage(t *testing.T) {
	t.Parallel()
	c := newPageCache(-1)
	c.put(pageKey{minute: 1}, keep(0))
	if len(c.pages) != 0 {
		t.Error("a page is kept")
	}
}
