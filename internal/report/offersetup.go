package report

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// TriggerGroup is one trigger condition as a person reads it: what kind of thing
// it names, and their names. What it names is the trigger, never what is upsold.
type TriggerGroup struct {
	Label string
	Names []ConditionName
	// Raw is the condition as the service sent it, where no name was found in it.
	Raw string
}

// TriggerWords leads the conditions in: all of them must be met together.
func (s SetupBody) TriggerWords() string {
	switch {
	case s.TriggerCriteria == "no-condition" && len(s.Conditions) == 0:
		return "Every order"
	case len(s.Conditions) == 0 && s.TriggerCriteria == "set-conditions":
		return "An order that meets conditions the service did not send"
	case len(s.Conditions) == 0 && s.TriggerCriteria == "":
		return "When it shows was not sent"
	case len(s.Conditions) == 0:
		return "As sent: " + isolated(s.TriggerCriteria)
	case len(s.Conditions) == 1:
		return "An order that meets this"
	case len(s.Conditions) == 2:
		return "An order that meets both"
	}
	return "An order that meets all " + Count(int64(len(s.Conditions)))
}

// Trigger are the conditions, each with what it names.
func (s SetupBody) Trigger() []TriggerGroup {
	out := make([]TriggerGroup, 0, len(s.Conditions))
	for _, c := range s.Conditions {
		g := TriggerGroup{Label: conditionLabel(c), Names: c.Names}
		if len(c.Names) == 0 {
			g.Raw = sentWords(c.Raw, c.Kind)
		}
		out = append(out, g)
	}
	return out
}

// DeletedTriggers are the named resources that no longer exist.
func (s SetupBody) DeletedTriggers() []ConditionName {
	var out []ConditionName
	for _, c := range s.Conditions {
		for _, n := range c.Names {
			if n.Deleted {
				out = append(out, n)
			}
		}
	}
	return out
}

// TriggerSentence is the same in one line: "Products: Ridge Runner boots, Ridge
// Runner GTX (deleted); and collection: Footwear".
func (s SetupBody) TriggerSentence() string {
	parts := make([]string, 0, len(s.Conditions))
	for i, g := range s.Trigger() {
		names := make([]string, 0, len(g.Names))
		for _, n := range g.Names {
			name := isolated(n.Name)
			if n.Deleted {
				name += " (deleted)"
			}
			names = append(names, name)
		}
		text := g.Label
		if i > 0 {
			text = strings.ToLower(text[:1]) + text[1:]
		}
		switch {
		case len(names) > 0:
			text += ": " + strings.Join(names, ", ")
		case g.Raw != "":
			text += ", as sent: " + isolated(g.Raw)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; and ")
}

// conditionLabel names what a condition is about, from what it names where that
// is understood, else by the service's own word.
func conditionLabel(c Condition) string {
	kind := ""
	for i, n := range c.Names {
		if i > 0 && n.Kind != kind {
			kind = ""
			break
		}
		kind = n.Kind
	}
	one, many := "", ""
	switch kind {
	case "product":
		one, many = "Product", "Products"
	case "collection":
		one, many = "Collection", "Collections"
	case "tag":
		one, many = "Tag", "Tags"
	}
	switch {
	case one != "" && len(c.Names) == 1:
		return one
	case one != "":
		return many
	case plainWord.MatchString(c.Kind):
		words := strings.NewReplacer("_", " ", "-", " ").Replace(c.Kind)
		return string(words[0]-'a'+'A') + words[1:]
	case c.Kind != "":
		return "Condition " + quoted(c.Kind)
	}
	return "A condition without a name"
}

// plainWord is a word as programs write them: "order_value" reads "Order value".
var plainWord = regexp.MustCompile(`^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`)

// sentWords is what the service sent, easier to read where it is a flat object:
// its names and values in order of name, without what says no more than kind.
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

// DiscountWords is a discount as the service states it: never a final price. A
// kind that is not understood is shown as it was sent.
func DiscountWords(kind, value, currency string) string {
	amount, err := decimal.NewFromString(strings.TrimSpace(value))
	number := err == nil
	switch strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(kind))) {
	case "none", "no_discount":
		return "no discount"
	case "free_shipping":
		return "free shipping"
	case "percentage", "percent":
		if number {
			return Decimal(amount) + "% off"
		}
	case "fixed_amount", "fixed", "amount":
		if number {
			return Money(amount, currency).String() + " off"
		}
	case "":
		if value == "" {
			return "discount not stated"
		}
	}
	switch {
	case value == "":
		return quoted(kind) + ", as sent"
	case kind == "":
		return quoted(value) + ", as sent"
	}
	return quoted(kind+" "+value) + ", as sent"
}

// DiscountWords is the discount on the offer itself. When none was sent, that is
// not "no discount": its products may carry their own (N33).
func (s SetupBody) DiscountWords() string {
	if s.DiscountType == "" && s.DiscountValue == "" {
		return "No discount on the offer itself: its products carry their own, or none was sent."
	}
	words := DiscountWords(s.DiscountType, s.DiscountValue, s.Currency)
	if c := words[0]; c >= 'a' && c <= 'z' {
		words = string(c-'a'+'A') + words[1:]
	}
	return words + ", on the offer as a whole."
}

// ScheduleWords is when the offer runs, as seen from today: an end that was not
// sent is one that is not switched on (N33).
func (s SetupBody) ScheduleWords(today civil.Date) string {
	start, startKnown := sentDay(s.StartDate)
	end, endKnown := sentDay(s.EndDate)
	text := "start not sent"
	switch {
	case startKnown && start.After(today):
		text = "starts " + DayYear(start)
	case startKnown:
		text = "started " + DayYear(start)
	case s.StartDate != "":
		text = "start " + quoted(s.StartDate) + ", as sent"
	}
	switch {
	case s.EndDate == "":
		return text + ", no end switched on"
	case endKnown && end.Before(today):
		return text + ", ended " + DayYear(end)
	case endKnown:
		return text + ", ends " + DayYear(end)
	}
	return text + ", end " + quoted(s.EndDate) + ", as sent"
}

// sentDay is the day of a time that the service sent on the store's clock; its
// zone, if it has one, is not used to move it (N26).
func sentDay(text string) (civil.Date, bool) {
	if d, err := civil.ParseDate(text); err == nil && d.IsValid() {
		return d, true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return civil.DateOf(t), true
		}
	}
	return civil.Date{}, false
}

// SentDay is a time that the service sent, as a day; text that is none stays as
// it was sent.
func SentDay(text string) string {
	if d, ok := sentDay(text); ok {
		return DayYear(d)
	}
	return text
}
