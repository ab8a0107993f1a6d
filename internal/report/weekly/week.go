package weekly

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

// ChoiceOf is the week that begins on first, against as many days before it. A day that
// is not over is left out, as everywhere: a store may have moved to a later clock.
func ChoiceOf(first, today civil.Date) report.Choice {
	c := report.Choice{Preset: report.Custom, Window: report.Window{Start: first, End: first.AddDays(6)}, Comparison: report.ComparePrevious, Today: today}
	if yesterday := today.AddDays(-1); yesterday.Before(c.Window.End) && !yesterday.Before(first) {
		c.Window.End, c.LeftOut = yesterday, &today
	}
	c, _ = c.Compared() // the comparison is one of ours
	return c
}

// Week is what a weekly mail says of one store, or of all stores of a reader. Its words
// are made here once, so that the parts of a mail can't differ in what they say.
type Week struct {
	Tongue report.Tongue
	// Store has a name alone where the mail is about several.
	Store  report.Store
	Choice report.Choice
	// Number is that of the ISO week that most of the days are of.
	Number int
	// Subject has no line break and no sign that turns the direction of what follows.
	Subject, Headline string
	// Preheader is what a list of mails shows behind the subject.
	Preheader string
	// Window and Compared are the labels of both weeks; Compared says why, where
	// nothing is compared.
	Window, Compared string
	Figures          []Row
	// Orders says what the success rate is a share of.
	Orders string
	// Days and Against are the chart's; both are empty where no day is stored.
	Days, Against []report.DayPoint
	DaysCurrency  string
	// DaysWindow is the label of the days, which are never an answer for a week.
	DaysWindow, DaysNote string
	// Tables are placements, best earners, movers, gifts and, last, all time.
	Tables []Table
	Todos  []report.Todo
	// MoreTodos are those that the mail leaves to the page.
	MoreTodos int
	// Complete: every day of the week is stored, or none can come.
	Complete bool
	// Missing says what is not in this mail, and why; Revised what changed.
	Missing, Revised []string
	// Open is what the link to the page with the same numbers says.
	Open string
}

// Table is one part of a week. It is left out where it has no rows.
type Table struct {
	Title, Note string
	// Window is the label of all numbers in it.
	Window string
	Rows   []Row
	// Apart: these numbers are of no week.
	Apart bool
}

// Row is a number with what it is of. More stands in place of a change.
type Row struct {
	Placement          report.Placement
	Name, Value, Under string
	// Href is the page about it, as a path; empty where there is none.
	Href  string
	Delta report.Delta
	More  string
	// Quiet: Value is a word and no number.
	Quiet bool
}

// Change is what stands behind the value: how it changed, or what else is known.
func (r Row) Change() string {
	if r.More != "" {
		return r.More
	}
	return r.Delta.String()
}

const (
	weekEarners = 3
	weekMovers  = 3
	weekTodos   = 4
)

