package overview

import (
	"cmp"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

func (b Builder) placements() PlacementStats {
	w := b.Choice.Window
	s := b.statsOf(w)
	s.Provenance = b.Asked(s.Provenance)
	s.Drawn = b.Stitched(endpointStats, w)
	b.drawDays(&s, w)
	if b.Choice.Against != nil && s.Empty == nil {
		prev := b.statsOf(*b.Choice.Against)
		if prev.Empty == nil && prev.Currency == s.Currency {
			prev.Provenance = b.beside(*b.Choice.Against, prev.Panel, "stats")
			s.Compared = &prev.Provenance
			b.drawDays(&prev, *b.Choice.Against)
			for i := range s.Rows {
				for j := range prev.Rows {
					if prev.Rows[j].Placement == s.Rows[i].Placement && !prev.Rows[j].Absent {
						s.Rows[i].Previous = &prev.Rows[j]
					}
				}
			}
		}
	}
	cover := b.coverage()
	for i := range s.Rows {
		for j := range cover.Rows {
			if cover.Rows[j].Placement == s.Rows[i].Placement {
				s.Rows[i].Cover = &cover.Rows[j]
			}
		}
		s.Rows[i].Caution = Caution(b.Locale, s.Rows[i])
	}
	s.Panel = b.Finish(s.Panel, "upsell", behind(s.Panel, "stats")...)
	return s
}

// Caution is the one caveat about a placement's row; empty if there is none.
func Caution(l locale.Locale, r PlacementRow) string {
	switch {
	case r.Absent:
		return l.T("panel.caution.absent")
	case r.Placement == report.PostPurchase:
		return l.T("panel.caution.post_purchase")
	case r.Placement == report.Coupon && len(r.Days) < 2: // no bars to explain
		return ""
	case r.Placement == report.Coupon:
		return l.T("panel.caution.coupon")
	case r.Cover != nil && r.Cover.State == SwitchedOff:
		return l.T("panel.caution.switched_off")
	case !r.Placement.Known():
		return l.T("panel.caution.unknown")
	}
	return l.T("panel.caution.one_stage")
}

// statsOf puts one window's rows next to each other: as reported for exactly that window, or else each
// placement stitched from its own days. Nothing is added across placements.
func (b Builder) statsOf(w report.Window) PlacementStats {
	s := b.statsMade(w)
	s.Provenance = b.Suspected(s.Provenance, "upsell")
	return s
}

func (b Builder) statsMade(w report.Window) PlacementStats {
	var exact []report.StoredStat
	for _, r := range b.In.StatWindows {
		if r.Window == w {
			exact = append(exact, r)
		}
	}
	if len(exact) > 0 && (!exact[0].Partial || w.End == b.Choice.Today) {
		return b.statsReported(exact)
	}
	s := b.statsStitched(w)
	if s.Empty != nil && len(exact) > 0 {
		return b.statsReported(exact)
	}
	return s
}

func (b Builder) statsReported(rows []report.StoredStat) PlacementStats {
	first := rows[0]
	p := b.Reported(endpointStats, first.Window, first.Source, first.FetchedAt, first.Partial)
	p.Pull, p.Subject = b.ReplyOf("stats", first.Window)
	s := PlacementStats{Currency: first.Currency, ShopOfferCount: first.ShopOfferCount}
	for _, r := range rows {
		if r.Revised {
			p = p.With(report.FlagRevised)
		}
		if !r.Placement.Known() {
			p = p.With(report.FlagUnknownValue)
		}
		s.Rows = append(s.Rows, PlacementRow{Placement: r.Placement, Revenue: r.Revenue, Impressions: r.Impressions, Claims: r.Claims})
	}
	s.Provenance = p
	s.addAbsent()
	return s
}

func (b Builder) statsStitched(w report.Window) PlacementStats {
	s := PlacementStats{Panel: report.Panel{Provenance: b.Stitched(endpointStats, w)}}
	byPlacement := map[report.Placement]int{}
	unreported := map[report.Placement]bool{}
	have := map[civil.Date]report.StoredStat{}
	for _, r := range b.In.StatDays {
		if !w.Contains(r.Window.Start) || r.Partial {
			continue
		}
		noteDay(have, r)
		if s.Currency != "" && s.Currency != r.Currency {
			s.Rows = nil
			s.Empty = &report.Empty{Cause: report.CauseNotKept, Title: b.T("state.two_currencies"), Text: b.T("state.currency_changed", "day", b.DayYear(r.Window.Start))}
			return s
		}
		s.Currency = r.Currency
		i, ok := byPlacement[r.Placement]
		if !ok {
			i = len(s.Rows)
			byPlacement[r.Placement] = i
			s.Rows = append(s.Rows, PlacementRow{Placement: r.Placement})
			if !r.Placement.Known() {
				s.Provenance = s.Provenance.With(report.FlagUnknownValue)
			}
		}
		row := &s.Rows[i]
		row.Impressions += r.Impressions
		row.Claims += r.Claims
		if r.Revenue == nil || unreported[r.Placement] {
			// A sum that lacks one of its days would be too low (N13).
			unreported[r.Placement], row.Revenue = true, nil
			continue
		}
		sum := *r.Revenue
		if row.Revenue != nil {
			sum = row.Revenue.Add(sum)
		}
		row.Revenue = &sum
	}
	for d := range w.All() {
		if r, stored := have[d]; stored {
			s.Provenance.Seen(r.FetchedAt, r.Revised)
		} else if d != b.Choice.Today {
			s.Provenance.Missed(d)
		}
	}
	if len(have) == 0 {
		s.Empty = b.NothingStored(w, "stats")
		return s
	}
	s.addAbsent()
	return s
}

// noteDay keeps one row for each day. The day is revised if any placement's row is.
func noteDay(days map[civil.Date]report.StoredStat, r report.StoredStat) {
	day := r.Window.Start
	r.Revised = r.Revised || days[day].Revised
	days[day] = r
}

// addAbsent adds a row for each documented placement that the service left out, in the service's order,
// so that there are always four.
func (s *PlacementStats) addAbsent() {
	rows := make([]PlacementRow, 0, len(report.Placements))
	rest := s.Rows
	for _, p := range report.Placements {
		row := PlacementRow{Placement: p, Absent: true}
		for i, r := range rest {
			if r.Placement == p {
				row = r
				rest = append(rest[:i:i], rest[i+1:]...)
				break
			}
		}
		rows = append(rows, row)
	}
	s.Rows = append(rows, rest...)
}

// drawDays gives every placement the days of a window; a day that isn't stored is a gap.
func (b Builder) drawDays(s *PlacementStats, w report.Window) {
	if s.Empty != nil || w.Days() > report.MaxWindowDays {
		return
	}
	seen := map[civil.Date]report.StoredStat{}
	index := make(map[report.Placement]map[civil.Date]report.StoredStat, len(s.Rows))
	for _, r := range b.In.StatDays {
		d := r.Window.Start
		if !w.Contains(d) || r.Partial {
			continue
		}
		noteDay(seen, r)
		if index[r.Placement] == nil {
			index[r.Placement] = make(map[civil.Date]report.StoredStat, w.Days())
		}
		index[r.Placement][d] = r
	}
	for d := range w.All() {
		if r, stored := seen[d]; stored {
			s.Drawn.Seen(r.FetchedAt, r.Revised)
		} else {
			s.Drawn.Missed(d)
		}
	}
	s.Drawn = b.Suspected(s.Drawn, "upsell")
	for i := range s.Rows {
		row := &s.Rows[i]
		row.Days = make([]PlacementDay, 0, w.Days())
		for d := range w.All() {
			r, ok := index[row.Placement][d]
			row.Days = append(row.Days, PlacementDay{Day: d, Stored: ok, Revenue: r.Revenue, Currency: cmp.Or(r.Currency, s.Currency), Impressions: r.Impressions, Claims: r.Claims})
		}
	}
}

func (b Builder) coverage() Coverage {
	c := Coverage{Panel: report.Panel{Provenance: b.Provenance(endpointCoverage, report.Reported)}, Rows: []CoverRow{}}
	for _, r := range b.In.Coverage {
		if c.Provenance.Window == nil {
			c.Provenance = b.Reported(endpointCoverage, r.Window, r.Source, r.FetchedAt, false)
			c.Provenance.Pull = "coverage"
			c.Currency = r.Currency
		}
		if !r.Placement.Known() {
			c.Provenance = c.Provenance.With(report.FlagUnknownValue)
		}
		row := CoverRow{Placement: r.Placement, HasActive: r.HasActive, ActiveCount: r.ActiveCount, TotalCount: r.TotalCount, RecentRevenue: r.RecentRevenue}
		switch {
		case r.ActiveCount > 0 || r.HasActive:
			row.State = Live
		case r.TotalCount > 0:
			row.State = SwitchedOff
		default:
			row.State = NeverCreated
		}
		row.Deleted = b.DeletedTriggers(r.Placement)
		c.Rows = append(c.Rows, row)
	}
	if len(c.Rows) == 0 {
		c.Empty = b.NotPulled("upsell", "coverage", b.T("state.on_the_way.coverage"))
		for _, l := range b.In.Ledger {
			if l.Pull == "coverage" && l.Applied != nil && c.Empty.Cause == report.CauseFilling {
				c.Empty.Cause, c.Empty.Title = report.CauseNotKept, b.T("state.no_day.title")
				c.Empty.Text = b.T("state.no_rows", "dates", b.Dates(l.Applied.Start, l.Applied.End))
			}
		}
	}
	c.Panel = b.Finish(c.Panel, "upsell", "coverage")
	return c
}
