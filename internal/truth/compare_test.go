package truth

import (
	"fmt"

	"github.com/golang-sql/civil"
)

// metrics are those of the daily history.
var metrics = []string{"total_upsold_value", "average_upsold_value", "total_upsold_orders", "total_orders", "offer_views", "upsell_success_rate"}

// preset is a named window with the days that it must cover on a store's day.
type preset struct {
	name   string
	window func(today civil.Date) window
}

var presets = []preset{
	{"yesterday", func(today civil.Date) window { return oneDay(today.AddDays(-1)) }},
	{"last_7_days", func(today civil.Date) window { return ending(today.AddDays(-1), 7) }},
	{"last_30_days", func(today civil.Date) window { return ending(today.AddDays(-1), 30) }},
	{"last_90_days", func(today civil.Date) window { return ending(today.AddDays(-1), 90) }},
	{"month_to_date", func(today civil.Date) window {
		if today.Day == 1 {
			return oneDay(today)
		}
		return window{firstOf(today), today.AddDays(-1)}
	}},
	{"last_month", func(today civil.Date) window {
		end := firstOf(today).AddDays(-1)
		return window{firstOf(end), end}
	}},
	{"today", func(today civil.Date) window { return oneDay(today) }},
}

func firstOf(d civil.Date) civil.Date { return civil.Date{Year: d.Year, Month: d.Month, Day: 1} }

// compare reads every route of a store in many windows and compares each number.
func (h *house) compare(l *lodged, scenario string) *tally {
	h.t.Helper()
	c := newTally(scenario)
	k := h.look(l, c)
	today := l.today()
	for _, p := range presets {
		k.labels(p)
		k.windows("window=" + p.name)
	}
	k.windows("window=all")
	for _, days := range [][2]int{{3, 2}, {9, 5}, {20, 14}, {45, 28}, {75, 60}, {130, 20}} {
		if days[0] <= l.history {
			k.windows(fmt.Sprintf("start=%s&end=%s", today.AddDays(-days[0]), today.AddDays(-days[1])))
		}
	}
	for _, metric := range metrics {
		k.history(metric, "window=all")
	}
	k.coverage()
	k.lifetime()
	for _, id := range k.offers() {
		k.offer(id, "window=all")
		k.offer(id, "window=last_7_days")
		k.offer(id, "window=last_30_days")
	}
	k.giftState()
	return c
}

// windows compares the answers about a window.
func (k look) windows(query string) {
	k.summary(query)
	k.placements(query)
	k.top(query)
	k.history("total_upsold_value", query)
	k.giftAnalytics(query)
	k.giftHistory(query)
}

// labels compares the window that an answer names with the one that its name means.
func (k look) labels(p preset) {
	want := p.window(k.l.today())
	for _, path := range []string{"/summary", "/placements", "/gift/analytics"} {
		answer, panel, ok := k.ask(path, "window="+p.name)
		if !ok || at(answer, "provenance", "window") == nil {
			continue
		}
		panel.holds("label."+p.name, panel.window == want || contains(panel.flags, "window_differs"))
	}
}

func contains(flags []string, flag string) bool {
	for _, f := range flags {
		if f == flag {
			return true
		}
	}
	return false
}

// compareAll compares every store and the list of stores.
func (h *house) compareAll(scenario string) *tally {
	h.t.Helper()
	sum := newTally(scenario)
	for _, slug := range h.slugs() {
		sum.add(h.compare(h.stores[slug], scenario))
	}
	for _, query := range []string{"", "window=last_7_days", "window=yesterday", "window=month_to_date"} {
		h.listed(sum, query)
	}
	return sum
}
