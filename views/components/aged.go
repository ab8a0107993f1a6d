package components

import (
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// AgedText is a text that holds the age of a moment, such as "pulled 12 minutes ago". The age
// is marked, so that a script can update it while the page is open; the whole time is in its
// title.
func AgedText(text string, now time.Time, at *time.Time) templ.Component {
	return Draw(160, func(m *Markup, l locale.Locale) { m.aged(l, text, now, at) })
}

// aged writes AgedText.
func (m *Markup) aged(l locale.Locale, text string, now time.Time, at *time.Time) {
	age := ""
	if at != nil && !at.IsZero() {
		age = l.Age(now, *at)
	}
	before, after, found := strings.Cut(text, age)
	if age == "" || !found {
		m.Put("", text)
		return
	}
	// A single flex item, so that no gap opens around the age.
	m.Put(`<span>`, before, `<time datetime="`, at.UTC().Format(time.RFC3339), `" title="`, Stamp(l, *at, now),
		`" data-age="`, seconds(now.Sub(*at)), `">`, age, `</time>`, after, `</span>`)
}

// seconds are those of an age; a moment that is yet to come is 0 seconds old.
func seconds(age time.Duration) string { return strconv.Itoa(max(0, int(age/time.Second))) }

// Pulled is an icon and a short age; hover and focus show the full wording.
func Pulled(f report.Freshness, now time.Time) templ.Component {
	return Draw(512, func(m *Markup, l locale.Locale) {
		class := "pulled"
		switch f.State {
		case "failed":
			class += " text-bad"
		case "stale":
			class += " text-warn"
		}
		m.Put(`<span class="`, class, `" tabindex="0">`)
		m.stateSign(f.Sign())
		if at := f.PulledAt; at == nil {
			m.Put(`<span>–</span>`)
		} else {
			m.Put(`<span data-age="`, seconds(now.Sub(*at)), `" data-short>`, l.ShortAge(now, *at), `</span>`)
		}
		m.Put(`<span class="pulled-words">`)
		m.aged(l, f.Words, now, f.PulledAt)
		m.Put(`</span></span>`)
	})
}

// LastFetched is the newest reply behind a number; nil if there is none.
func LastFetched(p report.Provenance) *time.Time {
	at := p.FetchedLast
	if at.IsZero() {
		at = p.FetchedAt
	}
	if at.IsZero() {
		return nil
	}
	return &at
}
