package locale

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/shopspring/decimal"
	"golang.org/x/text/feature/plural"
)

//go:embed catalog
var catalog embed.FS

// spoken are the catalogs, by Locale. Each is loaded when first used, so that a command in English
// doesn't wait for the others.
var spoken = func() (all [len(styles)]func() map[string]sentence) {
	for _, l := range All() {
		all[l] = sync.OnceValue(l.read)
	}
	return all
}()

// read loads l's catalog, by id. It panics if a file is broken, which a test catches.
func (l Locale) read() map[string]sentence {
	b := i18n.NewBundle(styles[l].tag)
	b.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	files, err := fs.Glob(catalog, "catalog/"+l.Code()+"/*.toml")
	if err != nil {
		panic(err)
	}
	all := map[string]sentence{}
	for _, name := range files {
		text, err := catalog.ReadFile(name)
		if err != nil {
			panic(err)
		}
		file, err := b.ParseMessageFileBytes(text, strings.TrimSuffix(path.Base(name), ".toml")+"."+l.Code()+".toml")
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		for _, m := range file.Messages {
			one, err := slotsOf(m.One)
			other, also := slotsOf(m.Other)
			if err := errors.Join(err, also); err != nil {
				panic(fmt.Sprintf("%s: %s: %v", name, m.ID, err))
			}
			all[m.ID] = sentence{m.One != "", one, other}
		}
	}
	return all
}

// sentence is a parsed message. If it has plural forms, the number n selects one.
type sentence struct {
	counted    bool
	one, other slotted
}

// slotted is one form of a message: the argument names[i] follows texts[i].
type slotted struct{ texts, names []string }

// slotsOf parses {{.name}} where an argument goes, and nothing else of the template language: a page
// contains hundreds of messages, and text/template took a tenth of the time to make one.
func slotsOf(text string) (m slotted, err error) {
	for {
		before, rest, found := strings.Cut(text, "{{.")
		m.texts = append(m.texts, before)
		if !found {
			return m, nil
		}
		name, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return m, fmt.Errorf("no }} after {{.%s", rest)
		}
		m.names, text = append(m.names, name), after
	}
}

// T is a message from the catalogs: its id, then its arguments as pairs of name and value.
//
//	l.T("offers.all_loaded", "n", 21)
//
// Numbers are written with separators, and the one called n selects the plural form. Everything else is
// written as fmt does: format money, days and percentages with l first. An id without a message is a
// bug that a test catches; the id is shown instead.
func (l Locale) T(id string, args ...any) string {
	return cmp.Or(l.say(id, func(name string) any {
		for i := 0; i+1 < len(args); i += 2 {
			if args[i] == name {
				return args[i+1]
			}
		}
		return nil
	}), id)
}

// say is empty if the catalogs don't have the message, or it needs an argument that arg doesn't have.
func (l Locale) say(id string, arg func(name string) any) string {
	s, ok := spoken[l]()[id]
	if !ok {
		return ""
	}
	m := s.other
	if s.counted && l.one(arg("n")) {
		m = s.one
	}
	if len(m.names) == 0 {
		return m.texts[0]
	}
	out := append(make([]byte, 0, 128), m.texts[0]...)
	for i, name := range m.names {
		value := arg(name)
		if value == nil {
			return ""
		}
		text, after := l.written(value), m.texts[i+1]
		if strings.HasSuffix(text, ".") { // the dot of "12 nov." also ends the sentence
			after = strings.TrimPrefix(after, ".")
		}
		out = append(append(out, text...), after...)
	}
	return string(out)
}

// one reports whether a number takes the language's singular form. Anything that isn't a number doesn't.
func (l Locale) one(n any) bool {
	var digits string
	switch v := n.(type) {
	case int:
		digits = strconv.Itoa(v)
	case int32:
		digits = strconv.Itoa(int(v))
	case int64:
		digits = strconv.FormatInt(v, 10)
	case decimal.Decimal:
		digits = v.String()
	default:
		return false
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(digits, "-"), ".")
	short := strings.TrimRight(fraction, "0")
	return plural.Cardinal.MatchPlural(styles[l].tag, lastDigits(whole), len(fraction), len(short), lastDigits(fraction), lastDigits(short)) == plural.One
}

// lastDigits are as many digits of a number as plural rules look at.
func lastDigits(digits string) int {
	n, _ := strconv.Atoi(digits[max(0, len(digits)-7):])
	return n
}

// Has reports whether the catalogs have a message, for ids that contain codes from outside.
func Has(id string) bool {
	_, ok := spoken[English]()[id]
	return ok
}

// T is a message in the language of the context's page; see [Locale.T].
func T(ctx context.Context, id string, args ...any) string { return From(ctx).T(id, args...) }

// written formats a value as text.
func (l Locale) written(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int:
		return l.Count(int64(v))
	case int32:
		return l.Count(int64(v))
	case int64:
		return l.Count(v)
	case decimal.Decimal:
		return l.Decimal(v)
	case Arg:
		return v.In(l)
	}
	return fmt.Sprint(value)
}

// Message is a sentence stored without its language: in the database, in an error, or in a value that
// several readers see. In JSON it's an object, or a string if it's plain text.
type Message struct {
	ID string `json:"id"`
	// Args are the arguments of [Locale.T], by name.
	Args Args `json:"args,omitempty"`
}

// M makes a Message; id and arguments are as for [Locale.T].
func M(id string, args ...any) Message {
	m := Message{ID: id, Args: make(Args, len(args)/2)}
	for i := 0; i+1 < len(args); i += 2 {
		m.Args[args[i].(string)] = args[i+1]
	}
	return m
}

// Text is a message that is the same in every language, such as text from outside.
func Text(text string) Message { return Message{Args: Args{"text": text}} }

// In formats the message in a language.
func (m Message) In(l Locale) string {
	text, _ := m.Said(l)
	return cmp.Or(text, m.ID)
}

// Said is In, plus whether there is anything to say: if another version stored the message, the
// catalogs may lack it or one inside it, or an argument may be missing.
func (m Message) Said(l Locale) (text string, ok bool) {
	if m.ID == "" {
		text, _ = m.Args["text"].(string)
		return text, text != ""
	}
	for _, value := range m.Args {
		if part, ok := value.(Message); ok && part.ID != "" {
			if _, ok := part.Said(l); !ok {
				return "", false
			}
		}
	}
	text = l.say(m.ID, func(name string) any { return m.Args[name] })
	return text, text != ""
}

// MarshalJSON encodes the message with its arguments' types.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.ID == "" {
		text, _ := m.Args["text"].(string)
		return json.Marshal(text)
	}
	type plain Message
	return json.Marshal(plain(m))
}

// UnmarshalJSON decodes what MarshalJSON encodes, and anything else as an empty message.
func (m *Message) UnmarshalJSON(text []byte) error {
	*m = Message{}
	var said string
	if json.Unmarshal(text, &said) == nil {
		if said != "" {
			*m = Text(said)
		}
		return nil
	}
	type plain Message
	if json.Unmarshal(text, (*plain)(m)) != nil {
		*m = Message{}
	}
	return nil
}

// Name is a name inside a sentence, isolated so that one written right to left doesn't change the
// direction of the words around it.
func Name(name string) string { return "\u2068" + name + "\u2069" }
