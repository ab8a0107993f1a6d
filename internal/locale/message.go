package locale

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/shopspring/decimal"
)

//go:embed catalog
var catalog embed.FS

// localizers speak one language each, by Locale.
var localizers = func() (all [len(styles)]*i18n.Localizer) {
	b := i18n.NewBundle(styles[English].tag)
	b.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	for _, l := range All() {
		files, err := fs.Glob(catalog, "catalog/"+l.Code()+"/*.toml")
		if err != nil {
			panic(err)
		}
		for _, name := range files {
			text, err := catalog.ReadFile(name)
			if err != nil {
				panic(err)
			}
			if _, err := b.ParseMessageFileBytes(text, path.Base(name[:len(name)-len(".toml")])+"."+l.Code()+".toml"); err != nil {
				panic(fmt.Sprintf("%s: %v", name, err))
			}
		}
		all[l] = i18n.NewLocalizer(b, l.Code())
	}
	return all
}()

// T is a message of the catalogs: its id, then its arguments as pairs of name and value.
//
//	l.T("offers.all_loaded", "n", 21)
//
// A number is written with separators, and the one called n chooses the plural form. Anything
// else is written as fmt does: money, days and percentages come written by l. An id without
// a message is a mistake that a test finds; the id is shown.
func (l Locale) T(id string, args ...any) string {
	c := i18n.LocalizeConfig{MessageID: id}
	if len(args) > 0 {
		data := make(map[string]any, len(args)/2)
		for i := 0; i+1 < len(args); i += 2 {
			name, value := args[i].(string), args[i+1]
			text, count := l.argument(value)
			data[name] = text
			if name == "n" {
				c.PluralCount = count
			}
		}
		c.TemplateData = data
	}
	// A message without plural forms says the same for every count: not the error it is here.
	text, _ := localizers[l].Localize(&c)
	for i := 1; i < len(args); i += 2 { // the dot of "12 nov." ends the sentence too
		if v, ok := args[i].(string); ok && strings.HasSuffix(v, ".") {
			text = strings.ReplaceAll(text, v+".", v)
		}
	}
	return cmp.Or(text, id)
}

// Has reports whether the catalogs have a message, for ids that others' codes are part of.
func Has(id string) bool { return English.T(id) != id }

// T is a message in the language of the context's page; see [Locale.T].
func T(ctx context.Context, id string, args ...any) string { return From(ctx).T(id, args...) }

// argument writes a value; a number is also a count that chooses a plural form.
func (l Locale) argument(value any) (text, count any) {
	switch v := value.(type) {
	case int:
		return l.Count(int64(v)), v
	case int32:
		return l.Count(int64(v)), v
	case int64:
		return l.Count(v), v
	case decimal.Decimal:
		return l.Decimal(v), v.String()
	}
	return value, nil
}

// Message is a sentence that is kept without its language: in the database, in an error,
// in a value that several readers see.
type Message struct {
	ID string `json:"id"`
	// Args are the arguments of [Locale.T], by name: texts, whole numbers and messages.
	Args map[string]any `json:"args,omitempty"`
}

// M is a message that is kept; id and arguments are those of [Locale.T].
func M(id string, args ...any) Message {
	m := Message{ID: id, Args: make(map[string]any, len(args)/2)}
	for i := 0; i+1 < len(args); i += 2 {
		m.Args[args[i].(string)] = args[i+1]
	}
	return m
}

// Text is a message that says the same in every language: a text of somebody else's.
func Text(text string) Message { return Message{Args: map[string]any{"text": text}} }

// In is the message in a language.
func (m Message) In(l Locale) string {
	if text, ok := m.Args["text"].(string); ok && m.ID == "" {
		return text
	}
	args := make([]any, 0, 2*len(m.Args))
	for name, value := range m.Args {
		switch v := value.(type) {
		case float64: // JSON has one kind of number
			value = int64(v)
		case Message:
			value = v.In(l)
		}
		args = append(args, name, value)
	}
	return l.T(m.ID, args...)
}

// Name is a name inside a sentence: isolated, so that one written from right to left does
// not turn the words around it.
func Name(name string) string { return "\u2068" + name + "\u2069" }
