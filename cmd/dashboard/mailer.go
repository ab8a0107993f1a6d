package main

import (
	"context"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/outbox"
	"github.com/storeglass/storeglass/web"
)

// mailer sends mails about accounts: at once for a command, whose person sees what comes
// of it, and by the outbox for pages.
type mailer struct {
	send func(context.Context, mail.Message) error
	db   *db.DB
}

// Send implements web.Mailer.
func (m mailer) Send(ctx context.Context, msg web.Mail) error {
	brand, err := m.db.Branding(ctx)
	if err != nil {
		return err
	}
	return m.send(ctx, mail.Message{To: msg.To, FromName: brand.Name, Subject: msg.Subject, Text: msg.Text, HTML: msg.HTML})
}

// mailer sends at once; nil where no mail server is set.
func (h *house) mailer() (web.Mailer, error) {
	sender, err := h.settings.Sender()
	if sender == nil || err != nil {
		return nil, err
	}
	return mailer{sender.Send, h.db}, nil
}

// outbox takes mails about accounts to people; nil where no mail server is set.
func (h *house) outbox() (*outbox.Outbox, error) {
	courier, err := h.mailCourier()
	if courier == nil || err != nil {
		return nil, err
	}
	sealer, err := h.settings.Sealer()
	if err != nil {
		return nil, err
	}
	return &outbox.Outbox{DB: h.db, Sealer: sealer, Courier: courier, Log: h.log}, nil
}

// mailCourier hands over the mails of all jobs; nil where no mail server is set.
func (h *house) mailCourier() (*mail.Courier, error) {
	if h.courier == nil {
		sender, err := h.settings.Sender()
		if err != nil {
			return nil, err
		}
		h.courier = mail.NewCourier(sender)
	}
	return h.courier, nil
}
