package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

type giftEndpoints struct {
	ofStore
	JSON bool `name:"json" help:"Print the list as the service sent it."`
}

// Run lists what the service offers, beside what this program knows.
func (c giftEndpoints) Run(ctx context.Context, p *Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		got, err := client.Endpoints(ctx)
		if err != nil {
			return err
		}
		list := got.Data.List()
		if c.JSON || len(list) == 0 {
			return p.asSent(got.Data.Raw, c.JSON)
		}
		d := gift.Compare(list, nil)
		w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(w, "METHOD\tPATH\tACCESS\tKNOWN HERE\tDOES")
		row := func(e gift.Endpoint, known string) {
			_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", cell(e.Method), cell(e.Path), cell(e.Access), known, cell(e.Does))
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
			p.notef("Changed: %s.\n", line)
		}
		return nil
	})
}

type giftTools struct {
	ofStore
	JSON bool `name:"json" help:"Print the list as the service sent it."`
}

// Run lists the tool behind each endpoint, with the fields that it takes: what a
// campaign's file may hold is documented nowhere else.
func (c giftTools) Run(ctx context.Context, p *Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		got, err := client.Tools(ctx)
		if err != nil {
			return err
		}
		list := got.Data.List()
		if c.JSON || len(list) == 0 {
			return p.asSent(got.Data.Raw, c.JSON)
		}
		w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(w, "TOOL\tMETHOD\tPATH\tTAKES\tDOES")
		for _, t := range list {
			_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", cell(t.Tool), cell(t.Method), cell(t.Path), cell(strings.Join(t.Takes, ", ")), cell(t.Does))
		}
		return w.Flush()
	})
}

// asSent prints a list of unknown shape as lines, or as it came.
func (p *Program) asSent(raw upstream.Raw, asJSON bool) error {
	if asJSON {
		p.printf("%s\n", raw)
		return nil
	}
	p.printf("%s", outline(raw))
	p.notef("The service arranges this list in a way that can't be compared with what this program knows.\n")
	return nil
}
