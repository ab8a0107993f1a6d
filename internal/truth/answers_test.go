package truth

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// at walks into a JSON value.
func at(v any, path ...string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func list(v any, path ...string) []map[string]any {
	items, _ := at(v, path...).([]any)
	out := make([]map[string]any, 0, len(items))
	for _, item := range items {
		m, _ := item.(map[string]any)
		out = append(out, m)
	}
	return out
}

func texts(v any, path ...string) []string {
	items, _ := at(v, path...).([]any)
	var out []string
	for _, item := range items {
		out = append(out, fmt.Sprint(item))
	}
	return out
}

func dateOf(v any) civil.Date {
	d, _ := civil.ParseDate(fmt.Sprint(v))
	return d
}

// windowOf is the applied window that an answer names.
func windowOf(provenance any) window {
	return window{dateOf(at(provenance, "window", "start")), dateOf(at(provenance, "window", "end"))}
}

// look is one reading of a store's answers.
type look struct {
	h *house
	l *lodged
	c *tally
	// known caches the facts of windows; no time passes during a reading.
	known map[string]facts
}

func (h *house) look(l *lodged, c *tally) look { return look{h, l, c, map[string]facts{}} }

// ask gets an answer of the store. ok is false if it has no numbers.
func (k look) ask(path, query string) (answer map[string]any, p panel, ok bool) {
	k.h.t.Helper()
	full := "/stores/" + k.l.slug + path
	if query != "" {
		full += "?" + query
	}
	status, answer := k.h.get(full)
	if status != 200 {
		k.h.t.Fatalf("%s: %d %v", full, status, answer)
	}
	p = panel{tally: k.c, store: k.l, at: strings.TrimPrefix(path, "/"), window: ever}
	if at(answer, "provenance", "window") != nil {
		p.window = windowOf(at(answer, "provenance"))
	}
	p.says(at(answer, "provenance"))
	return answer, p, at(answer, "empty") == nil
}

// says copies the doubts of a provenance. A sum covers the days that exist, so missing days
// don't make it doubtful; a day that should exist is counted.
func (p *panel) says(provenance any) {
	p.flags = without(texts(provenance, "flags"), "missing_days")
	p.missing = nil
	for _, text := range texts(provenance, "missing_days") {
		p.missing = append(p.missing, dateOf(text))
		p.gap(dateOf(text))
	}
}

// gap counts a missing day that the store should have.
func (p panel) gap(d civil.Date) {
	today := p.store.today()
	if d != today && today.DaysSince(d) <= p.store.history {
		p.of("missing", oneDay(d)).number("day", nil, new(decimal.Decimal), -1)
	}
}

func without(flags []string, flag string) []string {
	var out []string
	for _, f := range flags {
		if f != flag {
			out = append(out, f)
		}
	}
	return out
}

// facts are the facts of a window without the days that an answer names as missing.
func (k look) facts(w window, missing ...civil.Date) facts {
	key := fmt.Sprint(w, missing)
	f, ok := k.known[key]
	if !ok {
		f = k.l.facts(w, k.h.clock.Now(), missing...)
		k.known[key] = f
	}
	return f
}

func decimalOf(n int64) decimal.Decimal { return decimal.NewFromInt(n) }

// summary compares the roll-up of a window and of the one before it.
func (k look) summary(query string) {
	answer, p, ok := k.ask("/summary", query)
	if !ok {
		return
	}
	k.summaryOf(p, answer)
	if previous := at(answer, "previous"); previous != nil {
		w := windowOf(at(previous, "provenance"))
		q := p.of("previous", w)
		q.says(at(previous, "provenance"))
		k.summaryOf(q, previous)
	}
}

func (k look) summaryOf(p panel, answer any) {
	f := k.facts(p.window, p.missing...)
	p.money("total_upsold_value", at(answer, "total_upsold_value"), f.value)
	p.count("total_upsold_orders", at(answer, "total_upsold_orders"), f.upsold)
	p.count("total_orders", at(answer, "total_orders"), f.orders)
	p.count("offer_views", at(answer, "offer_views"), f.seen())
	p.number("upsell_success_rate", at(answer, "upsell_success_rate"), over(decimalOf(f.upsold), f.orders), 8)
	p.number("average_upsold_value", at(answer, "average_upsold_value"), over(f.value, f.upsold), 8)
	p.holds("currency", at(answer, "currency") == k.l.currency)
}

// placements compares four placements, each with its days and its row of before.
func (k look) placements(query string) {
	answer, p, ok := k.ask("/placements", query)
	if !ok {
		return
	}
	if n := at(answer, "shop_offer_count"); n != nil { // only an answer for the whole window has it
		p.count("shop_offer_count", n, int64(k.l.existing()))
	}
	before := p
	if compared := at(answer, "compared"); compared != nil {
		before = p.of("previous", windowOf(compared))
		before.says(compared)
	}
	now, then := k.facts(p.window, p.missing...), k.facts(before.window, before.missing...)
	for _, row := range list(answer, "placements") {
		i := slices.Index(labels[:], fmt.Sprint(at(row, "placement")))
		if i < 0 {
			p.holds("placement", false)
			continue
		}
		k.placement(p, row, now, i)
		if previous := at(row, "previous"); previous != nil {
			k.placement(before, previous, then, i)
		}
		for _, day := range list(row, "days") {
			d := dateOf(at(day, "day"))
			q := p.of("days", oneDay(d))
			if at(day, "stored") != true {
				q.gap(d)
				continue
			}
			k.placement(q, day, k.facts(oneDay(d)), i)
		}
	}
}

func (k look) placement(p panel, row any, f facts, i int) {
	p.count("impressions", at(row, "impressions"), f.views[i])
	p.count("claims", at(row, "claims"), f.claims[i])
	if i == coupon {
		p.number("revenue", at(row, "revenue"), nil, -1)
	} else {
		p.money("revenue", at(row, "revenue"), f.revenue[i])
	}
}

// top compares a ranking, row by row.
func (k look) top(query string) {
	answer, p, ok := k.ask("/top", query)
	if !ok {
		return
	}
	f := k.facts(p.window, p.missing...)
	ranked := k.l.ranking(f)
	p.count("shop_offer_count", at(answer, "shop_offer_count"), int64(k.l.existing()))
	if earned := at(answer, "earned"); earned != nil {
		p.count("earned", earned, int64(len(ranked)))
	}
	rows := append(list(answer, "highest"), list(answer, "lowest")...)
	// Every earner is there, unless the answer says that its list is cut.
	if !slices.Contains(p.flags, "cut") {
		p.count("rows", len(rows), int64(len(ranked)))
	}
	for _, row := range rows {
		k.topRow(p, row, f, ranked)
	}
}

func (k look) topRow(p panel, row any, f facts, ranked []int) {
	i := slices.IndexFunc(k.l.offers, func(o offer) bool { return o.id == at(row, "offer_id") })
	if i < 0 {
		p.holds("offer", false)
		return
	}
	e := f.offers[i]
	p.money("revenue", at(row, "revenue"), e.revenue)
	p.count("claims", at(row, "claims"), e.claims)
	if rate := at(row, "acceptance_rate"); rate != nil {
		p.money("acceptance_rate", rate, e.acceptance())
	}
	if rank := at(row, "rank"); rank != nil {
		p.holds("rank", k.rankFits(fmt.Sprint(rank), e, f, ranked))
	}
	if all := at(row, "revenue_all_time"); all != nil {
		q := p.of("all_time", ever)
		q.number("revenue", all, k.l.allTime(k.facts(ever), i), -1)
	}
}

// rankFits: an offer of this revenue is at the rank; equal ones may swap places.
func (k look) rankFits(rank string, e earned, f facts, ranked []int) bool {
	for at, i := range ranked {
		if fmt.Sprint(at+1) == rank {
			return f.offers[i].revenue.Equal(e.revenue)
		}
	}
	return false
}

// coverage and lifetime have no window to choose.
func (k look) coverage() {
	answer, p, ok := k.ask("/coverage", "")
	if !ok {
		return
	}
	f := k.facts(p.window, p.missing...)
	for _, row := range list(answer, "placements") {
		i := slices.Index(labels[:], fmt.Sprint(at(row, "placement")))
		total, active := k.l.countOf(i)
		p.count("total_count", at(row, "total_count"), int64(total))
		p.count("active_count", at(row, "active_count"), int64(active))
		if i != coupon {
			p.money("recent_revenue", at(row, "recent_revenue"), f.revenue[i])
		}
	}
}

func (k look) lifetime() {
	answer, p, ok := k.ask("/lifetime", "")
	if !ok {
		return
	}
	f := k.facts(ever)
	p.money("total_revenue", at(answer, "total_revenue"), f.value)
	p.count("offer_views", at(answer, "offer_views"), f.seen())
	p.count("upsold_orders", at(answer, "upsold_orders"), f.upsold)
	p.number("conversion_rate", at(answer, "conversion_rate"), over(decimalOf(f.upsold), f.seen()), 8)
	p.number("revenue_per_visit", at(answer, "revenue_per_visit"), over(f.value, f.seen()), 8)
}

// history compares one metric day by day.
func (k look) history(metric, query string) {
	answer, p, ok := k.ask("/history", strings.TrimPrefix(query+"&metric="+metric, "&"))
	if !ok {
		return
	}
	for _, row := range list(answer, "days") {
		d := dateOf(at(row, "day"))
		q := p.of(metric, oneDay(d), rowFlags(row)...)
		if at(row, "stored") != true {
			q.gap(d)
			continue
		}
		f := k.facts(oneDay(d))
		got := at(row, "value")
		switch metric {
		case "total_upsold_value":
			q.money("value", got, f.value)
		case "average_upsold_value":
			q.number("value", got, over(f.value, f.upsold), 8)
		case "total_upsold_orders":
			q.count("value", got, f.upsold)
		case "total_orders":
			q.count("value", got, f.orders)
		case "offer_views":
			q.count("value", got, f.seen())
		case "upsell_success_rate":
			q.number("value", got, over(decimalOf(f.upsold), f.orders), 8)
		}
	}
}

// rowFlags are a day's own flags.
func rowFlags(row any) []string {
	flags := texts(row, "flags")
	if at(row, "partial") == true {
		flags = append(flags, "partial")
	}
	return flags
}

// offers compares the list page by page, and returns the ids of some offers.
func (k look) offers() []string {
	var ids []string
	f, n := k.facts(ever), 0
	for page := 1; ; page++ {
		answer, p, ok := k.ask("/offers", fmt.Sprintf("page=%d", page))
		if !ok {
			return nil
		}
		rows := list(answer, "offers")
		for _, row := range rows {
			id := fmt.Sprint(at(row, "id"))
			i := k.l.find(id)
			if i < 0 {
				continue // deleted offers are only known from rankings
			}
			n++
			p.number("revenue_all_time", at(row, "revenue_all_time"), k.l.allTime(f, i), -1)
			if priority := at(row, "priority"); priority != nil {
				p.count("priority", priority, int64(k.l.priority(i)))
			}
			if i < 8 || i%97 == 0 {
				ids = append(ids, id)
			}
		}
		if fmt.Sprint(at(answer, "pages")) == fmt.Sprint(page) || len(rows) == 0 {
			p.at = "offers"
			p.count("listed", n, int64(k.l.existing()))
			return ids
		}
	}
}

// offer compares an offer's results, its own statistics and its days.
func (k look) offer(id, query string) {
	i := k.l.find(id)
	path := "/offers/" + url.PathEscape(id)
	answer, p, _ := k.ask(path, query)
	p.at = "offers.{id}"
	f := k.facts(ever)
	q := p.of("offer", ever)
	q.number("revenue_all_time", at(answer, "offer", "revenue_all_time"), k.l.allTime(f, i), -1)
	if results := at(answer, "results"); at(results, "empty") == nil {
		w := windowOf(at(results, "provenance"))
		q := p.of("results", w)
		q.says(at(results, "provenance"))
		k.offerResult(q, results, i)
	}
	answer, p, ok := k.ask(path+"/history", query)
	p.at = "offers.{id}.history"
	if !ok {
		return
	}
	for _, row := range list(answer, "days") {
		d := dateOf(at(row, "day"))
		q := p.of("days", oneDay(d), rowFlags(row)...)
		if at(row, "stored") != true {
			if !slices.Contains(q.flags, "cut") {
				q.gap(d)
			}
			continue
		}
		k.offerResult(q, row, i)
	}
	if total := at(answer, "revenue"); total != nil {
		p.number("revenue", total, revenueOf(k.l, k.facts(p.window, p.missing...), i), -1)
	}
}

func revenueOf(l *lodged, f facts, i int) *decimal.Decimal { return l.allTime(f, i) }

func (k look) offerResult(p panel, row any, i int) {
	e := k.facts(p.window, p.missing...).offers[i]
	if revenue := at(row, "revenue"); revenue != nil {
		p.money("revenue", revenue, e.revenue)
	}
	// A ranking names only earners, so others' claims are unknown.
	if claims := at(row, "claims"); claims != nil && e.revenue.IsPositive() {
		p.count("claims", claims, e.claims)
	}
}
