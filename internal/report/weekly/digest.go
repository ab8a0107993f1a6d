package weekly

import (
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/stores"
)

const (
	// digestRows is the most stores that a digest lists; the page has the rest. Mail clients cut off
	// mails over 102 kB.
	digestRows = 40
	// digestNotes is the most notes that it shows; the stores' pages have the rest.
	digestNotes = 12
)

// DigestQuery requests the list of stores with the numbers of that week's digest.
func DigestQuery(first civil.Date) portfolio.Query {
	return portfolio.Query{
		Preset: report.Custom, Start: first, End: first.AddDays(6), Comparison: report.ComparePrevious,
		By: portfolio.ByNothing, Sort: portfolio.StoresByName, Page: 1, All: true, Mailed: digestRows,
	}
}

// NewDigest builds the weekly mail about all of a reader's stores from the list that [DigestQuery]
// requests. It counts stores and lists them next to each other, but adds up none of their numbers. Each
// store includes the days that are over on its own clock. The mail waits for data until the given
// moment; a zero time means no limit.
func NewDigest(l locale.Locale, p portfolio.Portfolio, until time.Time) Week {
	w := Week{Locale: l, Choice: p.Choice(), Open: l.T("digest.open_stores")}
	_, w.Number = w.Choice.Window.Start.AddDays(3).In(p.Now.Location()).ISOWeek()
	d := digest{Week: &w, window: report.Window{Start: p.Query.Start, End: p.Query.End}}
	for _, s := range p.Sections {
		d.rows = append(d.rows, s.Rows...)
	}
	d.count()
	stores := int64(len(d.rows))
	w.Store.Name = l.T("digest.stores", "n", stores)
	w.Headline = d.headline()
	w.Window, w.Compared = d.label(d.rows), d.baseline(d.rows)
	dates := l.DatesShort(d.window.Start, d.window.End)
	switch days, shared := d.days(d.rows); {
	case !shared:
		dates = l.T("digest.week_of", "dates", dates)
	case days != nil:
		dates = l.DatesShort(days.Window.Start, days.Window.End)
	}
	w.Subject = w.Store.Name + l.T("unit.colon") + dates
	if d.compared > 0 {
		w.Subject = w.Store.Name + l.T("unit.colon") + l.T("digest.subject.more", "n", d.more) + ", " + l.T("digest.subject.less", "n", d.less) + ", " + dates
	}
	if stores > 0 {
		w.Figures = []Row{
			{Name: l.T("digest.all_stores"), Value: l.Count(stores)},
			{Name: l.T("digest.figure.more"), Value: l.Count(d.more), More: l.T("digest.of_compared", "n", d.compared)},
			{Name: l.T("digest.figure.less"), Value: l.Count(d.less), More: l.T("digest.of_compared", "n", d.compared)},
			{Name: l.T("digest.figure.need_attention"), Value: l.Count(d.person), More: l.T("digest.of_stores", "n", stores)},
		}
	}
	d.movers(l.T("digest.grew_most"), p.Grew)
	d.movers(l.T("digest.fell_most"), p.Fell)
	w.Preheader = d.preheader()
	d.stores()
	d.notes()
	d.todos()
	d.missing()
	w.Complete = !slices.ContainsFunc(d.rows, func(r portfolio.Row) bool { return d.awaited(r, until) })
	return w
}

// digest builds a digest.
type digest struct {
	*Week
	// window is the reader's week. The row's provenance says which of its days the row includes.
	window report.Window
	rows   []portfolio.Row
	// compared are the stores whose two windows are complete; more, less and level say how they
	// changed. weeks counts those with whole weeks.
	compared, more, less, weeks int64
	// person counts the stores that need attention, lacking those with missing days.
	person, lacking int64
}

