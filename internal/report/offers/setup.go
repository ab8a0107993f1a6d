package offers

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/report"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// TriggerGroup is one trigger condition as people read it: the kind of thing it names, and the names.
// It describes the trigger, not what is upsold.
type TriggerGroup struct {
	Label string
	Names []report.ConditionName
	// Raw is the condition as the service sent it, if no name was found in it.
	Raw string
}

// TriggerWords introduces the conditions: all of them must be met together.
func (s SetupBody) TriggerWords(l locale.Locale) string {
	switch {
	case s.TriggerCriteria == "no-condition" && len(s.Conditions) == 0:
		return l.T("offers.trigger.every_order")
	case len(s.Conditions) == 0 && s.TriggerCriteria == "set-conditions":
		return l.T("offers.trigger.conditions_not_sent")
	case len(s.Conditions) == 0 && s.TriggerCriteria == "":
		return l.T("offers.trigger.not_sent")
	case len(s.Conditions) == 0:
		return l.T("offers.trigger.as_sent", "text", report.Isolated(s.TriggerCriteria))
	case len(s.Conditions) == 2:
		return l.T("offers.trigger.meets_both")
	}
	return l.T("offers.trigger.meets", "n", len(s.Conditions))
}

// Trigger lists the conditions, each with what it names.
func (s SetupBody) Trigger(l locale.Locale) []TriggerGroup {
	out := make([]TriggerGroup, 0, len(s.Conditions))
	for _, c := range s.Conditions {
		g := TriggerGroup{Label: conditionLabel(l, c), Names: c.Names}
		if len(c.Names) == 0 {
			g.Raw = sentWords(c.Raw, c.Kind)
		}
		out = append(out, g)
	}
	return out
}

// DeletedTriggers lists the named resources that no longer exist.
func (s SetupBody) DeletedTriggers() []report.ConditionName {
	var out []report.ConditionName
	for _, c := range s.Conditions {
		for _, n := range c.Names {
			if n.Deleted {
				out = append(out, n)
			}
		}
	}
	return out
}

// TriggerSentence puts them on one line: "Products: Ridge Runner boots, Ridge Runner GTX (deleted) ·
// Collection: Footwear".
func (s SetupBody) TriggerSentence(l locale.Locale) string {
	parts := make([]string, 0, len(s.Conditions))
	for _, g := range s.Trigger(l) {
		names := make([]string, 0, len(g.Names))
		for _, n := range g.Names {
			name := report.Isolated(n.Name)
			if n.Deleted {
				name = l.T("offers.trigger.deleted_name", "name", name)
			}
			names = append(names, name)
		}
		text := g.Label
		switch {
		case len(names) > 0:
			text = l.T("offers.trigger.names", "label", g.Label, "names", strings.Join(names, ", "))
		case g.Raw != "":
			text = l.T("offers.trigger.raw", "label", g.Label, "text", report.Isolated(g.Raw))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// conditionLabel says what a condition is about, based on what it names if we understand that,
// otherwise in the service's own word.
func conditionLabel(l locale.Locale, c Condition) string {
	kind := ""
	for i, n := range c.Names {
		if i > 0 && n.Kind != kind {
			kind = ""
			break
		}
		kind = n.Kind
	}
	switch {
	case kind == "product", kind == "collection", kind == "tag":
		return l.T("offers.trigger_kind."+kind, "n", len(c.Names))
	case plainWord.MatchString(c.Kind):
		words := strings.NewReplacer("_", " ", "-", " ").Replace(c.Kind)
		return string(words[0]-'a'+'A') + words[1:]
	case c.Kind != "":
		return l.T("offers.trigger.condition", "name", quoted(l, c.Kind))
	}
	return l.T("offers.trigger.unnamed")
}

// plainWord matches an identifier: "order_value" is shown as "Order value".
var plainWord = regexp.MustCompile(`^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`)

// sentWords makes what the service sent easier to read if it's a flat object: its names and values
// sorted by name, without those that only repeat kind.
func sentWords(raw, kind string) string {
	dec := json.NewDecoder(strings.NewReader(raw))
	dec.UseNumber()
	var fields map[string]any
	if err := dec.Decode(&fields); err != nil || dec.More() {
		return raw
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch v := fields[name].(type) {
		case string:
			if v != kind {
				out = append(out, name+" "+v)
			}
		case json.Number:
			out = append(out, name+" "+v.String())
		case bool:
			out = append(out, name+" "+strconv.FormatBool(v))
		case nil:
		default:
			return raw
		}
	}
	return strings.Join(out, ", ")
}

// DiscountWords is a discount as the service states it, never a final price. Unknown kinds are shown as sent.
func DiscountWords(l locale.Locale, kind, value, currency string) string {
	amount, err := decimal.NewFromString(strings.TrimSpace(value))
	number := err == nil
	switch strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(kind))) {
	case "none", "no_discount":
		return l.T("offers.discount.none")
	case "free_shipping":
		return l.T("offers.discount.free_shipping")
	case "percentage", "percent":
		if number {
			return l.T("offers.discount.off", "amount", l.SentPercent(amount))
		}
	case "fixed_amount", "fixed", "amount":
		if number {
			return l.T("offers.discount.off", "amount", l.Money(amount, currency).String())
		}
	case "":
		if value == "" {
			return l.T("offers.discount.not_stated")
		}
	}
	text := strings.TrimSpace(kind + " " + value)
	return l.T("offers.discount.as_sent", "text", quoted(l, text))
}

// DiscountWords is the discount on the offer itself. If none was sent, that doesn't mean "no discount":
// the products may have their own (N33).
func (s SetupBody) DiscountWords(l locale.Locale) string {
	if s.DiscountType == "" && s.DiscountValue == "" {
		return l.T("offers.discount.own")
	}
	return l.T("offers.discount.whole", "discount", DiscountWords(l, s.DiscountType, s.DiscountValue, s.Currency))
}

// ScheduleWords says when the offer runs, relative to now, which is on the store's clock. If no end was
// sent, there is no end date (N33).
func (s SetupBody) ScheduleWords(l locale.Locale, now time.Time) string {
	today := civil.DateOf(now)
	first, startKnown := report.DayOf(s.StartDate, now.Location())
	last, endKnown := report.DayOf(s.EndDate, now.Location())
	start := l.T("offers.schedule.start_not_sent")
	switch {
	case startKnown && first.After(today):
		start = l.T("offers.schedule.starts", "day", l.DayYear(first))
	case startKnown:
		start = l.T("offers.schedule.started", "day", l.DayYear(first))
	case s.StartDate != "":
		start = l.T("offers.schedule.start_as_sent", "text", quoted(l, s.StartDate))
	}
	end := l.T("offers.schedule.end_as_sent", "text", quoted(l, s.EndDate))
	switch {
	case s.EndDate == "":
		end = l.T("offers.schedule.no_end")
	case endKnown && last.Before(today):
		end = l.T("offers.schedule.ended", "day", l.DayYear(last))
	case endKnown:
		end = l.T("offers.schedule.ends", "day", l.DayYear(last))
	}
	return l.T("offers.schedule.both", "start", start, "end", end)
}

// SentDay formats a time that the service sent as a day on the store's clock; text that isn't a time is
// kept as sent.
func SentDay(l locale.Locale, text string, store *time.Location) string {
	if d, ok := report.DayOf(text, store); ok {
		return l.DayYear(d)
	}
	return text
}
