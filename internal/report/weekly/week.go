package weekly

import (
	"cmp"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// ChoiceOf is the week that begins on first, compared with as many days before it. A day that isn't
// over is left out, as everywhere: a store may have moved to a later time zone.
func ChoiceOf(first, today civil.Date) report.Choice {
	c := report.Choice{Preset: report.Custom, Window: report.Window{Start: first, End: first.AddDays(6)}, Comparison: report.ComparePrevious, Today: today}
	if yesterday := today.AddDays(-1); yesterday.Before(c.Window.End) && !yesterday.Before(first) {
		c.Window.End, c.LeftOut = yesterday, &today
	}
	c, _ = c.Compared() // we set the comparison, so it's valid
	return c
}

// Week is the contents of a weekly mail about one store, or about all of a reader's stores. The texts
// are made once here, so that the parts of a mail always say the same.
type Week struct {
	// Locale is the mail's language.
	locale.Locale
	// Store has only a name if the mail is about several.
	Store  report.Store
	Choice report.Choice
	// Number is the number of the ISO week that has most of the days.
	Number int
	// Subject has no line breaks and no characters that change the direction of text.
	Subject, Headline string
	// Value is the exact upsold value, which the headline rounds; empty for several stores.
	Value string
	// Why is one sentence about why it changed, and Evidence what that's based on; empty if nothing is clear.
	Why, Evidence string
	// Preheader is what a mail client shows after the subject.
	Preheader string
	// Goal says how close the store is to its goal for the month that the week ends in; empty if none is set.
	Goal []string
	// Window and Compared are the labels of both weeks; if nothing is compared, Compared says why.
	Window, Compared string
	Figures          []Row
	// Orders says what the success rate is a percentage of.
	Orders string
	// Days and Against are the chart's; both are empty if no day is stored.
	Days, Against []overview.DayPoint
	DaysCurrency  string
	// DaysWindow is the label of the days, which never come from an answer for a week.
	DaysWindow, DaysNote string
	// Tables are placements, top earners, movers, gifts and, last, all time.
	Tables []Table
	Todos  []report.Todo
	// Notes are people's notes about the week's days, NoteMarks their places in the chart.
	Notes     []Note
	NoteMarks []report.NoteMark
	// MoreTodos is how many the mail leaves to the page.
	MoreTodos int
	// Complete: every day of the week is stored, or none can still arrive.
	Complete bool
	// Asked: a service was asked about the week and hasn't answered yet.
	Asked bool
	// Missing says what isn't in this mail, and why; Revised what changed.
	Missing, Revised []string
	// Open is the text of the link to the page with the same numbers.
	Open string
}

// Table is one section of the mail. It's left out if it has no rows.
type Table struct {
	Title, Note string
	// Window is the label for all numbers in it.
	Window string
	Rows   []Row
	// Apart: these numbers don't belong to any week.
	Apart bool
}

// Note is a note as text. Private: only people with an account see it.
type Note struct{ Days, Text, Private string }

// Row is a number and its name. More replaces a change.
type Row struct {
	Placement          report.Placement
	Name, Value, Under string
	// Href is the path of the page about it; empty if none.
	Href  string
	Delta locale.Delta
	More  string
	// Quiet: Value is a word, not a number.
	Quiet bool
}

// Change is shown after the value: how it changed, or what else is known.
func (r Row) Change() string {
	return cmp.Or(r.More, r.Delta.String())
}

const (
	weekEarners = 3
	weekMovers  = 3
	weekTodos   = 4
)

// New turns a week's overview, and why it changed, into a mail. The mail waits for data until the given
// moment; a zero time means no limit.
func New(o overview.Overview, why answers.Answer, g *goal.Progress, until time.Time) Week {
	l := o.Locale
	w := Week{Locale: l, Store: o.Store, Choice: o.Choice, Open: l.T("weekly.open_overview")}
	w.Store.Name = report.OneLine(o.Store.Name, report.NameLength)
	_, w.Number = o.Choice.Window.Start.AddDays(3).In(o.Now.Location()).ISOWeek()
	w.Headline = headline(o, why.Verdict)
	w.Why, w.Evidence = why.Verdict.Why.In(l), why.Verdict.Evidence.In(l)
	w.Subject = w.Store.Name + l.T("unit.colon") + subject(o)
	s := o.Summary
	if s.Empty == nil {
		w.Window = s.Provenance.MailLabel(l)
		w.figures(s)
	} else {
		w.Window = l.Dates(o.Choice.Window.Start, o.Choice.Window.End) + " · " + l.Clock(o.Store.Timezone)
		w.miss(l.T("weekly.part.upsells"), s.Empty.Title, s.Empty.Text)
	}
	switch c := s.Comparable(); {
	case c != nil:
		w.Compared = comparedWith(l, c.Provenance.MailLabel(l), c.Provenance.Window.Days() == 7)
	case s.Empty == nil:
		w.Compared = l.T("weekly.not_compared", "reason", notCompared(o))
	}
	w.Preheader = w.Window
	if len(w.Figures) > 0 {
		w.Preheader = l.T("weekly.preheader", "orders", w.Figures[1].Value, "rate", w.Figures[2].Value, "window", w.Window)
	}
	w.Goal = goalLines(l, g)
	w.days(o)
	w.notes(o.Trend.Notes)
	week := report.Window{Start: o.Choice.Window.Start, End: o.Choice.Window.Start.AddDays(6)}
	last, awaited := o.Pulls.Awaited(week, o.Store.Timezone, until)
	w.Complete = !awaited || !o.Trend.Provenance.Lacks(last)
	if s.Empty == nil {
		if ahead := s.Provenance.Ahead(week); len(ahead) > 0 {
			w.Missing = append(w.Missing, l.T("digest.not_over", "store", w.Store.Name, "days", l.DayList(ahead), "n", len(ahead)))
		}
	}
	w.placements(o.Placements)
	w.offers(o.Top, why.Movers)
	w.gifts(o)
	w.allTime(o.Lifetime)
	if noOffersExist(o) && s.Empty == nil {
		w.Todos = append(w.Todos, report.Todo{Kind: "info", Title: l.T("todo.first_offer.title"), Text: l.T("todo.first_offer.text", "n", s.TotalOrders)})
	}
	w.todos(o.Todos)
	if s.Empty == nil && o.Coverage.Empty != nil {
		w.miss(l.T("weekly.part.live_placements"), o.Coverage.Empty.Title, o.Coverage.Empty.Text)
	}
	w.revised(o)
	for _, t := range o.Troubles {
		w.Missing = append(w.Missing, report.Sentence(t.Title)+" "+strings.TrimSuffix(t.Text, t.Next))
	}
	return w
}

// goalLines say how much of the goal is reached, where the month is heading, and what that's based on.
func goalLines(l locale.Locale, g *goal.Progress) []string {
	if g == nil {
		return nil
	}
	lines := []string{g.Title().In(l), g.Says().In(l)}
	if g.Sold == nil {
		return lines
	}
	lines[0] = l.T("goal.mail.sold", "title", g.Title(), "sold", g.Write(l, *g.Sold), "goal", g.Write(l, g.Amount))
	lines = append(lines, g.Unit().In(l)+" · "+g.Provenance.MailLabel(l))
	if missing := g.MissingWords(l); missing != "" {
		lines = append(lines, missing)
	}
	if g.Pace != nil {
		lines = append(lines, l.T("goal.card.estimate"))
	}
	return lines
}

func (w *Week) figures(s overview.Summary) {
	l := w.Locale
	var before overview.Summary
	var orders *int64
	var value *decimal.Decimal
	if c := s.Comparable(); c != nil {
		before, orders, value = *c, &c.TotalUpsoldOrders, &c.TotalUpsoldValue
	}
	rate, rateWas, rateChange := l.CompareShares(s.UpsellSuccessRate, before.UpsellSuccessRate)
	w.Figures = []Row{
		{Name: l.T("figure.upsold_value"), Value: l.Money(s.TotalUpsoldValue, s.Currency).String(), Delta: l.Change(&s.TotalUpsoldValue, value)},
		{Name: l.T("figure.upsold_orders"), Value: l.Count(s.TotalUpsoldOrders), Delta: l.ChangeCount(&s.TotalUpsoldOrders, orders)},
		{Name: l.T("figure.success_rate"), Value: rate.String(), Delta: rateChange},
		{Name: l.T("figure.average_value"), Value: l.MoneyOrDash(s.AverageUpsoldValue, s.Currency).String(), Delta: l.Change(s.AverageUpsoldValue, before.AverageUpsoldValue)},
	}
	w.Value = w.Figures[0].Value
	if c := s.Comparable(); c != nil {
		for i, was := range []string{
			l.Money(c.TotalUpsoldValue, c.Currency).String(), l.Count(c.TotalUpsoldOrders), rateWas.String(), l.MoneyOrDash(c.AverageUpsoldValue, c.Currency).String(),
		} {
			if was != w.Figures[i].Value { // if rounding made them equal, it would contradict the change
				w.Figures[i].Under = l.T("change.was", "amount", was)
			}
		}
	}
	w.Orders = l.T("figure.rate_of_orders", "n", s.TotalOrders)
	if s.OfferViews != nil {
		w.Orders += " " + l.T("figure.offers_seen", "n", *s.OfferViews)
	} else {
		w.Missing = append(w.Missing, l.T("weekly.views_not_reported"))
	}
}

// miss notes that a part is missing, and why.
func (w *Week) miss(part, title, text string) {
	if title = report.Sentence(title); w.Locale != locale.German { // German capitalizes its nouns
		title = report.LowerFirst(title)
	}
	w.Missing = append(w.Missing, w.T("weekly.missing", "part", part, "reason", strings.TrimSpace(title+" "+report.Sentence(text))))
}

func (w *Week) days(o overview.Overview) {
	t, l := o.Trend, w.Locale
	if t.Empty != nil {
		if o.Summary.Empty == nil {
			w.miss(l.T("weekly.part.days"), t.Empty.Title, t.Empty.Text)
		}
		return
	}
	w.Days, w.DaysCurrency, w.DaysWindow = t.Days, t.Currency, t.Provenance.MailLabel(l)
	gaps := t.Provenance.Missing
	if len(gaps) > 0 {
		counted := "not_counted"
		if o.Summary.Empty == nil && len(o.Summary.Provenance.Missing) == 0 {
			counted = "counted"
		}
		w.Missing = append(w.Missing, l.T("weekly.gap."+counted, "days", l.DayList(gaps), "n", len(gaps)))
	}
	if w.Against = t.Against; len(w.Against) == 0 {
		return
	}
	w.DaysNote = l.T("weekly.line_is_before")
	var before []civil.Date
	for _, d := range w.Against {
		if !d.Stored {
			before = append(before, d.Day)
		}
	}
	if len(before) > 0 {
		days := l.DayList(before)
		w.DaysNote += l.T("unit.semicolon") + l.T("weekly.days_missing", "days", days, "n", len(before))
		w.Missing = append(w.Missing, l.T("weekly.gap.before", "days", days, "n", len(before)))
	}
}

func (w *Week) notes(all []report.DayNote) {
	for _, n := range all {
		w.Notes = append(w.Notes, w.note(n))
	}
	if n := len(w.Days); n > 0 {
		first := w.Days[0].Day
		w.NoteMarks = report.NoteMarks(all, report.Window{Start: first, End: w.Days[n-1].Day}, func(d civil.Date) int { return d.DaysSince(first) })
	}
}

func (w *Week) note(n report.DayNote) Note {
	note := Note{Days: w.DatesShort(n.Start, n.End), Text: n.Text}
	if !n.ForClients {
		note.Private = w.T("notes.private")
	}
	return note
}

// placements lists them next to each other: nothing is added across them (N14).
func (w *Week) placements(s overview.PlacementStats) {
	l := w.Locale
	if s.Empty != nil {
		if len(w.Figures) > 0 {
			e := s.Empty
			if e.Cause == report.CauseNotKept { // the days are stored, but not their placements
				e = &report.Empty{Title: l.T("weekly.no_answer")}
			}
			w.miss(l.T("weekly.placements"), e.Title, e.Text)
		}
		return
	}
	t := Table{Title: l.T("weekly.placements"), Note: l.T("weekly.side_by_side"), Window: s.Provenance.MailLabel(l)}
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
		w.Missing = append(w.Missing, l.T("weekly.gap.placements", "days", l.DayList(gaps), "n", len(gaps)))
	}
}

