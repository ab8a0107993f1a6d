package app

import (
	"context"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/outbox"
	"github.com/storeglass/storeglass/web/site"
)

// Mailer sends mails about accounts: at once for a command, whose person sees what comes
// of it, and by the outbox for pages.
type mailer struct {
	send func(context.Context, mail.Message) error
	db   *db.DB
}

// Send implements site.Mailer.
func (m mailer) Send(ctx context.Context, msg site.Mail) error {
	brand, err := m.db.Branding(ctx)
	if err != nil {
		return err
	}
	return m.send(ctx, mail.Message{To: msg.To, FromName: brand.Name, Subject: msg.Subject, Text: msg.Text, HTML: msg.HTML})
}

// Mailer sends at once; nil where no mail server is set.
func (a *App) Mailer() (site.Mailer, error) {
	sender, err := a.Settings.Sender()
	if sender == nil || err != nil {
		return nil, err
	}
	return mailer{sender.Send, a.DB}, nil
}

// Outbox takes mails about accounts to people; nil where no mail server is set.
func (a *App) Outbox() (*outbox.Outbox, error) {
	courier, err := a.mailCourier()
	if courier == nil || err != nil {
		return nil, err
	}
	sealer, err := a.Settings.Sealer()
	if err != nil {
		return nil, err
	}
	return &outbox.Outbox{DB: a.DB, Sealer: sealer, Courier: courier, Log: a.Log}, nil
}

// mailCourier hands over the mails of all jobs; nil where no mail server is set.
func (a *App) mailCourier() (*mail.Courier, error) {
	if a.courier == nil {
		sender, err := a.Settings.Sender()
		if err != nil {
			return nil, err
		}
		a.courier = mail.NewCourier(sender)
	}
	return a.courier, nil
}
