//go:build bench

package weekly

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/jobs/jobstest"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// Real mails with charts from a separate process, through a real mail server and
// PostgreSQL, for many shops with many readers each. One reader is rejected by the server,
// at one it hangs up, and one shop's data can't be read; all others must get their mails.
// MAILS=500 sends fewer.
func TestMailsASecond(t *testing.T) {
	mails := setting(t, "MAILS", 5000)
	for _, c := range []struct{ shops, readers int }{{mails, 1}, {mails / 10, 10}} {
		t.Run(fmt.Sprintf("%d shops with %d readers", c.shops, c.readers), func(t *testing.T) {
			w := &world{t: t, server: mailtest.Start(t, mailtest.Plain), now: time.Now()}
			url := dbtest.URL(t)
			w.Sender = newSender(t, db.From(dbtest.Open(t, url), 60), w.server.Addr)
			w.Now = func() time.Time { return w.now }
			w.many(c.shops, c.readers)

			var size atomic.Int64
			got := make(chan mailtest.Mail, 100)
			w.server.Got = got
			came := map[string]int{}
			done := make(chan struct{})
			go func() {
				defer close(done)
				for m := range got {
					size.Add(int64(len(m.Raw)))
					came[m.To]++
				}
			}()
			w.server.AtReader = func(to string) error {
				switch to {
				case "r1@shop2.example":
					return refuses(550, 5, 1, 1)
				case "r1@shop3.example":
					return errors.New("the server hangs up")
				}
				return nil
			}
			child := jobstest.Process(t, childDatabase+"="+url, childServer+"="+w.server.Addr, childComposer+"=1")
			began := time.Now()
			said, err := child.CombinedOutput()
			took := time.Since(began)
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			close(got)
			<-done

			w.equal("those that did not go out", w.rows(`
				select s.address || ' ' || d.state from deliveries d join subscriptions s on s.id = d.subscription_id where d.state <> 'sent' and s.address like 'r1@%' order by 1`),
				"r1@shop1.example waiting", "r1@shop2.example refused", "r1@shop3.example ready")
			if want := c.shops*c.readers - c.readers - 2; len(came) != want {
				t.Errorf("%d readers got a mail, want %d", len(came), want)
			}
			for to, n := range came {
				if n != 1 {
					t.Errorf("%s got %d mails", to, n)
				}
			}
			used := child.ProcessState.SysUsage().(*syscall.Rusage)
			t.Logf("%d mails of %d kB in %s: %.0f a second, %.1f ms of processor each, at most %d MB of memory",
				len(came), size.Load()/int64(max(1, len(came)))/1000, took.Round(time.Millisecond), float64(len(came))/took.Seconds(),
				float64((child.ProcessState.UserTime()+child.ProcessState.SystemTime()).Microseconds())/1000/float64(max(1, len(came))), used.Maxrss/1024)
		})
	}
}

// many makes shops with numbers for four weeks, readers, and their due mails. Then it breaks
// the first shop's time zone.
func (w *world) many(shops, readers int) {
	w.t.Helper()
	for _, sql := range strings.Split(`
		insert into stores (slug, name, timezone, currency, history_days, created_at) select 'shop' || n, 'Shop ' || n, 'UTC', 'USD', 90, now() - interval '60 days' from generate_series(1, $1) n;
		insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state) select id, 'upsell', 'https://upsell.example', '', '', convert_to(slug, 'UTF8'), 'good' from stores where $1 > 0;
		insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, upsell_success_rate, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
			select s.id, d, d, 1000 + (s.id * 37 + n * 91) % 900, 40 + n, 300, 0.13, 900, 'USD', 'merchant', d, d, false, now()
			from stores s, generate_series(0, 27) n, lateral (select now()::date - 28 + n as d) x where $1 > 0;
		insert into placement_stats (store_id, window_start, window_end, placement, impressions, claims, revenue, currency, shop_offer_count, source, partial, position, fetched_at)
			select s.id, d, d, p, 400, 20, 250 + n, 'USD', 14, 'merchant', false, o, now()
			from stores s, generate_series(0, 27) n, lateral (select now()::date - 28 + n as d) x, unnest(array['Post-purchase upsell', 'Thank you page upsell', 'Coupon offer', 'Order status page upsell']) with ordinality as p (p, o) where $1 > 0;
		insert into subscriptions (store_id, address, weekday, confirmed_at) select s.id, 'r' || n || '@' || s.slug || '.example', extract(isodow from now())::integer, now() - interval '7 days' from stores s, generate_series(1, $1) n`, ";") {
		n := shops
		if strings.Contains(sql, "insert into subscriptions") {
			n = readers
		}
		w.exec(sql, n)
	}
	w.exec(`analyze`)
	made, err := w.Schedule(w.t.Context())
	w.must(err)
	if made != shops*readers {
		w.t.Fatalf("%d mails are owed", made)
	}
	w.exec(`update stores set timezone = 'Nowhere/Atall' where slug = 'shop1'`)
}
