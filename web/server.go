package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web/account"
	"github.com/storeglass/storeglass/web/admin"
	"github.com/storeglass/storeglass/web/alerts"
	"github.com/storeglass/storeglass/web/api"
	"github.com/storeglass/storeglass/web/find"
	"github.com/storeglass/storeglass/web/live"
	"github.com/storeglass/storeglass/web/mails"
	"github.com/storeglass/storeglass/web/notes"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/share"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/stores"
)

// Config is what a server needs; DB and BaseURL must be set.
type Config struct {
	DB *db.DB
	// Sealer encrypts people's secrets; without it nobody can use an authenticator app.
	Sealer *seal.Sealer
	// BaseURL is the address people use. With https, cookies are Secure and
	// browsers are told to stay on https.
	BaseURL *url.URL
	// Log receives one line per request; nil discards them.
	Log *slog.Logger
	// Now is the clock; nil means the machine's.
	Now func() time.Time
	// Version is the program's, as the JSON API's description names it.
	Version string
	// PageBytes is the memory for cached pages; 0 means 64 MiB, and a negative value caches
	// none.
	PageBytes int
	// SecurityContact is where to report a vulnerability, as a URI; empty publishes none.
	SecurityContact string
	// Gallery serves the pages' made-up states: for the demo and for tests.
	Gallery bool
	// Products answers product checks and recommendations; if nil, they are refused.
	Products reports.ServiceCaller
	// SSO is the single sign-on; nil if there is none.
	SSO *sso.Provider
	// Mail sends mails; nil if none can be sent.
	Mail site.Mailer
	// Subscriptions makes subscriptions and shows mails; if nil, that is refused.
	Subscriptions mails.SubscriptionService
	// BounceSecret enables the address that takes bounced mails; empty disables it.
	BounceSecret string
	// Alerts changes the channels of alerts; if nil, that is refused.
	Alerts alerts.ChannelService
	// Queue estimates when a store's numbers will be complete; nil estimates nothing.
	Queue site.Queue
	// Stores connects, changes and removes stores; if nil, that is refused.
	Stores stores.Admin
	// Offboarder lists and ends people's access; if nil, that is refused.
	Offboarder admin.Offboarder
	// Room returns an error while the disk of an embedded database is full; nil skips the
	// check.
	Room func() error
	// TrustedProxies are the networks whose X-Forwarded-For is believed. If empty, the client
	// is the address that connected.
	TrustedProxies []netip.Prefix
}

// Server answers pages, files, actions and the JSON API.
type Server struct {
	*site.Site
	// Parts are the parts of the site; their routes are mounted here.
	Parts Parts
	// leaving: the server is about to stop.
	leaving atomic.Bool
	Echo    *echo.Echo
	origins *http.CrossOriginProtection
	Schema  SchemaCheck
	Room    func() error
	Contact string
	// WithGallery: the routes include the gallery.
	WithGallery bool
	// admission is who may ask for each path of the route table.
	admission map[string]site.Admits
	headers   http.Header
	// Trusted are the proxies that we believe; warned is for the warning about a wrong one.
	Trusted []netip.Prefix
	warned  sync.Once
}

// Parts are the parts of the site.
type Parts struct {
	API     *api.Handlers
	Account *account.Handlers
	Admin   *admin.Handlers
	Stores  *stores.Handlers
	Reports *reports.Handlers
	Share   *share.Handlers
	Mails   *mails.Handlers
	Alerts  *alerts.Handlers
	Live    *live.Handlers
	Notes   *notes.Handlers
	Find    *find.Handlers
}

func New(c Config) (*Server, error) {
	if c.DB == nil || c.BaseURL == nil {
		return nil, errors.New("web: DB and BaseURL must be set")
	}
	if (c.BaseURL.Scheme != "http" && c.BaseURL.Scheme != "https") || c.BaseURL.Host == "" {
		return nil, fmt.Errorf("web: base address %q is not http or https with a host", c.BaseURL)
	}
	if c.BaseURL.Path != "" && c.BaseURL.Path != "/" {
		return nil, fmt.Errorf("web: base address %q has a path; serve Storeglass at the root of a host", c.BaseURL)
	}
	at := site.New(site.Config{
		DB: c.DB, Sealer: c.Sealer, BaseURL: c.BaseURL, Log: c.Log, Now: c.Now, Asset: Path,
		PageBytes: c.PageBytes, Mail: c.Mail, Queue: c.Queue, MayConnect: c.Stores != nil,
	})
	s := &Server{
		Site: at, Contact: c.SecurityContact, WithGallery: c.Gallery, Room: c.Room,
		Echo: echo.New(), origins: http.NewCrossOriginProtection(), admission: map[string]site.Admits{},
	}
	reports, live := reports.New(at, c.Products), live.New(at)
	s.Parts = Parts{
		Reports: reports, API: api.New(at, reports, c.Version), Account: account.New(at, c.SSO), Admin: admin.New(at, c.Offboarder),
		Stores: stores.New(at, c.Stores), Share: share.New(at, reports, live), Mails: mails.New(at, c.Subscriptions, c.BounceSecret), Alerts: alerts.New(at, c.Alerts), Live: live,
		Notes: notes.New(at), Find: find.New(at),
	}
	if err := s.origins.AddTrustedOrigin(c.BaseURL.Scheme + "://" + c.BaseURL.Host); err != nil {
		return nil, fmt.Errorf("web: base address: %w", err)
	}
	// Mail programs may post from any site to end subscriptions: the secret in the address is
	// enough.
	s.origins.AddInsecureBypassPattern("POST " + site.UnsubscribePath + "{token}")
	s.headers = s.securityHeaders()
	s.Echo.IPExtractor, s.Trusted = IPExtractor(c.TrustedProxies), c.TrustedProxies
	s.Echo.HTTPErrorHandler = func(err error, c echo.Context) { s.fail(site.AsCall(c), err) }
	s.Echo.Pre(withoutEndingSlash)
	s.Echo.Use(s.observe, s.guard, s.admit)
	if err := s.Mount(s.Routes()); err != nil {
		return nil, err
	}
	return s, nil
}

// Handler returns the handler for every request.
func (s *Server) Handler() http.Handler { return s.Echo }

// HTTPServer is a server for addr with timeouts on every step; the caller
// listens, and shuts it down.
func (s *Server) HTTPServer(addr string) *http.Server {
	srv := &http.Server{
		Addr:              addr,
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// Our handler also answers "OPTIONS *", with our headers.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	srv.RegisterOnShutdown(s.Parts.Live.Close)
	return srv
}