// New makes what is said of the overview of a week; before is the ranking of
// the week before. The mail waits for data until the moment given; the zero time is no limit.
func New(o report.Overview, before report.TopOffers, until time.Time) Week {
	t := o.Tongue
	say := t.Words()
	w := Week{Tongue: t, Store: o.Store, Choice: o.Choice, Open: say.T("weekly.open_overview")}
	w.Store.Name = report.OneLine(o.Store.Name, report.NameLength)
	_, w.Number = o.Choice.Window.Start.AddDays(3).In(o.Now.Location()).ISOWeek()
	w.Headline = headline(o)
	w.Subject = w.Store.Name + say.T("unit.colon") + subject(o)
	s := o.Summary
	if s.Empty == nil {
		w.Window = t.MailLabel(s.Provenance)
		w.figures(s)
	} else {
		w.Window = t.Dates(o.Choice.Window) + " · " + t.Clock(o.Store.Timezone)
		w.miss(say.T("weekly.part.upsells"), s.Empty)
	}
	switch c := s.Comparable(); {
	case c != nil:
		w.Compared = say.ComparedWith(t.MailLabel(c.Provenance), c.Provenance.Window.Days() == 7)
	case s.Empty == nil:
		w.Compared = say.T("weekly.not_compared", "reason", notCompared(o))
	}
	w.Preheader = w.Window
	if len(w.Figures) > 0 {
		w.Preheader = say.Preheader(w.Figures[1].Value, w.Figures[2].Value, w.Window)
	}
	w.days(o)
	week := report.Window{Start: o.Choice.Window.Start, End: o.Choice.Window.Start.AddDays(6)}
	last, awaited := o.Pulls.Awaited(week, o.Store.Timezone, until)
	w.Complete = !awaited || !o.Trend.Provenance.Lacks(last)
	if s.Empty == nil {
		if ahead := s.Provenance.Ahead(week); len(ahead) > 0 {
			w.Missing = append(w.Missing, say.StoreNotOver(w.Store.Name, t.DayList(ahead), len(ahead)))
		}
	}
	w.placements(o.Placements)
	w.offers(o.Top, before)
	w.gifts(o)
	w.allTime(o.Lifetime)
	if noOffersExist(o) && s.Empty == nil {
		w.Todos = append(w.Todos, report.Todo{Kind: "info", Title: say.T("todo.first_offer.title"), Text: say.T("todo.first_offer.text", "n", s.TotalOrders)})
	}
	w.todos(o.Todos)
	if s.Empty == nil && o.Coverage.Empty != nil {
		w.miss(say.T("weekly.part.live_placements"), o.Coverage.Empty)
	}
	w.revised(o)
	for _, t := range o.Troubles {
		w.Missing = append(w.Missing, report.Sentence(t.Title)+" "+strings.TrimSuffix(t.Text, t.Next))
	}
	return w
}

func (w *Week) figures(s report.Summary) {
	t, say := w.Tongue, w.Tongue.Words()
	var before report.Summary
	var orders *int64
	var value *decimal.Decimal
	if c := s.Comparable(); c != nil {
		before, orders, value = *c, &c.TotalUpsoldOrders, &c.TotalUpsoldValue
	}
	w.Figures = []Row{
		{Name: say.T("figure.upsold_value"), Value: t.Money(s.TotalUpsoldValue, s.Currency).String(), Delta: t.Change(&s.TotalUpsoldValue, value)},
		{Name: say.T("figure.upsold_orders"), Value: t.Count(s.TotalUpsoldOrders), Delta: t.ChangeCount(&s.TotalUpsoldOrders, orders)},
		{Name: say.T("figure.success_rate"), Value: t.Share(s.UpsellSuccessRate).String(), Delta: t.ChangePoints(s.UpsellSuccessRate, before.UpsellSuccessRate)},
		{Name: say.T("figure.average_value"), Value: t.MoneyOrDash(s.AverageUpsoldValue, s.Currency).String(), Delta: t.Change(s.AverageUpsoldValue, before.AverageUpsoldValue)},
	}
	if c := s.Comparable(); c != nil {
		for i, was := range []string{
			t.Money(c.TotalUpsoldValue, c.Currency).String(), t.Count(c.TotalUpsoldOrders), t.Share(c.UpsellSuccessRate).String(), t.MoneyOrDash(c.AverageUpsoldValue, c.Currency).String(),
		} {
			if was != w.Figures[i].Value { // rounded alike, it would contradict the change
				w.Figures[i].Under = say.T("weekly.was", "amount", was)
			}
		}
	}
	w.Orders = say.T("figure.rate_of_orders", "n", s.TotalOrders)
	if s.OfferViews != nil {
		w.Orders += " " + say.T("figure.offers_seen", "n", *s.OfferViews)
	} else {
		w.Missing = append(w.Missing, say.T("weekly.views_not_reported"))
	}
}

// miss says that a part is not there.
func (w *Week) miss(part string, e *report.Empty) {
	w.Missing = append(w.Missing, w.Tongue.Words().Missing(part, e.Title, e.Text))
}

