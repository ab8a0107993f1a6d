package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/settings"
)

type demoCommand struct {
	Listen        string `default:"127.0.0.1:8080" help:"Address of the pages. If the default port is taken, another free one is used."`
	SandboxListen string `name:"sandbox-listen" default:"127.0.0.1:8081" help:"Address of the made-up services, in the same way."`
	Limit         int    `default:"6000" help:"Calls a minute that each made-up token may make; the real services allow 60."`
	moreStores
}

// The demo's made-up world is always the same, so that stored data is still right when it
// is started again.
const demoSeed = 1

// Run starts everything in one process. The worker reaches the sandbox over HTTP
// only, like any other upstream.
func (c demoCommand) Run(ctx context.Context, p *cli.Program) error {
	begun := time.Now()
	s, err := c.settings(p)
	if err != nil {
		return err
	}
	log := p.QuietLog(s)
	a, err := app.Open(ctx, s, log, app.SchemaUp)
	if err != nil {
		return words.Interrupted(ctx, err)
	}
	defer a.Close()
	if a.Server.Attached() { // we would connect its stores to our sandbox
		return fmt.Errorf("another dashboard uses the data in %s: stop it first, or choose another place with DASHBOARD_DATA_DIR", s.DataDir)
	}
	r := app.NewRunning(log)
	defer r.Stop()
	a.Watch(r)

	world, base, err := c.startSandbox(p, r)
	if err != nil {
		return err
	}
	stores, err := connectDemo(ctx, a, world, base)
	if err != nil {
		return words.Interrupted(ctx, err)
	}
	l, err := listenNear("pages", "--listen", c.Listen, c.Listen == defaultListen)
	if err != nil {
		return err
	}
	a.Version, a.Gallery = programVersion(), true
	if err := a.StartWeb(ctx, r, l); err != nil {
		return err
	}
	if err := a.StartJobs(ctx, r); err != nil {
		return err
	}
	link, err := demoLink(ctx, a)
	if err != nil {
		return words.Interrupted(ctx, err)
	}
	p.Printf("Storeglass is at %s\n\nSign in, once, with this link:\n  %s\n\n", a.Settings.BaseURL, link)
	go func() {
		if err := awaitFirstPages(ctx, a, stores); err == nil {
			p.Printf("Every store has its first page of data, %s after the start. Ctrl-C stops the demo; its data stays.\n", since(begun))
		}
	}()
	return r.Wait(ctx)
}

// settings are the environment's, except where the demo has to differ.
func (c demoCommand) settings(p *cli.Program) (settings.Settings, error) {
	if c.Limit < 1 || c.Limit > settings.MaxRateLimit {
		return settings.Settings{}, cli.Usagef("--limit %d is out of range: write 1 to %d", c.Limit, settings.MaxRateLimit)
	}
	for _, address := range []string{c.Listen, c.SandboxListen} {
		if err := new(settings.ListenAddress).UnmarshalText([]byte(address)); err != nil {
			return settings.Settings{}, cli.Usagef("%q: %s", address, err)
		}
	}
	s, err := p.Settings(settings.NeedsNothing)
	if err != nil {
		return settings.Settings{}, err
	}
	set := settings.Present(p.Env)
	if set["DATABASE_URL"] != "" {
		p.Notef("DATABASE_URL is not used: the demo keeps its made-up stores in a database of its own.\n")
		s.DatabaseURL = ""
	}
	if set["DASHBOARD_DATA_DIR"] == "" {
		dir, err := os.Getwd()
		if err != nil {
			return settings.Settings{}, fmt.Errorf("find the current directory: %w", err)
		}
		var why string
		if s.DataDir, why = settings.DemoDataDir(dir); why != "" {
			p.Printf("%s\n", why)
		}
	}
	s.Listen, s.RateLimit = settings.ListenAddress(c.Listen), settings.CallsAMinute(c.Limit)
	s.SecretKey = nil // always use the key next to the data: another couldn't decrypt it
	allow, err := upstream.ParseAllow("127.0.0.1 " + set["DASHBOARD_UPSTREAM_ALLOW"])
	s.UpstreamAllow = settings.AllowedHosts{AllowList: allow}
	return s, err
}

// startSandbox serves the made-up world on its own listener.
func (c demoCommand) startSandbox(p *cli.Program, r *app.Running) (*sandbox.Server, string, error) {
	l, err := listenNear("sandbox", "--sandbox-listen", c.SandboxListen, c.SandboxListen == defaultSandboxListen)
	if err != nil {
		return nil, "", err
	}
	world := sandbox.New(sandbox.Config{Seed: demoSeed, Limit: c.Limit, Hostile: c.Hostile, Vast: c.Vast})
	r.Serve("sandbox", l, &http.Server{Handler: world, ReadHeaderTimeout: 5 * time.Second})
	base := reachable(l.Addr())
	p.Printf("Made-up services are at %s. The demo raised their limit from 60 to %d calls a minute, so that history fills up at once.\n", base, c.Limit)
	return world, base, nil
}

// Defaults of the flags above.
const (
	defaultListen        = "127.0.0.1:8080"
	defaultSandboxListen = "127.0.0.1:8081"
)

// listenNear listens on address. If the port is taken and mayMove is set, it uses the next
// free one of a few, so that addresses mostly stay the same.
func listenNear(what, setting, address string, mayMove bool) (net.Listener, error) {
	l, err := app.ListenOn(what, setting, address)
	if err == nil || !mayMove {
		return l, err
	}
	host, port, _ := net.SplitHostPort(address)
	first, _ := net.LookupPort("tcp", port)
	for next := first + 10; next <= first+100; next += 10 {
		if l, err := net.Listen("tcp", fmt.Sprintf("%s:%d", host, next)); err == nil {
			return l, nil
		}
	}
	return nil, err
}

// since is the time passed, in tenths of a second.
func since(t time.Time) string { return fmt.Sprintf("%.1f s", time.Since(t).Seconds()) }
