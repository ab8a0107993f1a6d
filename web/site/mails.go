package site

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/access"
)

// Mail is a mail to one person.
type Mail struct{ To, Subject, Text, HTML string }

// Mailer sends mails.
type Mailer interface {
	Send(ctx context.Context, m Mail) error
}

// laterWithin bounds what is done after the answer.
const laterWithin = time.Minute

// Later does something after the answer, so that its time tells nothing about
// what it was. What goes wrong is for the log.
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

// Settle waits until what was begun after answers has ended, or ctx has.
func (s *Site) Settle(ctx context.Context) error {
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

// Notify tells somebody by mail what has changed about how they get in, if mails
// can be sent: whoever it was that changed it, the owner hears of it.
func (s *Site) Notify(c *Call, p access.Person, what string) {
	if s.Mail == nil {
		return
	}
	text := fmt.Sprintf("Hello %s,\n\n%s\n\nWhen: %s\nFrom: %s, %s\n\nWas it you? Then there is nothing to do. If not, set a new password and look where you are signed in:\n%s\n",
		p.Name, what, c.Now.UTC().Format("2 January 2006, 15:04 UTC"), c.RealIP(), cmp.Or(AgentWords(c.Request().UserAgent()), "a program"), s.Base.JoinPath("account"))
	m := Mail{To: p.Email, Subject: s.BrandFor(c).View.Called() + ": " + what, Text: text}
	s.Later(c, "mail a notice", func(ctx context.Context) error { return s.Mail.Send(ctx, m) })
}
