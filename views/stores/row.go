package stores

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
)

// row is a row with its place on the page.
type row struct {
	portfolio.Row
	n int
	l *ListPage
}

func (r row) id(of string) string { return "s" + strconv.Itoa(r.n) + "-" + of }

func (r row) reply(p report.Provenance) string {
	if r.l.ReplyHref == nil {
		return ""
	}
	return r.l.ReplyHref(r.Store.Slug, p)
}

// value is where the row's upsold value comes from; orders and rate come from there too.
func (r row) value() components.Source {
	s := r.Summary
	return components.Source{
		ID: r.id("value"), Label: r.l.T("figure.upsold_value"), Value: r.l.Locale.Amount(s.TotalUpsoldValue, s.Currency).String(), Code: s.Currency,
		Field: "totalUpsoldValue, totalUpsoldOrders, totalOrders", P: s.Provenance, Reply: r.reply(s.Provenance), Now: r.l.Now.In(r.clock()),
	}
}

func (r row) gift() components.Source {
	g := r.Gift
	return components.Source{
		ID: r.id("gift"), Label: r.l.T("figure.gift_revenue"), Value: r.l.Locale.Amount(*g.Revenue.Value, g.Currency).String(), Code: g.Currency,
		Field: "revenue", P: g.Provenance, Reply: r.reply(g.Provenance), Now: r.l.Now.In(r.clock()),
	}
}

func (r row) clock() *time.Location { return report.Clock(r.Store.Timezone) }

func (r row) tone() chart.SparkTone {
	if r.Stale {
		return chart.SparkStale
	}
	return chart.SparkMain
}

// windowNote is the row's own window if it differs from the list's, or is incomplete.
func (r row) windowNote() string {
	w := r.Window()
	if w == nil {
		return ""
	}
	var notes []string
	if r.Differs || r.Stale {
		notes = append(notes, r.l.Locale.DatesNear(w.Start, w.End, civil.DateOf(r.l.Now.In(r.clock()))))
	}
	if missing := len(r.Summary.Provenance.Missing); missing > 0 {
		notes = append(notes, r.l.T("provenance.days_of", "counted", w.Days()-missing, "n", w.Days()))
	}
	return strings.Join(notes, ", ")
}

// emptyValue is the cause in a few words.
func (r row) emptyValue() string {
	l := r.l.Locale
	switch e := r.Summary.Empty; e.Cause {
	case report.CauseNeverConnected:
		return l.T("stores.row.not_connected")
	case report.CauseFilling:
		return l.T("stores.row.on_its_way")
	case report.CauseNoOffers:
		return l.T("stores.row.no_offers")
	case report.CauseFailed:
		return l.T("stores.row.never_updated")
	default:
		if e.Title == l.T("state.two_currencies") {
			return l.T("stores.row.two_currencies")
		}
		return l.T("stores.row.not_stored")
	}
}

func (r row) ordersWords() string {
	if r.Summary.Empty != nil { // no offers and so no upsells: the orders show that the zero is real
		return r.l.T("stores.row.none_of", "n", r.Summary.TotalOrders)
	}
	return r.l.T("common.orders", "n", r.Summary.TotalUpsoldOrders)
}

// changeNote is the row's own window if it has one, otherwise why nothing is compared.
func (r row) changeNote() string {
	if note := r.windowNote(); note != "" || r.Stale || r.Delta.Word == r.Uncompared {
		return note
	}
	return r.Uncompared
}

// toDoWords are the full text, which the cell may cut off.
func (r row) toDoWords() string {
	if r.Health.More == 0 {
		return r.Health.ToDo
	}
	return r.Health.ToDo + ", " + r.l.T("stores.state.more", "n", r.Health.More)
}

// inbox is the store's.
func (r row) inbox() string { return components.StoreHref(r.Store.Slug) + "/alerts" }

// giftNote says which days the gift revenue is of, if they aren't the row's.
func (r row) giftNote() string {
	g, w := r.Gift, r.Summary.Provenance.Window
	if g.Provenance.Window == nil || w == nil || *g.Provenance.Window == *w {
		return ""
	}
	return r.l.Locale.DatesNear(g.Provenance.Window.Start, g.Provenance.Window.End, civil.DateOf(r.l.Now.In(r.clock())))
}

// giftEmpty is why there is no gift revenue, in a few words.
func (r row) giftEmpty() string {
	e := r.Gift.Empty
	switch {
	case e == nil:
		return r.l.T("stores.row.not_reported")
	case e.Cause == report.CauseNeverConnected:
		return "–"
	case e.Cause == report.CauseFilling:
		return r.l.T("stores.row.on_its_way")
	case e.Cause == report.CauseFailed:
		return r.l.T("stores.row.failed")
	}
	return r.l.T("stores.row.not_stored")
}

// changed is a change within a sentence, without its arrow: "12.4% more".
func changed(d locale.Delta) string { return strings.TrimSpace(d.Amount + " " + d.Word) }

// sparkless reports whether there are no values to draw; a dashed line is drawn instead.
func sparkless(values []*decimal.Decimal) bool {
	return !slices.ContainsFunc(values, func(v *decimal.Decimal) bool { return v != nil })
}
