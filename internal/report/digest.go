package report

import (
	"cmp"
	"fmt"
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
func NewDigest(p Portfolio) Week {
	w := Week{Choice: p.Query.Window(p.Now), Open: "Open the stores"}
	_, w.Number = w.Choice.Window.Start.AddDays(3).In(p.Now.Location()).ISOWeek()
	d := digest{Week: &w, window: Window{p.Query.Start, p.Query.End}}
	d.days = WeekChoice(d.window.Start, d.Choice.Today).Query().Encode()
	for _, s := range p.Sections {
		d.rows = append(d.rows, s.Rows...)
	}
	d.count()
	w.Store.Name = Plural(int64(len(d.rows)), "store", "stores")
	w.Headline = d.headline()
	w.Subject = w.Store.Name + ": " + d.subject()
	w.Window = d.window.Label() + " · 7 days · each store on its own clock" + d.basis()
	w.Compared = "compared with " + d.window.Previous().Label() + " · 7 days"
	if len(d.rows) > 0 {
		w.Figures = []WeekRow{
			{Name: "Stores", Value: Count(int64(len(d.rows)))},
			{Name: "Earned more", Value: Count(int64(d.more)), More: d.ofCompared()},
			{Name: "Earned less", Value: Count(int64(d.less)), More: d.ofCompared()},
			{Name: "Need a person", Value: Count(int64(d.person)), More: "of " + Plural(int64(len(d.rows)), "store", "stores")},
		}
	}
	d.movers("Grew most", Up)
	d.movers("Fell most", Down)
	w.Preheader = d.preheader()
	d.stores()
	// A store that needs a person, or is late for long, keeps no other waiting.
	w.Complete = !slices.ContainsFunc(d.rows, func(r PortfolioRow) bool {
		return r.Health.Group == HealthWorking && r.Summary.Empty == nil && !r.Summary.Provenance.Comparable()
	})
	d.todos()
	d.missing()
	w.Complete = !slices.ContainsFunc(d.rows, d.awaited)
	return w
}

// digest is one in the making.
type digest struct {
	*Week
	window Window
	// days are the week as a page's parameters.
	days string
	rows []PortfolioRow
	// compared are those whose two weeks are whole; more, less and level of them changed so.
	compared, more, less, level int
	// person counts the stores that need one.
	person int
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
		default:
			d.level++
		}
	}
}

func (d *digest) headline() string {
	var text string
	switch {
	case len(d.rows) == 0:
		return "No store is open to you."
	case d.compared == 0:
		text = "No store can be compared with the week before yet"
	case len(d.rows) == 1 && d.more == 1:
		text = "Your store earned more than the week before"
	case len(d.rows) == 1 && d.less == 1:
		text = "Your store earned less than the week before"
	case len(d.rows) == 1:
		text = "Your store earned as much as the week before"
	default:
		text = fmt.Sprintf("%d of %d stores earned more than the week before", d.more, d.compared)
	}
	if d.person > 0 {
		text += "; " + Plural(int64(d.person), "store needs", "stores need") + " a person"
	}
	return text + "."
}

func (d *digest) subject() string {
	if d.compared == 0 {
		return d.window.Short()
	}
	return fmt.Sprintf("%d earned more, %d less, %s", d.more, d.less, d.window.Short())
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

func (d *digest) ofCompared() string {
	return "of " + Count(int64(d.compared)) + " compared"
}

// basis says how many of the shown numbers are answers, and how many sums of days.
func (d *digest) basis() string {
	var reported, stitched int
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
		return " · as reported"
	case reported == 0:
		return " · stitched"
	}
	return fmt.Sprintf(" · %d as reported, %d stitched", reported, stitched)
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
	t := WeekTable{Title: title, Note: "upsold value", Window: d.Week.Window}
	for _, r := range moved[:min(len(moved), digestMovers)] {
		row := d.row(r)
		row.Under = "was " + Money(r.Summary.Previous.TotalUpsoldValue, r.Summary.Currency).String()
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) > 0 {
		d.Tables = append(d.Tables, t)
	}
}

// stores are all of them, or the first by name.
func (d *digest) stores() {
	t := WeekTable{Title: "All stores", Note: "side by side, never summed", Window: d.Week.Window}
	for _, r := range d.rows[:min(len(d.rows), digestRows)] {
		t.Rows = append(t.Rows, d.row(r))
	}
	if more := len(d.rows) - len(t.Rows); more > 0 {
		t.Note = fmt.Sprintf("the first %d by name; %s more on the page", len(t.Rows), Count(int64(more)))
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
		row.Value, row.Quiet, row.Under, row.More = "no numbers", true, oneLine(s.Empty.Title, weekName), "–"
		return row
	}
	row.Value = Money(s.TotalUpsoldValue, s.Currency).String()
	row.Under = Plural(s.TotalUpsoldOrders, "upsold order", "upsold orders") + " · " + Share(s.UpsellSuccessRate).String() + " of " + Count(s.TotalOrders)
	if n := len(s.Provenance.Missing); n > 0 {
		row.Under += " · " + DaysWord(n) + " missing"
	}
	if r.Stale {
		row.Under += " · last good numbers"
	}
	if row.Delta = r.Delta; r.Uncompared != "" {
		row.More = "not compared"
	}
	return row
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
			Kind: "error", Title: oneLine(r.Store.Name, weekName), Text: sentence(r.Health.Words),
			Action: "Open the store", Href: "/stores/" + url.PathEscape(r.Store.Slug),
		})
	}
}

// missing says which stores are not as whole as the others.
func (d *digest) missing() {
	for _, r := range d.rows {
		switch name := oneLine(r.Store.Name, weekName); {
		case len(d.Missing) == 2*weekTodos:
			d.Missing = append(d.Missing, "More stores are not whole; the page names them.")
			return
		case r.Summary.Empty != nil && r.Summary.Empty.Cause != CauseNoOffers:
			d.Missing = append(d.Missing, name+": "+lowerFirst(sentence(r.Summary.Empty.Title)))
		case len(r.Summary.Provenance.Missing) > 0:
			gaps := r.Summary.Provenance.Missing
			d.Missing = append(d.Missing, name+": "+DayList(gaps)+isOrAre(len(gaps))+" missing; its value is higher by what was sold then.")
		case r.Summary.Empty == nil && r.Uncompared != "":
			d.Missing = append(d.Missing, name+" is not compared: "+r.Uncompared+".")
		}
	}
}
