package components

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
)

// Sign is the mark of a number's basis. It opens the number's provenance by
// click or Enter; Esc closes it. Both work without JavaScript.
func Sign(s Source) templ.Component {
	m := make(Markup, 0, 256)
	m.Raw(`<button type="button" class="sign" popovertarget="from-`, s.ID, `" aria-label="`)
	m.Text(s.signLabel())
	m.Raw(`"><svg aria-hidden="true"><use href="#b-`, string(s.P.Basis), `"></use></svg></button>`)
	return m.Component()
}

// Provenance is what the sign opens; it stands beside the number, never over it.
func Provenance(s Source) templ.Component {
	m := make(Markup, 0, 2048)
	m.Raw(`<div class="prov" id="from-`, s.ID, `" popover role="dialog" aria-label="`)
	m.Text("Where “" + s.Label + "” comes from")
	m.Raw(`"><div class="prov-head"><span class="quiet-name">`)
	m.Text(s.Label)
	m.Raw(`</span><span class="basis"><svg class="mark" aria-hidden="true"><use href="#b-`, string(s.P.Basis), `"></use></svg>`, BasisName(s.P.Basis), `</span>`)
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
	s.rows(&m)
	m.Raw(`</dl><div class="prov-foot">`)
	if s.Reply != "" {
		m.Raw(`<a class="link" href="`)
		m.Text(string(templ.URL(s.Reply)))
		m.Raw(`">Raw reply</a>`)
	}
	if s.Key != "" {
		m.Raw(`<button type="button" class="link" hidden data-copy="`, s.Key, `" data-field="`)
		m.Text(s.Field)
		m.Raw(`">Copy as JSON</button>`)
	}
	m.Raw(`<span class="esc">Esc closes</span></div></div>`)
	return m.Component()
}

// rows are the facts: a name, what it is, and a quieter note.
func (s Source) rows(m *Markup) {
	row := func(name, text, note string) {
		if text == "" {
			return
		}
		m.Raw(`<dt>`, name, `</dt><dd>`)
		m.Text(text)
		if note != "" {
			m.Raw(` <span>`)
			m.aged(note, s.Now, LastFetched(s.P))
			m.Raw(`</span>`)
		}
		m.Raw(`</dd>`)
	}
	if s.P.Window == nil {
		row("Window", "no window", "")
	} else {
		m.Raw(`<dt>Window</dt><dd>`)
		m.Text(s.P.Window.Label())
		m.Raw(`<br><span>`)
		m.Text(s.windowNote())
		m.Raw(`</span></dd>`)
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
	m.Raw(`<dt class="sr-only">Doubts</dt><dd class="flags">`)
	for _, f := range flags {
		m.Raw(`<span class="`, badgeClass(f.kind), `">`)
		m.Text(f.text)
		m.Raw(`</span>`)
	}
	m.Raw(`</dd>`)
}

func (s Source) endpoint(m *Markup) {
	if s.P.Endpoint == "" {
		return
	}
	m.Raw(`<dt>Endpoint</dt><dd><code>`)
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
