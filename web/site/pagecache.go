package site

import (
	"bytes"
	"sync"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
)

// pageBytes is the default memory for cached pages.
const pageBytes = 64 << 20

// PageKey is everything that a cached page depends on. A page is only found under exactly the
// same values, so nobody gets another store's page, an older revision, or an earlier minute.
// The reader isn't part of it: see StorePage.
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
	// pulls: the page is for those who may refresh from the services.
	pulls bool
	// branding is its revision: it is in a page's head, too.
	branding int64
	// alerts names the open ones that the reader didn't snooze: "Do next" shows them.
	alerts int64
}

// KeptPage is a page without its reader's own parts, and its tag. Hashing every reader's whole
// page would cost as much as the compression.
type KeptPage struct {
	// Before is what comes before the reader's header; After are the pieces after it, with a
	// token between any two.
	Before []byte
	After  [][]byte
	etag   string
}

// size is how much memory the page takes.
func (k *KeptPage) size() int {
	n := len(k.Before)
	for _, piece := range k.After {
		n += len(piece)
	}
	return n
}

// keep splits a rendered page; false if it has no place for a header.
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

// PageCache caches this minute's pages. It doesn't check rights: callers have read the grants
// and the store's revision from the database first. Older minutes are dropped as a whole, as is
// everything once the memory is used up: a miss costs just one rendering.
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
