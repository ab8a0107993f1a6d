package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/web/webtest"
)

// mailZones are those of readers and of stores, from the first clock to the last.
var mailZones = []string{
	"Pacific/Kiritimati", "Pacific/Chatham", "Australia/Lord_Howe", "Asia/Tokyo", "Asia/Kathmandu", "Asia/Bahrain",
	"Europe/Berlin", "America/St_Johns", "America/New_York", "America/Los_Angeles", "Pacific/Honolulu", "Pacific/Pago_Pago",
}

// zoneStore is a store whose days come in a while after its midnights.
type zoneStore struct {
	id       int64
	slug     string
	loc      *time.Location
	currency string
	lag      time.Duration
	// answered: the service's own answers for both weeks come too.
	answered bool
	// gap never comes; no day comes from last on.
	gap, last civil.Date
	// unsold has no offers; second is its currency from the middle of the week on.
	unsold bool
	second string
	// still: no more data is expected.
	still bool
	next  civil.Date
}

// mailGrid is a world of readers and stores in many zones.
type mailGrid struct {
	*postOffice
	stores  []*zoneStore
	api     *webtest.Browser
	readers map[string]string // address → zone
	// figures were compared; wrong of them differed.
	figures, wrong int
}

func newMailGrid(t *testing.T, readers int, odd bool) *mailGrid {
	g := &mailGrid{postOffice: newPostOffice(t), readers: map[string]string{}}
	for i, zone := range mailZones {
		loc, err := report.Zone(zone)
		g.Must(err)
		s := &zoneStore{
			slug: fmt.Sprintf("zone-%02d", i), loc: loc, currency: []string{"USD", "EUR", "JPY", "BHD"}[i%4],
			lag: 20 * time.Minute, answered: i%2 == 0, next: civil.Date{Year: 2026, Month: 10, Day: 12},
		}
		g.Must(g.DB.Pool.QueryRow(t.Context(), `insert into stores (slug, name, timezone, history_days, currency, days_planned, days_left)
			values ($1, $2, $3, 90, $4, 40, 0) returning id`, s.slug, fmt.Sprintf("Store %02d", i), zone, s.currency).Scan(&s.id))
		g.Exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, token_tail, state)
			values ($1, 'upsell', 'https://up.example', '\x00', 'k', decode(md5($2), 'hex'), 'tail', 'good')`, s.id, s.slug)
		g.stores = append(g.stores, s)
	}
	if odd {
		g.oddities()
	}
	for _, s := range g.stores {
		offers := 1
		if s.unsold {
			offers = 0
		}
		g.Exec(`insert into coverage (store_id, placement, has_active, active_count, total_count, currency, window_start, window_end, source, position, fetched_at)
			select $1, p, $2 > 0, $2, $2, $3, $4, $5, 'merchant', n, $6
			from unnest(array['Post-purchase upsell', 'Thank you page upsell', 'Coupon offer', 'Order status page upsell']) with ordinality x(p, n)`,
			s.id, offers, s.currency, mailWeek.Start.In(time.UTC), mailWeek.End.In(time.UTC), g.Clock.Now())
	}
	slugs := make([]string, len(g.stores))
	for i, s := range g.stores {
		slugs[i] = s.slug
	}
	token, err := g.Tokens.Create(t.Context(), "every zone", slugs, nil, apitoken.Life)
	g.Must(err)
	g.api = g.APIClient(token)
	for i := range readers {
		g.subscribe(mailZones[i*len(mailZones)/readers], locale.All()[i%len(locale.All())].Code())
	}
	return g
}

// oddities make some stores other than healthy.
func (g *mailGrid) oddities() {
	sunday := mailWeek.End
	g.stores[2].gap = mailWeek.Start.AddDays(2)
	g.stores[4].unsold = true
	late := g.stores[5] // its gift key is refused, which is no reason not to wait for the rest
	late.lag = 3 * time.Hour
	g.Exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, token_tail, state, paused_cause, paused_said, paused_at)
		values ($1, 'gift', 'https://up.example', '\x00', 'k', decode(md5('gift'), 'hex'), 'tail', 'paused', 'INVALID_KEY', 'refused', $2)`, late.id, g.Clock.Now())
	g.stores[6].second = "PLN"
	refused := g.stores[9]
	refused.last = sunday.AddDays(-1)
	g.Exec(`update credentials set state = 'paused', paused_cause = 'token', paused_said = 'refused', paused_at = $2 where store_id = $1`, refused.id, refused.last.In(refused.loc))
	paused := g.stores[11]
	paused.last, paused.still = mailWeek.Start.AddDays(-8), true
	g.Exec(`update stores set paused_at = $2 where id = $1`, paused.id, paused.last.In(paused.loc))
}

