package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/settings"
)

type secretsCommand struct {
	Rotate secretsRotate `cmd:"" help:"Encrypt everything with the current secret key that still uses an older one."`
}

type secretsRotate struct {
	DryRun bool `name:"dry-run" help:"Show what would be done; change nothing."`
}

// Help is shown by --help below the flags.
func (secretsRotate) Help() string {
	return "First put the new key in front of the old one, with a comma between them, in DASHBOARD_SECRET_KEY of every server and restart them. " +
		"Then run this, beside them; it may be stopped and run again. Then take the old key out, and restart them once more."
}

// Run seals upstream tokens and the secrets of authenticator apps and channels with the
// current key, and lists those that no key opens.
func (c secretsRotate) Run(ctx context.Context, p *cli.Program) error {
	return p.WithApp(ctx, settings.NeedsKey, app.SchemaOwn, func(a *app.App) error {
		sync, done, err := a.Syncer()
		if err != nil {
			return err
		}
		defer done()
		sealer, err := a.Settings.Sealer()
		if err != nil {
			return err
		}
		tokens, err := sync.Reseal(ctx, c.DryRun)
		if err != nil {
			return err
		}
		factors, err := signin.New(a.DB, time.Now, sealer, nil).ResealFactors(ctx, c.DryRun)
		if err != nil {
			return err
		}
		channels, err := alert.ResealChannels(ctx, a.DB, sealer, c.DryRun)
		if err != nil {
			return err
		}
		if n := tokens.Done + factors.Done + channels.Done; n > 0 && !c.DryRun {
			err := a.Audit.Record(ctx, audit.Event{
				Action: audit.SecretsRotated, Details: locale.Sentences{
					locale.M("audit.detail.tokens", "n", tokens.Done), locale.M("audit.detail.apps", "n", factors.Done), locale.M("audit.detail.channels", "n", channels.Done),
				},
			})
			if err != nil {
				return err
			}
		}
		verb := "encrypted again"
		if c.DryRun {
			verb = "to be encrypted again"
		}
		p.Printf("Upstream tokens: %d %s, %d already encrypted with the current key.\n", tokens.Done, verb, tokens.Current)
		p.Printf("Authenticator apps: %d %s, %d already encrypted with the current key.\n", factors.Done, verb, factors.Current)
		p.Printf("Channels for alerts: %d %s, %d already encrypted with the current key.\n", channels.Done, verb, channels.Current)
		for _, of := range tokens.Lost {
			slug, service, _ := strings.Cut(of, " ")
			p.Complain(fmt.Sprintf("%s: no key opens its token: add the key that encrypted it, or enter the token again with `dashboard store set %s --%s-token`", of, slug, service))
		}
		for _, email := range factors.Lost {
			p.Complain(fmt.Sprintf("%s: no key opens the secret of their authenticator app: add the key that encrypted it, or let them set it up again", email))
		}
		for _, of := range channels.Lost {
			p.Complain(fmt.Sprintf("%s: no key opens the channel’s address: add the key that encrypted it, or let its owner remove it and add it again", of))
		}
		if n := len(tokens.Lost) + len(factors.Lost) + len(channels.Lost); n > 0 {
			return fmt.Errorf("%s could not be opened", words.Count(n, "secret"))
		}
		return c.farewell(ctx, p, a, sealer)
	})
}

// farewell says when the older keys can be removed.
func (c secretsRotate) farewell(ctx context.Context, p *cli.Program, a *app.App, sealer *seal.Sealer) error {
	if len(a.Settings.SecretKey) == 1 {
		p.Notef("One key is given. To change it, put the new one in front: see `dashboard secrets rotate --help`.\n")
		return nil
	}
	if c.DryRun {
		return nil
	}
	use, err := a.KeysInUse(ctx, sealer)
	if err != nil {
		return err
	}
	if use.PendingUntil.After(time.Now()) {
		p.Printf("Keep the older keys until %s: a store that is being added has tokens encrypted with one.\n", words.Moment(&use.PendingUntil))
		return nil
	}
	p.Printf("The older keys are no longer needed: take them out of DASHBOARD_SECRET_KEY on every server.\n")
	return nil
}
