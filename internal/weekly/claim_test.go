package weekly

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
)

// owed makes the row of one mail that is due, and returns its id.
func (w *world) owed() (id int64) {
	w.t.Helper()
	w.reader("ada")
	w.later(time.Hour)
	_, err := w.Schedule(w.t.Context())
	w.must(err)
	w.must(w.DB.Pool.QueryRow(w.t.Context(), `select id from deliveries`).Scan(&id))
	return id
}

// claimed claims a mail for a minute, as a process does that is then slow.
func (w *world) claimed(id int64) sqlc.BeginDeliveryRow {
	w.t.Helper()
	d, err := w.DB.Queries().BeginDelivery(w.t.Context(), sqlc.BeginDeliveryParams{ID: id, Now: w.Now(), Until: w.Now().Add(time.Minute)})
	w.must(err)
	return d
}

// A job lists what is due, and another may have handled a mail by the time it gets there.
func TestAMailIsBegunOnlyWhileItIsDue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		begun  bool
	}{
		"due":                      {`select`, true},
		"put off":                  {`update deliveries set next_at = due_at + interval '1 second'`, false},
		"with another process":     {`update deliveries set held_until = due_at + interval '1 second'`, false},
		"with one that has died":   {`update deliveries set held_until = due_at`, true},
		"sent":                     {`update deliveries set state = 'sent', sent_at = due_at`, false},
		"covered by a later one":   {`update deliveries set folded_into = id`, false},
		"covered, and asked again": {`update deliveries set folded_into = id, resent = true`, true},
	} {
		w := newWorld(t)
		id := w.owed()
		w.exec(c.change)
		w.must(w.deliver(t.Context(), id))
		if got := len(w.arrived()) == 1; got != c.begun {
			t.Errorf("%s: begun is %t", name, got)
		}
	}
}

// A process that is slower than its claim lasts wakes up while another one has the mail.
func TestOnlyTheLatestClaimOfAMailCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.owed()
	w.exec(`insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, folded_into) select subscription_id, store_id, '2026-11-02', due_at, next_at, 'earlier', id from deliveries`)
	slow := w.claimed(id)
	w.later(time.Minute)
	second := w.claimed(id)
	w.must(w.handle(t.Context(), t.Context(), slow))
	w.equal("written by the slow one", w.rows(`select state from deliveries where id = $1`, id), "waiting")

	r, err := w.DB.Queries().DeliveryReader(t.Context(), second.SubscriptionID)
	w.must(err)
	_, err = w.write(t.Context(), &second, r)
	w.must(err)
	w.later(time.Minute)
	third := w.claimed(id)
	w.must(w.send(t.Context(), t.Context(), second))
	w.equal("handed over by the second", to(w.arrived()))

	_, err = w.DB.Queries().BeginTry(t.Context(), sqlc.BeginTryParams{ID: id, Claim: third.Claim, Now: w.Now()})
	w.must(err)
	w.later(time.Minute)
	fourth := w.claimed(id)
	w.must(w.record(t.Context(), third, result{state: fact.MailRefused, outcome: fact.TryRefused, reason: locale.M("mails.sent.cause.ended")}))
	w.equal("what it covers", w.rows(`select week || ' ' || state from deliveries where folded_into = $1`, id), "2026-11-02 waiting")
	w.must(w.send(t.Context(), t.Context(), fourth))
	w.equal("handed over by the fourth", to(w.arrived()), "ada")
	w.must(w.record(t.Context(), third, result{state: fact.MailReady, outcome: fact.TryLater}))
	w.equal("the mail", w.rows(`select week || ' ' || state from deliveries order by week`), "2026-11-02 folded", "2026-11-09 sent")
	w.equal("the tries", w.rows(`select n || ' ' || coalesce(outcome, 'cut off') from delivery_tries order by n`), "1 cut off", "2 sent")
}

func TestAClaimThatWasGivenBackCountsNoMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.owed()
	d := w.claimed(id)
	w.exec(`update deliveries set held_until = null`)
	w.must(w.handle(t.Context(), t.Context(), d))
	w.equal("written", w.rows(`select state from deliveries`), "waiting")
	d = w.claimed(id)
	r, err := w.DB.Queries().DeliveryReader(t.Context(), d.SubscriptionID)
	w.must(err)
	_, err = w.write(t.Context(), &d, r)
	w.must(err)
	w.exec(`update deliveries set held_until = null`)
	w.must(w.send(t.Context(), t.Context(), d))
	w.equal("handed over", to(w.arrived()))
}

// If the mail server didn't answer, the mail may have arrived.
func TestAMailWithoutAnAnswerIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"the answer comes late": true, "no answer comes": false} {
		w := newWorld(t)
		id := w.owed()
		d := w.claimed(id)
		r, err := w.DB.Queries().DeliveryReader(t.Context(), d.SubscriptionID)
		w.must(err)
		_, err = w.write(t.Context(), &d, r)
		w.must(err)
		_, err = w.DB.Queries().BeginTry(t.Context(), sqlc.BeginTryParams{ID: id, Claim: d.Claim, Now: w.Now()})
		w.must(err)
		w.must(w.record(t.Context(), d, w.answer(d, mail.Answer{Kind: mail.Unanswered})))
		w.later(mail.LeftAlone - time.Second)
		w.round()
		w.equal(name+": meanwhile", to(w.arrived()))
		if late {
			w.must(w.record(t.Context(), d, w.answer(d, mail.Answer{Kind: mail.Taken})))
		}
		w.later(time.Second)
		w.round()
		if got := len(w.arrived()); (got == 0) != late {
			t.Errorf("%s: %d mails arrived", name, got)
		}
		w.equal(name, w.states(), "ada 2026-11-09 sent 0")
	}
}

func TestWhatAnAnswerLeadsTo(t *testing.T) {
	t.Parallel()
	p := &Sender{Now: func() time.Time { return monday }, Log: quiet}
	for kind, want := range map[mail.AnswerKind]string{
		mail.Taken:     "sent, sent, at once: false, counts: false, suppresses: false",
		mail.Away:      "ready, later, at once: true, counts: false, suppresses: false",
		mail.Broken:    "ready, connection, at once: false, counts: false, suppresses: false",
		mail.Later:     "ready, later, at once: false, counts: true, suppresses: false",
		mail.Refused:   "refused, refused, at once: false, counts: false, suppresses: false",
		mail.NoAddress: "refused, refused, at once: false, counts: false, suppresses: true",
	} {
		r := p.answer(sqlc.BeginDeliveryRow{State: fact.MailReady}, mail.Answer{Kind: kind})
		if got := fmt.Sprintf("%s, %s, at once: %t, counts: %t, suppresses: %t", r.state, r.outcome, r.next.Equal(monday), r.counts, r.suppress); got != want {
			t.Errorf("%d leads to %q, want %q", kind, got, want)
		}
	}
}

func TestAClaimLastsAsLongAsItsJob(t *testing.T) {
	t.Parallel()
	end := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	if got := lease(ctx); got < time.Until(end) {
		t.Errorf("it lasts %s", got)
	}
	if got := lease(context.WithoutCancel(ctx)); got != jobs.TakenBack {
		t.Errorf("without an end it lasts %s", got)
	}
}
