package mail

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"net/mail"
	"strings"
	"unicode/utf8"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// Picture is shown within a mail's HTML, which refers to it as cid:ID.
type Picture struct {
	ID  string
	PNG []byte
}

// File is attached to a mail.
type File struct {
	Name string
	// Type is a media type: "application/pdf".
	Type string
	Body []byte
}

// Writer makes mails in wire format.
type Writer struct {
	From mail.Address
	sign DKIM
}

// Write makes the mail in wire format, signed if DKIM is set. Sending the same bytes again
// sends the same mail.
func (w Writer) Write(m Message) ([]byte, error) {
	msg, err := w.compose(m)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if _, err := msg.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("write mail: %w", err)
	}
	if w.sign.Key == nil {
		return b.Bytes(), nil
	}
	return w.sign.sign(&b)
}

func (w Writer) compose(m Message) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := msg.FromFormat(cmp.Or(m.FromName, w.From.Name), w.From.Address); err != nil {
		return nil, fmt.Errorf("mail from %s: %w", w.From.Address, err)
	}
	if err := msg.To(wire(m.To)); err != nil {
		return nil, fmt.Errorf("mail to %q: %w", m.To, err)
	}
	msg.Subject(m.Subject)
	_, domain, _ := strings.Cut(w.From.Address, "@")
	// Not this machine's name, which nobody outside knows.
	msg.SetMessageIDWithValue(cmp.Or(m.ID, strings.ToLower(rand.Text())+"@"+domain))
	if m.Date.IsZero() {
		msg.SetDate()
	} else {
		msg.SetDateWithValue(m.Date)
	}
	if m.Language != "" {
		msg.SetGenHeader("Content-Language", m.Language)
	}
	if n := len(m.References); n > 0 {
		msg.SetGenHeaderPreformatted("In-Reply-To", "<"+m.References[n-1]+">")
		msg.SetGenHeaderPreformatted("References", "<"+strings.Join(m.References, ">\r\n <")+">")
	}
	// Suppresses vacation replies.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.List != "" {
		msg.SetGenHeaderPreformatted("List-Id", "<"+m.List+"."+domain+">")
	}
	if m.Manage != "" {
		msg.SetGenHeaderPreformatted("List-Unsubscribe", "<"+m.Manage+">")
	}
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
	for _, f := range m.Files {
		if err := msg.AttachReader(f.Name, bytes.NewReader(f.Body), gomail.WithFileContentType(gomail.ContentType(f.Type))); err != nil {
			return nil, fmt.Errorf("file %s of a mail: %w", f.Name, err)
		}
	}
	return msg, nil
}

// wire is an address as mails and servers get it: every server takes a domain in ASCII.
func wire(address string) string {
	at := strings.LastIndex(address, "@") + 1
	domain, err := idna.Lookup.ToASCII(address[at:])
	if err != nil || ascii(address[at:]) {
		return address
	}
	return address[:at] + domain
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
