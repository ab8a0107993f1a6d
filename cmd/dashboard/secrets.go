package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/alert"
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

// Run seals upstream tokens, the secrets of authenticator apps and channels, and names what
// no key opens.
func (c secretsRotate) Run(ctx context.Context, p *Program) error {
	return p.inHouse(ctx, settings.NeedsKey, schemaOwn, func(h *house) error {
		sync, done, err := h.syncer()
		if err != nil {
			return err
		}
		defer done()
		sealer, err := h.settings.Sealer()
		if err != nil {
			return err
		}
		people := access.New(h.db, nil, access.WithSealer(sealer))
		tokens, err := sync.Reseal(ctx, c.DryRun)
		if err != nil {
			return err
		}
		factors, err := people.ResealFactors(ctx, c.DryRun)
		if err != nil {
			return err
		}
		channels, err := alert.ResealChannels(ctx, h.db, sealer, c.DryRun)
		if err != nil {
			return err
		}
		if n := tokens.Done + factors.Done + channels.Done; n > 0 && !c.DryRun {
			err := people.Record(ctx, access.Event{
				Action: access.SecretsRotated, Subject: count(tokens.Done, "token") + ", " + count(factors.Done, "authenticator app") + ", " + count(channels.Done, "alert channel"),
			})
			if err != nil {
				return err
			}
		}
		verb := "sealed anew"
		if c.DryRun {
			verb = "to be sealed anew"
		}
		p.printf("Upstream tokens: %d %s, %d sealed with the current key already.\n", tokens.Done, verb, tokens.Current)
		p.printf("Authenticator apps: %d %s, %d sealed with the current key already.\n", factors.Done, verb, factors.Current)
		p.printf("Channels for alerts: %d %s, %d sealed with the current key already.\n", channels.Done, verb, channels.Current)
		for _, of := range tokens.Lost {
			slug, service, _ := strings.Cut(of, " ")
			p.complain(fmt.Sprintf("%s: no key opens its token: give the key that sealed it too, or the token again with `dashboard store set %s --%s-token`", of, slug, service))
		}
		for _, email := range factors.Lost {
			p.complain(fmt.Sprintf("%s: no key opens the secret of their authenticator app: give the key that sealed it too, or let them set it up again", email))
		}
		for _, of := range channels.Lost {
			p.complain(fmt.Sprintf("%s: no key opens the channel’s address: give the key that sealed it too, or let its owner remove it and add it again", of))
		}
		if n := len(tokens.Lost) + len(factors.Lost) + len(channels.Lost); n > 0 {
			return fmt.Errorf("%s could not be opened", count(n, "secret"))
		}
		return c.farewell(ctx, p, h, sealer)
	})
}

// farewell says when the older keys may go.
func (c secretsRotate) farewell(ctx context.Context, p *Program, h *house, sealer *access.Sealer) error {
	if len(h.settings.SecretKey) == 1 {
		p.notef("One key is given. To change it, put the new one in front: see `dashboard secrets rotate --help`.\n")
		return nil
	}
	if c.DryRun {
		return nil
	}
	use, err := h.keysInUse(ctx, sealer)
	if err != nil {
		return err
	}
	if use.pendingUntil.After(time.Now()) {
		p.printf("Keep the older keys until %s: a store that is being added holds tokens sealed with one.\n", moment(&use.pendingUntil))
		return nil
	}
	p.printf("The older keys are needed no more: take them out of DASHBOARD_SECRET_KEY on every server.\n")
	return nil
}

// keyUse is how much is sealed with other than the current key.
type keyUse struct {
	// tokens and factors are sealed with older keys that are given, lost with keys that are not.
	tokens, factors, lostFactors, channels, lostChannels int
	// pendingUntil is when the last connection is over that waits to be saved, sealed with an older key.
	pendingUntil time.Time
}

func (h *house) keysInUse(ctx context.Context, sealer *access.Sealer) (keyUse, error) {
	var use keyUse
	rows, err := h.db.Queries().KeysInUse(ctx, time.Now())
	if err != nil {
		return use, fmt.Errorf("look which keys are in use: %w", err)
	}
	for _, r := range rows {
		switch {
		case !sealer.Opens(r.KeyID):
			use.lostFactors += int(r.Totps)
			use.lostChannels += int(r.Channels)
		case sealer.Stale(r.KeyID):
			use.tokens += int(r.Credentials)
			use.factors += int(r.Totps)
			use.channels += int(r.Channels)
			if r.PendingUntil.After(use.pendingUntil) {
				use.pendingUntil = r.PendingUntil
			}
		}
	}
	return use, nil
}

// checkKeys says whether older keys are still needed.
func (h *house) checkKeys(ctx context.Context) finding {
	const what = "older keys"
	sealer, err := h.settings.Sealer()
	if err != nil {
		return finding{what, err.Error(), true}
	}
	use, err := h.keysInUse(ctx, sealer)
	switch {
	case err != nil:
		return finding{what, err.Error(), true}
	case use.lostFactors > 0:
		return finding{what, fmt.Sprintf("no key that is given opens %s: give the older key too, or let their owners set them up again", count(use.lostFactors, "authenticator app")), true}
	case use.lostChannels > 0:
		return finding{what, fmt.Sprintf("no key that is given opens %s: give the older key too, or let their owners add them again", count(use.lostChannels, "alert channel")), true}
	case use.tokens+use.factors+use.channels > 0:
		return finding{what, fmt.Sprintf("%s, %s and %s are sealed with one: run `dashboard secrets rotate`, then take it out of DASHBOARD_SECRET_KEY",
			count(use.tokens, "token"), count(use.factors, "authenticator app"), count(use.channels, "alert channel")), true}
	case len(h.settings.SecretKey) > 1:
		return finding{what: what, words: "given, and nothing needs them: take them out of DASHBOARD_SECRET_KEY"}
	}
	return finding{what: what, words: "none in use"}
}
