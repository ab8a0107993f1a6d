package gift

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

type campaigns struct {
	List    campaignsList   `cmd:"" help:"List the campaigns."`
	Show    campaignShow    `cmd:"" help:"Show a campaign's configuration."`
	Preview campaignPreview `cmd:"" help:"Preview a new campaign or a change to one; nothing is written."`
	Create  campaignCreate  `cmd:"" help:"Create a campaign, after a preview and a yes."`
	Edit    campaignEdit    `cmd:"" help:"Change a campaign, after a preview and a yes."`
	On      campaignOn      `cmd:"" help:"Turn a campaign on, after a yes."`
	Off     campaignOff     `cmd:"" help:"Turn a campaign off, after a yes; it is kept."`
	Delete  campaignDelete  `cmd:"" help:"Delete a campaign, after a preview and a yes. This can't be undone."`
}

// campaignArg is the campaign that a command works on.
type campaignArg struct {
	ID string `arg:"" help:"The campaign's id, as the list shows it."`
}

func (c campaignArg) unknown(store string) error {
	return fmt.Errorf("%s has no campaign %q: `dashboard gift campaigns list --store %s` lists them", store, c.ID, store)
}

type campaignsList struct {
	ofStore
	Status string `enum:",active,scheduled,expired" default:"" placeholder:"STATUS" help:"Only campaigns with this status: active, scheduled or expired."`
}

func (c campaignsList) Run(ctx context.Context, p *cli.Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		var status *gift.Status
		if c.Status != "" {
			status = new(gift.Status(c.Status))
		}
		got, err := client.Campaigns(ctx, status)
		if err != nil {
			return err
		}
		w := p.Table("ID", "NAME", "STATUS", "TYPE", "PAGE", "START", "END", "CODE")
		for _, k := range got.Data.Campaigns {
			w.Row(k.ID, k.Name, k.Status, k.Type, k.TargetPage, k.StartDate, k.EndDate, k.Code)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if got.Data.Capped() {
			p.Notef("The service lists %d at most: there may be more.\n", gift.ListCap)
		}
		return nil
	})
}

type campaignShow struct {
	ofStore
	campaignArg
}

func (c campaignShow) Run(ctx context.Context, p *cli.Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		got, err := client.Campaign(ctx, c.ID)
		if err != nil {
			return err
		}
		if !got.Data.Found {
			return c.unknown(c.Store)
		}
		p.Printf("%s", outline(got.Data.Raw))
		return nil
	})
}

// campaignBody is a campaign's fields. The service doesn't document them, so they are
// passed on unchanged, except that names are replaced by ids.
type campaignBody struct {
	File string `placeholder:"FILE" help:"JSON object with the campaign's fields; default: standard input. It may hold a name instead of an id: \"@products:trail-socks\", \"@collections:Boots\"; see gift find."`
}

type campaignPreview struct {
	ofStore
	campaignBody
	ID string `arg:"" optional:"" help:"The campaign to change; leave it out for a new one."`
}

// Run only shows the preview, and drops its token.
func (c campaignPreview) Run(ctx context.Context, p *cli.Program) error {
	if c.ID == "" {
		return campaignChange[gift.CampaignPreview]{
			ofStore: c.ofStore, body: &c.campaignBody, preview: (*gift.Writer).PreviewCampaign,
		}.run(ctx, p)
	}
	return campaignChange[gift.EditPreview]{
		ofStore: c.ofStore, campaignArg: campaignArg{c.ID}, body: &c.campaignBody, preview: previewEdit(c.ID),
	}.run(ctx, p)
}

func previewEdit(id string) func(*gift.Writer, context.Context, []byte) (gift.EditPreview, error) {
	return func(w *gift.Writer, ctx context.Context, body []byte) (gift.EditPreview, error) {
		return w.PreviewEdit(ctx, id, body)
	}
}

// campaignChange is a change that the service previews and then has us confirm.
type campaignChange[P interface {
	Found() bool
	Shown() upstream.Raw
}] struct {
	ofStore
	campaignArg
	cli.Consent
	what, done string
	body       *campaignBody // nil if none is sent
	preview    func(*gift.Writer, context.Context, []byte) (P, error)
	// commit makes the previewed change; nil stops at the preview.
	commit func(*gift.Writer, context.Context, P) (upstream.Answer[gift.Written], error)
}

