package overview

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// PlacementDays are one placement's days as rows, behind a button. id is unique
// on the page.
func PlacementDays(id string, r report.PlacementRow, s report.PlacementStats) templ.Component {
	m := make(components.Markup, 0, 160*(len(r.Days)+4))
	m.Raw(`<button type="button" class="link font-normal" popovertarget="`, id, `">days as a table</button><div class="days-table" id="`, id, `" popover role="dialog" aria-label="`)
	m.Text(string(r.Placement) + ", the days as a table")
	m.Raw(`"><div class="days-rows" tabindex="0" role="region" aria-label="`)
	m.Text("Days of " + string(r.Placement))
	m.Raw(`"><table class="rows"><thead><tr><th scope="col">Day</th><th scope="col" class="r">Value</th><th scope="col" class="r">Impressions</th><th scope="col" class="r">Claims</th></tr></thead><tbody>`)
	for _, d := range r.Days {
		m.Raw(`<tr><th scope="row">`, locale.English.Day(d.Day), `</th>`)
		switch {
		case !d.Stored:
			m.Raw(`<td class="r q">missing</td><td class="r q">missing</td><td class="r q">missing</td></tr>`)
			continue
		case d.Revenue == nil:
			m.Raw(`<td class="r q">not reported</td>`)
		default:
			m.Raw(`<td class="r">`)
			m.Text(locale.English.Money(*d.Revenue, s.Currency).String())
			m.Raw(`</td>`)
		}
		m.Raw(`<td class="r">`, locale.English.Count(d.Impressions), `</td><td class="r">`, locale.English.Count(d.Claims), `</td></tr>`)
	}
	m.Raw(`</tbody></table></div><div class="prov-foot"><span class="note">`)
	m.Text(components.FootWords(locale.English, s.Drawn))
	m.Raw(`</span><button type="button" class="link ml-auto" popovertarget="`, id, `" popovertargetaction="hide">Close</button></div></div>`)
	return m.Component()
}
