package mail

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// Connection is one SMTP connection, for many mails, one at a time.
type Connection struct {
	sender *Sender
	client *smtp.Client
	// used means that the server needs a reset before the next mail.
	used bool
	// idle closes the connection after it has been unused for a while.
	idle  *time.Timer
	mails int
}

// Refusal is the answer of a server that didn't accept a mail but keeps the connection
// open, or that refused us when we connected or signed in.
type Refusal struct {
	// Code is the SMTP code, and Step what it answered.
	Code int
	Step Step
	said string
}

// Step is a step of handing over a mail.
type Step string

// The steps, in order.
const (
	OfConnection Step = "connection"
	OfSender     Step = "MAIL"
	OfReader     Step = "RCPT"
	OfData       Step = "DATA"
	OfMail       Step = "mail"
)

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %d %s", r.Step, r.Code, r.said) }

// Passing reports whether the server may accept the mail later.
func (r *Refusal) Passing() bool { return r.Code < 500 }

// OfAddress reports whether the server says that the address doesn't exist. Answers about
// its own rules (5.7.x), about the letters it can't take (5.6.x), about a full mailbox (552,
// 5.2.2), or about who is connecting, aren't about the address.
func (r *Refusal) OfAddress() bool {
	return r.Step == OfReader && r.Code >= 550 && r.Code != 552 &&
		!strings.HasPrefix(r.said, "5.7.") && !strings.HasPrefix(r.said, "5.6.") && !strings.HasPrefix(r.said, "5.2.2")
}

// noUnicode is what is said for a server that can't be asked about an address (RFC 6531).
const noUnicode = "5.6.7 The mail server doesn't offer SMTPUTF8, which letters such as é before the @ need"

// Connect opens a connection to the server and signs in.
func (s *Sender) Connect(ctx context.Context) (*Connection, error) {
	c, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, Within)
	defer cancel()
	client, err := c.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return nil, unreachable{fmt.Errorf("mail server %s: %w", s.server, s.masked(refusal(OfConnection, err)))}
	}
	return &Connection{sender: s, client: client}, nil
}

// Close ends the connection with QUIT.
func (c *Connection) Close() {
	_ = c.client.UpdateDeadline(goodbye)
	if c.client.Quit() != nil {
		_ = c.client.Close()
	}
}

// Send hands over what Write made, within 30 seconds, and waits up to ten minutes for
// the server to accept it. A [*Refusal] is the server's answer; after any other error the
// connection is unusable, and the mail may have arrived.
func (c *Connection) Send(ctx context.Context, to string, raw []byte) error {
	c.mails++
	err := c.send(ctx, to, raw)
	if err == nil {
		return nil
	}
	return fmt.Errorf("send mail by %s: %w", c.sender.server, c.sender.masked(err))
}

func (c *Connection) send(ctx context.Context, to string, raw []byte) error {
	if err := c.client.UpdateDeadline(c.sender.within); err != nil {
		return err
	}
	// Closing the socket is the only way to stop a call when the context ends.
	defer context.AfterFunc(ctx, func() { _ = c.client.Close() })()
	if err := c.reset(); err != nil {
		return err
	}
	c.used = true
	if err := c.client.Mail("<" + c.sender.From.Address + ">"); err != nil {
		return refusal(OfSender, err)
	}
	to = wire(to)
	if offered, _ := c.client.Extension("SMTPUTF8"); !offered && !ascii(to) {
		return &Refusal{553, OfReader, noUnicode}
	}
	if err := c.client.Rcpt("<" + to + ">"); err != nil {
		return refusal(OfReader, err)
	}
	w, err := c.client.Data()
	if err != nil {
		return refusal(OfData, err)
	}
	if _, err := w.Write(raw); err != nil {
		return err
	}
	if err := c.client.UpdateDeadline(c.sender.taking); err != nil {
		return err
	}
	// Not w.Close: it holds the client's lock while it waits, so nothing could interrupt it.
	if err := w.(*smtp.DataCloser).WriteCloser.Close(); err != nil {
		return err
	}
	_, _, err = c.client.Text.ReadResponse(250)
	return refusal(OfMail, err)
}

// fresh prepares the connection for another mail; after an error it is unusable.
func (c *Connection) fresh() error {
	if err := c.client.UpdateDeadline(goodbye); err != nil {
		return err
	}
	return c.reset()
}

func (c *Connection) reset() error {
	if !c.used {
		return nil
	}
	c.used = false
	return c.client.Reset()
}

// refusal is the server's answer in err. 421 isn't one: the server then closes the connection.
func refusal(step Step, err error) error {
	if said, ok := errors.AsType[*textproto.Error](err); ok && said.Code != 421 {
		return &Refusal{said.Code, step, said.Msg}
	}
	return err
}
