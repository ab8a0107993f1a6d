package main

import (
	"context"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/web"
)

// mailer sends the mails of the pages.
type mailer struct {
	sender *mail.Sender
	db     *db.DB
}

// Send implements web.Mailer.
func (m mailer) Send(ctx context.Context, msg web.Mail) error {
	brand, err := m.db.Branding(ctx)
	if err != nil {
		return err
	}
	return m.sender.Send(ctx, mail.Message{To: msg.To, FromName: brand.Name, Subject: msg.Subject, Text: msg.Text, HTML: msg.HTML})
}

// mailer is nil where no mail server is set.
func (h *house) mailer() (web.Mailer, error) {
	sender, err := h.settings.sender()
	if sender == nil || err != nil {
		return nil, err
	}
	return mailer{sender, h.db}, nil
}

// sender is nil where no mail server is set.
func (s *Settings) sender() (*mail.Sender, error) {
	if s.SMTP.URL == nil {
		return nil, nil
	}
	return mail.New(s.SMTP.URL, s.MailFrom.Address, mail.WithDKIM(s.dkim()))
}
