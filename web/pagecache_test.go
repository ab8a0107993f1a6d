package web

import (
	"testing"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

func doc(size int) *document { return &document{plain: make([]byte, size)} }

func TestPageCacheFindsOnlyTheVerySameAsking(t *testing.T) {
	t.Parallel()
	c := newPageCache(1000)
	base := pageKey{slug: "a", revision: 1, query: "q", minute: 5, reader: [32]byte{1}}
	d := doc(10)
	c.put(base, d)
	if c.get(base) != d {
		t.Fatal("not found")
	}
	for name, change := range map[string]func(*pageKey){
		"another store":    func(k *pageKey) { k.slug = "b" },
		"a newer revision": func(k *pageKey) { k.revision = 2 },
		"another window":   func(k *pageKey) { k.query = "r" },
		"the next minute":  func(k *pageKey) { k.minute = 6 },
		"another reader":   func(k *pageKey) { k.reader = [32]byte{2} },
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
		c.put(pageKey{revision: int64(i), minute: 1}, doc(30))
		if c.used > 100 || len(c.pages) > 3 {
			t.Fatalf("%d bytes in %d pages", c.used, len(c.pages))
		}
	}
	c.put(pageKey{slug: "large", minute: 1}, doc(101))
	if c.get(pageKey{slug: "large", minute: 1}) != nil {
		t.Error("a page larger than the room was kept")
	}
	c.put(pageKey{slug: "same", minute: 1}, doc(10))
	used := c.used
	c.put(pageKey{slug: "same", minute: 1}, doc(10))
	if c.used != used {
		t.Error("one page was counted twice")
	}
}

func TestPageCacheForgetsEarlierMinutes(t *testing.T) {
	t.Parallel()
	c := newPageCache(100)
	c.put(pageKey{minute: 1}, doc(10))
	c.put(pageKey{minute: 2}, doc(10))
	if c.get(pageKey{minute: 1}) != nil || c.used != 10 {
		t.Error("an earlier minute is still there")
	}
	c.put(pageKey{minute: 1, slug: "late"}, doc(10)) // its rendering took long
	if c.get(pageKey{minute: 1, slug: "late"}) != nil {
		t.Error("an earlier minute came back")
	}
}

func TestReadersOfDifferentFramesDiffer(t *testing.T) {
	t.Parallel()
	base := func() *call {
		return &call{csrf: "x", visit: db.Visit{
			Person: db.VisitPerson{ID: 1, Name: "Ada", Role: "admin"},
			Stores: []report.Store{{Slug: "a", Name: "A"}, {Slug: "b", Name: "B"}},
		}}
	}
	seen := map[[32]byte]string{readerOf(base()): "base"}
	for name, change := range map[string]func(*call){
		"person":  func(c *call) { c.visit.Person.ID = 2 },
		"name":    func(c *call) { c.visit.Person.Name = "Bo" },
		"role":    func(c *call) { c.visit.Person.Role = "viewer" },
		"session": func(c *call) { c.csrf = "y" },
		"stores":  func(c *call) { c.visit.Stores = c.visit.Stores[:1] },
		"store":   func(c *call) { c.visit.Stores[1].Name = "C" },
		"quotes":  func(c *call) { c.visit.Stores = []report.Store{{Slug: `a" "A" "" "b`, Name: "B"}} },
	} {
		c := base()
		change(c)
		key := readerOf(c)
		if other, ok := seen[key]; ok {
			t.Errorf("%s looks like %s", name, other)
		}
		seen[key] = name
	}
}
