package components

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Sign is the icon of a number's basis. It opens the number's provenance by click or Enter; Esc
// closes it. Both work without JavaScript.
func Sign(s Source) templ.Component {
	return Draw(256, func(m *Markup, l locale.Locale) {
		m.Put(`<button type="button" class="sign" popovertarget="from-`, s.ID,
			`" aria-label="`, l.T("source.sign", "label", s.Label, "basis", s.P.Basis.In(l)),
			`"><svg aria-hidden="true"><use href="#b-`, string(s.P.Basis), `"></use></svg></button>`)
	})
}

// Provenance is what the sign opens; it appears next to the number, never over it.
func Provenance(s Source) templ.Component {
	return Draw(2048, func(m *Markup, l locale.Locale) {
		m.Put(`<div class="prov" id="from-`, s.ID, `" popover role="dialog" aria-label="`, l.T("source.title", "label", s.Label),
			`"><div class="prov-head"><span class="quiet-name">`, s.Label,
			`</span><span class="basis"><svg class="mark" aria-hidden="true"><use href="#b-`, string(s.P.Basis),
			`"></use></svg>`, BasisName(l, s.P.Basis), `</span>`)
		if s.Value != "" {
			m.Put(`<span class="amount">`, s.Value)
			if s.Code != "" {
				m.Put(` <small>`, s.Code, `</small>`)
			}
			m.Put(`</span>`)
		}
		m.Put(`</div><dl tabindex="0">`)
		s.rows(m, l)
		m.Put(`</dl><div class="prov-foot">`)
		if s.Reply != "" {
			m.Put(`<a class="link" href="`, string(templ.URL(s.Reply)), `">`, l.T("source.raw_reply"), `</a>`)
		}
		if s.Key != "" {
			m.Put(`<button type="button" class="link" hidden data-copy="`, s.Key, `" data-field="`, s.Field,
				`" data-copied="`, l.T("common.copied"), `" data-refused="`, l.T("common.copy_refused"),
				`">`, l.T("source.copy_json"), `</button>`)
		}
		m.Put(`<span class="esc">`, l.T("source.esc"), `</span></div></div>`)
	})
}

// rows are the facts: a name, what it is, and a quieter note.
func (s Source) rows(m *Markup, l locale.Locale) {
	row := func(name, text, note string) {
		if text == "" {
			return
		}
		m.Put(`<dt>`, name, `</dt><dd>`, text)
		if note != "" {
			m.Put(` <span>`)
			m.aged(l, note, s.Now, LastFetched(s.P))
			m.Put(`</span>`)
		}
		m.Put(`</dd>`)
	}
	if w := s.P.Window; w == nil {
		row(l.T("window.window"), l.T("window.none"), "")
	} else {
		m.Put(`<dt>`, l.T("window.window"), `</dt><dd>`, l.Dates(w.Start, w.End), `<br><span>`, s.windowNote(l), `</span></dd>`)
	}
	asked, note := s.asked(l)
	row(l.T("source.asked"), asked, note)
	if s.P.Window != nil {
		row(l.T("source.clock"), s.clock(l), "")
	}
	row(l.T("source.basis"), s.basisSentence(l), "")
	s.endpoint(m, l)
	at, ago := s.fetched(l)
	row(l.T("source.fetched"), at, ago)
	row(l.T("source.checked"), s.checked(l), "")
	flags := s.flags(l)
	if len(flags) == 0 {
		return
	}
	m.Put(`<dt class="sr-only">`, l.T("source.notes"), `</dt><dd class="flags">`)
	for _, f := range flags {
		m.Put(`<span class="`, badgeClass(f.kind), `">`, f.text, `</span>`)
	}
	m.Put(`</dd>`)
}

func (s Source) endpoint(m *Markup, l locale.Locale) {
	if s.P.Endpoint == "" {
		return
	}
	m.Put(`<dt>`, l.T("source.endpoint"), `</dt><dd><code>`, s.P.Endpoint, `</code>`)
	if s.P.Replies > 1 {
		m.Put(` <span>× `, strconv.Itoa(s.P.Replies), `</span>`)
	}
	if s.Field != "" {
		m.Put(`<br><span><code>`, s.Field, `</code></span>`)
	}
	m.Put(`</dd>`)
}

// Provenances are the page's provenances as the JSON API writes them, by key:
// "Copy as JSON" reads them.
func Provenances(byKey map[string]report.Provenance) templ.Component {
	return templ.JSONScript("provenances", byKey)
}
