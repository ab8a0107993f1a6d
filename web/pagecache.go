package web

import (
	"crypto/sha256"
	"fmt"
	"sync"
)

// pageCacheBytes bounds the pages that are kept in memory.
const pageCacheBytes = 64 << 20

// pageKey is everything that a page is made from. A page is only ever found
// under the very same values, so that nobody meets another person's page, an
// older revision, or an earlier minute.
type pageKey struct {
	slug     string
	revision int64
	query    string
	minute   int64
	// reader stands for everything in the frame that is the reader's own.
	reader [sha256.Size]byte
}

// readerOf condenses who is asking: the person, the session's form token and the
// stores in the switcher. Quotes keep two lists from looking alike.
func readerOf(c *call) [sha256.Size]byte {
	p := c.visit.Person
	b := fmt.Appendf(nil, "%d %q %q %q", p.ID, p.Name, p.Role, c.csrf)
	for _, s := range c.visit.Stores {
		b = fmt.Appendf(b, " %q %q %q", s.Slug, s.Name, s.Currency)
	}
	return sha256.Sum256(b)
}

// pageCache keeps this minute's pages. It answers no question of rights: whoever
// asks it has read the grants and the store's revision from the database first.
// Older minutes are dropped whole, as is everything when the room is used up:
// what a miss costs is one rendering.
type pageCache struct {
	mu     sync.Mutex
	limit  int
	used   int
	minute int64
	pages  map[pageKey]*document
}

func newPageCache(limit int) *pageCache {
	return &pageCache{limit: limit, pages: map[pageKey]*document{}}
}

func (c *pageCache) get(k pageKey) *document {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pages[k]
}

func (c *pageCache) put(k pageKey, d *document) {
	if d.size() > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.pages[k]; ok || k.minute < c.minute {
		return
	}
	if k.minute > c.minute || c.used+d.size() > c.limit {
		clear(c.pages)
		c.used, c.minute = 0, k.minute
	}
	c.pages[k] = d
	c.used += d.size()
}
