package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// WeekChoice is the week that begins on first, against the seven days before it.
func WeekChoice(first, today civil.Date) Choice {
	w := Window{first, first.AddDays(6)}
	against := w.Previous()
	return Choice{Preset: Custom, Window: w, Comparison: ComparePrevious, Against: &against, Today: today}
}

// Week is what a weekly mail says of one store, or of all stores of a reader. Its words
// are made here once, so that the parts of a mail can't differ in what they say.
type Week struct {
	// Store has a name alone where the mail is about several.
	Store  Store
	Choice Choice
	// Number is that of the ISO week that most of the days are of.
	Number int
	// Subject has no line break and no sign that turns the direction of what follows.
	Subject, Headline string
	// Preheader is what a list of mails shows behind the subject.
	Preheader string
	// Window and Compared are the labels of both weeks; Compared says why, where
	// nothing is compared.
	Window, Compared string
	Figures          []WeekRow
	// Orders says what the success rate is a share of.
	Orders string
	// Days and Against are the chart's; both are empty where no day is stored.
	Days, Against []DayPoint
	DaysCurrency  string
	// DaysWindow is the label of the days, which are never an answer for a week.
	DaysWindow, DaysNote string
	// Tables are placements, best earners, movers, gifts and, last, all time.
	Tables []WeekTable
	Todos  []Todo
	// MoreTodos are those that the mail leaves to the page.
	MoreTodos int
	// Complete: every day of the week is stored, or none can come.
	Complete bool
	// Missing says what is not in this mail, and why; Revised what changed.
	Missing, Revised []string
	// Open is what the link to the page with the same numbers says.
	Open string
}

// WeekTable is one part of a week. It is left out where it has no rows.
type WeekTable struct {
	Title, Note string
	// Window is the label of all numbers in it.
	Window string
	Rows   []WeekRow
	// Apart: these numbers are of no week.
	Apart bool
}

// WeekRow is a number with what it is of. More stands in place of a change.
type WeekRow struct {
	Placement          Placement
	Name, Value, Under string
	// Href is the page about it, as a path; empty where there is none.
	Href  string
	Delta Delta
	More  string
	// Quiet: Value is a word and no number.
	Quiet bool
}

// Change is what stands behind the value: how it changed, or what else is known.
func (r WeekRow) Change() string {
	if r.More != "" {
		return r.More
	}
	return r.Delta.String()
}

const (
	weekEarners = 3
	weekMovers  = 3
	weekTodos   = 4
	// weekName is how many characters of a name stand in a mail.
	weekName = 80
)

// NewWeek makes what is said of the overview of a week; before is the ranking of
// the week before.
func NewWeek(o Overview, before TopOffers) Week {
	w := Week{Store: o.Store, Choice: o.Choice, Open: "Open the overview"}
	w.Store.Name = oneLine(o.Store.Name, weekName)
	_, w.Number = o.Choice.Window.Start.AddDays(3).In(o.Now.Location()).ISOWeek()
	w.Headline = weekHeadline(o)
	w.Subject = w.Store.Name + ": " + weekSubject(o)
	s := o.Summary
	if s.Empty == nil {
		w.Window = WindowLabel(s.Provenance)
		w.figures(s)
	} else {
		w.Window = o.Choice.Window.Label() + " · " + ClockWords(o.Store.Timezone)
		w.miss("Upsells of the week", s.Empty)
	}
	switch c := s.Comparable(); {
	case c != nil:
		w.Compared = "compared with " + WindowLabel(c.Provenance)
	case s.Empty == nil:
		w.Compared = "not compared: " + notCompared(o)
	}
	w.Preheader = w.Window
	if len(w.Figures) > 0 {
		w.Preheader = w.Figures[1].Value + " upsold orders, success rate " + w.Figures[2].Value + ". " + w.Window
	}
	w.days(o)
	w.Complete = !o.Connected || len(w.Days) > 0 && !slices.ContainsFunc(w.Days, func(d DayPoint) bool { return !d.Stored || d.Partial })
	w.placements(o.Placements)
	w.offers(o.Top, before)
	w.gifts(o)
	w.allTime(o.Lifetime)
	if noOffersExist(o) && s.Empty == nil {
		w.Todos = append(w.Todos, Todo{Kind: "info", Title: "Make the first offer", Text: Plural(s.TotalOrders, "order", "orders") + " passed without an upsell."})
	}
	w.todos(o.Todos)
	if s.Empty == nil && o.Coverage.Empty != nil {
		w.miss("Which placements are live", o.Coverage.Empty)
	}
	w.revised(o)
	for _, t := range o.Troubles {
		w.Missing = append(w.Missing, sentence(t.Title)+" "+t.Text)
	}
	return w
}

