package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/settings"
)

// Printer prints an empty page. Having no printer is no failure: mails say the same without a PDF.
func Printer(ctx context.Context, s settings.Settings, offline bool) Finding {
	printer, err := pdf.Find(string(s.Chromium))
	if err != nil {
		return Finding{What: "PDF", Words: "off: install Chromium, or set DASHBOARD_CHROMIUM, to have weekly mails as PDF"}
	}
	if offline {
		return Finding{What: "PDF", Words: printer.Path() + ", not tried"}
	}
	if _, err := printer.Print(ctx, "<html><head></head><body></body></html>"); err != nil {
		return Finding{"PDF", fmt.Sprintf("%s: weekly mails go without their PDF; check that Chromium runs as this user, or set DASHBOARD_CHROMIUM to another", err), true}
	}
	return Finding{What: "PDF", Words: "printed by " + printer.Path()}
}

// Mail signs in at the mail server without sending anything.
func Mail(ctx context.Context, s settings.Settings) Finding {
	sender, err := s.Sender()
	if err != nil {
		return Finding{"mail", err.Error(), true}
	}
	if sender == nil {
		return Finding{What: "mail", Words: "off: set DASHBOARD_SMTP_URL to send invitations, links for new passwords and weekly mails"}
	}
	if err := sender.Check(ctx); err != nil {
		return Finding{"mail", fmt.Sprintf("%s: check DASHBOARD_SMTP_URL", err), true}
	}
	return Finding{What: "mail", Words: sender.Server() + " takes mails"}
}

// Signature verifies a signature as receivers will; false where mails are not signed.
func Signature(ctx context.Context, s settings.Settings, offline bool) (Finding, bool) {
	d := s.DKIM()
	if d.Key == nil {
		return Finding{}, false
	}
	if sender := s.MailFrom.Address.Address; sender != "" {
		_, from, _ := strings.Cut(strings.ToLower(sender), "@")
		if from != d.Domain && !strings.HasSuffix(from, "."+d.Domain) && !strings.HasSuffix(d.Domain, "."+from) {
			return Finding{"mail signature", fmt.Sprintf("receivers want the domain of the sender, %s, and DASHBOARD_DKIM_DOMAIN is %s: make them agree", from, d.Domain), true}, true
		}
	}
	if offline {
		return Finding{What: "mail signature", Words: "for " + d.Domain + ", not looked up"}, true
	}
	ctx, cancel := context.WithTimeout(ctx, mail.Within)
	defer cancel()
	err := d.Check(func(name string) ([]string, error) { return net.DefaultResolver.LookupTXT(ctx, name) })
	if errors.Is(err, mail.ErrNoRecord) {
		record, wrong := d.Record()
		if wrong != nil {
			return Finding{"mail signature", wrong.Error(), true}, true
		}
		return Finding{"mail signature", fmt.Sprintf("%s: publish as TXT under %s: %s", err, d.Name(), record), true}, true
	}
	if err != nil {
		return Finding{"mail signature", fmt.Sprintf("can't look up %s: %s", d.Name(), err), true}, true
	}
	return Finding{What: "mail signature", Words: "for " + d.Domain + ", as published"}, true
}