func (c campaignChange[P]) run(ctx context.Context, p *cli.Program) (err error) {
	if c.commit != nil {
		if err := c.Possible(p, c.what); err != nil {
			return err
		}
	}
	var body []byte
	if c.body != nil {
		if body, err = c.body.load(p); err != nil {
			return err
		}
	}
	return c.write(ctx, p, func(d *desk) error {
		if c.body != nil {
			if body, err = d.resolved(ctx, body); err != nil {
				return err
			}
		}
		preview, err := c.preview(d.Writer, ctx, body)
		switch {
		case err != nil:
			return err
		case !preview.Found():
			return c.unknown(c.Store)
		case c.commit == nil:
			p.Printf("%s", outline(preview.Shown()))
			return nil
		}
		return d.carryOut(ctx, c.Consent, outline(preview.Shown()), d.ofCampaign(c.what, c.done), func() (upstream.Answer[gift.Written], error) {
			return c.commit(d.Writer, ctx, preview)
		})
	})
}

type campaignCreate struct {
	ofStore
	campaignBody
	cli.Consent
}

func (c campaignCreate) Run(ctx context.Context, p *cli.Program) error {
	return campaignChange[gift.CampaignPreview]{
		ofStore: c.ofStore, Consent: c.Consent, body: &c.campaignBody,
		what: "This creates a campaign at " + c.Store, done: "The campaign is created.",
		preview: (*gift.Writer).PreviewCampaign, commit: (*gift.Writer).CreateCampaign,
	}.run(ctx, p)
}

type campaignEdit struct {
	ofStore
	campaignArg
	campaignBody
	cli.Consent
}

func (c campaignEdit) Run(ctx context.Context, p *cli.Program) error {
	return campaignChange[gift.EditPreview]{
		ofStore: c.ofStore, campaignArg: c.campaignArg, Consent: c.Consent, body: &c.campaignBody,
		what: fmt.Sprintf("This changes the campaign %s at %s", c.ID, c.Store), done: "The campaign is changed.",
		preview: previewEdit(c.ID), commit: (*gift.Writer).ApplyEdit,
	}.run(ctx, p)
}

type campaignDelete struct {
	ofStore
	campaignArg
	cli.Consent
}

func (c campaignDelete) Run(ctx context.Context, p *cli.Program) error {
	return campaignChange[gift.DeletionPreview]{
		ofStore: c.ofStore, campaignArg: c.campaignArg, Consent: c.Consent,
		what: fmt.Sprintf("This deletes the campaign %s at %s and can't be undone; `off` stops it without losing it", c.ID, c.Store), done: "The campaign is deleted.",
		preview: func(w *gift.Writer, ctx context.Context, _ []byte) (gift.DeletionPreview, error) {
			return w.PreviewDeletion(ctx, c.ID)
		},
		commit: (*gift.Writer).DeleteCampaign,
	}.run(ctx, p)
}

type campaignOn struct{ turn }

func (c campaignOn) Run(ctx context.Context, p *cli.Program) error {
	return c.to(ctx, p, "on", gift.TurnOn)
}

type campaignOff struct{ turn }

func (c campaignOff) Run(ctx context.Context, p *cli.Program) error {
	return c.to(ctx, p, "off", gift.TurnOff)
}

type turn struct {
	ofStore
	campaignArg
	cli.Consent
	File string `placeholder:"FILE" help:"JSON object to send instead of the usual one. The service doesn't document it."`
}

// to shows the campaign, since the service has no preview of this, and turns it on or off.
func (c turn) to(ctx context.Context, p *cli.Program, state, body string) error {
	what := fmt.Sprintf("This turns the campaign %s at %s %s", c.ID, c.Store, state)
	if err := c.Possible(p, what); err != nil {
		return err
	}
	if c.File != "" {
		given, err := campaignBody{c.File}.load(p)
		if err != nil {
			return err
		}
		body = string(given)
	}
	return c.write(ctx, p, func(d *desk) error {
		now, err := d.client.Campaign(ctx, c.ID)
		if err != nil {
			return err
		}
		if !now.Data.Found {
			return c.unknown(c.Store)
		}
		return d.carryOut(ctx, c.Consent, outline(now.Data.Raw), d.ofCampaign(what, "The campaign is turned "+state+"."), func() (upstream.Answer[gift.Written], error) {
			return d.SetStatus(ctx, c.ID, body)
		})
	})
}
