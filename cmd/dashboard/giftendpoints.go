package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	storesync "github.com/storeglass/storeglass/internal/sync"
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

// checkGiftList compares what a store's gift service offers with what this program
// knows. What is new harms nothing; what is gone or changed breaks a command or a pull.
func (h *house) checkGiftList(ctx context.Context, sync *storesync.Syncer, store db.Store) finding {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	out := finding{what: store.Slug + " gift endpoints"}
	var endpoints, tools []gift.Endpoint
	err := sync.WithGift(ctx, store.Slug, upstream.Secret{}, func(a storesync.ServiceAccess) error {
		client := gift.New(a.Transport, a.Base, a.Token, a.Gate)
		got, err := client.Endpoints(ctx)
		if err != nil {
			return err
		}
		endpoints = got.Data.List()
		of, err := client.Tools(ctx)
		tools = of.Data.List()
		return err
	})
	d := gift.Compare(endpoints, tools)
	switch {
	case err != nil:
		out.words = "not compared: " + ofStore{store.Slug}.inWords(err).Error()
	case len(endpoints) == 0:
		out.words = fmt.Sprintf("not compared: the service's list can't be read; look at it with `dashboard gift endpoints --store %s`", store.Slug)
	case d.None():
		out.words = fmt.Sprintf("%d, all as this program knows them", len(endpoints))
	default:
		out.words, out.bad = differences(d), len(d.Gone)+len(d.Changed) > 0
		if out.bad {
			out.words += ". Look for a newer version of this program"
		}
	}
	return out
}

func differences(d gift.Difference) string {
	paths := func(list []gift.Endpoint) string {
		out := []string{}
		for _, e := range list {
			out = append(out, strings.TrimSpace(e.Method+" "+e.Path))
		}
		return strings.Join(out, ", ")
	}
	out := []string{}
	if len(d.Gone) > 0 {
		out = append(out, "gone: "+paths(d.Gone))
	}
	if len(d.Changed) > 0 {
		out = append(out, "changed: "+strings.Join(d.Changed, ", "))
	}
	if len(d.New) > 0 {
		out = append(out, "new and not used here: "+paths(d.New))
	}
	return strings.Join(out, "; ")
}
