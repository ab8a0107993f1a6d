package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/snapshot"
)

type snapshotPreview struct {
	Store string `required:"" placeholder:"SLUG" help:"The store's short name, as in its address."`
	Week  string `placeholder:"YYYY-MM-DD" help:"The week's first day; without it, the last Monday to Sunday that is over."`
	Out   string `default:"." placeholder:"DIR" help:"Where the files go: mail.html, mail.txt, mail.eml and the pictures."`
}

// Run composes the mail from what is stored now and writes it down.
func (c snapshotPreview) Run(ctx context.Context, p *Program) error {
	var first civil.Date
	if c.Week != "" {
		var err error
		if first, err = civil.ParseDate(c.Week); err != nil || !first.IsValid() {
			return usagef("--week %q is no day: write the week's first day as YYYY-MM-DD", c.Week)
		}
	}
	return p.inHouse(ctx, needsNothing, schemaOwn, func(h *house) error {
		now := time.Now()
		if _, err := (storeArg{c.Store}).live(ctx, h); err != nil {
			return err
		}
		store, err := h.db.StoreUnasked(ctx, c.Store)
		if errors.Is(err, db.ErrNotFound) {
			return unknownStore(c.Store)
		}
		if err != nil {
			return err
		}
		today := report.Today(now, store.Location())
		if first.IsZero() {
			first = lastMonday(today)
		}
		if last := first.AddDays(6); !last.Before(today) {
			return usagef("--week %s: that week is not over before %s", first, last.AddDays(1))
		}
		mail, err := c.compose(ctx, h, store, first, now)
		if err != nil {
			return err
		}
		return c.write(p, h, mail, now)
	})
}

// lastMonday begins the last Monday to Sunday before today.
func lastMonday(today civil.Date) civil.Date {
	since := (int(today.In(time.UTC).Weekday()) + 6) % 7
	return today.AddDays(-since - 7)
}

func (c snapshotPreview) compose(ctx context.Context, h *house, store db.ScopedStore, first civil.Date, now time.Time) (snapshot.Mail, error) {
	week, err := snapshot.ReadWeek(ctx, h.db, store, first, now)
	if err != nil {
		return snapshot.Mail{}, err
	}
	kept, err := h.db.Branding(ctx)
	if err != nil {
		return snapshot.Mail{}, err
	}
	brand, err := snapshot.BrandOf(kept)
	if err != nil {
		return snapshot.Mail{}, err
	}
	home := h.base()
	live := home.JoinPath("stores", store.Slug)
	live.RawQuery = week.Choice.Query().Encode()
	return snapshot.Compose(week, snapshot.Frame{
		Brand: brand, Live: live.String(), Home: strings.TrimSuffix(home.String(), "/"),
		Sent: "A preview: sent to nobody.",
	})
}

func (c snapshotPreview) write(p *Program, h *house, mail snapshot.Mail, now time.Time) error {
	from := h.settings.MailFrom.Address
	if from.Address == "" {
		from = netmail.Address{Name: "Storeglass", Address: "storeglass@localhost"}
	}
	msg, err := mail.Message(from, "preview@localhost", "preview@localhost", now)
	if err != nil {
		return err
	}
	var eml bytes.Buffer
	if _, err := msg.WriteTo(&eml); err != nil {
		return fmt.Errorf("write mail: %w", err)
	}
	files := []struct {
		name string
		body []byte
	}{{"mail.html", []byte(mail.Standing())}, {"mail.txt", []byte(mail.Text)}, {"mail.eml", eml.Bytes()}}
	for _, picture := range mail.Pictures {
		files = append(files, struct {
			name string
			body []byte
		}{picture.ID + ".png", picture.PNG})
	}
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return fmt.Errorf("make --out: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(c.Out, f.name)
		if err := os.WriteFile(path, f.body, 0o644); err != nil {
			return fmt.Errorf("write preview: %w", err)
		}
		p.printf("%s\n", path)
	}
	p.notef("Subject: %s\n", plain(mail.Subject))
	return nil
}
