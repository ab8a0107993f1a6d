package weekly

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
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
	slow := w.claimed(id)
	w.later(time.Minute)
	second := w.claimed(id)
	w.must(w.handle(t.Context(), t.Context(), slow))
	w.equal("written by the slow one", w.states(), "ada 2026-11-09 waiting 0")

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
	w.must(w.send(t.Context(), t.Context(), fourth))
	w.equal("handed over by the fourth", to(w.arrived()), "ada")
	w.must(w.record(t.Context(), third, result{state: fact.MailReady, outcome: fact.TryLater}))
	w.equal("the mail", w.states(), "ada 2026-11-09 sent 0")
	w.equal("the tries", w.rows(`select n || ' ' || coalesce(outcome, 'cut off') from delivery_tries order by n`), "1 cut off", "2 sent")
}
