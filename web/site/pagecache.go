package site

import (
	"bytes"
	"sync"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
)

// pageBytes is the usual room for pages that are kept in memory.
const pageBytes = 64 << 20

// PageKey is everything that a kept page is made from. A page is only ever found
// under the very same values, so nobody meets another store's page, an older
// revision, or an earlier minute. No reader is among them: see storePage.
type PageKey struct {
	Store       db.ScopedStore
	Path, Query string
	Minute      int64
	locale      locale.Locale
	// link is the share link that is read; 0 for people who are signed in.
	link int64
	// keeps: the page is for those who may connect services.
	keeps bool
	// writes: the page is for those who may write notes.
	writes bool
	// charts: the page holds what its charts are drawn from.
	charts bool
	// pulls: the page is for those who may have the services asked.
	pulls bool
	// branding is its revision: it is in a page's head too.
	branding int64
	// alerts names the open ones that the reader didn't snooze: "Do next" shows them.
	alerts int64
}

// KeptPage is a page without what is its reader's own, and its name. A name for each
// reader's whole page would cost as much as the compression.
type KeptPage struct {
	// Before is what comes before the reader's header; After are the pieces behind it, a token
	// between two.
	Before []byte
	After  [][]byte
	etag   string
}

// size is what the page costs the cache.
func (k *KeptPage) size() int {
	n := len(k.Before)
	for _, piece := range k.After {
		n += len(piece)
	}
	return n
}

// keep takes a rendered page apart; false without a place for a header.
func keep(body []byte) (*KeptPage, bool) {
	before, after, found := bytes.Cut(body, []byte(components.Seam))
	return &KeptPage{before, bytes.Split(after, []byte(components.TokenSeam)), etagOf(body)}, found
}

// with is the page with its reader's header and token.
func (k *KeptPage) with(header, token []byte) []byte {
	out := make([]byte, 0, k.size()+len(header)+len(k.After)*len(token))
	out = append(append(out, k.Before...), header...)
	for i, piece := range k.After {
		if i > 0 {
			out = append(out, token...)
		}
		out = append(out, piece...)
	}
	return out
}

// PageCache keeps this minute's pages. It answers no question of rights: anyone who
// asks it has read the grants and the store's revision from the database first.
// Older minutes are dropped whole, as is everything when the room is used up:
// what a miss costs is one rendering.
type PageCache struct {
	mu     sync.Mutex
	limit  int
	Used   int
	minute int64
	Pages  map[PageKey]*KeptPage
}

func NewPageCache(limit int) *PageCache {
	return &PageCache{limit: limit, Pages: map[PageKey]*KeptPage{}}
}

func (c *PageCache) Get(k PageKey) *KeptPage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Pages[k]
}

func (c *PageCache) Put(k PageKey, p *KeptPage) {
	if p.size() > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.Pages[k]; ok || k.Minute < c.minute {
		return
	}
	if k.Minute > c.minute || c.Used+p.size() > c.limit {
		clear(c.Pages)
		c.Used, c.minute = 0, k.Minute
	}
	c.Pages[k] = p
	c.Used += p.size()
}
