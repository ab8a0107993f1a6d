package gift

import (
	"context"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

type endpoints struct {
	ofStore
	JSON bool `name:"json" help:"Print the list as the service sent it."`
}

// Run lists what the service offers and what this program knows.
func (c endpoints) Run(ctx context.Context, p *cli.Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		got, err := client.Endpoints(ctx)
		if err != nil {
			return err
		}
		list := got.Data.List()
		if c.JSON || len(list) == 0 {
			return printAsSent(p, got.Data.Raw, c.JSON)
		}
		d := gift.Compare(list, nil)
		w := p.Table("METHOD", "PATH", "ACCESS", "KNOWN HERE", "DOES")
		row := func(e gift.Endpoint, known string) {
			w.Row(e.Method, e.Path, e.Access, known, e.Does)
		}
		for _, e := range list {
			known := "yes"
			if slices.ContainsFunc(d.New, func(n gift.Endpoint) bool { return n.Method == e.Method && n.Path == e.Path }) {
				known = "no, it is new"
			}
			row(e, known)
		}
		for _, e := range d.Gone {
			row(e, "yes, but it is gone")
		}
		if err := w.Flush(); err != nil {
			return err
		}
		for _, line := range d.Changed {
			p.Notef("Changed: %s.\n", line)
		}
		return nil
	})
}

type tools struct {
	ofStore
	JSON bool `name:"json" help:"Print the list as the service sent it."`
}

// Run lists the tool behind each endpoint with its fields. What a campaign's file may
// contain is documented nowhere else.
func (c tools) Run(ctx context.Context, p *cli.Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		got, err := client.Tools(ctx)
		if err != nil {
			return err
		}
		list := got.Data.List()
		if c.JSON || len(list) == 0 {
			return printAsSent(p, got.Data.Raw, c.JSON)
		}
		w := p.Table("TOOL", "METHOD", "PATH", "TAKES", "DOES")
		for _, t := range list {
			w.Row(t.Tool, t.Method, t.Path, strings.Join(t.Takes, ", "), t.Does)
		}
		return w.Flush()
	})
}

// printAsSent prints a list of unknown structure as lines, or as it came.
func printAsSent(p *cli.Program, raw upstream.Raw, asJSON bool) error {
	if asJSON {
		p.Printf("%s\n", raw)
		return nil
	}
	p.Printf("%s", outline(raw))
	p.Notef("The service arranges this list in a way that can't be compared with what this program knows.\n")
	return nil
}
