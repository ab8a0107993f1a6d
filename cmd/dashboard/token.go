package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/settings"
)

type tokenCommand struct {
	Create tokenCreate `cmd:"" help:"Create a token and print it once."`
	List   tokenList   `cmd:"" help:"List tokens and the stores they read."`
	Revoke tokenRevoke `cmd:"" help:"Revoke a token."`
}

type tokenCreate struct {
	Name string `required:"" placeholder:"NAME" help:"Name of the token, for list and revoke."`
	Days int    `default:"365" placeholder:"N" help:"How many days it works, 1 to 1095."`
	storeChoice
}

// Run prints only the token on Stdout, for scripts.
func (c tokenCreate) Run(ctx context.Context, p *cli.Program) error {
	if err := c.check(true); err != nil {
		return err
	}
	life := time.Duration(c.Days) * 24 * time.Hour
	if life < 24*time.Hour || life > apitoken.MaxLife {
		return cli.Usagef("--days is %d: a token works for 1 to 1095 days", c.Days)
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		found, err := c.find(ctx, a)
		if err != nil {
			return err
		}
		secret, err := a.Tokens.Create(ctx, c.Name, found.slugs, found.groupIDs(), life)
		if errors.Is(err, fault.Conflict) {
			return fmt.Errorf("a token named %q exists: choose another name, or end that one with `dashboard token revoke`", c.Name)
		}
		if err != nil {
			return err
		}
		p.Printf("%s\n", secret)
		p.Notef("It reads %s for %s and can't be shown again.\n", storesSeen(found.reach()), words.Count(c.Days, "day"))
		return nil
	})
}

type tokenList struct{}

// Run lists tokens, live ones first.
func (tokenList) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	tokens, err := a.Tokens.List(ctx)
	if err != nil {
		return err
	}
	w := p.Table("NAME", "STORES", "MADE", "LAST USED", "WORKS UNTIL", "REVOKED")
	for _, t := range tokens {
		until := words.Moment(&t.ExpiresAt)
		if t.OwnerGone {
			until = "ended with its owner"
		}
		w.Row(t.Name, storesSeen(t.Reach), words.Moment(&t.CreatedAt), words.Moment(t.LastUsedAt), until, words.Moment(t.RevokedAt))
	}
	return w.Flush()
}

type tokenRevoke struct {
	Name string `arg:"" help:"Name of the token."`
}

// Run revokes the token; callers that use it get 401 from now on.
func (c tokenRevoke) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	if err := a.Tokens.Revoke(ctx, c.Name); err != nil {
		return err
	}
	p.Printf("The token %s is revoked.\n", c.Name)
	return nil
}