// subscribe makes a reader of all stores who gets every mail at 5:00 on Mondays.
func (g *mailGrid) subscribe(zone, language string) {
	g.T.Helper()
	address := strings.ToLower(strings.NewReplacer("/", ".", "_", "-").Replace(zone)) + "@example.com"
	g.readers[address] = zone
	g.Exec(`with reader as (insert into people (email, name, role) values ($1, $1, 'agency') returning id),
		granted as (insert into grants (person_id, store_id) select r.id, s.id from reader r, stores s where s.slug like 'zone-%')
		insert into subscriptions (store_id, person_id, zone, hour, language, confirmed_at)
		select s.id, r.id, $2, 5, $3, $4 from reader r, (select id from stores where slug like 'zone-%' union all select null) s`, address, zone, language, g.Clock.Now())
}

func (s *zoneStore) value(d civil.Date) decimal.Decimal {
	if s.unsold {
		return decimal.Zero
	}
	return decimal.New(int64(9000+(d.Day*d.Day*int(s.id)*37+d.Day*911)%7000), -1)
}

func (s *zoneStore) orders(d civil.Date) (upsold, all int) {
	if all = 40 + (d.Day*int(s.id))%23; s.unsold {
		return 0, all
	}
	return 3 + (d.Day*7+int(s.id))%11, all
}

// arrive stores what has come in by now.
func (g *mailGrid) arrive() {
	g.T.Helper()
	now := g.Clock.Now()
	for _, s := range g.stores {
		came := false
		for ; !s.next.AddDays(1).In(s.loc).Add(s.lag).After(now) && (!s.last.IsValid() || s.next.Before(s.last)); s.next = s.next.AddDays(1) {
			if s.next != s.gap {
				g.store(s, report.OneDay(s.next), now)
			}
			if s.answered && (s.next == mailWeek.End || s.next == weekBefore.End) && !s.gap.IsValid() && s.second == "" {
				g.store(s, report.Window{Start: s.next.AddDays(-6), End: s.next}, now)
			}
			came = true
		}
		if came || !s.last.IsValid() { // today's numbers come every hour
			g.Exec(`update stores set last_day = $2, upsell_pulled_at = $3, days_stored = 40, revision = revision + 1 where id = $1`, s.id, s.next.AddDays(-1).In(time.UTC), now)
		}
	}
}

// store keeps the answer for a window: its days' sum.
func (g *mailGrid) store(s *zoneStore, w report.Window, now time.Time) {
	g.T.Helper()
	var value decimal.Decimal
	var upsold, all int
	for d := range w.All() {
		n, of := s.orders(d)
		value, upsold, all = value.Add(s.value(d)), upsold+n, all+of
	}
	currency := s.currency
	if s.second != "" && w.Start.After(mailWeek.Start.AddDays(2)) {
		currency = s.second
	}
	first, last := w.Start.In(time.UTC), w.End.In(time.UTC)
	g.Exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
		values ($1, $2, $3, $4, $5, $6::bigint, $6::bigint * 3, $7, 'merchant', $2, $3, false, $8)`, s.id, first, last, value, upsold, all, currency, now)
	g.Exec(`insert into placement_stats (store_id, window_start, window_end, placement, impressions, claims, revenue, currency, shop_offer_count, source, partial, position, fetched_at)
		select $1, $2::date, $3::date, p, $4::bigint * n, n, case when p <> 'Coupon offer' then $5::numeric / 4 end, $6, $7::bigint, 'merchant', false, n, $8::timestamptz
		from unnest(array['Post-purchase upsell', 'Thank you page upsell', 'Coupon offer', 'Order status page upsell']) with ordinality x(p, n)`,
		s.id, first, last, all, value, currency, map[bool]int{true: 0, false: 4}[s.unsold], now)
}
