package mail

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// courier returns a Courier and a written mail.
func courier(t *testing.T, s *mailtest.Server) (*Courier, []byte) {
	t.Helper()
	c := NewCourier(sender(t, "smtp://"+s.Addr))
	raw, err := c.Write(hello)
	if err != nil {
		t.Fatal(err)
	}
	return c, raw
}

func nobodyLate(t *testing.T) func(Answer) {
	return func(a Answer) { t.Errorf("the server was late: %v", a) }
}

func TestOneConversationIsEnoughForManyMails(t *testing.T) {
	t.Parallel()
	s := mailtest.Start(t, mailtest.Plain)
	c, raw := courier(t, s)
	s.AtReader = func(to string) error {
		if to == "gone@example.com" {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no"}
		}
		return nil
	}
	for _, to := range []string{"ada@example.com", "gone@example.com", "bob@example.com"} {
		want := Taken
		if to == "gone@example.com" {
			want = NoAddress
		}
		if a := c.Hand(t.Context(), to, raw, nobodyLate(t)); a.Kind != want {
			t.Fatalf("%s: %v", to, a)
		}
	}
	if len(c.open) != 1 {
		t.Errorf("%d conversations are open", len(c.open))
	}
	// The server has closed the connection in the meantime: another is opened.
	_ = c.open[0].client.Close()
	if a := c.Hand(t.Context(), "eve@example.com", raw, nobodyLate(t)); a.Kind != Taken {
		t.Error(a)
	}
	if len(s.Got) != 3 {
		t.Errorf("%d mails arrived", len(s.Got))
	}
}

// The server has the mail but takes long to answer: Hand returns, and the answer is still heard.
func TestAServerThatAnswersLateIsHeard(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]error{"taken": nil, "refused": &smtp.SMTPError{Code: 552, EnhancedCode: smtp.EnhancedCode{5, 3, 4}, Message: "full"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mailtest.Start(t, mailtest.Plain)
			c, raw := courier(t, s)
			c.patience = time.Millisecond
			speak, heard := make(chan struct{}), make(chan Answer, 1)
			s.AtMail = func(mailtest.Mail) error { <-speak; return answer }
			job, end := context.WithCancel(t.Context())
			if a := c.Hand(job, "ada@example.com", raw, func(late Answer) { heard <- late }); a.Kind != Unanswered {
				t.Fatal(a)
			}
			end() // ends the job, not the connection
			close(speak)
			if a := <-heard; (a.Kind == Refused) != (answer != nil) {
				t.Errorf("heard %v", a)
			}
		})
	}
}

func TestAServerThatBreaksEveryConversationIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := mailtest.Start(t, mailtest.Plain)
	c, raw := courier(t, s)
	var met atomic.Int32
	s.AtReader = func(string) error { met.Add(1); return errors.New("the connection breaks") }
	for i := range 10 {
		want := Broken
		if i >= mostLost {
			want = Away
		}
		if a := c.Hand(t.Context(), "ada@example.com", raw, nobodyLate(t)); a.Kind != want {
			t.Errorf("mail %d: %v", i+1, a)
		}
	}
	if met.Load() != mostLost || c.Away() == nil {
		t.Errorf("met %d times, and then: %v", met.Load(), c.Away())
	}
}

func TestAServerThatTakesNothingFromUsIsNoFaultOfTheMail(t *testing.T) {
	t.Parallel()
	s := mailtest.Start(t, mailtest.Plain, mailtest.Auth)
	c, raw := courier(t, s)
	a := c.Hand(t.Context(), "ada@example.com", raw, nobodyLate(t))
	if said, ok := errors.AsType[*Refusal](a.Err); a.Kind != Away || !ok || said.Step != OfSender {
		t.Error(a)
	}
}

func TestAServerThatRefusesOurPasswordIsQuoted(t *testing.T) {
	t.Parallel()
	s := mailtest.Start(t, mailtest.Plain, mailtest.Auth)
	c := NewCourier(sender(t, "smtp://reports:wrong@"+s.Addr))
	a := c.Hand(t.Context(), "ada@example.com", []byte("Subject: s\r\n\r\nt\r\n"), nobodyLate(t))
	if said := a.Reason.In(locale.English); a.Kind != Away || !strings.HasPrefix(said, "connection: 454 ") {
		t.Errorf("%v: %q", a.Err, said)
	}
}

// A server may quote in its answer what it was sent in another mail, even by another process:
// no link may leak that way.
func TestNoSecretOfAnotherMailIsRepeated(t *testing.T) {
	t.Parallel()
	const secret = "aSecretOfAnotherMailThatLetsSomeoneInHere"
	s := mailtest.Start(t, mailtest.Plain)
	c, raw := courier(t, s)
	s.AtMail = func(mailtest.Mail) error {
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 0}, Message: "you said " + secret}
	}
	a := c.Hand(t.Context(), "bob@example.com", raw, nobodyLate(t))
	said := a.Reason.In(locale.English)
	if a.Kind != Later || strings.Contains(said+a.Err.Error(), secret) || !strings.Contains(said, "you said") {
		t.Error(a, said)
	}
}
