package report

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Saved is a saved configuration: of a widget type, a campaign, or the store.
type Saved struct {
	// Found false is an answer: nothing was ever configured, and defaults are in use (N54).
	Found bool
	// Settings lay the configuration out readably; Raw is the same as it came, indented.
	Settings []Setting
	Raw      string
}

// SavedSettings is the store-wide configuration (GET /settings).
type SavedSettings struct {
	Panel
	Saved
}

// GiftWidgets are the types of widgets (GET /widgets), each with its own settings.
type GiftWidgets struct {
	Panel
	Types []GiftWidget
}

// GiftWidget is one type of widget.
type GiftWidget struct {
	Type, Title     string
	Premium, Locked bool
	// LastListed is set when the type is no longer in the list.
	LastListed *time.Time
	// Saved is nil before its settings were pulled; SavedAt is when they were.
	Saved   *Saved
	SavedAt time.Time
}

// GiftTranslations is how much of the storefront's wording is customised, by language.
type GiftTranslations struct {
	Panel
	Languages []Language
}

// Language is one language's coverage.
type Language struct {
	// Locale is the language's code; empty for an answer that was not about one.
	Locale string
	// Pulled is false before the first answer about it.
	Pulled bool
	// Found false is an answer: every string has its built-in wording (N59).
	Found bool
	// Customised counts the strings with a wording of this language, Typed those
	// without, which show the wording of the Design screen. Every other string has its
	// built-in wording: it is not empty.
	Customised, Typed int64
	// Total is the number of strings as reported; nil when it was left out.
	Total *int64
	// Widgets and Campaigns are the customised strings of the answer.
	Widgets, Campaigns []Wording
	// PulledAt is the age of the answer; Text says why there is no newer one.
	PulledAt time.Time
	Text     string
}

// StoredWidget is one row of gift_widgets with its settings, if any were pulled.
type StoredWidget struct {
	GiftWidget
	ListedAt time.Time
	Settings *StoredFound
}

// StoredTranslation is one language's row.
type StoredTranslation struct {
	Locale    string
	Languages []string // the active ones
	Total     *int64
	StoredFound
}

func (b giftBuilder) widgets() GiftWidgets {
	w := GiftWidgets{Panel: Panel{Provenance: b.provenance(endpointWidgets, Reported)}}
	var listed time.Time
	for _, s := range b.page.Widgets {
		if s.ListedAt.After(listed) {
			listed = s.ListedAt
		}
	}
	if listed.IsZero() {
		if at := b.lastGood([]string{"gift.widgets"}); !at.IsZero() {
			w.Provenance = b.current(endpointWidgets, "gift.widgets", at)
			w.Empty = &Empty{Cause: CauseNothing, Title: b.T("gift.widgets.none"), Text: b.T("gift.widgets.none_text")}
		} else {
			w.Empty = b.notPulled("gift", "gift.widgets", b.T("state.on_the_way.gift_widgets"))
		}
	} else {
		w.Provenance = b.current(endpointWidgets, "gift.widgets", listed)
	}
	for _, s := range b.page.Widgets {
		each := s.GiftWidget
		if s.ListedAt.Before(listed) {
			at := s.ListedAt
			each.LastListed = &at
		}
		if s.Settings != nil {
			saved := b.saved(*s.Settings)
			each.Saved, each.SavedAt = &saved, s.Settings.FetchedAt
		}
		w.Types = append(w.Types, each)
	}
	w.Panel = b.finish(w.Panel, "gift", "gift.widgets", "gift.widget")
	return w
}

func (b giftBuilder) settings() SavedSettings {
	s := SavedSettings{Panel: Panel{Provenance: b.provenance(endpointSettings, Reported)}}
	if b.page.Settings == nil {
		s.Empty = b.notPulled("gift", "gift.settings", b.T("state.on_the_way.gift_settings"))
	} else {
		s.Provenance = b.current(endpointSettings, "gift.settings", b.page.Settings.FetchedAt)
		s.Saved = b.saved(*b.page.Settings)
	}
	s.Panel = b.finish(s.Panel, "gift", "gift.settings")
	return s
}

// saved lays out a stored configuration, without the word that says whether there is one.
func (b Builder) saved(s StoredFound) Saved {
	return Saved{Found: s.Found, Settings: unwrapped(Settings(b.Locale, s.Body, b.OnStoreClock(b.Now).Location())), Raw: Indented(s.Body)}
}

// unwrapped leaves out "found", and goes into the object that holds all the rest.
func unwrapped(in []Setting) []Setting {
	out := slices.DeleteFunc(in, func(s Setting) bool { return s.Key == "found" })
	if len(out) == 1 && len(out[0].Items) > 0 && !out[0].List {
		return out[0].Items
	}
	return out
}

func (b giftBuilder) translations() GiftTranslations {
	t := GiftTranslations{Panel: Panel{Provenance: b.provenance(endpointWording, Reported)}}
	var active []string
	for _, s := range b.page.Translations {
		if t.Provenance.Replies == 0 {
			t.Provenance = b.current(endpointWording, "gift.translations", s.FetchedAt)
			t.Provenance.Subject = s.Locale
		} else {
			t.Provenance.seen(s.FetchedAt, false)
			t.Provenance.Pull, t.Provenance.Subject = "", ""
		}
		active = append(active, s.Languages...)
		if s.Locale != "" || len(b.page.Translations) == 1 {
			t.Languages = append(t.Languages, b.language(s))
		}
	}
	if t.Provenance.Replies == 0 {
		t.Empty = b.notPulled("gift", "gift.translations", b.T("state.on_the_way.gift_wording"))
	}
	slices.Sort(active)
	for _, locale := range slices.Compact(active) {
		if !slices.ContainsFunc(t.Languages, func(l Language) bool { return strings.EqualFold(l.Locale, locale) }) {
			t.Languages = append(t.Languages, Language{Locale: locale, Text: b.refusal("gift.translations", locale)})
		}
	}
	t.Panel = b.finish(t.Panel, "gift", "gift.translations")
	return t
}

func (b giftBuilder) language(s StoredTranslation) Language {
	l := Language{Locale: s.Locale, Pulled: true, Found: s.Found, Total: s.Total, PulledAt: s.FetchedAt, Text: b.refusal("gift.translations", s.Locale)}
	var body TranslationsBody
	if err := json.Unmarshal(s.Body, &body); err != nil {
		l.Pulled, l.Text = false, b.T("gift.wording.unreadable")
		return l
	}
	l.Widgets, l.Campaigns = body.Widgets, body.Campaigns
	for _, w := range slices.Concat(body.Widgets, body.Campaigns) {
		switch _, own := w.Translations[s.Locale]; {
		case own:
			l.Customised++
		case w.Text != "":
			l.Typed++
		}
	}
	return l
}

// refusal is what the ledger says of a pull that failed last time; "" when it did not.
func (b Builder) refusal(pull, subject string) string {
	for _, l := range b.In.Ledger {
		if l.Pull == pull && l.Subject == subject && slices.Contains([]string{"failed", "quarantined", "refused"}, l.Outcome) {
			return l.told(b.Locale)
		}
	}
	return ""
}
