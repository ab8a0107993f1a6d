package web

import (
	"sync"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
)

// pageBytes is the usual room for pages that are kept in memory.
const pageBytes = 64 << 20

// pageKey is everything that a kept page is made from. A page is only ever found
// under the very same values, so that nobody meets another store's page, an older
// revision, or an earlier minute. No reader is among them: see storePage.
type pageKey struct {
	store       db.ScopedStore
	path, query string
	minute      int64
	locale      locale.Locale
	// link is the share link that is read; 0 for people who are signed in.
	link int64
	// keeps: the page is for those who may connect services.
	keeps bool
	// branding is its revision: it stands in a page's head too.
	branding int64
}

// keptPage is a page without its reader's header: what stands before it and after it,
// and the name of both. A name for each reader's whole page would cost as much as the
// compression.
type keptPage struct {
	before, after []byte
	etag          string
}

// size is what the page costs the cache.
func (k *keptPage) size() int { return len(k.before) + len(k.after) }

// pageCache keeps this minute's pages. It answers no question of rights: whoever
// asks it has read the grants and the store's revision from the database first.
// Older minutes are dropped whole, as is everything when the room is used up:
// what a miss costs is one rendering.
type pageCache struct {
	mu     sync.Mutex
	limit  int
	used   int
	minute int64
	pages  map[pageKey]*keptPage
}

func newPageCache(limit int) *pageCache {
	return &pageCache{limit: limit, pages: map[pageKey]*keptPage{}}
}

func (c *pageCache) get(k pageKey) *keptPage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pages[k]
}

func (c *pageCache) put(k pageKey, p *keptPage) {
	if p.size() > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.pages[k]; ok || k.minute < c.minute {
		return
	}
	if k.minute > c.minute || c.used+p.size() > c.limit {
		clear(c.pages)
		c.used, c.minute = 0, k.minute
	}
	c.pages[k] = p
	c.used += p.size()
}
