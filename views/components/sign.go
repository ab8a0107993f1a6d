package components

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Sign is the icon of a number's basis. It opens the number's provenance by click or Enter; Esc
// closes it. Both work without JavaScript.
func Sign(s Source) templ.Component {
	return Draw(256, func(m *Markup, l locale.Locale) {
		m.Raw(`<button type="button" class="sign" popovertarget="from-`, s.ID, `" aria-label="`)
		m.Text(l.T("source.sign", "label", s.Label, "basis", s.P.Basis.In(l)))
		m.Raw(`"><svg aria-hidden="true"><use href="#b-`, string(s.P.Basis), `"></use></svg></button>`)
	})
}

// Provenance is what the sign opens; it appears next to the number, never over it.
func Provenance(s Source) templ.Component {
	return Draw(2048, func(m *Markup, l locale.Locale) {
		m.Raw(`<div class="prov" id="from-`, s.ID, `" popover role="dialog" aria-label="`)
		m.Text(l.T("source.title", "label", s.Label))
		m.Raw(`"><div class="prov-head"><span class="quiet-name">`)
		m.Text(s.Label)
		m.Raw(`</span><span class="basis"><svg class="mark" aria-hidden="true"><use href="#b-`, string(s.P.Basis), `"></use></svg>`)
		m.Text(BasisName(l, s.P.Basis))
		m.Raw(`</span>`)
		if s.Value != "" {
			m.Raw(`<span class="amount">`)
			m.Text(s.Value)
			if s.Code != "" {
				m.Raw(` <small>`)
				m.Text(s.Code)
				m.Raw(`</small>`)
			}
			m.Raw(`</span>`)
		}
		m.Raw(`</div><dl tabindex="0">`)
		s.rows(m, l)
		m.Raw(`</dl><div class="prov-foot">`)
		if s.Reply != "" {
			m.Raw(`<a class="link" href="`)
			m.Text(string(templ.URL(s.Reply)))
			m.Raw(`">`)
			m.Text(l.T("source.raw_reply"))
			m.Raw(`</a>`)
		}
		if s.Key != "" {
			m.Raw(`<button type="button" class="link" hidden data-copy="`, s.Key, `" data-field="`)
			m.Text(s.Field)
			m.Raw(`" data-copied="`)
			m.Text(l.T("common.copied"))
			m.Raw(`" data-refused="`)
			m.Text(l.T("common.copy_refused"))
			m.Raw(`">`)
			m.Text(l.T("source.copy_json"))
			m.Raw(`</button>`)
		}
		m.Raw(`<span class="esc">`)
		m.Text(l.T("source.esc"))
		m.Raw(`</span></div></div>`)
	})
}

// rows are the facts: a name, what it is, and a quieter note.
func (s Source) rows(m *Markup, l locale.Locale) {
	row := func(name, text, note string) {
		if text == "" {
			return
		}
		m.Raw(`<dt>`)
		m.Text(name)
		m.Raw(`</dt><dd>`)
		m.Text(text)
		if note != "" {
			m.Raw(` <span>`)
			m.aged(l, note, s.Now, LastFetched(s.P))
			m.Raw(`</span>`)
		}
		m.Raw(`</dd>`)
	}
	if w := s.P.Window; w == nil {
		row(l.T("window.window"), l.T("window.none"), "")
	} else {
		m.Raw(`<dt>`)
		m.Text(l.T("window.window"))
		m.Raw(`</dt><dd>`)
		m.Text(l.Dates(w.Start, w.End))
		m.Raw(`<br><span>`)
		m.Text(s.windowNote(l))
		m.Raw(`</span></dd>`)
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
	m.Raw(`<dt class="sr-only">`)
	m.Text(l.T("source.notes"))
	m.Raw(`</dt><dd class="flags">`)
	for _, f := range flags {
		m.Raw(`<span class="`, badgeClass(f.kind), `">`)
		m.Text(f.text)
		m.Raw(`</span>`)
	}
	m.Raw(`</dd>`)
}

func (s Source) endpoint(m *Markup, l locale.Locale) {
	if s.P.Endpoint == "" {
		return
	}
	m.Raw(`<dt>`)
	m.Text(l.T("source.endpoint"))
	m.Raw(`</dt><dd><code>`)
	m.Text(s.P.Endpoint)
	m.Raw(`</code>`)
	if s.P.Replies > 1 {
		m.Raw(` <span>× `)
		m.Int(s.P.Replies)
		m.Raw(`</span>`)
	}
	if s.Field != "" {
		m.Raw(`<br><span><code>`)
		m.Text(s.Field)
		m.Raw(`</code></span>`)
	}
	m.Raw(`</dd>`)
}

// Provenances are the page's provenances as the JSON API writes them, by key:
// "Copy as JSON" reads them.
func Provenances(byKey map[string]report.Provenance) templ.Component {
	return templ.JSONScript("provenances", byKey)
}
