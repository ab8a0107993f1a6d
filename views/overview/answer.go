package overview

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
	"github.com/storeglass/storeglass/views/offers"
)

// verdict is the page's first sentence, with the change separate, so that only it is colored.
func (p Page) verdict() (before, change, after string) {
	v := p.Answer.Verdict
	said := numbers.ReplaceAllString(v.What.In(p.Locale), "$1\u00a0$2")
	if v.Change.ID == "" {
		return said, "", ""
	}
	change = numbers.ReplaceAllString(v.Change.In(p.Locale), "$1\u00a0$2")
	before, after, _ = strings.Cut(said, change)
	return before, change, after
}

// numbers are followed by a word that stays on their line, as in "30 days": the sentence is large.
var numbers = regexp.MustCompile(`(\d) (\pL)`)

// led reports whether the verdict is the page's title. Readers of a share link have the
// store's name there: nothing else on their page says it.
func (p Page) led() bool {
	return p.Shared == nil && p.Answer.Verdict.What.ID != "" && !p.noOffers() && !p.nothingYet()
}

// title is the page's title if the verdict isn't.
func (p Page) title() string {
	if p.led() {
		return ""
	}
	return p.Overview.Store.Name
}

// act is the to-do about the placement whose offer's end is the reason for the change; nil if
// there is none.
func (p Page) act() *report.Todo {
	e := p.Answer.Explains
	if p.Shared != nil || e == nil || e.Event.Start || e.Event.Gift {
		return nil
	}
	for i, t := range p.Overview.Todos {
		if t.Placement == e.Event.Placement && t.Href != "" {
			return &p.Overview.Todos[i]
		}
	}
	return nil
}

// explained reports whether anything is known about the reasons for the change.
func (p Page) explained() bool { return p.divided() || p.moved() }

// divided: the change is divided into parts. A change that can't be divided has no parts.
func (p Page) divided() bool {
	d := p.Answer.Drivers
	return d.Reason == answers.Divided && !d.Change.IsZero()
}

func (p Page) moved() bool { return len(p.Answer.Movers.Offers)+len(p.Answer.Movers.Placements) > 0 }

// seeWhy leads to what explains the change; without its parts, that only says what moved.
func (p Page) seeWhy() string {
	if p.divided() {
		return p.T("overview.see_why")
	}
	return p.T("overview.see_what")
}

func (p Page) whyTitle() string {
	if p.divided() {
		return p.T("overview.why.title")
	}
	return p.T("overview.why.what")
}

// moveList are offers or placements, the largest change first.
type moveList struct {
	title string
	rows  []move
}

// move is one offer or placement that earned more or less.
type move struct {
	placement   report.Placement
	name, href  string
	mark, event string
	change      decimal.Decimal
	// money is the change as an amount, share as a percentage; words if there is none.
	money, share string
}

// moves are the lists that have rows.
func (p Page) moves() (lists []moveList) {
	m := p.Answer.Movers
	list := moveList{title: p.T("tab.offers")}
	for _, o := range m.Offers {
		row := p.move(o.Move, m.Currency)
		row.event = p.eventOf(o.Event, false)
		row.placement, row.name = o.Placement, components.Named(p.Locale, o.Name)
		if home := p.OffersHome(); home != "" && !o.Deleted {
			row.href = offers.Href(home, o.OfferID)
		}
		list.rows = append(list.rows, row)
	}
	placements := moveList{title: p.T("tab.placements")}
	for _, each := range m.Placements {
		row := p.move(each.Move, m.Currency)
		row.event = p.eventOf(each.Event, true)
		row.placement, row.name = each.Placement, each.Placement.Name().In(p.Locale)
		if each.Change() == nil {
			row.money = p.T("offers.not_reported")
			row.share = p.T("figure.claims", "n", each.ClaimsAfter)
		}
		placements.rows = append(placements.rows, row)
	}
	for _, l := range []moveList{list, placements} {
		if len(l.rows) > 0 {
			lists = append(lists, l)
		}
	}
	return lists
}

// eventOf says what happened to an offer, with its name if it isn't the row's own.
func (p Page) eventOf(e *report.Event, named bool) string {
	if e == nil {
		return p.T("overview.moved.no_event")
	}
	day, name := p.Locale.DayNear(e.Day, p.Overview.Choice.Window.End), locale.Name(components.Named(p.Locale, e.Name))
	switch {
	case named && e.Start:
		return p.T("overview.moved.offer_started", "name", name, "day", day)
	case named:
		return p.T("overview.moved.offer_ended", "name", name, "day", day)
	case e.Start:
		return p.T("overview.moved.started", "day", day)
	}
	return p.T("overview.moved.ended", "day", day)
}