func (w *Week) days(o report.Overview) {
	t, say := o.Trend, w.Tongue.Words()
	if t.Empty != nil {
		if o.Summary.Empty == nil {
			w.miss(say.T("weekly.part.days"), t.Empty)
		}
		return
	}
	w.Days, w.DaysCurrency, w.DaysWindow = t.Days, t.Currency, w.Tongue.MailLabel(t.Provenance)
	gaps := t.Provenance.Missing
	if len(gaps) > 0 {
		counted := say.MissingNotCounted
		if o.Summary.Empty == nil && len(o.Summary.Provenance.Missing) == 0 {
			counted = say.MissingCounted
		}
		w.Missing = append(w.Missing, counted(w.Tongue.DayList(gaps), len(gaps)))
	}
	if w.Against = t.Against; len(w.Against) == 0 {
		return
	}
	w.DaysNote = say.T("weekly.line_is_before")
	var before []civil.Date
	for _, d := range w.Against {
		if !d.Stored {
			before = append(before, d.Day)
		}
	}
	if len(before) > 0 {
		days := w.Tongue.DayList(before)
		w.DaysNote += "; " + say.T("weekly.days_missing", "days", days, "n", len(before))
		w.Missing = append(w.Missing, say.T("weekly.gap.before", "days", days, "n", len(before)))
	}
}

// placements stand side by side: nothing is added across them (N14).
func (w *Week) placements(s report.PlacementStats) {
	say := w.Tongue.Words()
	if s.Empty != nil {
		if len(w.Figures) > 0 {
			e := s.Empty
			if e.Cause == report.CauseNotKept { // the days are there, the placements of them are not
				e = &report.Empty{Title: say.T("weekly.no_answer")}
			}
			w.miss(say.T("weekly.placements"), e)
		}
		return
	}
	t := Table{Title: say.T("weekly.placements"), Note: say.T("weekly.side_by_side"), Window: w.Tongue.MailLabel(s.Provenance)}
	comparable := s.Compared != nil && s.Compared.Comparable() && s.Provenance.Comparable()
	for _, r := range s.Rows {
		var before *decimal.Decimal
		if comparable && r.Previous != nil {
			before = r.Previous.Revenue
		}
		t.Rows = append(t.Rows, w.placement(r, s.Currency, before))
	}
	w.Tables = append(w.Tables, t)
	if gaps := s.Provenance.Missing; len(gaps) > 0 {
		w.Missing = append(w.Missing, say.PlacementsWithout(w.Tongue.DayList(gaps), len(gaps)))
	}
}

// placement is one row. One that fell to nothing shows what it lost, whatever its state.
func (w *Week) placement(r report.PlacementRow, currency string, before *decimal.Decimal) Row {
	say := w.Tongue.Words()
	row := Row{Placement: r.Placement, Name: report.OneLine(string(r.Placement), report.NameLength)}
	under := []string{say.T("figure.impressions", "n", r.Impressions), say.T("figure.claims", "n", r.Claims)}
	state, none := w.state(r.Cover), r.Revenue == nil || r.Revenue.IsZero()
	lost := none && before != nil && !before.IsZero()
	switch {
	case r.Absent:
		row.Value, row.Quiet, row.More, under = say.T("weekly.no_row"), true, "–", nil
	case r.Revenue == nil:
		row.Value, row.Quiet, row.More, under = say.T("weekly.revenue_not_reported"), true, under[1], under[:1]
	default:
		row.Value, row.Delta = w.Tongue.Money(*r.Revenue, currency).String(), w.Tongue.Change(r.Revenue, before)
	}
	switch {
	case lost:
		under = append(under, say.Was(w.Tongue.Money(*before, currency).String()))
		if state != "" {
			under = append(under, state)
		}
	case state != "" && none:
		if row.More != "" && !r.Absent {
			under = append(under, row.More)
		}
		row.More = state
	}
	row.Under = strings.Join(under, " · ")
	return row
}

// state is what a placement is now, where that is worth a word.
func (w *Week) state(c *report.CoverRow) string {
	switch {
	case c == nil:
	case c.State == report.SwitchedOff:
		return w.Tongue.Words().T("weekly.switched_off")
	case c.State == report.NeverCreated:
		return w.Tongue.Words().T("weekly.never_created")
	}
	return ""
}