func (d *digest) count() {
	for _, r := range d.rows {
		if r.Health.Group == stores.HealthPerson {
			d.person++
		}
		if r.Pulled && d.lacks(r) {
			d.lacking++
		}
		if !r.Compared() {
			continue
		}
		d.compared++
		if *r.Summary.Provenance.Window == d.window {
			d.weeks++
		}
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
	days := ".week"
	if d.weeks != d.compared { // part of a week is compared with the same number of days (N71)
		days = ".days"
	}
	switch {
	case len(d.rows) == 0:
		return d.T("digest.no_store")
	case d.compared == 0:
		text = d.T("digest.none_comparable")
	case len(d.rows) == 1 && d.more == 1:
		text = d.T("digest.your_store.up" + days)
	case len(d.rows) == 1 && d.less == 1:
		text = d.T("digest.your_store.down" + days)
	case len(d.rows) == 1:
		text = d.T("digest.your_store.level" + days)
	default:
		text = d.T("digest.earned_more"+days, "more", d.more, "n", d.compared)
	}
	if d.lacking > 0 {
		text += d.T("digest.and_missing_days", "n", d.lacking)
	}
	if d.person > 0 {
		text += d.T("digest.and_need_attention", "n", d.person)
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

// movers are the stores whose upsold value changed the most in percent, as on the list of stores.
func (d *digest) movers(title string, moved []portfolio.Mover) {
	rows := make([]portfolio.Row, len(moved))
	for i, m := range moved {
		rows[i] = *m.Row
	}
	d.table(title, d.T("figure.upsold_value"), rows, func(r portfolio.Row) []string {
		return []string{d.T("change.was", "amount", d.Money(r.Summary.Previous.TotalUpsoldValue, r.Summary.Currency).String())}
	})
}

// stores are all of them, or the first ones by name.
func (d *digest) stores() {
	rows, note := d.rows[:min(len(d.rows), digestRows)], d.T("weekly.side_by_side")
	if more := len(d.rows) - len(rows); more > 0 {
		note = d.T("digest.first_by_name", "n", int64(len(rows)), "more", int64(more))
	}
	d.table(d.T("digest.all_stores"), note, rows, func(r portfolio.Row) []string {
		s := r.Summary
		under := []string{d.T("digest.upsold_of", "n", s.TotalUpsoldOrders, "rate", d.Share(s.UpsellSuccessRate).String(), "orders", s.TotalOrders)}
		if r.Goal != nil {
			under = append(under, r.Goal.Brief(d.Locale))
		}
		return under
	})
}

// table adds a table of the rows. under returns the lines below a store's name if it has numbers.
func (d *digest) table(title, note string, rows []portfolio.Row, under func(portfolio.Row) []string) {
	if len(rows) == 0 {
		return
	}
	t := Table{Title: title, Note: note, Window: d.label(rows)}
	_, days := d.days(rows)
	_, baseline := d.before(d.rows) // the mail's heading already names it
	for _, r := range rows {
		row := d.row(r)
		if r.Window() != nil {
			lines := under(r)
			if r.Why != "" {
				lines = append(lines, r.Why)
			}
			row.Under = strings.Join(append(lines, d.about(r, !days, !baseline)...), " · ")
		}
		t.Rows = append(t.Rows, row)
	}
	d.Tables = append(d.Tables, t)
}

// notes are people's notes about the week's days, each with its store.
func (d *digest) notes() {
	more := 0
	for _, r := range d.rows {
		for _, n := range r.Notes {
			if len(d.Notes) == digestNotes {
				more++
				continue
			}
			said := d.note(n)
			said.Days = report.OneLine(r.Store.Name, report.NameLength) + ", " + said.Days
			d.Notes = append(d.Notes, said)
		}
	}
	if more > 0 {
		d.Notes = append(d.Notes, Note{Text: d.T("weekly.more_on_page", "n", more)})
	}
}

// todos are the stores that need attention.
func (d *digest) todos() {
	for _, r := range d.rows {
		if r.Health.Group != stores.HealthPerson {
			continue
		}
		if len(d.Todos) == weekTodos {
			d.MoreTodos++
			continue
		}
		d.Todos = append(d.Todos, report.Todo{
			Kind: "error", Title: report.OneLine(r.Store.Name, report.NameLength), Text: report.Sentence(r.Health.Line()),
			Action: d.T("digest.open_store"), Href: r.Href(report.Window{}),
		})
	}
}