// Comparable is the comparison window's summary, if the numbers may be compared.
func (s Summary) Comparable() *Summary {
	if s.Empty != nil || s.Previous == nil || !s.Previous.Provenance.Comparable() || !s.Provenance.Comparable() || s.Previous.Currency != s.Currency {
		return nil
	}
	return s.Previous
}

func (w *Week) figures(s Summary) {
	var before Summary
	var orders *int64
	var value *decimal.Decimal
	if c := s.Comparable(); c != nil {
		before, orders, value = *c, &c.TotalUpsoldOrders, &c.TotalUpsoldValue
	}
	w.Figures = []WeekRow{
		{Name: "Upsold value", Value: Money(s.TotalUpsoldValue, s.Currency).String(), Delta: Change(&s.TotalUpsoldValue, value)},
		{Name: "Upsold orders", Value: Count(s.TotalUpsoldOrders), Delta: ChangeCount(&s.TotalUpsoldOrders, orders)},
		{Name: "Upsell success rate", Value: Share(s.UpsellSuccessRate).String(), Delta: ChangePoints(s.UpsellSuccessRate, before.UpsellSuccessRate)},
		{Name: "Average upsold value", Value: MoneyOrDash(s.AverageUpsoldValue, s.Currency).String(), Delta: Change(s.AverageUpsoldValue, before.AverageUpsoldValue)},
	}
	w.Orders = "Success rate: share of all " + Plural(s.TotalOrders, "order", "orders") + "."
	if s.OfferViews != nil {
		w.Orders += " Offers were seen " + Plural(*s.OfferViews, "time", "times") + "."
	} else {
		w.Missing = append(w.Missing, "Offer views of the week: not reported.")
	}
}

// miss says that a part is not there.
func (w *Week) miss(part string, e *Empty) {
	w.Missing = append(w.Missing, part+": "+strings.TrimSpace(lowerFirst(sentence(e.Title))+" "+sentence(e.Text)))
}

func (w *Week) days(o Overview) {
	t := o.Trend
	if t.Empty != nil {
		if o.Summary.Empty == nil {
			w.miss("The daily lines", t.Empty)
		}
		return
	}
	w.Days, w.DaysCurrency, w.DaysWindow = t.Days, t.Currency, WindowLabel(t.Provenance)
	gaps := t.Provenance.Missing
	if len(gaps) > 0 {
		text := DayList(gaps) + isOrAre(len(gaps)) + " missing from the daily lines."
		if o.Summary.Empty == nil && len(o.Summary.Provenance.Missing) == 0 {
			text += " The total of the week is as reported and includes " + itOrThem(len(gaps)) + "."
		} else {
			text += " The true total is higher by what was sold then."
		}
		w.Missing = append(w.Missing, text)
	}
	if w.Against = t.Against; len(w.Against) == 0 {
		return
	}
	w.DaysNote = "line: same weekday, week before"
	var before []civil.Date
	for _, d := range w.Against {
		if !d.Stored {
			before = append(before, d.Day)
		}
	}
	if len(before) > 0 {
		w.DaysNote += "; " + DayList(before) + isOrAre(len(before)) + " missing"
		w.Missing = append(w.Missing, DayList(before)+" of the week before"+isOrAre(len(before))+" missing from the daily lines.")
	}
}

