// Package site is what every part of the site shares: a request with what is known about
// whoever asks, sessions, the page base, forms, errors, files and the page cache. It has no
// address of its own.
package web

import (
	"cmp"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
)

// Site is what every part of the site shares.
type Site struct {
	db       *db.DB
	access   *access.Access
	base     *url.URL
	log      *slog.Logger
	now      func() time.Time
	mail     Mailer
	sessions *scs.SessionManager
	// asset is the address of a built file by its plain name.
	asset func(name string) string
	cache *pageCache
	queue Queue
	// mayConnect: stores can be connected and changed here.
	mayConnect bool
	// brand is the branding that was read last.
	brand atomic.Pointer[shownBrand]
	// background is what goes on after answers.
	background sync.WaitGroup
}

// siteConfig is what a site needs; its fields are those of web.Config.
type siteConfig struct {
	DB         *db.DB
	Access     *access.Access
	BaseURL    *url.URL
	Log        *slog.Logger
	Now        func() time.Time
	Asset      func(name string) string
	PageBytes  int
	Mail       Mailer
	Queue      Queue
	MayConnect bool
}

func newSite(c siteConfig) *Site {
	s := &Site{
		db: c.DB, access: c.Access, base: c.BaseURL, log: c.Log, now: c.Now, mail: c.Mail, asset: c.Asset, queue: c.Queue,
		mayConnect: c.MayConnect, cache: newPageCache(cmp.Or(c.PageBytes, pageBytes)),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.brand.Store(&shownBrand{})
	s.sessions = s.newSessions()
	return s
}
