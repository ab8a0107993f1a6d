// Package outbox sends mails about accounts: password reset links, invitations, notices of
// changes. Each mail is a job, so it survives the process that wrote it. Such a mail may let
// its reader sign in, so the job holds it encrypted. The package never decides what a mail
// says.
package outbox

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/mail"
)

const (
	// kept is how long a mail is retried; by then most links in it have expired.
	kept = 24 * time.Hour
	// again is the shortest wait between two tries, mostAgain the longest.
	again, mostAgain = 30 * time.Second, 30 * time.Minute
)

// Sealer encrypts a mail for the database.
type Sealer interface {
	Seal(plain, aad []byte) (sealed []byte, keyID string)
	Open(sealed []byte, keyID string, aad []byte) ([]byte, error)
}

// Outbox queues mails and sends them.
type Outbox struct {
	// DB is the worker's database.
	DB      *db.DB
	Sealer  Sealer
	Courier *mail.Courier
	Log     *slog.Logger
}

// written is a mail ready to be sent.
type written struct {
	To  string
	Raw []byte
}

// mailArgs is the job that sends one mail.
type mailArgs struct {
	ID     string `json:"id" river:"unique"`
	Sealed []byte `json:"sealed"`
	Key    string `json:"key"`
}

func (mailArgs) Kind() string { return "account_mail" }

func (mailArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Mails, jobs.ByPerson) }

// Send queues a mail. Once Send has returned, the mail is sent even if this process dies.
func (o *Outbox) Send(ctx context.Context, m mail.Message) error {
	_, host, _ := strings.Cut(o.Courier.From.Address, "@")
	m.ID = fmt.Sprintf("account.%s@%s", strings.ToLower(rand.Text()), host)
	raw, err := o.Courier.Write(m)
	if err != nil {
		return err
	}
	plain, err := json.Marshal(written{m.To, raw})
	if err != nil {
		return err
	}
	args := mailArgs{ID: m.ID}
	args.Sealed, args.Key = o.Sealer.Seal(plain, place(m.ID))
	return o.insert(ctx, args)
}

func (o *Outbox) insert(ctx context.Context, args mailArgs) error {
	return o.DB.Tx(ctx, func(tx pgx.Tx, _ *sqlc.Queries) error {
		return jobs.Insert(ctx, tx, river.InsertManyParams{Args: args})
	})
}

// place is the encryption's associated data: a mail can be decrypted only for its own job.
func place(id string) []byte { return []byte("account mail:" + id) }

// Jobs adds the job that sends a mail.
func (o *Outbox) Jobs(set *jobs.Set) { jobs.Work(set, 0, o.work) }

func (o *Outbox) work(ctx context.Context, job *river.Job[mailArgs]) error {
	var m written
	plain, err := o.Sealer.Open(job.Args.Sealed, job.Args.Key, place(job.Args.ID))
	if err == nil {
		err = json.Unmarshal(plain, &m)
	}
	if err != nil {
		o.Log.Error("a mail about an account was sealed with another secret key and can't be sent", "mail", job.Args.ID)
		return river.JobCancel(err)
	}
	a := o.Courier.Hand(ctx, m.To, m.Raw, func(late mail.Answer) {
		o.note(context.Background(), m.To, job.Args.ID, late)
		if late.Kind == mail.Taken {
			return
		}
		if err := o.insert(context.Background(), job.Args); err != nil {
			o.Log.Error("a mail about an account is lost", "mail", job.Args.ID, "error", err)
		}
	})
	o.note(ctx, m.To, job.Args.ID, a)
	switch age := time.Since(job.CreatedAt); {
	case a.Kind == mail.Taken, a.Kind == mail.Unanswered: // the late answer is handled above
		return nil
	case a.Kind == mail.Refused, a.Kind == mail.NoAddress:
		o.Log.Warn("a mail about an account was refused", "mail", job.Args.ID, "error", a.Err)
		return river.JobCancel(a.Err)
	case age > kept:
		o.Log.Error("a mail about an account was given up", "mail", job.Args.ID, "error", a.Err)
		return river.JobCancel(a.Err)
	default:
		o.Log.Warn("a mail about an account waits for the mail server", "mail", job.Args.ID, "error", a.Err)
		return river.JobSnooze(min(again+age, mostAgain))
	}
}

// note saves why a mail wasn't delivered, so the person's page can say so: the page that asked
// for the mail said only that it was being sent. It saves the id, too: the mail may still bounce.
func (o *Outbox) note(ctx context.Context, address, id string, a mail.Answer) {
	if err := o.DB.Queries().NoteAccountMail(ctx, sqlc.NoteAccountMailParams{Address: address, MessageID: id, Problem: a.Reason}); err != nil {
		o.Log.Error("what happened to a mail about an account is not recorded", "error", err)
	}
}
