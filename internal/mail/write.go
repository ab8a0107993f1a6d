package mail

import (
	"bytes"
	"crypto"
	"fmt"
	"net/mail"

	"github.com/emersion/go-msgauth/dkim"
	gomail "github.com/wneessen/go-mail"
)

// Picture is shown within the HTML of a mail, which names it as cid:ID.
type Picture struct {
	ID  string
	PNG []byte
}

// signing is how mails are signed; the zero value leaves them as they are.
type signing struct {
	domain, selector string
	key              crypto.Signer
}

// Writer makes mails as they go over the wire.
type Writer struct {
	From mail.Address
	sign signing
}

// WithDKIM has every mail signed for the domain with the key that stands in the DNS
// under selector._domainkey.domain.
func WithDKIM(domain, selector string, key crypto.Signer) Option {
	return func(o *options) { o.sign = signing{domain, selector, key} }
}

// Write makes the mail as it goes over the wire, signed where that was chosen. Sent
// again, the same bytes are the same mail.
func (w Writer) Write(m Message) ([]byte, error) {
	msg, err := w.compose(m)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if _, err := msg.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("write mail: %w", err)
	}
	if w.sign.key == nil {
		return b.Bytes(), nil
	}
	var signed bytes.Buffer
	err = dkim.Sign(&signed, &b, &dkim.SignOptions{
		Domain: w.sign.domain, Selector: w.sign.selector, Signer: w.sign.key,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
		// Named here, they can't be added later either: RFC 8058 wants the last two signed.
		HeaderKeys: []string{"From", "To", "Subject", "Date", "Message-ID", "Content-Type", "MIME-Version", "List-Unsubscribe", "List-Unsubscribe-Post"},
	})
	if err != nil {
		return nil, fmt.Errorf("sign mail for %s: %w", w.sign.domain, err)
	}
	return signed.Bytes(), nil
}

func (w Writer) compose(m Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := msg.FromFormat(w.From.Name, w.From.Address); err != nil {
		return nil, fmt.Errorf("mail from %s: %w", w.From.Address, err)
	}
	if err := msg.To(m.To); err != nil {
		return nil, fmt.Errorf("mail to %q: %w", m.To, err)
	}
	msg.Subject(m.Subject)
	if m.ID == "" {
		msg.SetMessageID()
	} else {
		msg.SetMessageIDWithValue(m.ID)
	}
	if m.Date.IsZero() {
		msg.SetDate()
	} else {
		msg.SetDateWithValue(m.Date)
	}
	// Replies of vacations are not wanted.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" {
		if err := msg.SetListUnsubscribeOneClick(m.Unsubscribe); err != nil {
			return nil, err
		}
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	for _, p := range m.Pictures {
		err := msg.EmbedReader(p.ID+".png", bytes.NewReader(p.PNG), gomail.WithFileContentID("<"+p.ID+">"), gomail.WithFileContentType("image/png"))
		if err != nil {
			return nil, fmt.Errorf("picture %s of a mail: %w", p.ID, err)
		}
	}
	return msg, nil
}
