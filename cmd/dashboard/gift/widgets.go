package gift

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

type widgets struct {
	List widgetsList `cmd:"" help:"List the types of widget."`
	Show widgetShow  `cmd:"" help:"Show the saved settings of one type."`
	Edit widgetEdit  `cmd:"" help:"Change settings of one type, after showing them and a yes."`
}

type widgetsList struct{ ofStore }

func (c widgetsList) Run(ctx context.Context, p *cli.Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		got, err := client.Widgets(ctx)
		if err != nil {
			return err
		}
		w := p.Table("TYPE", "TITLE", "PREMIUM", "LOCKED")
		for _, t := range got.Data.Types {
			w.Row(t.Type, t.Title, cli.YesNo(t.IsPremium), cli.YesNo(t.IsLocked))
		}
		return w.Flush()
	})
}

// widgetArg is the type of widget that a command works on.
type widgetArg struct {
	Type string `arg:"" help:"The type, as the list shows it."`
}

// listed finds the type in the service's list. Only the list tells a mistyped name from a
// type that was never set up.
func (c widgetArg) listed(ctx context.Context, client *gift.Client, store string) (gift.WidgetType, error) {
	got, err := client.Widgets(ctx)
	if err != nil {
		return gift.WidgetType{}, err
	}
	at := slices.IndexFunc(got.Data.Types, func(t gift.WidgetType) bool { return t.Type == c.Type })
	if at < 0 {
		return gift.WidgetType{}, fmt.Errorf("%s has no widget type %q: `dashboard gift widgets list --store %s` lists them", store, c.Type, store)
	}
	return got.Data.Types[at], nil
}

// neverSaved is printed for a type that nobody has set up.
const neverSaved = "No settings are saved for this type: the app's own are in use."

type widgetShow struct {
	ofStore
	widgetArg
}

func (c widgetShow) Run(ctx context.Context, p *cli.Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		got, err := client.Widget(ctx, c.Type)
		if err != nil {
			return err
		}
		if got.Data.Found {
			p.Printf("%s", outline(got.Data.Raw))
			return nil
		}
		if _, err := c.listed(ctx, client, c.Store); err != nil {
			return err
		}
		p.Printf("%s\n", neverSaved)
		return nil
	})
}

type widgetEdit struct {
	ofStore
	widgetArg
	cli.Consent
	File string `placeholder:"FILE" help:"JSON object with the settings to change; default: standard input."`
}

// Run shows each setting's current and new value, and changes it. The service has no preview
// of this, so the settings are read again before they are changed.
func (c widgetEdit) Run(ctx context.Context, p *cli.Program) error {
	what := fmt.Sprintf("This changes the widget %s at %s", c.Type, c.Store)
	if err := c.Possible(p, what); err != nil {
		return err
	}
	body, err := campaignBody{c.File}.load(p)
	if err != nil {
		return err
	}
	return c.write(ctx, p, func(d *desk) error {
		t, err := c.listed(ctx, d.client, c.Store)
		if err != nil {
			return err
		}
		if t.IsLocked {
			return fmt.Errorf("the plan of %s does not include the widget %s: choose a higher plan in the gift app first. Nothing was changed", c.Store, c.Type)
		}
		now, err := d.client.Widget(ctx, c.Type)
		if err != nil {
			return err
		}
		changes := changesOf(now.Data.Raw, body)
		shown := neverSaved + "\n"
		if now.Data.Found {
			shown = outline(now.Data.Raw)
		}
		will := change{what: what, done: "The widget is changed.", action: audit.WidgetWritten, look: "widgets show " + c.Type, of: "widget"}
		will.still = func() error {
			again, err := d.client.Widget(ctx, c.Type)
			if err == nil && changesOf(again.Data.Raw, body) != changes {
				return errors.New("the settings changed since they were shown: nothing was changed; run the command again")
			}
			return err
		}
		return d.carryOut(ctx, c.Consent, shown+"\n"+changes, will, func() (upstream.Answer[gift.Written], error) {
			return d.EditWidget(ctx, c.Type, string(body))
		})
	})
}

// changesOf lists, for each setting in a body, its current and new value.
func changesOf(now upstream.Raw, body []byte) string {
	var b strings.Builder
	for m := range upstream.Members(body) {
		was, set := settingNamed(now, m.Name)
		switch {
		case !set:
			fmt.Fprintf(&b, "%s: %s (not set until now)\n", cli.OneLine(m.Name), asText(m.Value))
		case bytes.Equal(canonical(was), canonical(m.Value)):
			fmt.Fprintf(&b, "%s: %s, as it is\n", cli.OneLine(m.Name), asText(m.Value))
		default:
			fmt.Fprintf(&b, "%s: %s (now %s)\n", cli.OneLine(m.Name), asText(m.Value), asText(was))
		}
	}
	return b.String()
}

// settingNamed looks for a setting in now and in the objects inside, since the service
// doesn't document where it keeps them.
func settingNamed(now upstream.Raw, name string) (jsontext.Value, bool) {
	var deep jsontext.Value
	for m := range upstream.Members(now) {
		if m.Name == name {
			return m.Value, true
		}
		for inner := range upstream.Members(m.Value) {
			if inner.Name == name && deep == nil {
				deep = inner.Value
			}
		}
	}
	return deep, deep != nil
}

func canonical(value jsontext.Value) []byte {
	out := value.Clone()
	_ = out.Canonicalize()
	return out
}

// asText is a setting's value on one line. Text is quoted, so that an empty one is visible.
func asText(value jsontext.Value) string {
	out := value.Clone()
	_ = out.Compact()
	return cli.OneLine(string(out))
}
