package web

import (
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
)

// ofGift builds from the very value that the Gifts page shows for the window in the address.
func ofGift(build func(report.Gift) table) func(*reportsHandlers, *call) (table, error) {
	return func(s *reportsHandlers, c *call) (table, error) {
		now := c.minute()
		choice, err := c.choice(now)
		if err != nil {
			return table{}, err
		}
		g, err := s.gift(c, choice, now)
		if err != nil {
			return table{}, err
		}
		return build(g), nil
	}
}

// aboutPanel says where a table is from, and why it is empty where it is.
func aboutPanel(store report.Store, p report.Panel) [][2]string {
	lines := aboutProvenance(store, p.Provenance)
	if p.Empty != nil {
		lines = append(lines, [2]string{"No rows", p.Empty.Title + ". " + p.Empty.Text})
	}
	return lines
}

func giftHistoryTable(g report.Gift) table {
	h := g.History
	t := table{
		title:   "Gifts by day; never to be added to upsells",
		columns: slices.Concat([]string{"store", "day", "stored", "day_basis", "derived_from", "currency", "gift_revenue", "gift_orders", "revised", "day_fetched_at"}, provenanceColumns),
		about:   aboutPanel(g.Store, h.Panel),
	}
	for _, d := range h.Days {
		t.rows = append(t.rows, slices.Concat([]cell{
			textCell(g.Store.Slug), dayCell(d.Day), yesCell(d.Stored), textCell(string(d.Basis)), textCell(d.From), textCell(d.Currency),
			moneyOrNone(d.Revenue, d.Currency), numberOrNone(d.Orders), yesCell(d.Revised), timeCell(d.FetchedAt),
		}, provenanceCells(h.Provenance)))
	}
	return t
}

func giftCampaignsTable(g report.Gift) table {
	c := g.Campaigns
	t := table{
		title: "Gift campaigns as listed",
		columns: slices.Concat([]string{
			"store", "campaign_id", "campaign", "status", "type", "target_page", "code", "start_as_sent", "end_as_sent", "start_day", "end_day",
			"first_seen_at", "last_listed_at",
		}, provenanceColumns),
		about: aboutPanel(g.Store, c.Panel),
	}
	if c.Capped {
		t.about = append(t.about, [2]string{"Complete", "no: the service lists 100 campaigns at most"})
	}
	for _, each := range c.Campaigns {
		t.rows = append(t.rows, slices.Concat([]cell{
			textCell(g.Store.Slug), textCell(each.ID), textCell(each.Name), textCell(each.Status), textCell(each.Type), textCell(each.TargetPage),
			textCell(each.Code), textCell(each.StartDate), textCell(each.EndDate), dayOrNone(each.Start), dayOrNone(each.End),
			timeCell(each.FirstSeen), timeOrNone(each.LastListed),
		}, provenanceCells(c.Provenance)))
	}
	return t
}

func dayOrNone(d *civil.Date) cell {
	if d == nil {
		return cell{}
	}
	return dayCell(*d)
}

func giftHealthTable(g report.Gift) table {
	h := g.Health
	t := table{
		title:   "What the gift widget needs",
		columns: slices.Concat([]string{"store", "code", "state", "message", "fix", "seen_at", "left_out_since_then"}, provenanceColumns),
		about:   aboutPanel(g.Store, h.Panel),
	}
	for _, e := range h.Errors {
		t.about = append(t.about, [2]string{"Could not be checked", e})
	}
	for _, c := range h.Checks() {
		t.rows = append(t.rows, slices.Concat([]cell{
			textCell(g.Store.Slug), textCell(c.Code), textCell(string(c.State)), textCell(c.Message), textCell(c.Fix), timeCell(c.SeenAt), yesCell(c.Kept),
		}, provenanceCells(h.Provenance)))
	}
	return t
}

func giftWidgetsTable(g report.Gift) table {
	t := table{
		title:   "Types of gift widgets",
		columns: slices.Concat([]string{"store", "type", "title", "premium", "locked", "configured", "settings_fetched_at", "last_listed_at"}, provenanceColumns),
		about:   aboutPanel(g.Store, g.Widgets.Panel),
	}
	for _, w := range g.Widgets.Types {
		configured := cell{} // not asked yet is neither yes nor no
		if w.Saved != nil {
			configured = yesCell(w.Saved.Found)
		}
		t.rows = append(t.rows, slices.Concat([]cell{
			textCell(g.Store.Slug), textCell(w.Type), textCell(w.Title), yesCell(w.Premium), yesCell(w.Locked), configured, timeCell(w.SavedAt), timeOrNone(w.LastListed),
		}, provenanceCells(g.Widgets.Provenance)))
	}
	return t
}

func giftTranslationsTable(g report.Gift) table {
	t := table{
		title:   "Customised wording by language; what is not customised has the built-in wording",
		columns: slices.Concat([]string{"store", "language", "pulled", "customised", "design_screen_wording", "total_strings", "language_fetched_at"}, provenanceColumns),
		about:   aboutPanel(g.Store, g.Translations.Panel),
	}
	for _, l := range g.Translations.Languages {
		customised, typed := cell{}, cell{}
		if l.Pulled {
			customised, typed = countCell(l.Customised), countCell(l.Typed)
		}
		t.rows = append(t.rows, slices.Concat([]cell{
			textCell(g.Store.Slug), textCell(l.Locale), yesCell(l.Pulled), customised, typed, countOrNone(l.Total), timeCell(l.PulledAt),
		}, provenanceCells(g.Translations.Provenance)))
	}
	return t
}
