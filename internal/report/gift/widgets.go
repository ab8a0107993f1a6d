package gift

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// Saved is a saved configuration of a widget type, a campaign or the store.
type Saved struct {
	// Found false means that nothing was ever configured, so the defaults apply (N54).
	Found bool
	// Settings lays out the configuration for reading; Raw is the same as received, indented.
	Settings []Setting
	Raw      string
}

// SavedSettings is the store-wide configuration (GET /settings).
type SavedSettings struct {
	report.Panel
	Saved
}

// Widgets are the widget types (GET /widgets), each with its own settings.
type Widgets struct {
	report.Panel
	Types []Widget
}

// Widget is one type of widget.
type Widget struct {
	Type, Title     string
	Premium, Locked bool
	// LastListed is set if the type is no longer in the list.
	LastListed *time.Time
	// Saved is nil until its settings are pulled; SavedAt is when they were.
	Saved   *Saved
	SavedAt time.Time
}

// Translations is how much of the storefront's wording is customized, by language.
type Translations struct {
	report.Panel
	Languages []Language
}

// Language is one language's coverage.
type Language struct {
	// Locale is the language's code; empty for an answer that isn't about one language.
	Locale string
	// Pulled is false before the first answer for it.
	Pulled bool
	// Found false means that every string has its built-in wording (N59).
	Found bool
	// Customised counts the strings with a wording in this language, Typed those without one, which
	// show the wording from the Design screen. All other strings have their built-in wording; they
	// aren't empty.
	Customised, Typed int64
	// Total is the number of strings as reported; nil if it wasn't sent.
	Total *int64
	// Widgets and Campaigns are the answer's customized strings.
	Widgets, Campaigns []Wording
	// PulledAt is when the answer was pulled; Text says why there is no newer one.
	PulledAt time.Time
	Text     string
}

// StoredWidget is one row of gift_widgets with its settings, if any were pulled.
type StoredWidget struct {
	Widget
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

func (b builder) widgets() Widgets {
	w := Widgets{Panel: report.Panel{Provenance: b.Provenance(endpointWidgets, report.Reported)}}
	var listed time.Time
	for _, s := range b.page.Widgets {
		if s.ListedAt.After(listed) {
			listed = s.ListedAt
		}
	}
	if listed.IsZero() {
		if at := b.LastGood([]string{"gift.widgets"}); !at.IsZero() {
			w.Provenance = b.Current(endpointWidgets, "gift.widgets", at)
			w.Empty = &report.Empty{Cause: report.CauseNothing, Title: b.T("gift.widgets.none"), Text: b.T("gift.widgets.none_text")}
		} else {
			w.Empty = b.NotPulled("gift", "gift.widgets", b.T("state.on_the_way.gift_widgets"))
		}
	} else {
		w.Provenance = b.Current(endpointWidgets, "gift.widgets", listed)
	}
	for _, s := range b.page.Widgets {
		each := s.Widget
		if s.ListedAt.Before(listed) {
			each.LastListed = new(s.ListedAt)
		}
		if s.Settings != nil {
			saved := b.saved(*s.Settings)
			each.Saved, each.SavedAt = &saved, s.Settings.FetchedAt
		}
		w.Types = append(w.Types, each)
	}
	w.Panel = b.Finish(w.Panel, "gift", "gift.widgets", "gift.widget")
	return w
}

func (b builder) settings() SavedSettings {
	s := SavedSettings{Panel: report.Panel{Provenance: b.Provenance(endpointSettings, report.Reported)}}
	if b.page.Settings == nil {
		s.Empty = b.NotPulled("gift", "gift.settings", b.T("state.on_the_way.gift_settings"))
	} else {
		s.Provenance = b.Current(endpointSettings, "gift.settings", b.page.Settings.FetchedAt)
		s.Saved = b.saved(*b.page.Settings)
	}
	s.Panel = b.Finish(s.Panel, "gift", "gift.settings")
	return s
}

// saved lays out a stored configuration, without the field that says whether there is one.
func (b builder) saved(s StoredFound) Saved {
	return Saved{Found: s.Found, Settings: unwrapped(Settings(b.Locale, s.Body, b.OnStoreClock(b.Now).Location())), Raw: Indented(s.Body)}
}

// unwrapped drops "found", and descends into the object that holds everything else.
func unwrapped(in []Setting) []Setting {
	out := slices.DeleteFunc(in, func(s Setting) bool { return s.Key == "found" })
	if len(out) == 1 && len(out[0].Items) > 0 && !out[0].List {
		return out[0].Items
	}
	return out
}

func (b builder) translations() Translations {
	t := Translations{Panel: report.Panel{Provenance: b.Provenance(endpointWording, report.Reported)}}
	var active []string
	for _, s := range b.page.Translations {
		if t.Provenance.Replies == 0 {
			t.Provenance = b.Current(endpointWording, "gift.translations", s.FetchedAt)
			t.Provenance.Subject = s.Locale
		} else {
			t.Provenance.Seen(s.FetchedAt, false)
			t.Provenance.Pull, t.Provenance.Subject = "", ""
		}
		active = append(active, s.Languages...)
		if s.Locale != "" || len(b.page.Translations) == 1 {
			t.Languages = append(t.Languages, b.language(s))
		}
	}
	if t.Provenance.Replies == 0 {
		t.Empty = b.NotPulled("gift", "gift.translations", b.T("state.on_the_way.gift_wording"))
	}
	slices.Sort(active)
	for _, locale := range slices.Compact(active) {
		if !slices.ContainsFunc(t.Languages, func(l Language) bool { return strings.EqualFold(l.Locale, locale) }) {
			t.Languages = append(t.Languages, Language{Locale: locale, Text: b.refusal("gift.translations", locale)})
		}
	}
	t.Panel = b.Finish(t.Panel, "gift", "gift.translations")
	return t
}

func (b builder) language(s StoredTranslation) Language {
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

// refusal is what the ledger says about a pull whose last attempt failed; "" if it didn't.
func (b builder) refusal(pull, subject string) string {
	for _, l := range b.In.Ledger {
		if l.Pull == pull && l.Subject == subject && slices.Contains([]fact.Outcome{fact.PullFailed, fact.PullQuarantined, fact.PullRefused}, l.Outcome) {
			return l.Reason().In(b.Locale)
		}
	}
	return ""
}
