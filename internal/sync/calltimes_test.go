package pulls_test

import (
	"context"
	"testing"
)

// One service's newest replies can be more than those that are looked at: what a call of
// the other takes is known all the same.
func TestN69AnEstimateKnowsTheCallTimesOfBothServices(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 31)
	w.sync(shop)
	w.exec(`update replies set took_ms = case when pull like 'gift.%' then 70 else 30 end`)
	for _, newest := range []string{"like", "not like"} {
		w.exec(`update replies set fetched_at = fetched_at + interval '1 day' where pull ` + newest + ` 'gift.%'`)
		w.exec(`insert into replies (store_id, pull, subject, good, endpoint, query, status, body, fetched_at, took_ms)
			select store_id, pull, 'copy ' || n, good, endpoint, query, status, body, fetched_at + interval '1 hour', took_ms
			from generate_series(1, 50) n, (select * from replies where pull ` + newest + ` 'gift.%' order by fetched_at desc limit 1) r`)
		q, err := w.db.StoredQueue(context.Background(), w.seen(shop))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "milliseconds", q.Millis, map[string]float64{"upsell": 30, "gift": 70})
	}
}
