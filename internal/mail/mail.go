// Package mail sends a mail to one person through the server that the settings
// name. It writes no texts and keeps no outbox: who calls it says what is sent, and
// tries again where that makes sense. A mail never travels in the clear, unless the
// server is on this machine or the settings say so.
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
	"regexp"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/storeglass/storeglass/internal/masking"
)

// Message is one mail.
type Message struct {
	// To is one address, without a name.
	To      string
	Subject string
	// Text is what everybody can read; HTML says the same and may be empty.
	Text, HTML string
}

// Sender sends mails, each over a connection of its own.
type Sender struct {
	from    mail.Address
	server  string
	options []gomail.Option
	host    string
	// mask hides the password in what the server says.
	mask masking.Mask
}

// Within bounds a mail from the first packet to the last.
const Within = 30 * time.Second

// Option changes what New makes.
type Option func(*options)

type options struct {
	roots *x509.CertPool
	dial  gomail.DialContextFunc
}

// WithRoots has the server's certificate checked against these authorities
// instead of the machine's.
func WithRoots(roots *x509.CertPool) Option { return func(o *options) { o.roots = roots } }

// New reads an address of a mail server: smtp://user:password@host:587 demands
// STARTTLS, smtps://user:password@host:465 speaks TLS from the start. On this
// machine (a loopback address), and with ?tls=off, smtp:// does without. No error
// holds the password.
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
	off := server.Query().Get("tls") == "off"
	if v := server.Query().Get("tls"); v != "" && !off {
		return nil, fmt.Errorf("mail server: tls=%s is not known: leave it out, or write tls=off", v)
	}
	if off && server.Scheme == "smtps" {
		return nil, errors.New("mail server: smtps:// and tls=off contradict each other")
	}
	port, s := "587", &Sender{from: from, host: host}
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
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("mail server: port %q is no number", port)
	}
	s.options = append(s.options, gomail.WithPort(n))
	if name := server.User.Username(); name != "" {
		password, _ := server.User.Password()
		auth := gomail.SMTPAuthAutoDiscover // never in the clear
		if clear && server.Scheme == "smtp" {
			auth = gomail.SMTPAuthPlainNoEnc
		}
		s.mask = masking.New(password)
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

// Send hands the mail over to the server, within 30 seconds. Temporary tells
// whether a failure may pass.
func (s *Sender) Send(ctx context.Context, m Message) error {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := msg.FromFormat(s.from.Name, s.from.Address); err != nil {
		return fmt.Errorf("mail from %s: %w", s.from.Address, err)
	}
	if err := msg.To(m.To); err != nil {
		return fmt.Errorf("mail to %q: %w", m.To, err)
	}
	msg.Subject(m.Subject)
	msg.SetMessageID()
	msg.SetDate()
	// Replies of vacations are not wanted.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	masks := []masking.Mask{s.mask}
	for _, secret := range linkSecret.FindAllString(m.Text, -1) {
		masks = append(masks, masking.New(secret))
	}
	err := s.dialed(ctx, masks, func(ctx context.Context, c *gomail.Client) error { return c.DialAndSendWithContext(ctx, msg) })
	if err != nil {
		return fmt.Errorf("send mail by %s: %w", s.server, err)
	}
	return nil
}

// Check reaches for the server and signs in there, without sending anything.
func (s *Sender) Check(ctx context.Context) error {
	err := s.dialed(ctx, []masking.Mask{s.mask}, func(ctx context.Context, c *gomail.Client) error {
		if err := c.DialWithContext(ctx); err != nil {
			return err
		}
		return c.Close()
	})
	if err != nil {
		return fmt.Errorf("mail server %s: %w", s.server, err)
	}
	return nil
}

// linkSecret is what makes a link in a mail let somebody in.
var linkSecret = regexp.MustCompile(`[A-Za-z0-9_-]{40,}`)

// dialed runs f with a client of its own, within the time of one mail. What the server
// repeats of the secrets that it was told is masked.
func (s *Sender) dialed(ctx context.Context, masks []masking.Mask, f func(context.Context, *gomail.Client) error) error {
	c, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, Within)
	defer cancel()
	told := f(ctx, c)
	err = told
	for _, mask := range masks {
		err = mask.Error(err)
	}
	if told != nil && err.Error() != told.Error() {
		return &echoed{err, Temporary(told)}
	}
	return told
}

// echoed is the error of a server that repeated a secret, which is hidden in it.
type echoed struct {
	error
	temporary bool
}

// Temporary reports whether a mail that failed with err may be sent later: the
// server said so, or could not be reached.
func Temporary(err error) bool {
	if said, ok := errors.AsType[*echoed](err); ok {
		return said.temporary
	}
	if said, ok := errors.AsType[*gomail.SendError](err); ok {
		return said.IsTemp()
	}
	_, unreached := errors.AsType[net.Error](err)
	return unreached || errors.Is(err, context.DeadlineExceeded)
}

// loopback reports whether the host is this machine by its number or its usual name.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
