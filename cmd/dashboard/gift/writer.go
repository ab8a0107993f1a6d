package gift

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/settings"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// read calls the store's gift service with a client that can't write.
func (c ofStore) read(ctx context.Context, p *cli.Program, call func(*gift.Client) error) error {
	return c.reach(ctx, p, func(_ *app.App, at pulls.ServiceAccess) error {
		return call(gift.New(at.Transport, at.Base, at.Token, at.Gate))
	})
}

// write calls it with one that can. Nothing else in the program can.
func (c ofStore) write(ctx context.Context, p *cli.Program, call func(*desk) error) error {
	return c.reach(ctx, p, func(a *app.App, at pulls.ServiceAccess) error {
		return call(&desk{
			Writer: gift.NewWriter(at.Transport, at.Base, at.Token, at.Gate),
			client: gift.New(at.Transport, at.Base, at.Token, at.Gate), p: p, store: c.Store, audit: a.Audit,
		})
	})
}

func (c ofStore) reach(ctx context.Context, p *cli.Program, call func(*app.App, pulls.ServiceAccess) error) error {
	return p.WithApp(ctx, settings.NeedsKey, app.SchemaOwn, func(a *app.App) error {
		sync, done, err := a.Syncer()
		if err != nil {
			return err
		}
		defer done()
		key := upstream.NewSecret(p.Variable(words.TokenVariable(pulls.Gift)))
		return words.GiftError(c.Store, sync.WithGift(ctx, c.Store, key, func(at pulls.ServiceAccess) error { return call(a, at) }))
	})
}

// desk is where a change is shown, confirmed and made.
type desk struct {
	*gift.Writer
	client *gift.Client
	p      *cli.Program
	store  string
	audit  *audit.Log
}

// change is one write as the user sees it.
type change struct {
	// what is the sentence to confirm; done is printed afterwards.
	what, done string
	action     audit.Action
	// look is the command that shows whether it was done; of is what may no longer exist.
	look, of string
	// still, if set, refuses if something changed since it was shown. Campaigns don't need it:
	// the service ties its confirmation to the preview.
	still func() error
}

func (d *desk) ofCampaign(what, done string) change {
	return change{what: what, done: done, action: audit.CampaignWritten, look: "campaigns list", of: "campaign"}
}

// carryOut shows the change, asks, and makes it.
func (d *desk) carryOut(ctx context.Context, c cli.Consent, shown string, will change, do func() (upstream.Answer[gift.Written], error)) error {
	d.p.Printf("%s", shown)
	if err := c.Ask(ctx, d.p, will.what, "yes"); err != nil {
		return err
	}
	if will.still != nil {
		if err := will.still(); err != nil {
			return err
		}
	}
	// Record it first: once sent, it may have been done whatever the answer.
	err := d.audit.Record(ctx, audit.Event{Action: will.action, Store: d.store, Subject: strings.TrimPrefix(will.what, "This ")})
	if err != nil {
		return err
	}
	got, err := do()
	switch f, _ := errors.AsType[*upstream.Failure](err); {
	case f != nil && unsure(f):
		d.p.Complain(fmt.Sprintf("whether it was done is not known: look with `dashboard gift %s --store %s` before trying again", will.look, d.store))
		return err
	case f != nil && f.Code == gift.InvalidInput:
		return fmt.Errorf("the gift service refused the change: %s. Nothing was changed; run the command again for a new preview", f.Message)
	case err != nil:
		return err
	case !got.Data.Found:
		return fmt.Errorf("the %s no longer exists at the gift service: nothing was changed", will.of)
	}
	d.p.Printf("\n%s\n%s", will.done, outline(got.Data.Raw))
	return nil
}

// unsure reports whether a write may have been done although no good reply came.
func unsure(f *upstream.Failure) bool {
	return f.Attempts > 0 && (f.Kind == upstream.Retry || f.Kind == upstream.Quarantine)
}

// maxBody is the largest body to send, in bytes.
const maxBody = 1 << 20

// load reads one JSON object from the file or from Stdin.
func (c campaignBody) load(p *cli.Program) ([]byte, error) {
	from, name := p.Stdin, "standard input"
	if c.File != "" && c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return nil, cli.Usagef("--file %q can't be read: %s", c.File, upstream.Cause(err))
		}
		defer func() { _ = f.Close() }()
		from, name = f, fmt.Sprintf("--file %q", c.File)
	} else if _, ok := p.Terminal(); ok {
		return nil, cli.Usagef("no input: name a JSON file with --file, or pipe it in")
	}
	body, err := io.ReadAll(io.LimitReader(from, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	value, err := upstream.Decode[upstream.Raw](body)
	if err != nil || jsontext.Value(value).Kind() != '{' || len(body) > maxBody {
		return nil, cli.Usagef("%s is not a JSON object: write the fields as {…}, 1 MiB at most. Nothing was changed", name)
	}
	return body, nil
}