func (p Page) move(m answers.Move, currency string) move {
	row := move{}
	switch {
	case m.Event == nil:
	case m.Event.Start:
		row.mark = "m-start"
	default:
		row.mark = "m-end"
	}
	if change := m.Change(); change != nil {
		row.change, row.money = *change, p.Locale.SignedMoney(*change, currency)
		row.share = p.Locale.Change(m.After, m.Before).String()
		if m.Before.IsZero() {
			row.share = p.T("overview.moved.from_nothing")
		}
	}
	return row
}

// driver is one line of what the change is made of.
type driver struct {
	label, was, is string
	part           decimal.Decimal
	money          string
	// total: the line is the change itself.
	total bool
	bar   templ.Component
}

// drivers are the three parts of the change, and the total change, on the scale of the largest.
func (p Page) drivers() []driver {
	d := p.Answer.Drivers
	money := func(v decimal.Decimal) string { return p.Locale.Money(v, d.Currency).String() }
	signed := func(v decimal.Decimal) string { return p.Locale.SignedMoney(v, d.Currency) }
	rate, rateWas, points := p.Locale.CompareShares(&d.Rate.After, &d.Rate.Before)
	percent := func(v decimal.Decimal) string {
		if v.Equal(d.Rate.Before) {
			return rateWas.String()
		}
		return rate.String()
	}
	count := func(v decimal.Decimal) string { return p.Locale.Count(v.IntPart()) }
	counted := func(v decimal.Decimal) string { return chart.SignedCount(p.Locale, v) }
	most := decimal.Max(d.Orders.Part.Abs(), d.Rate.Part.Abs(), d.Value.Part.Abs(), d.Change.Abs())
	var out []driver
	line := func(label string, of answers.Driver, words, difference func(decimal.Decimal) string) {
		row := driver{label: label, was: words(of.Before), is: words(of.After), part: of.Part, money: signed(of.Part), total: len(out) == 3}
		row.bar = p.driverBar("driver-"+strconv.Itoa(len(out)), row, most, of, words, difference)
		out = append(out, row)
	}
	line(p.T("overview.why.orders"), d.Orders, count, counted)
	line(p.T("figure.success_rate"), d.Rate, percent, func(decimal.Decimal) string { return points.String() })
	digits := locale.Digits(d.Currency) // so that what is shown differs by the difference that is shown
	line(p.T("figure.average_value"), answers.Driver{Before: d.Value.Before.Round(digits), After: d.Value.After.Round(digits), Part: d.Value.Part}, money, signed)
	line(p.T("figure.upsold_value"), answers.Driver{Before: d.Before, After: d.After, Part: d.Change}, money, signed)
	return out
}

// driverBar draws a part; its tooltip gives the factor in both windows.
func (p Page) driverBar(id string, row driver, most decimal.Decimal, of answers.Driver, words, difference func(decimal.Decimal) string) templ.Component {
	l, now := p.Locale, p.Overview.Summary.Provenance.Window
	was := p.Overview.Summary.Previous.Provenance.Window
	view := chart.View{Key: "part", Across: true, Hollow: row.total, Max: most, Tip: func(int) chart.Tip {
		tip := chart.Tip{Title: row.label, Rows: append([]chart.TipRow{{Tone: chart.TipNow, Name: l.DatesNear(now.Start, now.End, now.End), Value: row.is}},
			chart.CompareTip(l, l.DatesNear(was.Start, was.End, now.End), &of.After, &of.Before, words, difference)...)}
		if !row.total {
			tip.Rows = append(tip.Rows, chart.TipRow{Name: p.T("overview.why.effect"), Value: row.money})
		}
		return tip
	}}
	view.Bar(row.label, &of.Part, true)
	return chart.Chart{ID: id, Label: row.label + ": " + row.money, Views: []chart.View{view}, Class: "thin"}.Component()
}

// tone says whether a change is good or bad, for color next to its sign.
func tone(d decimal.Decimal) string {
	switch {
	case d.IsPositive():
		return "good"
	case d.IsNegative():
		return "bad"
	}
	return "none"
}

// verdictTone is the same for the verdict.
func verdictTone(d locale.Direction) string {
	switch d {
	case locale.Up:
		return "good"
	case locale.Down:
		return "bad"
	}
	return "none"
}

// verdictArrow is the verdict's arrow.
func verdictArrow(d locale.Direction) string {
	if d == locale.Up {
		return "i-up"
	}
	return "i-down"
}
