package report

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/golang-sql/civil"
)

const (
	// digestRows are the stores that a digest lists; the others are on the page. A mail
	// that is larger than 102 kB is cut by its readers.
	digestRows = 40
	// digestMovers are the stores that grew or fell most. One that sold less than
	// digestFloor orders in both weeks is left out: there anything is a large change.
	digestMovers = 3
	digestFloor  = 10
)

// DigestQuery asks the list of stores for what a digest of that week says.
func DigestQuery(first civil.Date) PortfolioQuery {
	return PortfolioQuery{
		Preset: Custom, Start: first, End: first.AddDays(6), Comparison: ComparePrevious,
		By: ByNothing, Sort: StoresByName, Page: 1, All: true,
	}
}

// NewDigest makes what a weekly mail says of all stores of a reader: the list that
// [DigestQuery] asks for. Stores are counted and set side by side; none of their
// numbers are added up.
func NewDigest(t Tongue, p Portfolio) Week {
	say := t.Words()
	w := Week{Tongue: t, Choice: p.Query.Window(p.Now), Open: say.OpenStores()}
	_, w.Number = w.Choice.Window.Start.AddDays(3).In(p.Now.Location()).ISOWeek()
	d := digest{Week: &w, say: say, window: Window{p.Query.Start, p.Query.End}}
	d.days = WeekChoice(d.window.Start, d.Choice.Today).Query().Encode()
	for _, s := range p.Sections {
		d.rows = append(d.rows, s.Rows...)
	}
	d.count()
	stores := int64(len(d.rows))
	w.Store.Name = say.Stores(stores)
	w.Headline = d.headline()
	w.Subject = w.Store.Name + say.Colon() + t.DatesShort(d.window)
	if d.compared > 0 {
		w.Subject = w.Store.Name + say.Colon() + say.DigestSubject(d.more, d.less, t.DatesShort(d.window))
	}
	w.Window = t.Dates(d.window) + " · " + say.Days(7) + " · " + say.OwnClocks() + d.basis()
	w.Compared = say.ComparedWith(t.Dates(d.window.Previous()) + " · " + say.Days(7))
	if stores > 0 {
		w.Figures = []WeekRow{
			{Name: say.AllStores(), Value: t.Count(stores)},
			{Name: say.EarnedMore(), Value: t.Count(d.more), More: say.OfCompared(d.compared)},
			{Name: say.EarnedLess(), Value: t.Count(d.less), More: say.OfCompared(d.compared)},
			{Name: say.NeedPerson(), Value: t.Count(d.person), More: say.OfStores(stores)},
		}
	}
	d.movers(say.GrewMost(), Up)
	d.movers(say.FellMost(), Down)
	w.Preheader = d.preheader()
	d.stores()
	d.todos()
	d.missing()
	w.Complete = !slices.ContainsFunc(d.rows, d.awaited)
	return w
}

// digest is one in the making.
type digest struct {
	*Week
	say    Words
	window Window
	// days are the week as a page's parameters.
	days string
	rows []PortfolioRow
	// compared are those whose two weeks are whole; more, less and level of them changed so.
	compared, more, less int64
	// person counts the stores that need one.
	person int64
}

// awaited reports whether days of the week may still come: they don't where nothing is
// pulled, or not before a person has done something.
func (d *digest) awaited(r PortfolioRow) bool {
	p := r.Summary.Provenance
	return r.Summary.Empty == nil && !r.Stale && r.Health.Group != HealthPaused && r.Health.Group != HealthPerson &&
		(p.Window == nil || *p.Window != d.window || len(p.Missing) > 0)
}

func (d *digest) count() {
	for _, r := range d.rows {
		if r.Health.Group == HealthPerson {
			d.person++
		}
		if r.Summary.Empty != nil || r.Uncompared != "" {
			continue
		}
		d.compared++
		switch now, before := r.Summary.TotalUpsoldValue, r.Summary.Previous.TotalUpsoldValue; now.Cmp(before) {
		case 1:
			d.more++
		case -1:
			d.less++
		}
	}
}

func (d *digest) headline() string {
	var text string
	switch {
	case len(d.rows) == 0:
		return d.say.NoStoreOpen()
	case d.compared == 0:
		text = d.say.NoneComparable()
	case len(d.rows) == 1 && d.more == 1:
		text = d.say.YourStore(Up)
	case len(d.rows) == 1 && d.less == 1:
		text = d.say.YourStore(Down)
	case len(d.rows) == 1:
		text = d.say.YourStore(Level)
	default:
		text = d.say.StoresEarnedMore(d.more, d.compared)
	}
	if d.person > 0 {
		text += d.say.AndNeedPerson(d.person)
	}
	return text + "."
}

// preheader names the stores that moved most.
func (d *digest) preheader() string {
	var moved []string
	for _, t := range d.Tables {
		moved = append(moved, t.Rows[0].Name+" "+t.Rows[0].Change())
	}
	if len(moved) == 0 {
		return d.Week.Window
	}
	return strings.Join(moved, ", ") + ". " + d.Week.Window
}

