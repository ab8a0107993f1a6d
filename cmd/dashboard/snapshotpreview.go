package main

import (
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"os"
	"path/filepath"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/settings"
	"github.com/storeglass/storeglass/internal/weekly"
)

type snapshotPreview struct {
	Store    string `required:"" placeholder:"SLUG" help:"The store's short name, as in its address."`
	Week     string `placeholder:"YYYY-MM-DD" help:"The week's first day; default: last week."`
	Language string `default:"en" placeholder:"CODE" help:"The language: en, de, fr or es."`
	PDF      bool   `name:"pdf" help:"Also print it as PDF, with Chromium."`
	Out      string `default:"." placeholder:"DIR" help:"Folder for mail.html, mail.txt, mail.eml, the pictures and the PDF."`
}

func (c snapshotPreview) Run(ctx context.Context, p *cli.Program) error {
	first, err := parseWeek(c.Week)
	if err != nil {
		return err
	}
	if _, ok := locale.Of(c.Language); !ok {
		return cli.Usagef("--language %q is not a language of the mails: write en, de, fr or es", c.Language)
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		now := time.Now()
		order, err := orderOf(ctx, a, c.Store, first, now)
		if err != nil {
			return err
		}
		order.Language, order.PDF = c.Language, c.PDF
		if c.PDF && a.Printer() == nil {
			return errNoChromium
		}
		editor := a.Editor()
		editor.Log = nil // this command says itself why there is no PDF
		content, err := editor.Compose(ctx, order)
		if err != nil {
			return err
		}
		if err := c.write(p, a, content.Mail, now); err != nil {
			return err
		}
		if content.Unprinted != nil {
			return fmt.Errorf("the mail has no PDF: %w", content.Unprinted)
		}
		return nil
	})
}

var errNoChromium = errors.New("--pdf needs Chromium: install it, or set DASHBOARD_CHROMIUM to its path")

// parseWeek reads a week's first day; empty gives the zero date.
func parseWeek(given string) (first civil.Date, err error) {
	if given == "" {
		return first, nil
	}
	if first, err = civil.ParseDate(given); err != nil || !first.IsValid() {
		return first, cli.Usagef("--week %q is not a date: write the week's first day as YYYY-MM-DD", given)
	}
	return first, nil
}

// orderOf is a one-time mail: about the week that begins on first, or the last complete
// one.
func orderOf(ctx context.Context, a *app.App, slug string, first civil.Date, now time.Time) (weekly.Order, error) {
	store, err := (storeArg{slug}).live(ctx, a)
	if err != nil {
		return weekly.Order{}, err
	}
	loc, err := report.Zone(store.Timezone)
	if err != nil {
		return weekly.Order{}, err
	}
	today := report.Today(now, loc)
	if first.IsZero() {
		first = weekly.LastWeek(a.Settings.WeekBegins.Weekday, today).First
	}
	if last := first.AddDays(6); !last.Before(today) {
		return weekly.Order{}, cli.Usagef("--week %s: that week is not over before %s", first, last.AddDays(1))
	}
	return weekly.Order{StoreID: &store.ID, Week: weekly.Week{First: first}, Location: loc, Language: "en", Now: now}, nil
}

func (c snapshotPreview) write(p *cli.Program, a *app.App, m weekly.Mail, now time.Time) error {
	writer := mail.Writer{From: a.Settings.MailFrom.Address}
	if writer.From.Address == "" {
		writer.From = netmail.Address{Name: "Storeglass", Address: "storeglass@localhost"}
	}
	message := m.Message("preview@localhost")
	message.ID, message.Date = "preview@localhost", now
	eml, err := writer.Write(message)
	if err != nil {
		return err
	}
	files := []mail.File{{Name: "mail.html", Body: []byte(m.Standing())}, {Name: "mail.txt", Body: []byte(m.Text)}, {Name: "mail.eml", Body: eml}}
	for _, picture := range m.Pictures {
		files = append(files, mail.File{Name: picture.ID + ".png", Body: picture.PNG})
	}
	files = append(files, m.Files...)
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return fmt.Errorf("make --out: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(c.Out, f.Name)
		if err := os.WriteFile(path, f.Body, 0o644); err != nil {
			return fmt.Errorf("write preview: %w", err)
		}
		p.Printf("%s\n", path)
	}
	p.Notef("Subject: %s\n", cli.Plain(m.Subject))
	return nil
}
