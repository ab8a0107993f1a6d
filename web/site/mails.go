package site

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
)

// Mail is a mail to one person.
type Mail struct{ To, Subject, Text, HTML string }

type Mailer interface {
	Send(ctx context.Context, m Mail) error
}

// laterWithin limits what is done after the answer.
const laterWithin = time.Minute

// Later does something after the answer, so that the answer's timing reveals nothing. Errors go
// to the log.
func (s *Site) Later(c *Call, what string, f func(context.Context) error) {
	ctx, id := context.WithoutCancel(c.Request().Context()), c.ID
	s.Background.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, laterWithin)
		defer cancel()
		if err := f(ctx); err != nil {
			s.Log.ErrorContext(ctx, what, "id", id, "error", err.Error())
		}
	})
}

// Wait returns when everything that Later started has ended, or when ctx ends.
func (s *Site) Wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		s.Background.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// MailText is a plain mail of paragraphs.
func MailText(paragraphs ...string) string { return strings.Join(paragraphs, "\n\n") + "\n" }

// Notify mails a person, in their language, about a change to how they sign in, if mails can be
// sent. The mail asks whether it was them, and says from where it was done.
func (s *Site) Notify(c *Call, person int64, what locale.Message) {
	from, agent := c.RealIP(), AgentWords(c.Request().UserAgent())
	s.notify(c, person, what, locale.M("mail_account.was_it_you", "forgot", locale.M("account.forgot")), func(l locale.Locale) string {
		return "\n" + l.T("mail_account.from", "address", from, "agent", cmp.Or(components.Agent(l, agent), l.T("mail_account.program")))
	})
}

// NotifyOfAdmin is Notify for a change by an administrator. It doesn't tell the administrator's address.
func (s *Site) NotifyOfAdmin(c *Call, person int64, what locale.Message) {
	s.notify(c, person, what, locale.M("mail_account.turn_on_again"), func(locale.Locale) string { return "" })
}

func (s *Site) notify(c *Call, person int64, what locale.Message, then locale.Message, from func(locale.Locale) string) {
	if s.Mail == nil {
		return
	}
	called, at := s.BrandFor(c).View.Called(), c.Now
	s.Later(c, "mail a notice", func(ctx context.Context) error {
		p, err := s.Access.PersonByID(ctx, person)
		if err != nil {
			return err
		}
		l, _ := locale.Of(p.Language)
		said := what.In(l)
		return s.Mail.Send(ctx, Mail{
			To: p.Email, Subject: l.T("mail_account.notice_subject", "product", called, "what", strings.TrimSuffix(said, ".")),
			Text: MailText(
				l.T("mail_account.hello", "name", p.Name), said,
				l.T("mail_account.when", "at", components.UTCMoment(l, at))+from(l),
				then.In(l)+"\n"+s.Base.JoinPath("account").String(),
			),
		})
	})
}