// offers are the best earners of the week, and those whose earnings moved most.
func (w *Week) offers(now, before report.TopOffers) {
	say := w.Tongue.Words()
	if now.Empty != nil {
		if len(w.Figures) > 0 && now.Empty.Cause != report.CauseNoOffers && now.Empty.Cause != report.CauseNothing {
			w.miss(say.T("weekly.part.ranking"), now.Empty)
		}
		return
	}
	label := w.Tongue.MailLabel(now.Provenance)
	best := Table{Title: say.T("weekly.best"), Window: label}
	if n := now.Earned; n != nil {
		best.Note = say.T("weekly.offers_sold", "n", int64(*n))
	}
	for i, r := range now.Highest {
		if i == weekEarners {
			break
		}
		row := Row{Name: report.OneLine(r.Name, report.NameLength), Value: w.Tongue.MoneyOrDash(r.Revenue, now.Currency).String(), Under: report.OneLine(string(r.Placement), report.NameLength), More: "–"}
		if r.Deleted {
			row.Under += " · " + say.T("weekly.deleted")
		}
		if r.Claims != nil {
			row.More = say.T("figure.claims", "n", *r.Claims)
		}
		best.Rows = append(best.Rows, row)
	}
	w.Tables = append(w.Tables, best)
	moved, ok := movers(w.Tongue, now, before)
	switch {
	case !ok:
		w.Missing = append(w.Missing, say.T("weekly.moves_not_kept"))
	case len(moved) > 0:
		w.Tables = append(w.Tables, Table{Title: say.T("weekly.moved_most"), Note: say.T("weekly.against_before"), Window: label, Rows: moved})
	}
}

// movers are the offers whose earnings changed most. An offer that a ranking lacks
// earned nothing where the ranking is whole, and is unknown where it is cut (N16).
func movers(t report.Tongue, now, before report.TopOffers) ([]Row, bool) {
	if before.Empty != nil && before.Empty.Cause != report.CauseNothing || before.Empty == nil && before.Currency != now.Currency ||
		now.Provenance.Has(report.FlagPartial) || before.Provenance.Has(report.FlagPartial) || before.Provenance.Window == nil {
		return nil, false
	}
	type move struct {
		report.TopRow
		was, is, by decimal.Decimal
	}
	whole := func(top report.TopOffers) bool { return top.Earned != nil || top.Empty != nil }
	index := func(top report.TopOffers) map[string]report.TopRow {
		out := map[string]report.TopRow{}
		for _, r := range slices.Concat(top.Highest, top.Lowest) {
			if r.Revenue != nil {
				out[r.OfferID] = r
			}
		}
		return out
	}
	is, was := index(now), index(before)
	var moves []move
	add := func(r report.TopRow, was, is decimal.Decimal) {
		if by := is.Sub(was); !by.IsZero() {
			moves = append(moves, move{r, was, is, by.Abs()})
		}
	}
	for id, r := range is {
		if b, ok := was[id]; ok {
			add(r, *b.Revenue, *r.Revenue)
		} else if whole(before) {
			add(r, decimal.Zero, *r.Revenue)
		}
	}
	for id, b := range was {
		if _, ok := is[id]; !ok && whole(now) {
			add(b, *b.Revenue, decimal.Zero)
		}
	}
	slices.SortFunc(moves, func(a, b move) int {
		return cmp.Or(b.by.Cmp(a.by), cmp.Compare(a.OfferID, b.OfferID))
	})
	var rows []Row
	for _, m := range moves[:min(len(moves), weekMovers)] {
		rows = append(rows, Row{
			Name: report.OneLine(m.Name, report.NameLength), Value: t.Money(m.is, now.Currency).String(),
			Under: t.Words().T("weekly.was", "amount", t.Money(m.was, now.Currency).String()), Delta: t.Change(&m.is, &m.was),
		})
	}
	return rows, true
}