// basis says how many of the shown numbers are answers, and how many sums of days.
func (d *digest) basis() string {
	var reported, stitched int64
	for _, r := range d.rows {
		switch {
		case r.Summary.Empty != nil:
		case r.Summary.Provenance.Basis == Reported:
			reported++
		default:
			stitched++
		}
	}
	switch {
	case reported == 0 && stitched == 0:
		return ""
	case stitched == 0:
		return " · " + d.say.Basis(Reported)
	case reported == 0:
		return " · " + d.say.Basis(Stitched)
	}
	return " · " + d.say.ReportedAndStitched(reported, stitched)
}

// movers are the stores whose upsold value changed most, as a share of what it was.
func (d *digest) movers(title string, direction Direction) {
	var moved []PortfolioRow
	for _, r := range d.rows {
		if r.Summary.Empty != nil || r.Delta.Direction != direction || r.growth() == nil {
			continue
		}
		if r.Summary.TotalUpsoldOrders >= digestFloor || r.Summary.Previous.TotalUpsoldOrders >= digestFloor {
			moved = append(moved, r)
		}
	}
	slices.SortFunc(moved, func(a, b PortfolioRow) int {
		return cmp.Or(b.growth().Abs().Cmp(a.growth().Abs()), strings.Compare(a.Store.Slug, b.Store.Slug))
	})
	t := WeekTable{Title: title, Note: d.say.UpsoldValue(), Window: d.Week.Window}
	for _, r := range moved[:min(len(moved), digestMovers)] {
		row := d.row(r)
		row.Under = d.say.Was(d.Tongue.Money(r.Summary.Previous.TotalUpsoldValue, r.Summary.Currency).String())
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) > 0 {
		d.Tables = append(d.Tables, t)
	}
}

// stores are all of them, or the first by name.
func (d *digest) stores() {
	t := WeekTable{Title: d.say.AllStores(), Note: d.say.SideBySide(), Window: d.Week.Window}
	for _, r := range d.rows[:min(len(d.rows), digestRows)] {
		t.Rows = append(t.Rows, d.row(r))
	}
	if more := len(d.rows) - len(t.Rows); more > 0 {
		t.Note = d.say.FirstByName(int64(len(t.Rows)), int64(more))
	}
	if len(t.Rows) > 0 {
		d.Tables = append(d.Tables, t)
	}
}

// row is one store with its own value.
func (d *digest) row(r PortfolioRow) WeekRow {
	row := WeekRow{Name: oneLine(r.Store.Name, weekName), Href: "/stores/" + url.PathEscape(r.Store.Slug) + "?" + d.days}
	s := r.Summary
	if s.Empty != nil {
		row.Value, row.Quiet, row.More = d.say.NoNumbers(), true, "–"
		return row
	}
	row.Value = d.Tongue.Money(s.TotalUpsoldValue, s.Currency).String()
	row.Under = d.say.UpsoldOf(s.TotalUpsoldOrders, d.Tongue.Share(s.UpsellSuccessRate).String(), s.TotalOrders)
	if n := len(s.Provenance.Missing); n > 0 {
		row.Under += " · " + d.say.DaysOf(d.window.Days()-n, d.window.Days())
	}
	if r.Stale {
		row.Under += " · " + d.say.LastGood()
	}
	if row.Delta = d.change(r); r.Uncompared != "" {
		row.More = d.say.NotCompared()
	}
	return row
}

// change is the row's, in the digest's language.
func (d *digest) change(r PortfolioRow) Delta {
	if r.Uncompared != "" || r.Summary.Previous == nil {
		return r.Delta
	}
	return d.Tongue.Change(&r.Summary.TotalUpsoldValue, &r.Summary.Previous.TotalUpsoldValue)
}

// todos are the stores that need a person.
func (d *digest) todos() {
	for _, r := range d.rows {
		if r.Health.Group != HealthPerson {
			continue
		}
		if len(d.Todos) == weekTodos {
			d.MoreTodos++
			continue
		}
		d.Todos = append(d.Todos, Todo{
			Kind: "error", Title: oneLine(r.Store.Name, weekName), Text: sentence(r.Health.In(d.Tongue)),
			Action: d.say.OpenStore(), Href: "/stores/" + url.PathEscape(r.Store.Slug),
		})
	}
}

// missing says which stores are not as whole as the others.
func (d *digest) missing() {
	for _, r := range d.rows {
		name, gaps := oneLine(r.Store.Name, weekName), r.Summary.Provenance.Missing
		switch e := r.Summary.Empty; {
		case len(d.Missing) == 2*weekTodos:
			d.Missing = append(d.Missing, d.say.MoreNotWhole())
			return
		case e != nil && e.Cause != CauseNoOffers:
			d.Missing = append(d.Missing, d.say.StoreWithout(name, e.Cause))
		case len(gaps) > 0:
			d.Missing = append(d.Missing, d.say.StoreMissing(name, d.Tongue.DayList(gaps), len(gaps)))
		case e == nil && r.Uncompared != "":
			d.Missing = append(d.Missing, d.say.StoreNotCompared(name, r.uncompared()))
		}
	}
}

// uncompared sorts why a row of a whole week has no comparison.
func (r PortfolioRow) uncompared() uncompared {
	before := r.Summary.Previous
	switch {
	case r.Stale:
		return isLastGood
	case before == nil:
		return beforeNotStored
	case !before.Provenance.Comparable():
		return beforeNotWhole
	}
	return beforeOtherwise
}
