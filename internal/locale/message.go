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
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"github.com/shopspring/decimal"
)

//go:embed catalog
var catalog embed.FS

// spoken are the catalogs, by Locale. One is read when its language is first spoken: a
// command in English waits for no other.
var spoken = func() (all [len(styles)]func() speech) {
	for _, l := range All() {
		all[l] = sync.OnceValue(l.read)
	}
	return all
}()

// speech is the catalog of one language.
type speech struct {
	// single are the messages without plural forms, by id. A page says hundreds of them.
	single map[string]slotted
	plural *i18n.Localizer
}

// read reads the catalog of l. It panics when a file of it is broken, which a test finds.
func (l Locale) read() speech {
	b := i18n.NewBundle(styles[l].tag)
	b.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	files, err := fs.Glob(catalog, "catalog/"+l.Code()+"/*.toml")
	if err != nil {
		panic(err)
	}
	s := speech{map[string]slotted{}, i18n.NewLocalizer(b, l.Code())}
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
			if m.One != "" {
				continue
			}
			if s.single[m.ID], err = slotsOf(m.Other); err != nil {
				panic(fmt.Sprintf("%s: %s: %v", name, m.ID, err))
			}
		}
	}
	return s
}

// T is a message of the catalogs: its id, then its arguments as pairs of name and value.
//
//	l.T("offers.all_loaded", "n", 21)
//
// A number is written with separators, and the one called n chooses the plural form. Anything
// else is written as fmt does: money, days and percentages come written by l. An id without
// a message is a mistake that a test finds; the id is shown.
func (l Locale) T(id string, args ...any) string {
	named := make(Args, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		named[args[i].(string)] = args[i+1]
	}
	return cmp.Or(l.say(id, named), id)
}

// say is empty where the catalogs don't have the message, or it needs another argument.
func (l Locale) say(id string, args Args) string {
	s := spoken[l]()
	m, single := s.single[id]
	if single && len(m.names) == 0 {
		return m.texts[0]
	}
	data, n := make(map[string]string, len(args)), any(nil)
	for name, value := range args {
		text, count := l.written(value)
		data[name] = text
		if name == "n" {
			n = count
		}
	}
	var text string
	if single {
		text, _ = m.Execute(data)
	} else {
		text, _ = s.plural.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateParser: slots{}, PluralCount: n, TemplateData: data})
	}
	for _, v := range data { // the dot of "12 nov." ends the sentence too
		if strings.HasSuffix(v, ".") {
			text = strings.ReplaceAll(text, v+".", v)
		}
	}
	return text
}

// slots reads messages: text with {{.name}} where an argument goes, and nothing else of the
// template language. A page says hundreds of messages, and text/template took a tenth of the
// time that it takes to make one.
type slots struct{}

// Cacheable implements template.Parser: a text is read once.
func (slots) Cacheable() bool { return true }

// Parse implements template.Parser.
func (slots) Parse(text, _, _ string) (template.ParsedTemplate, error) { return slotsOf(text) }

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

// slotted is a message that was read: the argument names[i] goes behind texts[i].
type slotted struct{ texts, names []string }

// Execute implements template.ParsedTemplate; it refuses data that lack an argument.
func (m slotted) Execute(data any) (string, error) {
	args, _ := data.(map[string]string)
	var b strings.Builder
	for i, name := range m.names {
		text, ok := args[name]
		if !ok {
			return "", fmt.Errorf("no argument %q", name)
		}
		b.WriteString(m.texts[i])
		b.WriteString(text)
	}
	b.WriteString(m.texts[len(m.names)])
	return b.String(), nil
}

// Has reports whether the catalogs have a message, for ids that others' codes are part of.
func Has(id string) bool {
	s := spoken[English]()
	if _, single := s.single[id]; single {
		return true
	}
	_, err := s.plural.Localize(&i18n.LocalizeConfig{MessageID: id})
	_, missing := errors.AsType[*i18n.MessageNotFoundErr](err)
	return !missing
}

// T is a message in the language of the context's page; see [Locale.T].
func T(ctx context.Context, id string, args ...any) string { return From(ctx).T(id, args...) }

// written is a value in words; a number is also a count that chooses a plural form.
func (l Locale) written(value any) (text string, count any) {
	switch v := value.(type) {
	case string:
		return v, nil
	case int:
		return l.Count(int64(v)), v
	case int32:
		return l.Count(int64(v)), v
	case int64:
		return l.Count(v), v
	case decimal.Decimal:
		return l.Decimal(v), v.String()
	case Arg:
		return v.In(l), nil
	}
	return fmt.Sprint(value), nil
}

// Message is a sentence that is kept without its language: in the database, in an error,
// in a value that several readers see. In JSON it is an object, or a text if it is one.
type Message struct {
	ID string `json:"id"`
	// Args are the arguments of [Locale.T], by name.
	Args Args `json:"args,omitempty"`
}

// M is a message that is kept; id and arguments are those of [Locale.T].
func M(id string, args ...any) Message {
	m := Message{ID: id, Args: make(Args, len(args)/2)}
	for i := 0; i+1 < len(args); i += 2 {
		m.Args[args[i].(string)] = args[i+1]
	}
	return m
}

// Text is a message that says the same in every language: a text of somebody else's.
func Text(text string) Message { return Message{Args: Args{"text": text}} }

// In is the message in a language.
func (m Message) In(l Locale) string {
	text, _ := m.Said(l)
	return cmp.Or(text, m.ID)
}

// Said is In, and whether there is anything to say: the catalogs may not have the message
// or one within it, or a needed argument is missing, if another version stored it.
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
	text = l.say(m.ID, m.Args)
	return text, text != ""
}

// MarshalJSON writes the message with the types of its arguments.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.ID == "" {
		text, _ := m.Args["text"].(string)
		return json.Marshal(text)
	}
	type plain Message
	return json.Marshal(plain(m))
}

// UnmarshalJSON reads what MarshalJSON writes, and anything else as a message that says nothing.
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

// Name is a name inside a sentence: isolated, so that one written from right to left does
// not turn the words around it.
func Name(name string) string { return "\u2068" + name + "\u2069" }
