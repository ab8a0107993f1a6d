package reports

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/web/site"
)

// ofGift builds from the same value that the Gifts page shows.
func ofGift(build func(gift.Page) site.Table) func(*Handlers, *site.Call) (site.Table, error) {
	return ofWindow(func(s *Handlers, c *site.Call, choice report.Choice, now time.Time) (site.Table, error) {
		g, err := s.Gift(c, locale.English, choice, now)
		if err != nil {
			return site.Table{}, err
		}
		return build(g), nil
	})
}

// aboutPanel says where a table comes from, and why it is empty if it is.
func aboutPanel(store report.Store, p report.Panel) [][2]string {
	lines := site.AboutProvenance(store, p.Provenance)
	if p.Empty != nil {
		lines = append(lines, [2]string{"No rows", p.Empty.Title + ". " + p.Empty.Text})
	}
	return lines
}

func giftHistoryTable(g gift.Page) site.Table {
	h := g.History
	t := site.Table{
		Title:   "Gifts by day; never to be added to upsells",
		Columns: slices.Concat([]string{"store", "day", "stored", "day_basis", "derived_from", "currency", "gift_revenue", "gift_orders", "revised", "day_fetched_at"}, site.ProvenanceColumns),
		About:   aboutPanel(g.Store, h.Panel),
	}
	for _, d := range h.Days {
		t.Rows = append(t.Rows, slices.Concat([]site.Cell{
			site.TextCell(g.Store.Slug), site.DayCell(d.Day), site.YesCell(d.Stored), site.TextCell(string(d.Basis)), site.TextCell(string(d.From)), site.TextCell(d.Currency),
			site.MoneyOrNone(d.Revenue, d.Currency), site.NumberOrNone(d.Orders), site.YesCell(d.Revised), site.TimeCell(d.FetchedAt),
		}, site.ProvenanceCells(h.Provenance)))
	}
	return t
}

func giftCampaignsTable(g gift.Page) site.Table {
	c := g.Campaigns
	t := site.Table{
		Title: "Gift campaigns as listed",
		Columns: slices.Concat([]string{
			"store", "campaign_id", "campaign", "status", "type", "target_page", "code", "start_as_sent", "end_as_sent", "start_day", "end_day",
			"first_seen_at", "last_listed_at",
		}, site.ProvenanceColumns),
		About: aboutPanel(g.Store, c.Panel),
	}
	if c.Capped {
		t.About = append(t.About, [2]string{"Complete", "no: the service lists 100 campaigns at most"})
	}
	for _, each := range c.Campaigns {
		t.Rows = append(t.Rows, slices.Concat([]site.Cell{
			site.TextCell(g.Store.Slug), site.TextCell(each.ID), site.TextCell(each.Name), site.TextCell(each.Status), site.TextCell(each.Type), site.TextCell(each.TargetPage),
			site.TextCell(each.Code), site.TextCell(each.StartDate), site.TextCell(each.EndDate), site.OrNone(each.Start, site.DayCell), site.OrNone(each.End, site.DayCell),
			site.TimeCell(each.FirstSeen), site.TimeOrNone(each.LastListed),
		}, site.ProvenanceCells(c.Provenance)))
	}
	return t
}

func giftHealthTable(g gift.Page) site.Table {
	h := g.Health
	t := site.Table{
		Title:   "What the gift widget needs",
		Columns: slices.Concat([]string{"store", "code", "state", "message", "fix", "seen_at", "left_out_since_then"}, site.ProvenanceColumns),
		About:   aboutPanel(g.Store, h.Panel),
	}
	for _, e := range h.Errors {
		t.About = append(t.About, [2]string{"Could not be checked", e})
	}
	for _, c := range h.Checks(locale.English) {
		t.Rows = append(t.Rows, slices.Concat([]site.Cell{
			site.TextCell(g.Store.Slug), site.TextCell(c.Code), site.TextCell(string(c.State)), site.TextCell(c.Message), site.TextCell(c.Fix), site.TimeCell(c.SeenAt), site.YesCell(c.Kept),
		}, site.ProvenanceCells(h.Provenance)))
	}
	return t
}

func giftWidgetsTable(g gift.Page) site.Table {
	t := site.Table{
		Title:   "Types of gift widgets",
		Columns: slices.Concat([]string{"store", "type", "title", "premium", "locked", "configured", "settings_fetched_at", "last_listed_at"}, site.ProvenanceColumns),
		About:   aboutPanel(g.Store, g.Widgets.Panel),
	}
	for _, w := range g.Widgets.Types {
		configured := site.Cell{} // not pulled yet is neither yes nor no
		if w.Saved != nil {
			configured = site.YesCell(w.Saved.Found)
		}
		t.Rows = append(t.Rows, slices.Concat([]site.Cell{
			site.TextCell(g.Store.Slug), site.TextCell(w.Type), site.TextCell(w.Title), site.YesCell(w.Premium), site.YesCell(w.Locked), configured, site.TimeCell(w.SavedAt), site.TimeOrNone(w.LastListed),
		}, site.ProvenanceCells(g.Widgets.Provenance)))
	}
	return t
}

func giftTranslationsTable(g gift.Page) site.Table {
	t := site.Table{
		Title:   "Customised wording by language; what is not customised has the built-in wording",
		Columns: slices.Concat([]string{"store", "language", "pulled", "customised", "design_screen_wording", "total_strings", "language_fetched_at"}, site.ProvenanceColumns),
		About:   aboutPanel(g.Store, g.Translations.Panel),
	}
	for _, l := range g.Translations.Languages {
		customised, typed := site.Cell{}, site.Cell{}
		if l.Pulled {
			customised, typed = site.CountCell(l.Customised), site.CountCell(l.Typed)
		}
		t.Rows = append(t.Rows, slices.Concat([]site.Cell{
			site.TextCell(g.Store.Slug), site.TextCell(l.Locale), site.YesCell(l.Pulled), customised, typed, site.CountOrNone(l.Total), site.TimeCell(l.PulledAt),
		}, site.ProvenanceCells(g.Translations.Provenance)))
	}
	return t
}
