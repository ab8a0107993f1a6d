// Package site is what every part of the site shares: a request and its principal, sessions,
// the page base, forms, errors, files and the page cache. It has no address of its own.
package site

import (
	"cmp"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/db"
)

// Site is what every part of the site shares.
type Site struct {
	DB           *db.DB
	Access       *access.Access
	Audit        *audit.Log
	Limits       *limit.Limits
	Shares       *sharing.Links
	Tokens       *apitoken.Tokens
	SignIn       *signin.Service
	SessionStore *session.Store
	// Passwords hashes all passwords, so that few are hashed at once.
	Passwords *password.Hasher
	Base      *url.URL
	Log       *slog.Logger
	Now       func() time.Time
	Mail      Mailer
	Sessions  *scs.SessionManager
	// asset is the address of a built file by its plain name.
	asset func(name string) string
	Cache *PageCache
	Queue Queue
	// mayConnect: stores can be connected and changed here.
	mayConnect bool
	// Brand is the branding read last.
	Brand atomic.Pointer[Brand]
	// Background is work that continues after answers.
	Background sync.WaitGroup
}

// Config is what a site needs; its fields mean what those of web.Config do.
type Config struct {
	DB         *db.DB
	Sealer     *seal.Sealer
	BaseURL    *url.URL
	Log        *slog.Logger
	Now        func() time.Time
	Asset      func(name string) string
	PageBytes  int
	Mail       Mailer
	Queue      Queue
	MayConnect bool
}

// New makes the site that all parts share.
func New(c Config) *Site {
	s := &Site{
		DB: c.DB, Passwords: password.NewHasher(), Base: c.BaseURL, Log: c.Log, Now: c.Now, Mail: c.Mail, asset: c.Asset, Queue: c.Queue,
		mayConnect: c.MayConnect, Cache: NewPageCache(cmp.Or(c.PageBytes, pageBytes)),
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	s.Access, s.SignIn = access.New(s.DB, s.Now), signin.New(s.DB, s.Now, c.Sealer, s.Passwords)
	s.Shares, s.Tokens = sharing.New(s.DB, s.Now, s.Passwords), apitoken.New(s.DB, s.Now)
	s.SessionStore = session.New(s.DB, s.Now)
	s.Audit, s.Limits = audit.New(s.DB, s.Now), limit.New(s.DB, s.Now)
	s.Brand.Store(&Brand{})
	s.Sessions = s.newSessions()
	return s
}
