package weekly

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
)

// Like the ten-year simulation, but with real rows: two workers with doubled, late and
// simultaneous ticks, shops that change time zone, and one that changes its
// hour.
func TestAYearOfOutagesMakesOneRowForEachWeek(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chance := rand.New(rand.NewPCG(6, 5))
	since := time.Date(2027, 1, 3, 0, 0, 0, 0, time.UTC)
	w.at(since)
	const people = 6
	w.exec(`insert into people (email, name) select 'p' || n || '@example.com', 'P' from generate_series(1, $1::integer) n`, people)
	w.exec(`insert into subscriptions (store_id, person_id, weekday, hour, week_begins, confirmed_at)
		select $1::bigint, id, 1 + id % 7, (id * 5) % 24, 1 + (id * 3) % 7, $2::timestamptz from people`, w.store, since)
	for w.Now().Before(since.AddDate(1, 0, 0)) {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if _, err := w.Schedule(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		switch chance.IntN(12) {
		case 0:
			w.exec(`update stores set timezone = $1`, thirtyZones[chance.IntN(len(thirtyZones))])
		case 1:
			w.exec(`update subscriptions set weekday = $1, hour = $2 where person_id = (select min(id) from people)`, 1+chance.IntN(7), chance.IntN(24))
		}
		w.later(time.Duration(chance.ExpFloat64() * float64(40*time.Hour)))
	}
	// Only hours and the time zone changed, never by a whole week.
	w.equal("rows that are not seven days behind the one before", w.rows(`
		select x.week::text from (select week, lag(week) over (partition by subscription_id order by week) as before from deliveries) x
		where x.week <> x.before + 7`))
	w.equal("subscriptions with less than a year of weeks", w.rows(`
		select subscription_id::text from deliveries group by subscription_id having count(*) not between 51 and 53`))
	w.equal("subscriptions with rows", w.rows(`select count(distinct subscription_id)::text from deliveries`), "6")
	w.equal("ids that two rows share", w.rows(`select message_id from deliveries group by message_id having count(*) > 1`))
	w.equal("rows before their hour or before the subscription", w.rows(`
		select d.id::text from deliveries d where d.due_at > $1 or d.due_at < $2`, w.Now(), since))
}

func TestASubscriptionWhoseRowsCantBeMadeStopsNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada", "ben")
	w.exec(`update subscriptions set zone = 'Nowhere/Atall' where address like 'ada%'`)
	w.later(time.Hour)
	made, err := w.Schedule(t.Context())
	if made != 1 || err == nil {
		t.Errorf("made %d, %v", made, err)
	}
}

func TestOnlyWhoSaidYesIsOwedAMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada", "ben", "cyd")
	w.exec(`update subscriptions set confirmed_at = null where address like 'ada%'`)
	w.exec(`update subscriptions set ended_at = confirmed_at, end_cause = 'removed' where address like 'ben%'`)
	w.later(time.Hour)
	w.round()
	w.equal("arrived", to(w.arrived()), "cyd")
	w.equal("owed", w.states(), "cyd 2026-11-09 sent 0")
}

func TestTheWeeksOfANewSubscriptionBeginAsIsSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, ben := w.person("ada", access.Merchant), w.person("ben", access.Merchant)
	m := w.subscriptions()
	_, err := m.Subscribe(t.Context(), ada, wanted(""))
	w.must(err)
	m.WeekBegins = 7
	_, err = m.Subscribe(t.Context(), ben, wanted(""))
	w.must(err)
	_, err = m.Subscribe(t.Context(), ben, wanted("cyd@example.com"))
	w.must(err)
	w.equal("weekdays", w.rows(`select coalesce(p.name, s.address) || ' ' || s.week_begins from subscriptions s left join people p on p.id = s.person_id order by s.id`), "ada 1", "ben 7", "cyd@example.com 7")
	w.arrived()
	w.later(time.Hour)
	w.round()
	w.equal("weeks", w.states(), "ada 2026-11-09 sent 0", "ben 2026-11-08 sent 0")
}
