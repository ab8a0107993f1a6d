package outbox

import (
	"context"
	"log/slog"
	netmail "net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/jobs/jobstest"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

const secret = "https://shop.example/sign-in/reset/aSecretThatLetsSomeoneIn"

var letter = mail.Message{To: "ada@example.com", Subject: "Set a new password", Text: "Here:\n\n" + secret + "\n"}

type world struct {
	t      *testing.T
	server *mailtest.Server
	db     *db.DB
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, server: mailtest.Start(t, mailtest.Plain)}
	w.db = db.From(dbtest.As(t, dbtest.New(t), db.Worker), 60)
	return w
}

// outbox is an Outbox as another process would have it.
func (w *world) outbox(key string) *Outbox {
	w.t.Helper()
	sender, err := mail.New(&url.URL{Scheme: "smtp", Host: w.server.Addr}, netmail.Address{Address: "reports@example.com"})
	w.must(err)
	sealer, err := seal.NewSealer(strings.Repeat(key, 32))
	w.must(err)
	return &Outbox{DB: w.db, Sealer: sealer, Courier: mail.NewCourier(sender), Log: slog.New(slog.DiscardHandler)}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// works runs a process that sends mails until the test ends.
func (w *world) works(o *Outbox) {
	w.t.Helper()
	set := jobs.NewSet()
	o.Jobs(set)
	engine, err := jobs.Start(w.t.Context(), w.db.Pool, o.Log, set)
	w.must(err)
	w.t.Cleanup(func() { w.must(engine.Stop(context.Background())) })
}

func (w *world) arrived() mailtest.Mail {
	w.t.Helper()
	select {
	case m := <-w.server.Got:
		return m
	case <-time.After(2 * time.Minute):
		w.t.Fatal("no mail arrived")
		return mailtest.Mail{}
	}
}

func (w *world) job(of string) (out string) {
	w.t.Helper()
	for range 2400 {
		out = string(jobstest.Of(w.t, w.db.Pool, "account_mail")[0].State)
		if out == of {
			break
		}
		<-time.After(50 * time.Millisecond)
	}
	return out
}

// The process that queued the mail ends before it is sent, and the queue holds nothing readable.
func TestAMailOutlivesItsProcessAndIsSealed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.outbox("k").Send(t.Context(), letter))
	kept := string(jobstest.Of(t, w.db.Pool, "account_mail")[0].EncodedArgs)
	if strings.Contains(kept, "reset") || strings.Contains(kept, "ada@") || len(kept) < len(secret) {
		t.Errorf("the queue says %s", kept)
	}
	w.works(w.outbox("k"))
	m := w.arrived()
	if m.To != letter.To || !strings.Contains(strings.ReplaceAll(m.Raw, "=\r\n", ""), secret) || !strings.Contains(m.Raw, "@example.com>") {
		t.Errorf("arrived for %s: %s", m.To, m.Raw)
	}
	if state := w.job("completed"); state != "completed" {
		t.Errorf("the job is %s", state)
	}
}

func TestAMailThatIsRefusedIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code  int
		state string
	}{"permanently": {550, "cancelled"}, "for now": {451, "scheduled"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.server.Refuse = &smtp.SMTPError{Code: c.code, EnhancedCode: smtp.EnhancedCode{c.code / 100, 1, 1}, Message: "no"}
			o := w.outbox("k")
			w.must(o.Send(t.Context(), letter))
			w.works(o)
			if state := w.job(c.state); state != c.state {
				t.Errorf("the job is %s, want %s", state, c.state)
			}
		})
	}
}

// The page that asks for a mail says only that it is being sent.
func TestAMailThatDoesNotLeaveIsNotedAboutItsReader(t *testing.T) {
	t.Parallel()
	no := &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	for name, c := range map[string]struct {
		refuse      *smtp.SMTPError
		state, want string
	}{
		"refused": {no, "cancelled", "550 5.1.1 no such user"},
		"left":    {nil, "completed", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			_, err := w.db.Pool.Exec(t.Context(), "insert into people (email, name, mail_problem) values ('Ada@Example.com', 'Ada', '\"an earlier one\"')")
			w.must(err)
			w.server.Refuse = c.refuse
			o := w.outbox("k")
			w.must(o.Send(t.Context(), letter))
			w.works(o)
			w.job(c.state)
			var noted, id string
			w.must(w.db.Pool.QueryRow(t.Context(), "select mail_problem #>> '{}', coalesce(mail_id, '') from people").Scan(&noted, &id))
			if !strings.HasPrefix(id, "account.") || c.refuse == nil && !strings.Contains(w.arrived().Raw, "<"+id+">") {
				t.Errorf("a report would have to name %q", id)
			}
			if !strings.Contains(noted, c.want) || strings.Contains(noted, "earlier") || (c.want == "") != (noted == "") {
				t.Errorf("the note is %q", noted)
			}
		})
	}
}

func TestAMailSealedWithAnotherKeyIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.outbox("k").Send(t.Context(), letter))
	w.works(w.outbox("x"))
	if state := w.job("cancelled"); state != "cancelled" {
		t.Errorf("the job is %s", state)
	}
}