// placement is one row. A placement that dropped to zero shows what it lost, whatever its state.
func (w *Week) placement(r overview.PlacementRow, currency string, before *decimal.Decimal) Row {
	l := w.Locale
	row := Row{Placement: r.Placement, Name: report.OneLine(r.Placement.Name().In(l), report.NameLength)}
	under := []string{l.T("figure.impressions", "n", r.Impressions), l.T("figure.claims", "n", r.Claims)}
	state, none := w.state(r.Cover), r.Revenue == nil || r.Revenue.IsZero()
	lost := none && before != nil && !before.IsZero()
	switch {
	case r.Absent:
		row.Value, row.Quiet, row.More, under = l.T("weekly.no_row"), true, "–", nil
	case r.Revenue == nil:
		row.Value, row.Quiet, row.More, under = l.T("weekly.revenue_not_reported"), true, under[1], under[:1]
	default:
		row.Value, row.Delta = l.Money(*r.Revenue, currency).String(), l.Change(r.Revenue, before)
	}
	switch {
	case lost:
		under = append(under, l.T("change.was", "amount", l.Money(*before, currency).String()))
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

// state is a placement's current state, if it's worth mentioning.
func (w *Week) state(c *overview.CoverRow) string {
	switch {
	case c == nil:
	case c.State == overview.SwitchedOff:
		return w.T("weekly.switched_off")
	case c.State == overview.NeverCreated:
		return w.T("weekly.never_created")
	}
	return ""
}

// offers are the week's top earners, and those whose revenue changed the most.
func (w *Week) offers(now overview.TopOffers, moved answers.Movers) {
	l := w.Locale
	if now.Empty != nil {
		if len(w.Figures) > 0 && now.Empty.Cause != report.CauseNoOffers && now.Empty.Cause != report.CauseNothing {
			w.miss(l.T("weekly.part.ranking"), now.Empty.Title, now.Empty.Text)
		}
		return
	}
	label := now.Provenance.MailLabel(l)
	best := Table{Title: l.T("weekly.best"), Window: label}
	if n := now.Earned; n != nil {
		best.Note = l.T("weekly.offers_sold", "n", int64(*n))
	}
	for i, r := range now.Highest {
		if i == weekEarners {
			break
		}
		row := Row{Name: report.OneLine(r.Name, report.NameLength), Value: l.MoneyOrDash(r.Revenue, now.Currency).String(), Under: report.OneLine(r.Placement.Name().In(l), report.NameLength), More: "–"}
		if r.Deleted {
			row.Under += " · " + l.T("weekly.deleted")
		}
		if r.Claims != nil {
			row.More = l.T("figure.claims", "n", *r.Claims)
		}
		best.Rows = append(best.Rows, row)
	}
	w.Tables = append(w.Tables, best)
	switch rows := w.moved(moved); {
	case !moved.OffersKnown:
		w.Missing = append(w.Missing, l.T("weekly.moves_not_kept"))
	case len(rows) > 0:
		w.Tables = append(w.Tables, Table{Title: l.T("weekly.moved_most"), Note: l.T("weekly.against_before"), Window: label, Rows: rows})
	}
}

// moved are the offers whose revenue changed the most.
func (w *Week) moved(m answers.Movers) (rows []Row) {
	for _, o := range m.Offers[:min(len(m.Offers), weekMovers)] {
		rows = append(rows, Row{
			Name: report.OneLine(o.Name, report.NameLength), Value: w.Money(*o.After, m.Currency).String(),
			Under: w.T("change.was", "amount", w.Money(*o.Before, m.Currency).String()), Delta: w.Change(o.After, o.Before),
		})
	}
	return rows
}

// gifts are never added to upsells (N3).
func (w *Week) gifts(o overview.Overview) {
	g, l := o.Gift, w.Locale
	switch {
	case g.Empty != nil && o.GiftLinked:
		w.miss(l.T("weekly.part.gifts"), g.Empty.Title, g.Empty.Text)
		return
	case g.Empty != nil:
		return
	}
	t := Table{Title: l.T("weekly.gifts"), Note: l.T("weekly.gifts_apart"), Window: g.Provenance.MailLabel(l)}
	amount := func(m report.GiftMetric) locale.Delta { return l.ReportedChange(m.ChangePercent) }
	rate := func(m report.GiftMetric) locale.Delta { return m.RateChange(l) }
	count := func(m report.GiftMetric) locale.Delta { return l.ReportedCountChange(m.ChangePercent) }
	row := func(name string, m report.GiftMetric, change func(report.GiftMetric) locale.Delta, write func(decimal.Decimal) string) {
		r := Row{Name: name}
		switch {
		case m.Withheld:
			r.Value, r.Quiet, r.More = l.T("weekly.unit_not_known"), true, "–"
		case m.Reason != "":
			w.miss(name, m.Reason, "")
			return
		case m.Value == nil:
			r.Value, r.Quiet, r.More = l.T("weekly.not_reported"), true, "–"
		default:
			r.Value = write(*m.Value)
			if r.Delta = (locale.Delta{Direction: locale.NotCompared, Word: l.T("change.not_compared")}); g.Compared && !m.Uncompared {
				r.Delta = change(m)
			}
		}
		t.Rows = append(t.Rows, r)
	}
	money := func(v decimal.Decimal) string { return l.Money(v, g.Currency).String() }
	row(l.T("figure.gift_orders"), g.Orders, count, l.Decimal)
	row(l.T("figure.gift_revenue"), g.Revenue, amount, money)
	row(l.T("figure.gift_conversion"), g.ConversionRate, rate, func(v decimal.Decimal) string {
		if before := g.ConversionRate.Previous; before != nil {
			is, _, _ := l.ComparePercents(v, *before)
			return is.String()
		}
		return l.Percent(&v).String()
	})
	row(l.T("figure.value_with_gift"), g.AOVByFG, amount, money)
	row(l.T("figure.value_all_orders"), g.AOVStore, amount, money)
	w.Tables = append(w.Tables, t)
	if gaps := g.Provenance.Missing; len(gaps) > 0 {
		w.Missing = append(w.Missing, l.T("weekly.gap.gifts", "days", l.DayList(gaps), "n", len(gaps)))
	}
}

// allTime has no window, so it's a section of its own (N21).
func (w *Week) allTime(all overview.Lifetime) {
	l := w.Locale
	if all.Empty != nil {
		if len(w.Figures) > 0 {
			w.miss(l.T("weekly.all_time"), all.Empty.Title, all.Empty.Text)
		}
		return
	}
	w.Tables = append(w.Tables, Table{
		Title: l.T("weekly.all_time"), Note: l.T("weekly.all_time_apart"), Apart: true, Window: all.Provenance.MailLabel(l) + " · " + l.DayYear(civil.DateOf(all.Provenance.FetchedAt.UTC())),
		Rows: []Row{
			{Name: l.T("figure.upsold_value"), Value: l.Money(all.TotalRevenue, all.Currency).String(), More: l.T("figure.orders", "n", all.UpsoldOrders)},
			{Name: l.T("figure.offer_views"), Value: l.Count(all.OfferViews), Under: l.T("figure.all_placements")},
		},
	})
}

// todos leaves out what the mail already says elsewhere.
func (w *Week) todos(all []report.Todo) {
	for _, t := range all {
		switch {
		case t.Kind == "missing":
		case len(w.Todos) == weekTodos:
			w.MoreTodos++
		default:
			t.Title, t.Text = report.OneLine(t.Title, 2*report.NameLength), report.OneLine(report.Sentence(t.Text)+" "+report.Sentence(t.Effect), 4*report.NameLength)
			w.Todos = append(w.Todos, t)
		}
	}
}

func (w *Week) revised(o overview.Overview) {
	l := w.Locale
	for _, part := range []struct {
		days []overview.DayPoint
		id   string
	}{{o.Trend.Days, "this_week"}, {o.Trend.Against, "before"}} {
		var days []civil.Date
		for _, d := range part.days {
			if d.Revised {
				days = append(days, d.Day)
			}
		}
		if len(days) > 0 {
			w.Revised = append(w.Revised, l.T("weekly.changed."+part.id, "days", l.DayList(days), "n", len(days)))
		}
	}
}
