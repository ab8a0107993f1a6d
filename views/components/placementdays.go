package components

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
)

// PlacementDays are one placement's days as rows, behind a button. id is unique
// on the page.
func PlacementDays(id string, r report.PlacementRow, s report.PlacementStats) templ.Component {
	m := make(markup, 0, 160*(len(r.Days)+4))
	m.raw(`<button type="button" class="link font-normal" popovertarget="`, id, `">days as a table</button><div class="days-table" id="`, id, `" popover role="dialog" aria-label="`)
	m.text(string(r.Placement) + ", the days as a table")
	m.raw(`"><div class="days-rows" tabindex="0" role="region" aria-label="`)
	m.text("Days of " + string(r.Placement))
	m.raw(`"><table class="rows"><thead><tr><th scope="col">Day</th><th scope="col" class="r">Value</th><th scope="col" class="r">Impressions</th><th scope="col" class="r">Claims</th></tr></thead><tbody>`)
	for _, d := range r.Days {
		m.raw(`<tr><th scope="row">`, report.DayShort(d.Day), `</th>`)
		switch {
		case !d.Stored:
			m.raw(`<td class="r q">missing</td><td class="r q">missing</td><td class="r q">missing</td></tr>`)
			continue
		case d.Revenue == nil:
			m.raw(`<td class="r q">not reported</td>`)
		default:
			m.raw(`<td class="r">`)
			m.text(report.Money(*d.Revenue, s.Currency).String())
			m.raw(`</td>`)
		}
		m.raw(`<td class="r">`, report.Count(d.Impressions), `</td><td class="r">`, report.Count(d.Claims), `</td></tr>`)
	}
	m.raw(`</tbody></table></div><div class="prov-foot"><span class="note">`)
	m.text(footWords(s.Drawn))
	m.raw(`</span><button type="button" class="link ml-auto" popovertarget="`, id, `" popovertargetaction="hide">Close</button></div></div>`)
	return m.component()
}
