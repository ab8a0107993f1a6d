package sandbox

import (
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// metric is one figure next to that of the previous window. A value is null if its divisor was zero; the change is
// null if the earlier value was zero or null.
type metric struct {
	Value    *json.Number `json:"value"`
	Previous *json.Number `json:"previous"`
	Change   *json.Number `json:"changePercent"`
	Unit     string       `json:"unit,omitempty"`
}

type giftPeriod struct {
	Start         string `json:"start"`
	End           string `json:"end"`
	Days          int    `json:"days"`
	Timezone      string `json:"timezone"`
	IncludesToday bool   `json:"includesToday"`
}

// giftAnalytics is a window that ends yesterday, or today if asked, next to the previous window of the same length.
func giftAnalytics(q *request, b *world.Book) reply {
	sh, values := q.shop, q.URL.Query()
	days, err := strconv.Atoi(values.Get("days"))
	if err != nil {
		days = spanDefault // a number out of range passes through, anything else is the default
	}
	today := includesToday(values)
	zone, day := sh.Zone, b.Now.Day
	if asked := values.Get("ianaTimezone"); asked != "" {
		zone, day = asked, dayIn(sh, asked, q.at)
	}
	from, to := day-days, day-1
	if today {
		to = day
	}
	length := max(to-from+1, 0)
	now, before := b.Sum(from, to), b.Sum(from-length, from-1)
	if length == 0 {
		before = world.Totals{}
	}
	return giftSuccess(struct {
		Domain   string     `json:"domain"`
		Period   giftPeriod `json:"period"`
		Currency string     `json:"currency"`
		Cached   bool       `json:"cached"`
		Metrics  any        `json:"metrics"`
	}{
		sh.Domain,
		giftPeriod{sh.Date(from).String(), sh.Date(to).String(), length, zone, today},
		sh.Currency,
		!today && answeredBefore(sh, b.Now.Day, strconv.Itoa(days)+" "+zone),
		struct {
			Orders   metric `json:"orders"`
			Revenue  metric `json:"revenue"`
			Rate     metric `json:"conversionRate"`
			AOVGift  metric `json:"aovByFG"`
			AOVStore metric `json:"aovStore"`
		}{
			metricOf(part{now.GiftOrders, 1, 0}, part{before.GiftOrders, 1, 0}),
			metricOf(part{now.GiftRevenue, 1, sh.Digits}, part{before.GiftRevenue, 1, sh.Digits}),
			percentage(metricOf(part{100_00 * now.GiftOrders, now.Orders, 2}, part{100_00 * before.GiftOrders, before.Orders, 2})),
			metricOf(part{now.GiftRevenue, now.GiftOrders, sh.Digits}, part{before.GiftRevenue, before.GiftOrders, sh.Digits}),
			metricOf(part{now.Sales, now.Orders, sh.Digits}, part{before.Sales, before.Orders, sh.Digits}),
		},
	})
}

// includesToday reads the forms of the flag: true and 1, or its bare presence.
func includesToday(q url.Values) bool {
	v, sent := q["includeToday"]
	return sent && (v[0] == "" || v[0] == "true" || v[0] == "1")
}

// dayIn is the day number on another clock; an unknown one is read as UTC.
func dayIn(sh *world.Shop, zone string, at time.Time) int {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		loc = time.UTC
	}
	return civil.DateOf(at.In(loc)).DaysSince(sh.Since)
}

// answeredBefore reports whether a closed window was already asked for on this day.
func answeredBefore(sh *world.Shop, day int, key string) bool {
	sh.CacheMu.Lock()
	defer sh.CacheMu.Unlock()
	if sh.Cached == nil || sh.CachedDay != day {
		sh.CachedDay, sh.Cached = day, map[string]bool{}
	}
	was := sh.Cached[key]
	if len(sh.Cached) < 1000 {
		sh.Cached[key] = true
	}
	return was
}

// part is a quotient in units of 10^-places.
type part struct {
	over, under int64
	places      int
}

func (p part) number() *json.Number {
	if p.under == 0 {
		return nil
	}
	return new(world.Quotient(p.over, p.under, p.places, 0))
}

func metricOf(now, before part) metric {
	m := metric{Value: now.number(), Previous: before.number()}
	if m.Value != nil && m.Previous != nil && before.over != 0 {
		a, b := float64(now.over)/float64(now.under), float64(before.over)/float64(before.under)
		n := json.Number(strconv.FormatFloat(math.Round((a-b)/b*100_00)/100, 'f', -1, 64))
		m.Change = &n
	}
	return m
}

func percentage(m metric) metric {
	m.Unit = "percentage"
	return m
}
