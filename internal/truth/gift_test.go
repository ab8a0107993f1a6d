package truth

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// cachedGift is an answer that the gift service repeats for a while.
type cachedGift struct {
	at     time.Time
	answer object
}

// gift answers a path of the Gift Store API.
func (h *hosted) gift(path string, q url.Values) (any, *refusal) {
	if id, ok := strings.CutPrefix(path, "/campaigns/"); ok {
		return h.campaign(id), nil
	}
	if typ, ok := strings.CutPrefix(path, "/widgets/"); ok {
		if typ != "progress_bar" {
			return object{"found": false, "hint": "/widgets"}, nil
		}
		return object{"found": true, "type": typ, "settings": object{"color": "#333"}}, nil
	}
	switch path {
	case "/setup-health":
		return h.health(), nil
	case "/campaigns":
		return h.campaignList(q.Get("status")), nil
	case "/analytics":
		return h.analytics(q), nil
	case "/widgets":
		return object{"total": 2, "types": []object{
			{"type": "progress_bar", "title": "Progress bar", "isPremium": false, "isLocked": false},
			{"type": "gift_popup", "title": "Popup", "isPremium": true, "isLocked": true},
		}}, nil
	case "/translations":
		return object{"found": false}, nil
	case "/settings":
		return object{"found": false}, nil
	case "/plan":
		return h.plan(), nil
	}
	return nil, &refusal{404, "no such path", "NOT_FOUND"}
}

// giftPeriod is the window that a number of days means.
func (h *hosted) giftPeriod(days int, today bool) window {
	w := ending(h.today().AddDays(-1), days)
	if today {
		w.end = h.today()
		if h.reading.todayAlone {
			w.start = w.start.AddDays(1)
		}
	}
	if oldest := h.today().AddDays(-h.reading.keeps); h.reading.keeps > 0 {
		w.start = latest(w.start, oldest)
	}
	return w
}

func (h *hosted) analytics(q url.Values) object {
	days, err := strconv.Atoi(q.Get("days"))
	if err != nil {
		days = 30
	}
	today := q.Has("includeToday") && q.Get("includeToday") != "false" && q.Get("includeToday") != "0"
	w, now := h.giftPeriod(days, today), h.clock.Now()
	h.mu.Lock()
	kept, ok := h.cache[days]
	h.mu.Unlock()
	if ok && !today && now.Sub(kept.at) < h.reading.cacheFor && kept.answer["period"].(object)["end"] == w.end.String() {
		again := object{}
		for key, value := range kept.answer {
			again[key] = value
		}
		again["cached"] = true
		return again
	}
	answer := object{
		"domain": h.domain, "currency": h.currency, "cached": false, "metrics": h.metrics(w, now),
		"period": object{"start": w.start.String(), "end": w.end.String(), "days": w.days(), "timezone": h.zone, "includesToday": today},
	}
	if !today {
		h.mu.Lock()
		h.cache[days] = cachedGift{now, answer}
		h.mu.Unlock()
	}
	return answer
}

// metrics are the figures of a window with those of the previous window.
func (h *hosted) metrics(w window, at time.Time) object {
	now, before := h.giftMetrics(h.facts(w, at)), h.giftMetrics(h.facts(w.before(), at))
	out := object{}
	for name, value := range now {
		metric := object{"value": number(*value), "previous": number(*before[name]), "changePercent": nil}
		if change := changed(*value, *before[name]); change != nil {
			metric["changePercent"] = number(*change)
		}
		if name == "conversionRate" {
			metric["unit"] = "percentage"
		}
		out[name] = metric
	}
	return out
}

// changed is the change in percent, nil from zero.
func changed(now, before decimal.Decimal) *decimal.Decimal {
	if before.IsZero() {
		return nil
	}
	d := now.Sub(before).Shift(2).DivRound(before, 2)
	return &d
}

func (s *shop) campaignCounts() (total, active, expired int) {
	for _, c := range s.campaigns {
		total++
		switch c.status {
		case "active":
			active++
		case "expired":
			expired++
		}
	}
	return total, active, expired
}

func (h *hosted) health() object {
	total, active, expired := h.campaignCounts()
	issues := []object{}
	if total == 0 {
		issues = append(issues, object{"code": "NO_CAMPAIGN", "message": "There is no campaign yet."})
	}
	return object{
		"domain": h.domain, "issues": issues, "errors": []any{},
		"theme":     object{"liveThemeId": 7, "liveThemeName": "Dawn", "isSupportThemeOS": true, "embedEnabled": true, "themes": []any{}},
		"campaigns": object{"total": total, "active": active, "scheduled": 0, "expired": expired, "activeCampaigns": []any{}},
	}
}

func (h *hosted) campaignList(status string) object {
	rows := []object{}
	for _, c := range h.campaigns {
		if status == "" || status == c.status {
			rows = append(rows, c.row())
		}
	}
	return object{"total": len(rows), "campaigns": rows}
}

func (c campaign) row() object {
	row := object{"id": c.id, "name": c.name, "status": c.status, "type": "spend", "targetPage": "cart", "startDate": c.start, "endDate": nil, "code": ""}
	if c.end != "" {
		row["endDate"] = c.end
	}
	return row
}

func (h *hosted) campaign(id string) object {
	i := slices.IndexFunc(h.campaigns, func(c campaign) bool { return c.id == id })
	if i < 0 {
		return object{"found": false}
	}
	return object{"found": true, "campaign": object{
		"id": id, "triggerConditions": object{"minimum": 50}, "giftProducts": []object{{"id": 5}},
		"discountSettings": object{"type": "free"}, "schedule": object{"start": h.campaigns[i].start},
	}}
}

// planUsed is the gift revenue of the calendar month.
func (s *shop) planUsed(at time.Time) decimal.Decimal {
	today := s.todayAt(at)
	return s.facts(window{civil.Date{Year: today.Year, Month: today.Month, Day: 1}, today}, at).giftTotal
}

func (h *hosted) plan() object {
	now := h.clock.Now()
	today := h.todayAt(now)
	reset := time.Date(today.Year, today.Month+1, 1, 0, 0, 0, 0, h.loc)
	_, active, _ := h.campaignCounts()
	return object{
		"domain": h.domain, "issues": []any{},
		"plan":      object{"plan": "growth", "shopifyPlan": "basic", "isPaid": true, "trialEndsAt": nil},
		"campaigns": object{"activeOrScheduled": active, "limit": 10, "unlimited": false, "exceeded": false},
		"revenue":   object{"used": number(h.planUsed(now)), "limit": nil, "unlimited": true, "resetAt": reset.Format(time.RFC3339)},
	}
}
