package main

import (
	"context"
	"strings"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/locale"
)

type userReach struct {
	personArg
	JSON bool `name:"json" help:"Print one JSON object per line."`
}

func (c userReach) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	person, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	_, held, err := a.Access.Holdings(ctx, person.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		for _, x := range held {
			p.JSONLine(reachLine(x))
		}
		return nil
	}
	if len(held) == 0 {
		p.Notef("%s can reach nothing.\n", person.Email)
		return nil
	}
	w := p.Table("WHAT", "NAME", "STORES", "SINCE", "UNTIL", "WORKS")
	for _, x := range held {
		kind, text := x.Words(locale.English)
		works := "yes"
		if !x.Works {
			works = "stopped"
		}
		w.Row(kind, text, x.Reaches(locale.English), words.Moment(&x.Since), words.Moment(&x.Until), works)
	}
	return w.Flush()
}

type reachJSON struct {
	Kind string `json:"kind"`
	What string `json:"what"`
	Name string `json:"name,omitempty"`
	// EveryStore: all stores; otherwise Stores are names.
	EveryStore bool      `json:"every_store,omitempty"`
	Stores     []string  `json:"stores,omitempty"`
	Since      time.Time `json:"since,omitzero"`
	Until      time.Time `json:"until,omitzero"`
	Works      bool      `json:"works"`
}

func reachLine(h access.Holding) reachJSON {
	kind, text := h.Words(locale.English)
	return reachJSON{
		Kind: string(h.Kind), What: kind, Name: text, EveryStore: h.Every, Stores: h.Stores, Since: h.Since.UTC(), Until: h.Until.UTC(), Works: h.Works,
	}
}

type userOffboard struct {
	personArg
	cli.Consent
}

// Run disables the person and ends everything that userReach lists.
func (c userOffboard) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	person, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	_, held, err := a.Access.Holdings(ctx, person.ID)
	if err != nil {
		return err
	}
	what := "Offboarding " + person.Email + " disables them"
	if len(held) > 0 {
		what += " and ends " + strings.Join(access.CountHoldings(locale.English, held), ", ")
	}
	if err := c.Ask(ctx, p, what, person.Email); err != nil {
		return err
	}
	ended, err := a.Access.Offboard(ctx, person.ID)
	if err != nil {
		return err
	}
	if len(ended) == 0 {
		p.Printf("%s is disabled. There was nothing else to end.\n", person.Email)
		return nil
	}
	p.Printf("%s is disabled. Ended: %s.\n", person.Email, strings.Join(access.CountHoldings(locale.English, ended), ", "))
	return nil
}
