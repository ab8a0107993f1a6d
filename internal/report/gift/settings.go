package gift

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/storeglass/storeglass/internal/report"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// Setting is one line of a configuration with undocumented fields: a label, made from the key and in
// quotes if we have no word for it, and either text or lines below it.
type Setting struct {
	// Key is the field's name as received; empty within a list.
	Key   string
	Label string
	// Own: the label is the app's own word.
	Own bool
	// Text is the value in words. Treat it as plain text: it comes from outside.
	Text string
	// Items are the lines below; List is true if they are entries of a list.
	Items []Setting
	List  bool
}

// The most of a configuration that is laid out: anything deeper or longer appears only in its raw text.
const (
	maxSettingDepth = 8
	maxSettings     = 400
)

// Settings lays out a JSON object: the fields we know first, in the order of [fields], labels from the
// keys, yes and no for booleans in l, times on the clock of loc. Anything that isn't an object or can't be parsed has no lines.
func Settings(l locale.Locale, raw []byte, loc *time.Location) []Setting {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	r := settingReader{d: d, l: l, loc: loc, left: maxSettings}
	s, err := r.value(0, "")
	if err != nil || s.List {
		return nil
	}
	return s.Items
}

// Indented is JSON with line breaks, or the input unchanged if it can't be parsed.
func Indented(raw []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}

type settingReader struct {
	d    *json.Decoder
	l    locale.Locale
	loc  *time.Location
	left int
}

// value reads the value of a field and everything in it.
func (r *settingReader) value(depth int, key string) (Setting, error) {
	t, err := r.d.Token()
	if err != nil {
		return Setting{}, err
	}
	switch v := t.(type) {
	case json.Delim:
		return r.below(v == '[', depth, key)
	case nil:
		return Setting{Text: r.l.T("gift.setting.not_set")}, nil
	case bool:
		if v {
			return Setting{Text: r.l.T("gift.setting.yes")}, nil
		}
		return Setting{Text: r.l.T("gift.setting.no")}, nil
	case json.Number:
		return Setting{Text: v.String()}, nil
	case string:
		return Setting{Text: r.words(key, v)}, nil
	}
	return Setting{}, io.ErrUnexpectedEOF
}

// below reads the lines of an object or a list up to its end.
func (r *settingReader) below(list bool, depth int, key string) (Setting, error) {
	out := Setting{List: list}
	plain, more := true, 0
	for r.d.More() {
		if !list {
			t, err := r.d.Token()
			if err != nil {
				return out, err
			}
			key, _ = t.(string)
		}
		s, err := r.value(depth+1, key)
		if err != nil {
			return out, err
		}
		if r.left--; r.left < 0 {
			more++
			continue
		}
		if s.Label = strconv.Itoa(len(out.Items) + 1); !list {
			s.Key = key
			s.Label, s.Own = r.label(key)
		}
		plain = plain && len(s.Items) == 0
		out.Items = append(out.Items, s)
	}
	if _, err := r.d.Token(); err != nil {
		return out, err
	}
	if !list {
		slices.SortStableFunc(out.Items, func(a, b Setting) int { return cmp.Compare(known(a.Key), known(b.Key)) })
	}
	switch {
	case more > 0:
		out.Items = append(out.Items, Setting{Label: r.l.T("gift.setting.more"), Text: r.l.T("gift.setting.left_out", "n", more)})
	case len(out.Items) == 0:
		return Setting{Text: r.l.T("gift.setting.none")}, nil
	case depth >= maxSettingDepth:
		return Setting{Text: r.l.T("gift.setting.too_deep")}, nil
	}
	if list && plain { // plain values of a list share one line
		words := make([]string, len(out.Items))
		for i, s := range out.Items {
			words[i] = report.Isolated(s.Text)
		}
		return Setting{Text: strings.Join(words, ", ")}, nil
	}
	return out, nil
}

// words is a field's text as received, with times and days written out, and the words that we
// know said in the reader's language.
func (r *settingReader) words(key, s string) string {
	if s == "" {
		return r.l.T("gift.setting.empty")
	}
	if word, ok := Word(r.l, snake(key), s); ok {
		return word
	}
	if t, err := time.Parse("2006-01-02T15:04:05", s); err == nil { // on the store's clock
		return r.l.T("common.stamp", "day", r.l.DayYear(civil.DateOf(t)), "time", r.l.Time(t))
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		at := t.In(r.loc)
		return r.l.T("common.stamp", "day", r.l.DayYear(civil.DateOf(at)), "time", r.l.Time(at))
	}
	if d, err := civil.ParseDate(s); err == nil && d.IsValid() {
		return r.l.DayYear(d)
	}
	return s
}

// fields are the keys that the catalogs have a name for, in snake case and in the order of a page.
var fields = []string{
	"name", "title", "code", "type", "status", "start_date", "end_date", "timezone", "target_page", "minimum_order_value", "currency",
	"products", "collections", "markets", "customer_segments", "quantity", "choose_up_to", "add_automatically", "discount_type", "discount_value",
	"combines_with", "usage_limit", "once_per_customer", "identifier",
}

// known is a field's place in fields, or the place behind them.
func known(key string) int {
	i := slices.Index(fields, named(key))
	if i < 0 {
		return len(fields)
	}
	return i
}

// named is a key as in fields.
func named(key string) string {
	if name := snake(key); name != "id" {
		return name
	}
	return "identifier" // the catalogs reserve "id"
}

// HasOwn reports whether any line is named in the app's own words.
func HasOwn(lines []Setting) bool {
	return slices.ContainsFunc(lines, func(s Setting) bool { return s.Own || HasOwn(s.Items) })
}

// Word is our word for the value of a field in snake case, if we have one.
func Word(l locale.Locale, field, value string) (word string, ok bool) {
	among := func(of string, values ...string) bool { return field == of && slices.Contains(values, value) }
	switch {
	case among("type", "order_value", "buy_product"):
		return l.T("gift.campaign_type." + value), true
	case among("status", "active", "scheduled", "expired"):
		return l.T("common.status." + value), true
	case among("target_page", "cart", "product"):
		return l.T("gift.target." + value), true
	case among("discount_type", "percentage", "fixed_amount"):
		return l.T("gift.discount." + value), true
	case among("combines_with", "order_discounts", "product_discounts", "shipping_discounts"):
		return l.T("gift.combines." + value), true
	}
	return "", false
}

// label is our name for a field, or else the app's own in quotes.
func (r *settingReader) label(key string) (label string, own bool) {
	if known(key) < len(fields) {
		return r.l.T("gift.field." + named(key)), false
	}
	return r.l.T("unit.quoted", "name", report.Isolated(labelOf(key))), true
}

// snake turns a key into snake case: "minOrderTotal" into "min_order_total".
func snake(key string) string { return strings.ToLower(strings.ReplaceAll(labelOf(key), " ", "_")) }

// labelOf turns a key into words: "minOrderTotal" into "Min order total", "product_ids" into "Product
// ids". Runs of capitals are kept.
func labelOf(key string) string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = nil
	}
	runes := []rune(key)
	for i, c := range runes {
		switch {
		case c == '_' || c == '-' || c == ' ' || c == '.':
			end()
			continue
		case i > 0 && unicode.IsUpper(c) && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, c)
	}
	end()
	for i, w := range words {
		if w != strings.ToUpper(w) || len(w) == 1 {
			w = strings.ToLower(w)
		}
		if i == 0 {
			first := []rune(w)
			w = string(unicode.ToUpper(first[0])) + string(first[1:])
		}
		words[i] = w
	}
	if len(words) == 0 {
		return key
	}
	return strings.Join(words, " ")
}
