package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/settings"
)

type sandboxCommand struct {
	Listen string `default:"127.0.0.1:8081" help:"Address to listen on."`
	Prefix string `placeholder:"/PATH" help:"Path in front of both services."`
	Seed   uint64 `default:"1" help:"Seed of the made-up world: the same seed gives the same orders."`
	Limit  int    `default:"60" help:"Calls a minute that a token may make; 0 is no limit."`
	Log    string `placeholder:"FILE" help:"Append one JSON line per request to this file; - is standard error."`
	Since  string `placeholder:"YYYY-MM-DD" help:"First day of the world."`

	LateOrders bool     `help:"Some orders reach their day one to three days later, so past days change."`
	MovingRows bool     `help:"Rows of the offer lists move between pages while someone reads them."`
	Clamp      bool     `name:"clamp-windows" help:"Cut a window of more than 90 days to its last 90 instead of refusing it."`
	FewHandles bool     `name:"refuse-many-handles" help:"Refuse a product check of more than 50 handles instead of cutting it."`
	Do         []string `sep:"none" placeholder:"STORE:SERVICE:WHAT[:PATH]" help:"Start with this done to a store, such as fernhollow:gift:uninstall or fernhollow:upsell:limited:/data/offers; may be repeated. GET of the control address lists what can be done."`
	Control    string   `placeholder:"ADDRESS" help:"Address that takes the same as JSON while the sandbox runs. Anyone who can reach it controls the sandbox."`
	moreStores
}

// moreStores are made-up stores besides the usual four, on request.
type moreStores struct {
	Hostile bool `help:"Add the store grim, whose every text is hostile: markup, scripts, formulas, right-to-left, 300 characters."`
	Vast    bool `help:"Add the store penrose, which has over 1,800 offers and 130 campaigns: more than the services' lists show."`
}

// Run serves until a signal stops it.
func (c sandboxCommand) Run(ctx context.Context, p *cli.Program) error {
	var listen settings.ListenAddress
	if err := listen.UnmarshalText([]byte(c.Listen)); err != nil {
		return cli.Usagef("--listen %q: %s", c.Listen, err)
	}
	if c.Prefix != "" && (!strings.HasPrefix(c.Prefix, "/") || strings.ContainsAny(c.Prefix, "?#% ")) {
		return cli.Usagef("--prefix %q is not a path: write it as /some/path", c.Prefix)
	}
	if c.Limit < 0 {
		return cli.Usagef("--limit %d is below 0: write a number of calls a minute, or 0 for no limit", c.Limit)
	}
	var since civil.Date
	if c.Since != "" {
		var err error
		if since, err = civil.ParseDate(c.Since); err != nil {
			return cli.Usagef("--since %q is not a date: write YYYY-MM-DD, such as 2025-07-01", c.Since)
		}
	}
	log, err := c.openLog(p)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	world := sandbox.New(sandbox.Config{
		Seed: c.Seed, Limit: c.Limit, Prefix: c.Prefix, Log: log, Since: since, Hostile: c.Hostile, Vast: c.Vast,
		LateOrders: c.LateOrders, Shuffle: c.MovingRows, Clamp: c.Clamp, FewHandles: c.FewHandles,
	})
	for _, order := range c.Do {
		if err := world.Do(deedIn(order)); err != nil {
			return cli.Usagef("--do %q: %s", order, err)
		}
	}
	l, err := app.ListenOn("sandbox", "--listen", string(listen))
	if err != nil {
		return err
	}
	var control net.Listener
	if c.Control != "" {
		var at settings.ListenAddress
		if err := at.UnmarshalText([]byte(c.Control)); err != nil {
			return cli.Usagef("--control %q: %s", c.Control, err)
		}
		if control, err = app.ListenOn("sandbox control", "--control", string(at)); err != nil {
			return err
		}
	}
	describeSandbox(p, world, l.Addr(), c.Limit)
	r := app.NewRunning(slog.New(slog.DiscardHandler))
	r.Serve("sandbox", l, &http.Server{Handler: world, ReadHeaderTimeout: 5 * time.Second})
	if control != nil {
		p.Printf("\nControl at %s: GET lists what can be done, POST does it.\n", reachable(control.Addr()))
		r.Serve("sandbox control", control, &http.Server{Handler: world.Control(), ReadHeaderTimeout: 5 * time.Second})
	}
	return r.Wait(ctx)
}

// deedIn reads STORE:SERVICE:WHAT and an optional path. Missing parts are empty, which
// matches no store, service or action.
func deedIn(text string) sandbox.Order {
	parts := append(strings.SplitN(text, ":", 4), "", "", "")
	o := sandbox.Order{Store: parts[0], Service: sandbox.Service(parts[1]), Do: parts[2]}
	if len(parts) > 6 {
		o.Path = parts[3]
	}
	return o
}

func (c sandboxCommand) openLog(p *cli.Program) (io.WriteCloser, error) {
	switch c.Log {
	case "":
		return keptOpen{io.Discard}, nil
	case "-":
		return keptOpen{p.Stderr}, nil
	}
	f, err := os.OpenFile(c.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, cli.Usagef("--log %q can't be written: %s", c.Log, upstream.Cause(err))
	}
	return f, nil
}

// keptOpen is a writer that we don't own and must not close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// describeSandbox prints what a client needs: base URLs and tokens. The tokens only work for
// made-up stores, so they aren't secret.
func describeSandbox(p *cli.Program, world *sandbox.Server, at net.Addr, limit int) {
	base := reachable(at)
	speed := "no limit"
	if limit > 0 {
		speed = fmt.Sprintf("%d calls a minute and token", limit)
	}
	p.Printf("Sandbox at %s, %s.\n", base, speed)
	for _, s := range world.Stores() {
		p.Printf("\n%s (%s, %s, %s)\n", s.Slug, s.Name, s.Currency, s.Timezone)
		p.Printf("  --upsell-url %s  STORE_UPSELL_TOKEN=%s\n", base+s.UpsellPath, s.UpsellToken)
		p.Printf("  --gift-url   %s  STORE_GIFT_TOKEN=%s\n", base+s.GiftPath, s.GiftKey)
		p.Printf("  a gift key that may write %s, one that may delete too %s\n", s.GiftWriteKey, s.GiftDeleteKey)
	}
}

// reachable is the URL at which this machine reaches a listener.
func reachable(at net.Addr) string {
	return settings.ListenAddress(at.String()).Local().String()
}
