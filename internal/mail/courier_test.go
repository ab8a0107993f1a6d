package mail

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// courier is one with a written mail.
func courier(t *testing.T, s *mailtest.Server) (*Courier, []byte) {
	t.Helper()
	c := NewCourier(sender(t, "smtp://"+s.Addr))
	raw, err := c.Write(hello)
	if err != nil {
		t.Fatal(err)
	}
	return c, raw
}

func nobodyLate(t *testing.T) func(error) {
	return func(err error) { t.Errorf("the server was late: %v", err) }
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
		err := c.Hand(t.Context(), to, raw, nobodyLate(t))
		if said, refused := errors.AsType[*Refusal](err); (err != nil) != (to == "gone@example.com") || refused && !said.OfAddress() {
			t.Fatalf("%s: %v", to, err)
		}
	}
	if len(c.open) != 1 {
		t.Errorf("%d conversations are open", len(c.open))
	}
	// The server ends it meanwhile: another begins.
	_ = c.open[0].client.Close()
	if err := c.Hand(t.Context(), "eve@example.com", raw, nobodyLate(t)); err != nil {
		t.Error(err)
	}
	if len(s.Got) != 3 {
		t.Errorf("%d mails arrived", len(s.Got))
	}
}

// The mail is with the server, which takes its time: nobody waits, and its word is heard.
func TestAServerThatAnswersLateIsHeard(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]error{"taken": nil, "refused": &smtp.SMTPError{Code: 552, EnhancedCode: smtp.EnhancedCode{5, 3, 4}, Message: "full"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mailtest.Start(t, mailtest.Plain)
			c, raw := courier(t, s)
			c.patience = time.Millisecond
			speak, heard := make(chan struct{}), make(chan error, 1)
			s.AtMail = func(mailtest.Mail) error { <-speak; return answer }
			job, end := context.WithCancel(t.Context())
			if err := c.Hand(job, "ada@example.com", raw, func(err error) { heard <- err }); !errors.Is(err, ErrUnanswered) {
				t.Fatal(err)
			}
			end() // of the job, not of the conversation
			close(speak)
			err := <-heard
			if _, refused := errors.AsType[*Refusal](err); refused != (answer != nil) {
				t.Errorf("heard %v", err)
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
		err := c.Hand(t.Context(), "ada@example.com", raw, nobodyLate(t))
		if _, away := errors.AsType[*Unreachable](err); err == nil || away != (i >= mostLost) {
			t.Errorf("mail %d: %v", i+1, err)
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
	err := c.Hand(t.Context(), "ada@example.com", raw, nobodyLate(t))
	if _, away := errors.AsType[*Unreachable](err); !away {
		t.Error(err)
	}
	if said, ok := errors.AsType[*Refusal](err); !ok || said.Step != OfSender {
		t.Error(err)
	}
}

// A server that repeats what it was told in the mail before is not quoted with it.
func TestNoSecretOfAnEarlierMailIsRepeated(t *testing.T) {
	t.Parallel()
	const secret = "aSecretOfTheFirstMailThatLetsSomebodyInHere"
	s := mailtest.Start(t, mailtest.Plain)
	c, raw := courier(t, s)
	first := true
	s.AtMail = func(mailtest.Mail) error {
		if first {
			first = false
			return nil
		}
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 0}, Message: "you said " + secret}
	}
	if err := c.Hand(t.Context(), "ada@example.com", raw, nobodyLate(t), secret); err != nil {
		t.Fatal(err)
	}
	err := c.Hand(t.Context(), "bob@example.com", raw, nobodyLate(t), "another")
	if err == nil || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
}
