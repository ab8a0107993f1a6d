// Package mail sends a mail to one person through the server that the settings
// name. It writes no texts and keeps no outbox: its callers decide what is sent, and
// when to try again. A mail never travels unencrypted, unless the server is on this
// machine or the settings allow it.
package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/storeglass/storeglass/internal/redact"
)

// Message is one mail.
type Message struct {
	// To is one address, without a name.
	To      string
	Subject string
	// Language is a code, "de"; may be empty.
	Language string
	// Text is plain text; HTML says the same and may be empty.
	Text, HTML string
	// Pictures are shown within the HTML.
	Pictures []Picture
	// Files are attached.
	Files []File
	// ID and Date are generated if empty; ID has no brackets.
	ID   string
	Date time.Time
	// References are the ids of earlier mails in the thread, oldest first.
	References []string
	// Unsubscribe is the https address that ends a subscription with one POST (RFC 8058);
	// empty for a mail that someone asked for.
	Unsubscribe string
	// Manage is the page where its reader can turn such mails off, if one POST can't.
	Manage string
	// FromName replaces the sender's name unless it is empty.
	FromName string
	// List is the kind of mail, "weekly", so that readers can filter by List-Id. Empty for mails
	// that belong to no list.
	List string
}

// Sender writes mails and sends them.
type Sender struct {
	Writer
	server  string
	options []gomail.Option
	host    string
	// within and taking are Within and Taking, except in tests.
	within, taking time.Duration
	// mask hides the password in the server's answers.
	mask redact.Mask
}

const (
	// Within bounds connecting to the server, and sending each mail from first to last packet.
	Within = 30 * time.Second
	// Taking bounds the server's answer once it has the whole mail (RFC 5321, section
	// 4.5.3.2.6). Giving up earlier would send the mail twice.
	Taking  = 10 * time.Minute
	goodbye = 5 * time.Second
	// once bounds a mail that isn't retried, because someone waits for the result.
	once = time.Minute
)

// Option changes what New makes.
type Option func(*options)

type options struct {
	roots *x509.CertPool
	dial  gomail.DialContextFunc
	sign  DKIM
}

// New reads a mail server's address: smtp://user:password@host:587 requires STARTTLS,
// smtps://user:password@host:465 uses TLS from the start. On a loopback address, and with
// ?tls=off, smtp:// doesn't require TLS. Errors never contain the password.
func New(server *url.URL, from mail.Address, choices ...Option) (*Sender, error) {
	var o options
	for _, choose := range choices {
		choose(&o)
	}
	host := server.Hostname()
	if host == "" || server.Scheme != "smtp" && server.Scheme != "smtps" {
		return nil, errors.New("mail server: write smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465")
	}
	check := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, RootCAs: o.roots}
	for name := range server.Query() {
		if name != "tls" {
			return nil, fmt.Errorf("mail server: %s= is not known: leave it out; all that may follow a ? is tls=off", name)
		}
	}
	off := server.Query().Get("tls") == "off"
	if v := server.Query().Get("tls"); v != "" && !off {
		return nil, fmt.Errorf("mail server: tls=%s is not known: leave it out, or write tls=off", v)
	}
	if off && server.Scheme == "smtps" {
		return nil, errors.New("mail server: smtps:// and tls=off contradict each other")
	}
	port, s := "587", &Sender{Writer: Writer{from, o.sign}, host: host, within: Within, taking: Taking}
	s.options = []gomail.Option{gomail.WithTimeout(Within), gomail.WithTLSConfig(check)}
	clear := off || loopback(host)
	switch {
	case server.Scheme == "smtps":
		port = "465"
		s.options = append(s.options, gomail.WithSSL())
	case clear:
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	default:
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if off {
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.NoTLS))
	}
	if o.dial != nil {
		s.options = append(s.options, gomail.WithDialContextFunc(o.dial))
	}
	if p := server.Port(); p != "" {
		port = p
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return nil, fmt.Errorf("mail server: port %s: write a number from 1 to 65535, such as 587", port)
	}
	s.options = append(s.options, gomail.WithPort(int(n)))
	if name := server.User.Username(); name != "" {
		password, _ := server.User.Password()
		auth := gomail.SMTPAuthAutoDiscover // never unencrypted
		if clear && server.Scheme == "smtp" {
			auth = gomail.SMTPAuthPlainNoEnc
		}
		s.mask = redact.New(password)
		s.options = append(s.options, gomail.WithSMTPAuth(auth), gomail.WithUsername(name), gomail.WithPassword(password))
	}
	s.server = net.JoinHostPort(host, port)
	if _, err := gomail.NewClient(host, s.options...); err != nil {
		return nil, fmt.Errorf("mail server: %w", err)
	}
	return s, nil
}

// Server is the host and port that mails go to.
func (s *Sender) Server() string { return s.server }

// Send writes the mail and hands it over to the server. [AnswerOf] classifies the error.
func (s *Sender) Send(ctx context.Context, m Message) error {
	raw, err := s.Write(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, once)
	defer cancel()
	c, err := s.Connect(ctx)
	if err != nil {
		return unreachable{err}
	}
	defer c.Close()
	return c.Send(ctx, m.To, raw)
}

// Check connects to the server and signs in, without sending anything.
func (s *Sender) Check(ctx context.Context) error {
	c, err := s.Connect(ctx)
	if err == nil {
		c.Close()
	}
	return err
}

// masked hides the password and links in the server's answer, which may quote any mail, even
// one that another process sent.
func (s *Sender) masked(err error) error {
	if said, ok := errors.AsType[*Refusal](err); ok {
		said.said = redact.Long(string(s.mask.Body([]byte(said.said))))
	}
	return redact.LongError(s.mask.Error(err))
}

// loopback reports whether the host is a loopback address or localhost.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
