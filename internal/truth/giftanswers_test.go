package truth

import (
	"fmt"
)

// giftNames are the five figures, by the JSON API's name and the service's.
var giftNames = map[string]string{
	"orders": "orders", "revenue": "revenue", "conversion_rate": "conversionRate", "aov_by_fg": "aovByFG", "aov_store": "aovStore",
}

// giftAnalytics compares the figures of a window and of the one before it.
func (k look) giftAnalytics(query string) {
	answer, p, ok := k.ask("/gift/analytics", query)
	if !ok {
		return
	}
	now := k.l.giftMetrics(k.facts(p.window, p.missing...))
	baseline := p.window.before()
	if named := at(answer, "compared_with"); named != nil {
		baseline = window{dateOf(at(named, "start")), dateOf(at(named, "end"))}
	}
	before := k.l.giftMetrics(k.facts(baseline))
	q := p.of("previous", window{baseline.start, p.window.end})
	for name, theirs := range giftNames {
		metric := at(answer, name)
		if value := at(metric, "value"); value != nil {
			p.money(name, value, *now[theirs])
		} else if at(metric, "reason") == nil && at(metric, "withheld") != true {
			p.money(name, nil, *now[theirs])
		}
		if value := at(metric, "previous"); value != nil {
			q.money(name, value, *before[theirs])
		}
		if value := at(metric, "change_percent"); value != nil {
			q.number(name+".change_percent", value, changed(*now[theirs], *before[theirs]), 1)
		}
	}
}

// giftHistory compares the days.
func (k look) giftHistory(query string) {
	answer, p, ok := k.ask("/gift/history", query)
	if !ok {
		return
	}
	for _, row := range list(answer, "days") {
		d := dateOf(at(row, "day"))
		q := p.of("days", oneDay(d), rowFlags(row)...)
		// Repaired days only tell the panel how many there are.
		q.flags = without(q.flags, "repaired")
		if at(row, "basis") == "derived" {
			q.at += ".derived"
		}
		if at(row, "stored") != true {
			q.gap(d)
			continue
		}
		m := k.l.giftMetrics(k.facts(oneDay(d)))
		q.money("orders", at(row, "orders"), *m["orders"])
		q.money("revenue", at(row, "revenue"), *m["revenue"])
	}
}

// giftState compares campaigns, plan and setup health.
func (k look) giftState() {
	total, active, expired := k.l.campaignCounts()
	if answer, p, ok := k.ask("/gift/campaigns", ""); ok {
		p.count("total", at(answer, "total"), int64(total))
		p.count("listed", len(list(answer, "campaigns")), int64(total))
	}
	if answer, p, ok := k.ask("/gift/plan", ""); ok {
		p.window = window{firstOf(k.l.today()), k.l.today()}
		p.money("revenue_used", at(answer, "revenue_used"), k.l.planUsed(k.h.clock.Now()))
		p.count("campaigns_used", at(answer, "campaigns_used"), int64(active))
		p.count("campaigns_limit", at(answer, "campaigns_limit"), 10)
		p.number("revenue_limit", at(answer, "revenue_limit"), nil, -1)
	}
	if answer, p, ok := k.ask("/gift/setup-health", ""); ok {
		p.count("campaigns_total", at(answer, "campaigns_total"), int64(total))
		p.count("campaigns_active", at(answer, "campaigns_active"), int64(active))
		p.count("campaigns_expired", at(answer, "campaigns_expired"), int64(expired))
		issues := 0
		if total == 0 {
			issues = 1
		}
		p.count("issues", len(list(answer, "issues")), int64(issues))
	}
}

// listed compares the row of each store in the list of stores.
func (h *house) listed(c *tally, query string) {
	h.t.Helper()
	path := "/stores"
	if query != "" {
		path += "?" + query
	}
	status, answer := h.get(path)
	if status != 200 {
		h.t.Fatalf("%s: %d %v", path, status, answer)
	}
	for _, row := range list(answer, "stores") {
		l := h.stores[fmt.Sprint(at(row, "slug"))]
		summary := at(row, "summary")
		if l == nil || summary == nil {
			continue
		}
		k := h.look(l, c)
		p := panel{tally: c, store: l, at: "stores", window: windowOf(at(summary, "provenance"))}
		p.says(at(summary, "provenance"))
		if at(row, "last_good") == true {
			p.flags = append(p.flags, "last_good")
		}
		k.summaryOf(p, summary)
		if previous := at(summary, "previous"); previous != nil {
			q := p.of("previous", windowOf(at(previous, "provenance")))
			q.says(at(previous, "provenance"))
			k.summaryOf(q, previous)
		}
	}
}
