package components

import (
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
		m.Text(text)
		return
	}
	m.Raw(`<span>`) // a single flex item, so that no gap opens around the age
	m.Text(before)
	m.Raw(`<time datetime="`, at.UTC().Format(time.RFC3339), `" title="`)
	m.Text(Stamp(l, *at, now))
	m.Raw(`" data-age="`)
	m.Int(max(0, int(now.Sub(*at)/time.Second)))
	m.Raw(`">`)
	m.Text(age)
	m.Raw(`</time>`)
	m.Text(after)
	m.Raw(`</span>`)
}

// Pulled is an icon and a short age; hover and focus show the full wording.
func Pulled(f report.Freshness, now time.Time) templ.Component {
	return Draw(512, func(m *Markup, l locale.Locale) {
		m.Raw(`<span class="pulled`)
		switch f.State {
		case "failed":
			m.Raw(` text-bad`)
		case "stale":
			m.Raw(` text-warn`)
		}
		m.Raw(`" tabindex="0">`)
		m.stateSign(f.Sign())
		if f.PulledAt == nil {
			m.Raw(`<span>–</span>`)
		} else {
			m.Raw(`<span data-age="`)
			m.Int(max(0, int(now.Sub(*f.PulledAt)/time.Second)))
			m.Raw(`" data-short>`)
			m.Text(l.ShortAge(now, *f.PulledAt))
			m.Raw(`</span>`)
		}
		m.Raw(`<span class="pulled-words">`)
		m.aged(l, f.Words, now, f.PulledAt)
		m.Raw(`</span></span>`)
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
