package gift

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Translations are the storefront texts that the merchant has changed (GET /translations). A
// text that isn't among them uses the app's built-in wording, so it is neither empty nor
// missing (N59).
type Translations struct {
	// Found is false for a plain install, where every text is built in (rule 7, N54). It is
	// true if the reply doesn't say.
	Found           bool
	ActiveLanguages []string
	// TotalStrings is nil if not given.
	TotalStrings *int64
	// WidgetEntries and CampaignEntries are the texts recognized in widgets and campaigns, whose
	// structure isn't documented, in order.
	WidgetEntries, CampaignEntries []Entry
}

// Entry is one customized text.
type Entry struct {
	// Path locates it by the service's names, such as cart/title.
	Path string
	// Text is what was entered on the Design screen, the fallback of every language without a
	// translation; nil if only translations were entered.
	Text *string
	// Translations are the texts by language. A language that isn't in it falls back to Text,
	// or to the built-in wording if there is none; "" is an empty text that someone entered
	// (N59).
	Translations map[string]string
}

// DecodeRaw takes an object with found: false, or with strings.
func (t *Translations) DecodeRaw(value []byte) error {
	wire, err := upstream.Decode[struct {
		Found           *bool        `json:"found"`
		ActiveLanguages upstream.Raw `json:"activeLanguages"`
		TotalStrings    *int64       `json:"totalStrings"`
		Widgets         upstream.Raw `json:"widgets"`
		Campaigns       upstream.Raw `json:"campaigns"`
	}](value)
	if err != nil {
		return err
	}
	if wire.Found == nil && wire.Widgets == nil && wire.Campaigns == nil {
		return errors.New("it has none of found, widgets and campaigns")
	}
	*t = Translations{
		Found: wire.Found == nil || *wire.Found, TotalStrings: wire.TotalStrings,
		WidgetEntries:   entries(nil, "", jsontext.Value(wire.Widgets)),
		CampaignEntries: entries(nil, "", jsontext.Value(wire.Campaigns)),
		ActiveLanguages: languages(jsontext.Value(wire.ActiveLanguages)),
	}
	return nil
}

// languages reads a list of codes, or of objects that name one. The list's structure isn't documented.
func languages(value jsontext.Value) (codes []string) {
	for m := range upstream.Members(value) {
		code, ok := wording(m.Value)
		if !ok {
			said := map[string]string{}
			for inner := range upstream.Members(m.Value) {
				said[inner.Name], _ = wording(inner.Value)
			}
			code = firstOf(said, "locale", "code", "isoCode", "languageCode", "language", "lang", "tag", "id")
		}
		if code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

// onlyIn reports whether no entry has a translation into another language.
func (t Translations) onlyIn(locale string) bool {
	return !slices.ContainsFunc(slices.Concat(t.WidgetEntries, t.CampaignEntries), func(e Entry) bool {
		for language := range e.Translations {
			if language != locale {
				return true
			}
		}
		return false
	})
}

// entries appends the customized texts of a value, at any depth: every object with a text that
// is a string, or with translations that are strings.
func entries(found []Entry, path string, value jsontext.Value) []Entry {
	inside := slices.Collect(upstream.Members(value))
	e := Entry{Path: path}
	if value.Kind() == '{' {
		for _, m := range inside {
			switch m.Name {
			case "text":
				if text, ok := wording(m.Value); ok {
					e.Text = &text
				}
			case "translations":
				e.Translations = wordings(m.Value)
			}
		}
	}
	if e.Text != nil || e.Translations != nil {
		found = append(found, e)
	}
	for i, m := range inside {
		found = entries(found, strings.TrimPrefix(path+"/"+stepName(m, i), "/"), m.Value)
	}
	return found
}

// wordings reads an object of strings; nil if it isn't one. A language with null has no text of
// its own.
func wordings(value jsontext.Value) map[string]string {
	if value.Kind() != '{' {
		return nil
	}
	list := map[string]string{}
	for m := range upstream.Members(value) {
		text, ok := wording(m.Value)
		switch {
		case ok:
			list[m.Name] = text
		case m.Value.Kind() != 'n':
			return nil
		}
	}
	return list
}

func wording(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	text, err := upstream.Decode[string](value)
	return text, err == nil
}

// stepName names one step of a path: an object's key; for a list element, its owner and field,
// or else its index.
func stepName(m upstream.Member, place int) string {
	if m.Name != "" {
		return m.Name
	}
	said := map[string]string{}
	for inner := range upstream.Members(m.Value) {
		if text, ok := wording(inner.Value); ok {
			said[inner.Name] = text
		} else if inner.Value.Kind() == '0' {
			said[inner.Name] = string(inner.Value)
		}
	}
	step := firstOf(said, "id", "type", "campaignId", "widget", "campaign")
	if field := firstOf(said, "field", "key"); field != "" {
		step = strings.TrimPrefix(step+"/"+field, "/")
	}
	return cmp.Or(step, said["name"], strconv.Itoa(place))
}

func firstOf(said map[string]string, names ...string) string {
	for _, name := range names {
		if said[name] != "" {
			return said[name]
		}
	}
	return ""
}