// placements stand side by side: nothing is added across them (N14).
func (w *Week) placements(s PlacementStats) {
	if s.Empty != nil {
		if len(w.Figures) > 0 {
			e := s.Empty
			if e.Cause == CauseNotKept { // the days are there, the placements of them are not
				e = &Empty{Title: "no answer of this week is stored"}
			}
			w.miss("Placements", e)
		}
		return
	}
	t := WeekTable{Title: "Placements", Note: "side by side, never summed", Window: WindowLabel(s.Provenance)}
	comparable := s.Compared != nil && s.Compared.Comparable() && s.Provenance.Comparable()
	for _, r := range s.Rows {
		row := WeekRow{Placement: r.Placement, Name: oneLine(string(r.Placement), weekName)}
		row.Under = Plural(r.Impressions, "impression", "impressions") + " · " + Plural(r.Claims, "claim", "claims")
		state := ""
		if r.Cover != nil {
			switch r.Cover.State {
			case SwitchedOff:
				state = "switched off"
			case NeverCreated:
				state = "never created"
			}
		}
		switch {
		case r.Absent:
			row.Value, row.Quiet, row.Under, row.More = "no row sent", true, "", "–"
		case r.Revenue == nil:
			row.Value, row.Quiet = "revenue not reported", true
			row.Under = Plural(r.Impressions, "impression", "impressions")
			row.More = Plural(r.Claims, "claim", "claims")
		default:
			row.Value = Money(*r.Revenue, s.Currency).String()
			var before *decimal.Decimal
			if comparable && r.Previous != nil {
				before = r.Previous.Revenue
			}
			row.Delta = Change(r.Revenue, before)
		}
		if state != "" && (r.Revenue == nil || r.Revenue.IsZero()) {
			row.More = state
			if !r.Absent {
				row.Under = Plural(r.Impressions, "impression", "impressions") + " · " + Plural(r.Claims, "claim", "claims")
			}
		}
		t.Rows = append(t.Rows, row)
	}
	w.Tables = append(w.Tables, t)
	if gaps := s.Provenance.Missing; len(gaps) > 0 {
		w.Missing = append(w.Missing, "Placements: "+DayList(gaps)+isOrAre(len(gaps))+" not in their sums.")
	}
}

// offers are the best earners of the week, and those whose earnings moved most.
func (w *Week) offers(now, before TopOffers) {
	if now.Empty != nil {
		if len(w.Figures) > 0 && now.Empty.Cause != CauseNoOffers && now.Empty.Cause != CauseNothing {
			w.miss("The ranking of offers", &Empty{Title: now.Empty.Title, Text: "The service ranks one window at a time, and a ranking can’t be added up from days."})
		}
		return
	}
	label := WindowLabel(now.Provenance)
	best := WeekTable{Title: "Best earners", Window: label}
	if n := now.Earned; n != nil {
		best.Note = Plural(int64(*n), "offer", "offers") + " earned"
	}
	for i, r := range now.Highest {
		if i == weekEarners {
			break
		}
		row := WeekRow{Name: oneLine(r.Name, weekName), Value: MoneyOrDash(r.Revenue, now.Currency).String(), Under: oneLine(string(r.Placement), weekName), More: "–"}
		if r.Deleted {
			row.Under += " · deleted"
		}
		if r.Claims != nil {
			row.More = Plural(*r.Claims, "claim", "claims")
		}
		best.Rows = append(best.Rows, row)
	}
	w.Tables = append(w.Tables, best)
	moved, ok := movers(now, before)
	switch {
	case !ok:
		w.Missing = append(w.Missing, "Offers that moved most: the ranking of the week before is not kept.")
	case len(moved) > 0:
		w.Tables = append(w.Tables, WeekTable{Title: "Moved most", Note: "against the week before", Window: label, Rows: moved})
	}
}

