package gift

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
)

// CampaignTable lists the gift campaigns, each with its time on one axis.
type CampaignTable struct {
	Campaigns reportgift.Campaigns
	// Home is the address above the store's pages.
	Home    string
	Today   civil.Date
	Exports components.Exports
	// Dated leaves out current facts.
	Dated bool
}

// overviewCampaigns is how many campaigns the overview lists; the gift page has them all.
const overviewCampaigns = 8

// firstCampaigns are the campaigns to list if there is little room: active ones, then scheduled
// ones, then the others, each in the app's order.
func firstCampaigns(all []report.Campaign) []report.Campaign {
	rank := map[string]int{"active": -2, "scheduled": -1}
	first := slices.Clone(all)
	slices.SortStableFunc(first, func(a, b report.Campaign) int { return cmp.Compare(rank[a.Status], rank[b.Status]) })
	return first[:min(len(first), overviewCampaigns)]
}

// CampaignHref is a campaign's page below home.
func CampaignHref(home, id string) string {
	return home + "/gift/campaigns/" + url.PathEscape(id)
}

// The most that the axis shows around today.
const (
	axisBack  = 180
	axisAhead = 90
)

// axis is the time that the campaigns take, as far as it is near today.
func (t CampaignTable) axis() report.Window {
	w := report.Window{Start: t.Today.AddDays(-30), End: t.Today.AddDays(30)}
	for _, c := range t.Campaigns.Campaigns {
		for _, d := range []*civil.Date{c.Start, c.End} {
			if d == nil {
				continue
			}
			if d.Before(w.Start) {
				w.Start = *d
			}
			if d.After(w.End) {
				w.End = *d
			}
		}
	}
	if first := t.Today.AddDays(-axisBack); w.Start.Before(first) {
		w.Start = first
	}
	if last := t.Today.AddDays(axisAhead); w.End.After(last) {
		w.End = last
	}
	return w
}

// place is a day on the axis in tenths of a percent.
func place(w report.Window, d civil.Date) int {
	return min(max(d.DaysSince(w.Start)*1000/w.Days(), 0), 1000)
}

// span is a campaign's bar: from and to in tenths of a percent. A start or an end
// that was not sent leaves its side open; ok is false outside the axis.
func (t CampaignTable) span(c report.Campaign) (from, to int, openStart, openEnd, ok bool) {
	w := t.axis()
	from, to, openStart, openEnd = 0, 1000, c.Start == nil, c.End == nil
	if c.Start == nil && c.End == nil || c.Start != nil && c.Start.After(w.End) || c.End != nil && c.End.Before(w.Start) {
		return 0, 0, false, false, false
	}
	if c.Start != nil {
		from = place(w, *c.Start)
	}
	if c.End != nil {
		to = place(w, c.End.AddDays(1))
	}
	return from, max(to, min(from+6, 1000)), openStart, openEnd, true
}

// ticks are the months of the axis.
func (t CampaignTable) ticks(l locale.Locale) []chart.Tick {
	w := t.axis()
	var out []chart.Tick
	for d := range w.All() {
		if at := place(w, d); d.Day == 1 && at < 960 && (len(out) == 0 || at-out[len(out)-1].At > 110) {
			out = append(out, chart.Tick{Text: l.MonthName(d.Month), At: at})
		}
	}
	return out
}

// barClass says how a bar is drawn: solid while the campaign runs, outlined before, faint
// after.
func barClass(c report.Campaign, openEnd bool) string {
	class := "run"
	switch {
	case c.LastListed != nil || c.Status == "expired":
		class += " over"
	case c.Status == "scheduled":
		class += " ahead"
	}
	if openEnd {
		class += " open"
	}
	return class
}

// When is when a campaign runs, on the store's clock: "15 Nov – 31 Dec 2026", "from 1 Sep 2026".
func When(l locale.Locale, c report.Campaign) string {
	start, end := dayWords(l, c.Start, c.StartDate), dayWords(l, c.End, c.EndDate)
	switch {
	case start == "" && end == "":
		return l.T("gift.campaigns.no_dates")
	case c.Start != nil && c.End != nil:
		return l.Dates(*c.Start, *c.End)
	case end == "":
		return l.T("gift.campaigns.from", "day", start)
	case start == "":
		return l.T("gift.campaigns.until", "day", end)
	}
	return start + " – " + end
}

// dayWords is a day on the store's clock in words; if it couldn't be read, the text as it was
// sent, isolated so that it can't change the direction of the words around it.
func dayWords(l locale.Locale, d *civil.Date, sent string) string {
	switch {
	case d != nil:
		return l.DayYear(*d)
	case sent == "":
		return ""
	}
	return locale.Name(sent)
}

// unlistedWords say since when a campaign is missing from the list (N52).
func unlistedWords(l locale.Locale, c report.Campaign, today civil.Date) string {
	return l.T("gift.campaigns.unlisted_since", "day", l.DayNear(civil.DateOf(*c.LastListed), today))
}

// under is the line below the table: how many there are (N51).
func (t CampaignTable) under(l locale.Locale) string {
	c := t.Campaigns
	if t.Dated {
		return l.T("gift.campaigns.ran", "n", c.Total)
	}
	listed := 0
	for _, each := range c.Campaigns {
		if each.LastListed == nil {
			listed++
		}
	}
	text := l.T("gift.campaigns.listed", "n", c.Total)
	if c.Capped {
		text = l.T("gift.campaigns.capped")
	} else if int64(listed) < c.Total {
		text = l.T("gift.campaigns.listed_of", "listed", listed, "n", c.Total)
	}
	if gone := len(c.Campaigns) - listed; gone > 0 {
		text += " " + l.T("gift.campaigns.gone", "n", gone)
	}
	return text
}

// targetPage names where a campaign shows, on one page or a list of them; a page that we don't know
// is named as sent.
func targetPage(l locale.Locale, raw string) string {
	var pages []string
	if json.Unmarshal([]byte(raw), &pages) != nil {
		pages = []string{raw}
	}
	for i, page := range pages {
		if word, ok := reportgift.Word(l, "target_page", page); ok {
			pages[i] = word
		}
	}
	return l.List(pages)
}
