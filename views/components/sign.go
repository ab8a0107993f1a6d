package components

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
)

// Sign is the mark of a number's basis. It opens the number's provenance by
// click or Enter; Esc closes it. Both work without JavaScript.
func Sign(s Source) templ.Component {
	m := make(markup, 0, 256)
	m.raw(`<button type="button" class="sign" popovertarget="from-`, s.ID, `" aria-label="`)
	m.text(s.signLabel())
	m.raw(`"><svg aria-hidden="true"><use href="#b-`, string(s.P.Basis), `"></use></svg></button>`)
	return m.component()
}

// Provenance is what the sign opens; it stands beside the number, never over it.
func Provenance(s Source) templ.Component {
	m := make(markup, 0, 2048)
	m.raw(`<div class="prov" id="from-`, s.ID, `" popover role="dialog" aria-label="`)
	m.text("Where “" + s.Label + "” comes from")
	m.raw(`"><div class="prov-head"><span class="quiet-name">`)
	m.text(s.Label)
	m.raw(`</span><span class="basis"><svg class="mark" aria-hidden="true"><use href="#b-`, string(s.P.Basis), `"></use></svg>`, BasisName(s.P.Basis), `</span>`)
	if s.Value != "" {
		m.raw(`<span class="amount">`)
		m.text(s.Value)
		if s.Code != "" {
			m.raw(` <small>`)
			m.text(s.Code)
			m.raw(`</small>`)
		}
		m.raw(`</span>`)
	}
	m.raw(`</div><dl tabindex="0">`)
	s.rows(&m)
	m.raw(`</dl><div class="prov-foot">`)
	if s.Reply != "" {
		m.raw(`<a class="link" href="`)
		m.text(string(templ.URL(s.Reply)))
		m.raw(`">Raw reply</a>`)
	}
	if s.Key != "" {
		m.raw(`<button type="button" class="link" hidden data-copy="`, s.Key, `" data-field="`)
		m.text(s.Field)
		m.raw(`">Copy as JSON</button>`)
	}
	m.raw(`<span class="esc">Esc closes</span></div></div>`)
	return m.component()
}

// rows are the facts: a name, what it is, and a quieter note.
func (s Source) rows(m *markup) {
	row := func(name, text, note string) {
		if text == "" {
			return
		}
		m.raw(`<dt>`, name, `</dt><dd>`)
		m.text(text)
		if note != "" {
			m.raw(` <span>`)
			m.aged(note, s.Now, lastFetched(s.P))
			m.raw(`</span>`)
		}
		m.raw(`</dd>`)
	}
	if s.P.Window == nil {
		row("Window", "no window", "")
	} else {
		m.raw(`<dt>Window</dt><dd>`)
		m.text(s.P.Window.Label())
		m.raw(`<br><span>`)
		m.text(s.windowNote())
		m.raw(`</span></dd>`)
	}
	asked, note := s.asked()
	row("Asked", asked, note)
	if s.P.Window != nil {
		row("Clock", s.clock(), "")
	}
	row("Basis", s.basisSentence(), "")
	s.endpoint(m)
	at, ago := s.fetched()
	row("Fetched", at, ago)
	row("Checked", s.checked(), "")
	flags := s.flags()
	if len(flags) == 0 {
		return
	}
	m.raw(`<dt class="sr-only">Doubts</dt><dd class="flags">`)
	for _, f := range flags {
		m.raw(`<span class="`, badgeClass(f.kind), `">`)
		m.text(f.text)
		m.raw(`</span>`)
	}
	m.raw(`</dd>`)
}

func (s Source) endpoint(m *markup) {
	if s.P.Endpoint == "" {
		return
	}
	m.raw(`<dt>Endpoint</dt><dd><code>`)
	m.text(s.P.Endpoint)
	m.raw(`</code>`)
	if s.P.Replies > 1 {
		m.raw(` <span>× `)
		m.int(s.P.Replies)
		m.raw(`</span>`)
	}
	if s.Field != "" {
		m.raw(`<br><span><code>`)
		m.text(s.Field)
		m.raw(`</code></span>`)
	}
	m.raw(`</dd>`)
}

// Provenances are the page's provenances as the JSON API writes them, by key:
// "Copy as JSON" reads them.
func Provenances(byKey map[string]report.Provenance) templ.Component {
	return templ.JSONScript("provenances", byKey)
}
