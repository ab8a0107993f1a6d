package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/settings"
	"github.com/storeglass/storeglass/internal/storeadmin"
	storesync "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web"
)

type serveCommand struct {
	Role string `enum:"all,web,worker" default:"all" help:"all, web (pages and JSON API only) or worker (pulls only; run as many as you like)."`
}

// Run serves until it is told to stop, then drains.
func (c serveCommand) Run(ctx context.Context, p *Program) error {
	s, err := p.settings(settings.NeedsKey)
	if err != nil {
		return err
	}
	log := s.Log.Logger(p.Stderr, slog.LevelDebug)
	h, err := open(ctx, s, log, schemaUp)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer h.close()
	r := newRunning(log)
	defer r.stop() // what was started before something else could not be
	h.watch(r)
	if s.MetricsListen != "" {
		at, err := r.serveMetrics(string(s.MetricsListen))
		if err != nil {
			return err
		}
		p.printf("Metrics are at %s/metrics\n", at)
	}
	var l net.Listener
	if c.Role != "worker" { // before the worker: a taken port should start nothing
		if l, err = listenOn("pages", "DASHBOARD_LISTEN", string(s.Listen)); err != nil {
			return err
		}
	}
	if l != nil {
		if err := h.startWeb(ctx, r, l); err != nil {
			return err
		}
		link, err := h.setUpLink(ctx)
		if err != nil {
			return interrupted(ctx, err)
		}
		p.printf("Storeglass is at %s\n", h.settings.BaseURL)
		if link != "" {
			p.printf("Nobody has an account yet. Create the first one at %s\n", link)
		}
	}
	if c.Role != "web" {
		if err := h.startJobs(ctx, r); err != nil {
			return err
		}
	}
	log.Info("started", "role", c.Role, "version", programVersion())
	err = r.wait(ctx)
	log.Info("stopped")
	return err
}

// startWeb serves pages and JSON API on l. Where no base address is set, it is
// the one that l has.
func (h *house) startWeb(ctx context.Context, r *running, l net.Listener) (err error) {
	defer func() {
		if err != nil {
			_ = l.Close()
		}
	}()
	if !web.Assets().Built() {
		h.log.Error("the pages will have no styles: this program was built without its front end; build it again with `make build`, which needs Node")
	}
	if h.pages, err = h.openAs(ctx, db.Pages); err != nil {
		return interrupted(ctx, err)
	}
	if h.settings.BaseURL.URL == nil {
		h.settings.BaseURL.URL = settings.ListenAddress(l.Addr().String()).Local()
		if !loopback(l.Addr()) {
			h.log.Warn("DASHBOARD_BASE_URL is not set: links will only work on this machine", "links", h.settings.BaseURL)
		}
	}
	var (
		products web.ServiceCaller
		stores   web.StoreKeeper
		alerts   web.AlertKeeper
	)
	if sync, done, err := h.syncer(); err != nil { // pages need no tokens
		h.log.Warn("products can't be checked and stores not connected from the pages", "error", err)
	} else {
		r.started("calls for people", func(context.Context) error { done(); return nil })
		products = productChecks{sync}
		stores = storeadmin.New(storeadmin.Config{Sync: sync, DB: h.db, Access: h.access, Pages: h.pages})
	}
	var mails web.Mailer
	if out, err := h.outbox(); err != nil {
		return err
	} else if out != nil {
		mails = mailer{out.Send, h.db}
	}
	sealer, err := h.settings.Sealer()
	if err != nil {
		return err
	}
	mailroom, err := h.mailroom()
	if err != nil {
		return err
	}
	if sealer != nil {
		alerts = &alert.Desk{
			DB: h.db, Access: h.access, Pages: h.pages, Sealer: sealer, Base: h.base(), Now: time.Now,
			Hooks: alert.NewHooks(upstream.Options{Allow: h.settings.ChannelAllow.AllowList}),
		}
	}
	var room func() error
	if h.server != nil {
		room = h.server.Room
	}
	server, err := web.New(web.Config{
		Room:     room,
		Products: products, Stores: stores, Alerts: alerts, Mail: mails,
		Offboarder:   &storeadmin.Offboarder{Access: h.access, DB: h.db, Pages: h.pages},
		Mailroom:     mailroom,
		Queue:        storesync.Queue{DB: h.pages, Jobs: h.db},
		BounceSecret: string(h.settings.BounceSecret),
		SSO:          h.sso(),
		DB:           h.pages, Access: access.New(h.pages, nil, access.WithSealer(sealer)), BaseURL: h.settings.BaseURL.URL, Log: h.log,
		SecurityContact: string(h.settings.Contact), Gallery: h.gallery,
		Version: programVersion(), TrustedProxies: []netip.Prefix(h.settings.TrustedProxies),
	})
	if err != nil {
		return err
	}
	r.started("mails", server.Settle) // of the last requests
	pages := server.HTTPServer(l.Addr().String())
	r.serve("pages", l, pages)
	r.drains(func() {
		server.Leave()
		pages.SetKeepAlivesEnabled(false)
	}, time.Duration(h.settings.Drain))
	return nil
}

// setUpLink is where to create the first account; "" once there is one.
func (h *house) setUpLink(ctx context.Context) (string, error) {
	sealer, err := h.settings.Sealer()
	if err != nil {
		return "", err
	}
	secret, err := access.New(h.db, nil, access.WithSealer(sealer)).SetUpSecret(ctx)
	if err != nil || secret == "" {
		return "", err
	}
	return web.SetUpLink(h.base(), secret), nil
}

func loopback(at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// watch ends the command when an own database server is gone for good.
func (h *house) watch(r *running) {
	if h.server == nil {
		return
	}
	go func() {
		<-h.server.Done()
		if err := h.server.Err(); err != nil {
			r.fail(err)
		}
	}()
}

// serveMetrics serves /metrics on a port of its own, which need not be public.
func (r *running) serveMetrics(address string) (at string, err error) {
	l, err := listenOn("metrics", "DASHBOARD_METRICS_LISTEN", address)
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.Handler())
	r.serve("metrics", l, &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second})
	return reachable(l.Addr()), nil
}
