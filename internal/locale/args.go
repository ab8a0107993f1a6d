package locale

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// Arg is a message argument that each language formats in its own way. Other arguments are strings,
// whole numbers, decimals or a [Message].
type Arg interface{ In(l Locale) string }

// Money is an amount: "$1,402.00", or rounded, for an estimate, "$1,402".
type Money struct {
	Amount   decimal.Decimal `json:"money"`
	Currency string          `json:"currency"`
	Rounded  bool            `json:"rounded,omitempty"`
}

// In implements Arg.
func (m Money) In(l Locale) string {
	if m.Rounded {
		return l.WholeMoney(m.Amount, m.Currency)
	}
	return l.Money(m.Amount, m.Currency).String()
}

// Estimate is a rounded amount in short form: "$50k"; without a currency it's a count.
type Estimate struct {
	Amount   decimal.Decimal `json:"estimate"`
	Currency string          `json:"currency,omitempty"`
}

// In implements Arg.
func (e Estimate) In(l Locale) string {
	if e.Currency == "" {
		return l.Count(e.Amount.IntPart())
	}
	return l.AxisMoney(e.Amount, e.Currency)
}

// Share is a fraction: 0.155 is "15.5%".
type Share struct {
	Fraction decimal.Decimal `json:"share"`
}

// In implements Arg.
func (s Share) In(l Locale) string { return l.Share(&s.Fraction).String() }

// Percent is a whole percentage: "70%".
type Percent struct {
	Percent int64 `json:"percent"`
}

// In implements Arg.
func (p Percent) In(l Locale) string { return l.SentPercent(decimal.NewFromInt(p.Percent)) }

// Day is a day: "20 Nov", or with Year "20 Nov 2026".
type Day struct {
	Date civil.Date `json:"day"`
	Year bool       `json:"year,omitempty"`
}

// In implements Arg.
func (d Day) In(l Locale) string {
	if d.Year {
		return l.DayYear(d.Date)
	}
	return l.Day(d.Date)
}

// Period is a range of days, both included: "21 Oct – 19 Nov 2026".
type Period struct {
	Start civil.Date `json:"from"`
	End   civil.Date `json:"to"`
}

// In implements Arg.
func (p Period) In(l Locale) string { return l.Dates(p.Start, p.End) }

// Moment is an instant on the clock of an IANA zone: "20 Nov, 14:05". An unknown zone counts as UTC.
type Moment struct {
	At   time.Time `json:"at"`
	Zone string    `json:"zone"`
}

// In implements Arg.
func (m Moment) In(l Locale) string {
	at := m.At.UTC()
	if loc, err := time.LoadLocation(m.Zone); err == nil {
		at = m.At.In(loc)
	}
	return l.T("common.stamp", "day", l.Day(civil.DateOf(at)), "time", l.Time(at))
}

// Clock is a time of day, in minutes after midnight: "07:00".
type Clock struct {
	Minutes int `json:"clock"`
}

// In implements Arg.
func (c Clock) In(l Locale) string {
	return l.Time(time.Date(2000, 1, 1, 0, c.Minutes, 0, 0, time.UTC))
}

// number is a decimal in JSON, where a bare number means a whole one.
type number struct {
	Value decimal.Decimal `json:"decimal"`
}

// Args are arguments by name. JSON preserves their types. An argument that can't be read is left out,
// since another version may have stored it.
type Args map[string]any

// In formats an argument in a language; empty if there is none.
func (a Args) In(l Locale, name string) string {
	if a[name] == nil {
		return ""
	}
	return l.written(a[name])
}

// MarshalJSON encodes the arguments with their types.
func (a Args) MarshalJSON() ([]byte, error) {
	out := make(map[string]any, len(a))
	for name, value := range a {
		if d, ok := value.(decimal.Decimal); ok {
			value = number{d}
		}
		out[name] = value
	}
	return json.Marshal(out)
}

// UnmarshalJSON decodes what MarshalJSON encodes. It never fails.
func (a *Args) UnmarshalJSON(text []byte) error {
	*a = Args{}
	var raw map[string]json.RawMessage
	if json.Unmarshal(text, &raw) != nil {
		return nil
	}
	for name, text := range raw {
		if value := argOf(text); value != nil {
			(*a)[name] = value
		}
	}
	return nil
}

// argOf decodes an argument: its first field determines its type.
func argOf(text json.RawMessage) any {
	var s string
	if json.Unmarshal(text, &s) == nil && text[0] == '"' {
		return s
	}
	var n int64
	if json.Unmarshal(text, &n) == nil && text[0] != 'n' {
		return n
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return nil
	}
	for name, read := range readers {
		if fields[name] != nil {
			return read(text)
		}
	}
	return nil
}

var readers map[string]func([]byte) any

func init() { // in init, because messages hold arguments and arguments hold messages
	readers = map[string]func([]byte) any{
		"id": read[Message], "money": read[Money], "estimate": read[Estimate], "share": read[Share], "percent": read[Percent], "day": read[Day], "from": read[Period],
		"at": read[Moment], "clock": read[Clock],
		"decimal": func(text []byte) any {
			if n, ok := read[number](text).(number); ok {
				return n.Value
			}
			return nil
		},
	}
}

func read[T any](text []byte) any {
	var value T
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	return value
}

// Sentences follow each other, separated by a space.
type Sentences []Message

// In formats those of the sentences that the catalogs have.
func (s Sentences) In(l Locale) string {
	var out bytes.Buffer
	for _, m := range s {
		if text, ok := m.Said(l); ok {
			if out.Len() > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(text)
		}
	}
	return out.String()
}

// MarshalJSON always encodes a list, even an empty one.
func (s Sentences) MarshalJSON() ([]byte, error) {
	if s == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]Message(s))
}

// UnmarshalJSON decodes what MarshalJSON encodes, and anything else as no sentences.
func (s *Sentences) UnmarshalJSON(text []byte) error {
	*s = nil
	_ = json.Unmarshal(text, (*[]Message)(s))
	return nil
}
