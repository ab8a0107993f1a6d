package alerts

import (
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// ThresholdsPage lists the thresholds of a store, with the form of another.
type ThresholdsPage struct {
	components.Base
	Rows []ThresholdRow
	// May: the reader may set and delete them; Most is how many there may be.
	May  bool
	Most int
	// Currency is the store's; empty where none is known.
	Currency  string
	InboxHref string
	Form      reportalerts.ThresholdForm
	// Preview is of the form's threshold; nil until that is asked for.
	Preview *ThresholdRow
	// Field is the one that is wrong, Problem what is wrong with it, Notice what was just
	// done; each may be empty.
	Field, Problem, Notice string
}

// ThresholdRow is a threshold, with how often it would have opened an alert.
type ThresholdRow struct {
	reportalerts.Threshold
	reportalerts.Preview
	Location *time.Location
}

// fired says how often there would have been an alert.
func (r ThresholdRow) fired(l locale.Locale) string {
	switch {
	case len(r.Fired) > 0:
		return l.T("alerts.threshold.fired", "n", len(r.Fired), "total", reportalerts.PreviewDays, "days", l.DayList(r.Fired))
	case r.Known == reportalerts.PreviewDays:
		return l.T("alerts.threshold.never", "total", reportalerts.PreviewDays)
	case r.Known > 0:
		return l.T("alerts.threshold.never_known", "n", r.Known)
	}
	return ""
}

// unknown says which of the days could not be judged, and why; empty where each could.
func (r ThresholdRow) unknown(l locale.Locale) string {
	missing := reportalerts.PreviewDays - r.Known - r.Few
	switch {
	case r.Few == reportalerts.PreviewDays:
		return l.T("alerts.threshold.all_few", "total", reportalerts.PreviewDays, "n", r.LeastOrders)
	case r.Known == 0:
		return l.T("alerts.threshold.all_unknown")
	}
	var says []string
	if r.Few > 0 {
		says = append(says, l.T("alerts.threshold.some_few", "n", r.Few))
	}
	if missing > 0 {
		says = append(says, l.T("alerts.threshold.some_unknown", "n", missing))
	}
	return strings.Join(says, " ")
}

// set says who set it, and from how many orders on it counts.
func (r ThresholdRow) set(l locale.Locale) string {
	day := l.DayYear(civil.DateOf(r.SetAt.In(r.Location)))
	by := l.T("alerts.threshold.set_on", "day", day)
	if r.By != "" {
		by = l.T("alerts.threshold.set_by", "name", locale.Name(r.By), "day", day)
	}
	if r.LeastOrders == 0 {
		return by
	}
	return l.T("alerts.threshold.from_orders", "n", r.LeastOrders) + " · " + by
}

func (r ThresholdRow) deleteAction(p ThresholdsPage) string {
	return p.Path + "/" + strconv.FormatInt(r.ID, 10) + "/delete"
}

// whats are what can be looked at.
func (p ThresholdsPage) whats() (out []form.Choice) {
	keys, of := reportalerts.Watchable()
	for _, key := range keys {
		out = append(out, form.Choice{Value: key, Label: of[key].What().In(p.Locale)})
	}
	return out
}

// kinds are the ways to compare.
func (p ThresholdsPage) kinds() (out []form.Choice) {
	for _, k := range reportalerts.ThresholdKinds {
		out = append(out, form.Choice{Value: string(k), Label: p.T("alerts.threshold.kind." + string(k))})
	}
	return out
}

// amountHelp says in what an amount is.
func (p ThresholdsPage) amountHelp() string {
	if p.Currency == "" {
		return p.T("alerts.threshold.amount_help_none")
	}
	return p.T("alerts.threshold.amount_help", "currency", p.Currency)
}
