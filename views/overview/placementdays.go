package overview

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// PlacementDays are one placement's days as rows, behind a button. id is unique
// on the page.
func PlacementDays(l locale.Locale, id string, r report.PlacementRow, s report.PlacementStats) templ.Component {
	m := make(components.Markup, 0, 160*(len(r.Days)+4))
	m.Raw(`<button type="button" class="link font-normal" popovertarget="`, id, `">`)
	m.Text(l.T("placement.days"))
	m.Raw(`</button><div class="days-table" id="`, id, `" popover role="dialog" aria-label="`)
	m.Text(l.T("placement.days_of", "placement", string(r.Placement)))
	m.Raw(`"><div class="days-rows" tabindex="0" role="region" aria-label="`)
	m.Text(l.T("placement.days_rows", "placement", string(r.Placement)))
	m.Raw(`"><table class="rows"><thead><tr><th scope="col">`)
	m.Text(l.T("chart.day"))
	for _, column := range []string{l.T("placement.day_value"), l.T("placement.views"), l.T("placement.claims")} {
		m.Raw(`</th><th scope="col" class="r">`)
		m.Text(column)
	}
	m.Raw(`</th></tr></thead><tbody>`)
	absent := func(text string) {
		m.Raw(`<td class="r q">`)
		m.Text(text)
		m.Raw(`</td>`)
	}
	for _, d := range r.Days {
		m.Raw(`<tr><th scope="row">`, l.Day(d.Day), `</th>`)
		switch {
		case !d.Stored:
			for range 3 {
				absent(l.T("chart.missing"))
			}
			m.Raw(`</tr>`)
			continue
		case d.Revenue == nil:
			absent(l.T("provenance.basis.not_reported"))
		default:
			m.Raw(`<td class="r">`)
			m.Text(l.Money(*d.Revenue, s.Currency).String())
			m.Raw(`</td>`)
		}
		m.Raw(`<td class="r">`, l.Count(d.Impressions), `</td><td class="r">`, l.Count(d.Claims), `</td></tr>`)
	}
	m.Raw(`</tbody></table></div><div class="prov-foot"><span class="note">`)
	m.Text(components.FootWords(l, s.Drawn))
	m.Raw(`</span><button type="button" class="link ml-auto" popovertarget="`, id, `" popovertargetaction="hide">`)
	m.Text(l.T("common.close"))
	m.Raw(`</button></div></div>`)
	return m.Component()
}
