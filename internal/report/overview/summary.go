package overview

import (
	"slices"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

func (b Builder) summary() Summary {
	s := b.summaryOf(b.Choice.Window)
	s.Provenance = b.Asked(s.Provenance)
	if c := b.In.Check; c != nil && c.Window == b.Choice.Window {
		s.Provenance.Check = &c.Check
		if !c.Agrees && c.Missing == 0 {
			s.Provenance = s.Provenance.With(report.FlagDrift)
		}
	}
	s.Panel = b.Finish(s.Panel, "upsell", behind(s.Panel, "summary")...)
	if b.Choice.Against != nil && s.Empty == nil {
		if p := b.summaryOf(*b.Choice.Against); p.Empty == nil {
			p.Provenance = b.beside(*b.Choice.Against, p.Panel, "summary")
			s.Previous = &p
		}
	}
	return s
}

// behind lists the pulls that a panel's numbers depend on: an answer for a whole window doesn't depend
// on its days.
func behind(p report.Panel, kind string) []string {
	if p.Empty == nil && p.Provenance.Basis == report.Reported && p.Provenance.Window.Days() > 1 {
		return []string{kind + ".window"}
	}
	return []string{kind + ".window", kind + ".day"}
}

// summaryOf is a window's summary: as reported if the service answered for exactly it, otherwise
// stitched from whole days.
func (b Builder) summaryOf(w report.Window) Summary {
	s := b.summaryMade(w)
	s.Provenance = b.Suspected(s.Provenance, "upsell")
	return s
}

func (b Builder) summaryMade(w report.Window) Summary {
	var exact *report.StoredSummary
	for i, r := range b.In.Windows {
		if r.Window == w {
			exact = &b.In.Windows[i]
		}
	}
	// Prefer anything over an answer from before its last day was over.
	if exact != nil && (!exact.Partial || w.End == b.Choice.Today) {
		return b.SummaryReported(*exact)
	}
	s := b.summaryStitched(w)
	if s.Empty != nil && exact != nil {
		return b.SummaryReported(*exact)
	}
	return s
}

func (b Builder) SummaryReported(r report.StoredSummary) Summary {
	p := b.Reported(endpointSummary, r.Window, r.Source, r.FetchedAt, r.Partial)
	p.Pull, p.Subject = b.ReplyOf("summary", r.Window)
	for _, f := range r.Flags {
		p = p.With(f)
	}
	if r.Revised {
		p = p.With(report.FlagRevised)
	}
	s := Summary{
		Panel: report.Panel{Provenance: p}, Currency: r.Currency,
		TotalUpsoldValue: r.TotalUpsoldValue, TotalUpsoldOrders: r.TotalUpsoldOrders, TotalOrders: r.TotalOrders,
		OfferViews: r.OfferViews,
	}
	s.rates()
	return s
}

func (b Builder) summaryStitched(w report.Window) Summary {
	var d report.StoredSum
	for day, r := range b.wholeDays(w) {
		if r == nil {
			continue
		}
		if d.Days > 0 && d.Currency != r.Currency {
			return Summary{Panel: report.Panel{Provenance: b.Stitched(endpointSummary, w), Empty: b.TwoCurrencies(d.Currency, r.Currency, day)}}
		}
		d.Add(day, *r)
	}
	if d.Days == 0 {
		s := b.Summed(w, d)
		s.Empty = b.NothingStored(w, "summary")
		return s
	}
	return b.Summed(w, d)
}

// Summed is a window's summary, made from the sum of its stored days. Missing days are listed.
func (b Builder) Summed(w report.Window, d report.StoredSum) Summary {
	s := Summary{
		Panel: report.Panel{Provenance: b.Stitched(endpointSummary, w)}, Currency: d.Currency,
		TotalUpsoldValue: d.TotalUpsoldValue, TotalUpsoldOrders: d.TotalUpsoldOrders, TotalOrders: d.TotalOrders,
	}
	p := &s.Provenance
	p.Replies, p.FetchedAt, p.FetchedLast = d.Days, d.FetchedAt, d.FetchedLast
	if p.Revised = d.Revised; d.Revised > 0 {
		*p = p.With(report.FlagRevised)
	}
	if d.Days < w.Days() {
		kept := d.Kept
		for day := range w.All() {
			if len(kept) > 0 && kept[0] == day {
				kept = kept[1:]
				continue
			}
			p.Missed(day)
		}
	}
	if d.ViewDays == d.Days {
		s.OfferViews = &d.OfferViews
	}
	s.rates()
	return s
}

// rates recomputes the two rates from their parts: they are never averaged (N2) and have no value if
// the denominator is zero (N20).
func (s *Summary) rates() {
	s.UpsellSuccessRate = ratio(decimal.NewFromInt(s.TotalUpsoldOrders), s.TotalOrders)
	s.AverageUpsoldValue = ratio(s.TotalUpsoldValue, s.TotalUpsoldOrders)
}

// ratio is a / b to eight digits; nil if b is zero.
func ratio(a decimal.Decimal, b int64) *decimal.Decimal {
	if b == 0 {
		return nil
	}
	return new(a.DivRound(decimal.NewFromInt(b), 8))
}

// wholeDays yields every day of the window with its stored row, or nil if the day isn't stored or
// wasn't over when it was fetched.
func (b Builder) wholeDays(w report.Window) func(yield func(civil.Date, *report.StoredSummary) bool) {
	return func(yield func(civil.Date, *report.StoredSummary) bool) {
		i := 0
		for d := range w.All() {
			for i < len(b.In.Days) && b.In.Days[i].Window.Start.Before(d) {
				i++
			}
			var row *report.StoredSummary
			if i < len(b.In.Days) && b.In.Days[i].Window.Start == d && !b.In.Days[i].Partial {
				row = &b.In.Days[i]
			}
			if !yield(d, row) {
				return
			}
		}
	}
}

func (b Builder) trend() Trend {
	w := b.Choice.Window
	t := Trend{Panel: report.Panel{Provenance: b.Asked(b.Stitched(endpointSummary, w))}, Days: make([]DayPoint, 0, w.Days())}
	for d, r := range b.wholeDays(w) {
		if r == nil {
			if d == b.Choice.Today { // the partial day is drawn, never counted
				continue
			}
			t.Provenance.Missed(d)
			t.Days = append(t.Days, DayPoint{Day: d})
			continue
		}
		t.Provenance.Seen(r.FetchedAt, r.Revised)
		if t.Currency != "" && t.Currency != r.Currency { // each day keeps its own currency; one axis can't show both
			t.Empty = b.TwoCurrencies(t.Currency, r.Currency, d)
		}
		t.Currency = r.Currency
		t.Days = append(t.Days, dayPoint(*r))
	}
	if b.Choice.Against != nil {
		t.Against, t.AgainstWindow = b.against(t.Currency), b.Choice.Against
		if t.Against == nil {
			t.AgainstWindow = nil
		}
	}
	if w.End == b.Choice.Today || w.End == b.Choice.Today.AddDays(-1) {
		for _, r := range b.In.Days {
			if r.Window.Start == b.Choice.Today && (t.Currency == "" || r.Currency == t.Currency) {
				t.Today, t.Currency = new(dayPoint(r)), r.Currency
			}
		}
	}
	if t.Provenance.Replies == 0 && t.Today == nil {
		t.Empty = b.NothingStored(w, "summary")
	}
	t.Marks, t.Notes = b.marks(w), b.In.Notes
	t.Panel = b.Finish(t.Panel, "upsell", "summary.day")
	return t
}

// against are the comparison window's days; nil if none is stored or if one has a different currency
// than the chosen window.
func (b Builder) against(currency string) []DayPoint {
	var points []DayPoint
	stored := false
	for d, r := range b.wholeDays(*b.Choice.Against) {
		p := DayPoint{Day: d}
		if r != nil {
			if currency != "" && r.Currency != currency {
				return nil
			}
			p, stored = dayPoint(*r), true
		}
		points = append(points, p)
	}
	if !stored {
		return nil
	}
	return points
}

func dayPoint(r report.StoredSummary) DayPoint {
	value, orders, total := r.TotalUpsoldValue, r.TotalUpsoldOrders, r.TotalOrders
	return DayPoint{
		Day: r.Window.Start, Stored: true, Value: &value, Orders: &orders, TotalOrders: &total,
		SuccessRate: ratio(decimal.NewFromInt(orders), total), Average: ratio(value, orders),
		Views: r.OfferViews, Currency: r.Currency, Partial: r.Partial, Revised: r.Revised, FetchedAt: r.FetchedAt,
	}
}

// marks are the starts and ends of offers and gift campaigns within the window. Offers that start on
// the same day share one mark, as do those that end.
func (b Builder) marks(w report.Window) []report.Mark {
	marks := []report.Mark{}
	for _, e := range b.In.Events {
		if !w.Contains(e.Day) {
			continue
		}
		i := slices.IndexFunc(marks, func(m report.Mark) bool { return m.Day == e.Day && m.Start == e.Start })
		if i < 0 {
			marks = append(marks, report.Mark{Day: e.Day, Start: e.Start, Name: e.Name, Offers: 1})
			continue
		}
		marks[i].Name, marks[i].Offers = min(marks[i].Name, e.Name), marks[i].Offers+1
	}
	slices.SortFunc(marks, func(a, b report.Mark) int {
		if a.Day == b.Day && a.Start {
			return -1
		}
		return a.Day.DaysSince(b.Day)
	})
	return append(marks, b.CampaignMarks(w)...)
}

// NothingStored says why no day of the window is stored. The kind names the pulls that would bring it:
// summary, stats or top.
func (b Builder) NothingStored(w report.Window, kind string) *report.Empty {
	failed := b.Failed("upsell", kind+".window", kind+".range", kind+".day")
	elsewhere := b.Elsewhere(w, "upsell", kind+".window", kind+".range", kind+".day")
	switch {
	case !b.Connected("upsell"):
		return &report.Empty{Cause: report.CauseNeverConnected, Title: b.T("state.connect.title", "store", b.In.Store.Name), Text: b.T("state.connect.text")}
	case failed != nil:
		return failed
	case len(b.In.DaysKept) == 0:
		if t := b.Trouble("upsell", "summary.window", "summary.day"); t != nil {
			return &report.Empty{Cause: report.CauseFailed, Title: t.Title, Text: t.Text, Action: b.T("empty.see_sync"), Href: b.SyncHref()}
		}
		return &report.Empty{Cause: report.CauseFilling, Title: b.T("state.first_numbers.title"), Text: b.T("state.first_numbers.text"), Action: b.T("panel.watch_sync"), Href: b.SyncHref()}
	case elsewhere != nil:
		return elsewhere
	case b.In.Asking:
		return b.NotPulled("upsell", "summary.range", b.T("state.on_the_way.dates"))
	}
	return &report.Empty{Cause: report.CauseNotKept, Title: b.T("state.no_day.title"), Text: b.notStored(w), Action: b.T("panel.show_all_days"), Href: "?window=" + string(report.AllTime)}
}

// notStored says which days are stored, and why the app doesn't answer for the window.
func (b Builder) notStored(w report.Window) string {
	from, to, dates := b.DayYear(b.In.FirstDay), b.DayYear(b.In.LastDay), b.Dates(w.Start, w.End)
	switch {
	case b.In.TooOld(w):
		return b.T("state.no_day.too_old", "from", from, "to", to, "dates", dates)
	case w.Days() > report.LongestUpsell:
		return b.T("state.no_day.too_long", "from", from, "to", to, "n", report.LongestUpsell)
	}
	return b.T("state.no_day.text", "from", from, "to", to, "dates", dates)
}

// Spark is the upsold value by day; empty if the days have two currencies, since one line can't show
// both (N34).
func (b Builder) Spark(w report.Window) []*decimal.Decimal {
	values, currency := make([]*decimal.Decimal, 0, w.Days()), ""
	for _, r := range b.wholeDays(w) {
		var v *decimal.Decimal
		if r != nil {
			if currency != "" && r.Currency != currency {
				return nil
			}
			v, currency = &r.TotalUpsoldValue, r.Currency
		}
		values = append(values, v)
	}
	return values
}

// Comparable is the comparison window's summary, or nil if the numbers can't be compared.
func (s Summary) Comparable() *Summary {
	if s.Empty != nil || s.Previous == nil || !s.Previous.Provenance.Comparable() || !s.Provenance.Comparable() || s.Previous.Currency != s.Currency {
		return nil
	}
	return s.Previous
}

// Counted is how many days the numbers include.
func (s Summary) Counted() int { return s.Provenance.Window.Days() - len(s.Provenance.Missing) }

// beside is the provenance of a comparison window. It can have trouble of its own while the chosen
// window is up to date (N1).
func (b Builder) beside(w report.Window, p report.Panel, kind string) report.Provenance {
	b.Choice.Window = w
	return b.Finish(p, "upsell", behind(p, kind)...).Provenance
}
