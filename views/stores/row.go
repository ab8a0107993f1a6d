package stores

import (
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
	l Listing
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
		ID: r.id("value"), Label: "Upsold value", Value: locale.English.Amount(s.TotalUpsoldValue, s.Currency).String(), Code: s.Currency,
		Field: "totalUpsoldValue, totalUpsoldOrders, totalOrders", P: s.Provenance, Reply: r.reply(s.Provenance), Now: r.l.Now.In(r.clock()),
	}
}

func (r row) gift() components.Source {
	g := r.Gift
	return components.Source{
		ID: r.id("gift"), Label: "Gift revenue", Value: locale.English.Amount(*g.Revenue.Value, g.Currency).String(), Code: g.Currency,
		Field: "revenue", P: g.Provenance, Reply: r.reply(g.Provenance), Now: r.l.Now.In(r.clock()),
	}
}

func (r row) clock() *time.Location {
	if loc, err := report.Zone(r.Store.Timezone); err == nil {
		return loc
	}
	return time.UTC
}

func (r row) tone() chart.SparkTone {
	if r.Stale {
		return chart.SparkStale
	}
	return chart.SparkMain
}

// fresh are the row's age in two lines: how far the data reaches, and when it was pulled.
func (r row) fresh() (main, note string) {
	main, note, _ = strings.Cut(r.Freshness.Words, ", ")
	return main, note
}

// windowNote is the row's own window where it is not the list's, or not whole.
func (r row) windowNote() string {
	w := r.Window()
	if w == nil {
		return ""
	}
	var notes []string
	if r.Differs || r.Stale {
		notes = append(notes, "window "+w.Near(civil.DateOf(r.l.Now.In(r.clock()))))
	}
	if missing := len(r.Summary.Provenance.Missing); missing > 0 {
		notes = append(notes, locale.English.Count(int64(w.Days()-missing))+" of "+locale.English.Days(w.Days()))
	}
	return strings.Join(notes, ", ")
}

// told reports whether a phone, too, must tell how old the row is.
func (r row) told() bool { return r.Freshness.State != "good" || r.windowNote() != "" }

// emptyValue is the cause in a few words.
func (r row) emptyValue() string {
	switch e := r.Summary.Empty; e.Cause {
	case report.CauseNeverConnected:
		return "not connected"
	case report.CauseFilling:
		return "on its way"
	case report.CauseNoOffers:
		return "no offers yet"
	case report.CauseFailed:
		return "never pulled"
	default:
		if strings.HasPrefix(e.Title, "Two") {
			return "two currencies"
		}
		return "not stored"
	}
}

func (r row) ordersWords() string {
	if r.Summary.Empty != nil { // no offers, and so no upsell: the orders say that the zero is real
		return "0 of " + report.Plural(r.Summary.TotalOrders, "order", "orders") + ", no offers yet"
	}
	return report.Plural(r.Summary.TotalUpsoldOrders, "order", "orders")
}

// ordersDelta is the change of the orders in words; empty where nothing is compared.
func (r row) ordersDelta() string {
	if r.Uncompared != "" {
		return ""
	}
	d := r.OrdersDelta
	switch d.Direction {
	case locale.Up, locale.Down:
		return "orders " + d.Amount + " " + d.Word
	case locale.Level:
		return "as many orders"
	}
	return ""
}

func (r row) rateDelta() string {
	if d := r.RateDelta; r.Uncompared == "" && (d.Direction == locale.Up || d.Direction == locale.Down) {
		return d.Amount + " " + d.Word
	}
	return ""
}

// giftNote says which days the gift revenue is of where they are not the row's.
func (r row) giftNote() string {
	g, w := r.Gift, r.Summary.Provenance.Window
	if g.Provenance.Window == nil || w == nil || *g.Provenance.Window == *w {
		return ""
	}
	return g.Provenance.Window.Near(civil.DateOf(r.l.Now.In(r.clock())))
}

// giftEmpty is why there is no gift revenue, in a few words.
func (r row) giftEmpty() string {
	e := r.Gift.Empty
	switch {
	case e == nil:
		return "not reported"
	case e.Cause == report.CauseNeverConnected:
		return "–"
	case e.Cause == report.CauseFilling:
		return "on its way"
	case e.Cause == report.CauseFailed:
		return "failed"
	}
	return "not stored"
}

// sparkless draws a dashed line where there is no shape to draw.
func sparkless(values []*decimal.Decimal) bool {
	for _, v := range values {
		if v != nil {
			return false
		}
	}
	return true
}
