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

	"github.com/storeglass/storeglass/internal/redact"
)

// Connection is one conversation with the server, for many mails, one at a time.
type Connection struct {
	sender *Sender
	client *smtp.Client
	// used: the server has to be told that another mail begins.
	used bool
	// idle ends it, once nobody has taken it up for a while.
	idle  *time.Timer
	mails int
}

// Refusal is the answer of a server that did not take a mail, and goes on speaking
// with us.
type Refusal struct {
	// Code is that of SMTP, and Step what it answered: MAIL, RCPT, DATA, or the mail itself.
	Code int
	Step Step
	said string
}

// Step is a part of handing over a mail.
type Step string

// The steps, in their order.
const (
	OfSender Step = "MAIL"
	OfReader Step = "RCPT"
	OfData   Step = "DATA"
	OfMail   Step = "mail"
)

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %d %s", r.Step, r.Code, r.said) }

// Passing reports whether the server may take the mail later.
func (r *Refusal) Passing() bool { return r.Code < 500 }

// OfAddress reports whether there is nobody at the address, by the server's word. What
// it says of its own rules (5.7.x), or of who speaks to it, is not about the address.
func (r *Refusal) OfAddress() bool {
	return r.Step == OfReader && r.Code >= 550 && !strings.HasPrefix(r.said, "5.7.")
}

// Connect opens a conversation with the server and signs in there.
func (s *Sender) Connect(ctx context.Context) (*Connection, error) {
	c, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, Within)
	defer cancel()
	client, err := c.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return nil, unreachable{fmt.Errorf("mail server %s: %w", s.server, s.masked(err))}
	}
	return &Connection{sender: s, client: client}, nil
}

// Close says goodbye.
func (c *Connection) Close() {
	_ = c.client.UpdateDeadline(goodbye)
	if c.client.Quit() != nil {
		_ = c.client.Close()
	}
}

// Send hands over what Write made, within 30 seconds, and waits up to ten minutes for
// the server to say that it has it. A [*Refusal] is the server's answer; after any other
// error the conversation is over, and the mail may have arrived.
func (c *Connection) Send(ctx context.Context, to string, raw []byte) error {
	c.mails++
	err := c.send(ctx, to, raw)
	if err == nil {
		return nil
	}
	if said, ok := errors.AsType[*Refusal](err); ok {
		said.said = redact.Long(string(c.sender.mask.Body([]byte(said.said))))
	}
	return fmt.Errorf("send mail by %s: %w", c.sender.server, c.sender.masked(err))
}

func (c *Connection) send(ctx context.Context, to string, raw []byte) error {
	if err := c.client.UpdateDeadline(c.sender.within); err != nil {
		return err
	}
	// What is under way ends with the context: the socket is all that can be stopped.
	defer context.AfterFunc(ctx, func() { _ = c.client.Close() })()
	if err := c.reset(); err != nil {
		return err
	}
	c.used = true
	if err := c.client.Mail("<" + c.sender.From.Address + ">"); err != nil {
		return refusal(OfSender, err)
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
	// Not w.Close: it locks the client for as long as it waits, and nothing could stop it.
	if err := w.(*smtp.DataCloser).WriteCloser.Close(); err != nil {
		return err
	}
	_, _, err = c.client.Text.ReadResponse(250)
	return refusal(OfMail, err)
}

// fresh prepares the conversation for another mail; an error ends it.
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

// refusal is the server's answer within err. 421 is a goodbye.
func refusal(step Step, err error) error {
	if said, ok := errors.AsType[*textproto.Error](err); ok && said.Code != 421 {
		return &Refusal{said.Code, step, said.Msg}
	}
	return err
}