// gifts are never added to upsells (N3).
func (w *Week) gifts(o report.Overview) {
	g, say := o.Gift, w.Tongue.Words()
	switch {
	case g.Empty != nil && o.GiftLinked:
		w.miss(say.T("weekly.part.gifts"), g.Empty)
		return
	case g.Empty != nil:
		return
	}
	t := Table{Title: say.T("weekly.gifts"), Note: say.T("weekly.gifts_apart"), Window: w.Tongue.MailLabel(g.Provenance)}
	amount := func(m report.GiftMetric) report.Delta { return w.Tongue.ReportedChange(m.ChangePercent) }
	count := func(m report.GiftMetric) report.Delta { return w.Tongue.ReportedCountChange(m.ChangePercent) }
	row := func(name string, m report.GiftMetric, change func(report.GiftMetric) report.Delta, write func(decimal.Decimal) string) {
		r := Row{Name: name}
		switch {
		case m.Withheld:
			r.Value, r.Quiet, r.More = say.T("weekly.unit_not_known"), true, "–"
		case m.Reason != "":
			w.Missing = append(w.Missing, say.Missing(name, m.Reason, ""))
			return
		case m.Value == nil:
			r.Value, r.Quiet, r.More = say.T("weekly.not_reported"), true, "–"
		default:
			r.Value = write(*m.Value)
			if r.Delta = (report.Delta{Direction: report.NotCompared, Word: say.T("change.not_compared")}); g.Compared && !m.Uncompared {
				r.Delta = change(m)
			}
		}
		t.Rows = append(t.Rows, r)
	}
	money := func(v decimal.Decimal) string { return w.Tongue.Money(v, g.Currency).String() }
	row(say.T("figure.gift_orders"), g.Orders, count, w.Tongue.Decimal)
	row(say.T("figure.gift_revenue"), g.Revenue, amount, money)
	row(say.T("figure.gift_conversion"), g.ConversionRate, w.Tongue.ReportedRateChange, func(v decimal.Decimal) string {
		if before := g.ConversionRate.Previous; before != nil {
			is, _, _ := w.Tongue.ComparePercents(v, *before)
			return is.String()
		}
		return w.Tongue.Percent(&v).String()
	})
	row(say.T("figure.value_with_gift"), g.AOVByFG, amount, money)
	row(say.T("figure.value_all_orders"), g.AOVStore, amount, money)
	w.Tables = append(w.Tables, t)
	if gaps := g.Provenance.Missing; len(gaps) > 0 {
		w.Missing = append(w.Missing, say.GiftsWithout(w.Tongue.DayList(gaps), len(gaps)))
	}
}

// allTime has no window and stands apart (N21).
func (w *Week) allTime(l report.Lifetime) {
	t, say := w.Tongue, w.Tongue.Words()
	if l.Empty != nil {
		if len(w.Figures) > 0 {
			w.miss(say.T("weekly.all_time"), l.Empty)
		}
		return
	}
	w.Tables = append(w.Tables, Table{
		Title: say.T("weekly.all_time"), Note: say.T("weekly.all_time_apart"), Apart: true, Window: t.MailLabel(l.Provenance) + " · " + t.DayYear(civil.DateOf(l.Provenance.FetchedAt.UTC())),
		Rows: []Row{
			{Name: say.T("figure.upsold_value"), Value: t.Money(l.TotalRevenue, l.Currency).String(), More: say.T("figure.orders", "n", l.UpsoldOrders)},
			{Name: say.T("figure.offer_views"), Value: t.Count(l.OfferViews), Under: say.T("figure.all_placements")},
		},
	})
}

// todos leaves out what the mail says elsewhere.
func (w *Week) todos(all []report.Todo) {
	for _, t := range all {
		switch {
		case t.Kind == "missing":
		case len(w.Todos) == weekTodos:
			w.MoreTodos++
		default:
			t.Title, t.Text = report.OneLine(t.Title, 2*report.NameLength), report.OneLine(strings.Replace(t.Text, "ranking below", "ranking", 1), 4*report.NameLength)
			w.Todos = append(w.Todos, t)
		}
	}
}

func (w *Week) revised(o report.Overview) {
	say := w.Tongue.Words()
	for _, part := range []struct {
		days []report.DayPoint
		of   func(days string, n int) string
	}{{o.Trend.Days, say.ChangedThisWeek}, {o.Trend.Against, say.ChangedBefore}} {
		var days []civil.Date
		for _, d := range part.days {
			if d.Revised {
				days = append(days, d.Day)
			}
		}
		if len(days) > 0 {
			w.Revised = append(w.Revised, part.of(w.Tongue.DayList(days), len(days)))
		}
	}
}
