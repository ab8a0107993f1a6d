package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/fault"
)

type shareCommand struct {
	List   shareList   `cmd:"" help:"List share links and how often they were opened."`
	Revoke shareRevoke `cmd:"" help:"Revoke a share link."`
}

type shareList struct {
	Store string `placeholder:"SLUG" help:"Links of this store only."`
}

// Run lists links, grouped by store. Their URLs are no longer known.
func (c shareList) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	links, err := a.Shares.All(ctx, c.Store)
	if err != nil {
		return err
	}
	w := p.Table("ID", "STORE", "LINK", "PAGES", "DAYS", "PASSWORD", "STATE", "ENDS", "HITS", "LAST OPENED", "MADE BY")
	for _, l := range links {
		pages := make([]string, len(l.Pages))
		for i, page := range l.Pages {
			pages[i] = string(page)
		}
		days := l.Preset
		if l.Fixed() {
			days = l.Start.String() + " to " + l.End.String()
		}
		if l.Compares {
			days += ", compared"
		}
		if l.Plans {
			days += ", with what is next"
		}
		w.Row(l.ID, l.Store, l.Label, strings.Join(pages, " "), days, cli.YesNo(l.HasPassword), l.State, words.Moment(&l.ExpiresAt), l.Hits, words.Moment(l.LastHit), l.MadeBy)
	}
	return w.Flush()
}

type shareRevoke struct {
	ID int64 `arg:"" help:"Number of the link in the list."`
}

// Run revokes the link; its page then says that it has expired or was revoked.
func (c shareRevoke) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	label, slug, err := a.Shares.RevokeByID(ctx, c.ID)
	if errors.Is(err, fault.Missing("share")) {
		return fmt.Errorf("there is no active share link %d: `dashboard share list` lists them", c.ID)
	}
	if err != nil {
		return err
	}
	p.Printf("The link %s of %s is revoked.\n", label, slug)
	return nil
}