// movers are the offers whose earnings changed most. An offer that a ranking lacks
// earned nothing where the ranking is whole, and is unknown where it is cut (N16).
func movers(now, before TopOffers) ([]WeekRow, bool) {
	if before.Empty != nil && before.Empty.Cause != CauseNothing || before.Empty == nil && before.Currency != now.Currency ||
		now.Provenance.Has(FlagPartial) || before.Provenance.Has(FlagPartial) || before.Provenance.Window == nil {
		return nil, false
	}
	type move struct {
		TopRow
		was, is, by decimal.Decimal
	}
	whole := func(t TopOffers) bool { return t.Earned != nil || t.Empty != nil }
	index := func(t TopOffers) map[string]TopRow {
		out := map[string]TopRow{}
		for _, r := range slices.Concat(t.Highest, t.Lowest) {
			if r.Revenue != nil {
				out[r.OfferID] = r
			}
		}
		return out
	}
	is, was := index(now), index(before)
	var moves []move
	add := func(r TopRow, was, is decimal.Decimal) {
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
	var rows []WeekRow
	for _, m := range moves[:min(len(moves), weekMovers)] {
		rows = append(rows, WeekRow{
			Name: oneLine(m.Name, weekName), Value: Money(m.is, now.Currency).String(),
			Under: "was " + Money(m.was, now.Currency).String(), Delta: Change(&m.is, &m.was),
		})
	}
	return rows, true
}

// gifts are never added to upsells (N3).
func (w *Week) gifts(o Overview) {
	g := o.Gift
	switch {
	case g.Empty != nil && o.GiftLinked:
		w.miss("Gift figures of the week", g.Empty)
		return
	case g.Empty != nil:
		return
	}
	t := WeekTable{Title: "Free gifts", Note: "never added to upsells", Window: WindowLabel(g.Provenance)}
	row := func(name string, m GiftMetric, higher bool, write func(decimal.Decimal) string) {
		r := WeekRow{Name: name}
		switch {
		case m.Withheld:
			r.Value, r.Quiet, r.More = "unit not known, so not shown", true, "–"
		case m.Reason != "":
			w.Missing = append(w.Missing, name+": "+lowerFirst(m.Reason))
			return
		case m.Value == nil:
			r.Value, r.Quiet, r.More = "not reported", true, "–"
		default:
			r.Value = write(*m.Value)
			if r.Delta = (Delta{NotCompared, "", "not compared"}); g.Compared {
				r.Delta = ReportedChange(m.ChangePercent, higher)
			}
		}
		t.Rows = append(t.Rows, r)
	}
	money := func(v decimal.Decimal) string { return Money(v, g.Currency).String() }
	row("Gift orders", g.Orders, false, Decimal)
	row("Gift revenue", g.Revenue, false, money)
	row("Gift conversion", g.ConversionRate, true, func(v decimal.Decimal) string { return Percent(&v).String() })
	row("Order value with a gift", g.AOVByFG, false, money)
	row("Order value, all orders", g.AOVStore, false, money)
	w.Tables = append(w.Tables, t)
	if gaps := g.Provenance.Missing; len(gaps) > 0 {
		w.Missing = append(w.Missing, "Free gifts: "+DayList(gaps)+isOrAre(len(gaps))+" not in their sums.")
	}
}

// allTime has no window and stands apart (N21).
func (w *Week) allTime(l Lifetime) {
	if l.Empty != nil {
		if len(w.Figures) > 0 {
			w.miss("All time", l.Empty)
		}
		return
	}
	w.Tables = append(w.Tables, WeekTable{
		Title: "All time", Note: "not of this week", Apart: true, Window: WindowLabel(l.Provenance) + " · " + DayYear(civil.DateOf(l.Provenance.FetchedAt.UTC())),
		Rows: []WeekRow{
			{Name: "Upsold value", Value: Money(l.TotalRevenue, l.Currency).String(), More: Plural(l.UpsoldOrders, "order", "orders")},
			{Name: "Offer views", Value: Count(l.OfferViews), Under: "impressions, all four placements"},
		},
	})
}

// todos leaves out what the mail says elsewhere.
func (w *Week) todos(all []Todo) {
	for _, t := range all {
		switch {
		case t.Kind == "missing":
		case len(w.Todos) == weekTodos:
			w.MoreTodos++
		default:
			t.Title, t.Text = oneLine(t.Title, 2*weekName), oneLine(strings.Replace(t.Text, "ranking below", "ranking", 1), 4*weekName)
			w.Todos = append(w.Todos, t)
		}
	}
}

func (w *Week) revised(o Overview) {
	for _, part := range []struct {
		days []DayPoint
		of   string
	}{{o.Trend.Days, "this week"}, {o.Trend.Against, "the week before"}} {
		var days []civil.Date
		for _, d := range part.days {
			if d.Revised {
				days = append(days, d.Day)
			}
		}
		if len(days) > 0 {
			w.Revised = append(w.Revised, DayList(days)+" of "+part.of+" changed after the first pull; the numbers here are the newest.")
		}
	}
}
