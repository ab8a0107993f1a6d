package app

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/settings"
	"github.com/storeglass/storeglass/internal/storeadmin"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web"
	"github.com/storeglass/storeglass/web/alerts"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/stores"
)

// CollectSeldom has garbage collected less often, within the memory of a small machine: a page
// makes much and keeps nothing, and a quarter of its time went there. GOGC and GOMEMLIMIT, where
// they are set, decide instead.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(384 << 20)
	}
}

// StartWeb serves pages and JSON API on l. Where no base address is set, it is
// the one that l has.
func (a *App) StartWeb(ctx context.Context, r *Running, l net.Listener) (err error) {
	CollectSeldom()
	defer func() {
		if err != nil {
			_ = l.Close()
		}
	}()
	if !web.Assets().Built() {
		a.Log.Error("the pages will have no styles: this program was built without its front end; build it again with `make build`, which needs Node")
	}
	if a.Pages, err = a.openAs(ctx, db.Pages, db.WithIdle(2)); err != nil {
		return words.Interrupted(ctx, err)
	}
	if a.Settings.BaseURL.URL == nil {
		a.Settings.BaseURL.URL = settings.ListenAddress(l.Addr().String()).Local()
		if !loopback(l.Addr()) {
			a.Log.Warn("DASHBOARD_BASE_URL is not set: links will only work on this machine", "links", a.Settings.BaseURL)
		}
	}
	var (
		products reports.ServiceCaller
		stores   stores.Admin
		alerts   alerts.ChannelService
	)
	if sync, done, err := a.Syncer(); err != nil { // pages need no tokens
		a.Log.Warn("products can't be checked and stores not connected from the pages", "error", err)
	} else {
		r.Started("calls for people", func(context.Context) error { done(); return nil })
		products = sync
		stores = storeadmin.New(storeadmin.Config{Sync: sync, DB: a.DB, Access: a.Access, Audit: a.Audit, Limits: limit.New(a.DB, time.Now), Pages: a.Pages, MadeUp: a.madeUp.shops()})
	}
	var mails site.Mailer
	if out, err := a.Outbox(); err != nil {
		return err
	} else if out != nil {
		mails = mailer{out.Send, a.DB}
	}
	sealer, err := a.Settings.Sealer()
	if err != nil {
		return err
	}
	subscriptions, err := a.Subscriptions()
	if err != nil {
		return err
	}
	if sealer != nil {
		alerts = &alert.ChannelService{
			DB: a.DB, Audit: a.Audit, Pages: a.Pages, Sealer: sealer, Base: a.Base(), Now: time.Now,
			Hooks: alert.NewHooks(upstream.Options{Allow: a.Settings.ChannelAllow.AllowList}),
		}
	}
	var room func() error
	if a.Server != nil {
		room = a.Server.Room
	}
	server, err := web.New(web.Config{
		Room:     room,
		Products: products, Stores: stores, Alerts: alerts, Mail: mails,
		Offboarder:    &storeadmin.Offboarder{Access: a.Access, DB: a.DB, Pages: a.Pages},
		Subscriptions: subscriptions,
		Queue:         pulls.Queue{DB: a.Pages, Jobs: a.DB},
		BounceSecret:  string(a.Settings.BounceSecret),
		SSO:           a.SSO(),
		DB:            a.Pages, Sealer: sealer, BaseURL: a.Settings.BaseURL.URL, Log: a.Log,
		SecurityContact: string(a.Settings.Contact), Gallery: a.Gallery,
		Version: a.Version, TrustedProxies: []netip.Prefix(a.Settings.TrustedProxies),
	})
	if err != nil {
		return err
	}
	r.Started("mails", server.Wait) // of the last requests
	pages := server.HTTPServer(l.Addr().String())
	r.Serve("pages", l, pages)
	r.Drains(func() {
		server.Leave()
		pages.SetKeepAlivesEnabled(false)
	}, time.Duration(a.Settings.Drain))
	return nil
}

// SetUpCode is what creates the first account, and the link that brings it along; both are
// "" once there is one.
func (a *App) SetUpCode(ctx context.Context) (code, link string, err error) {
	sealer, err := a.Settings.Sealer()
	if err != nil {
		return "", "", err
	}
	code, err = signin.New(a.DB, time.Now, sealer, nil).SetUpCode(ctx)
	if err != nil || code == "" {
		return "", "", err
	}
	return code, site.SetUpLink(a.Base(), code), nil
}

func loopback(at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Watch ends the command when our own database server has stopped and won't come back.
func (a *App) Watch(r *Running) {
	if a.Server == nil {
		return
	}
	go func() {
		<-a.Server.Done()
		if err := a.Server.Err(); err != nil {
			r.Fail(err)
		}
	}()
}

// ServeMetrics serves /metrics on a port of its own, which need not be public.
func (r *Running) ServeMetrics(address string) (at string, err error) {
	l, err := ListenOn("metrics", "DASHBOARD_METRICS_LISTEN", address)
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.Handler())
	r.Serve("metrics", l, &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second})
	return settings.ListenAddress(l.Addr().String()).Local().String(), nil
}
