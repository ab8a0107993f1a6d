package alerts

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// ThresholdsPage lists the thresholds of a store, with the form for a new one.
type ThresholdsPage struct {
	components.Base
	Rows []ThresholdRow
	// May: the reader may set and delete them; Most is how many there may be.
	May  bool
	Most int
	// Currency is the store's; empty if unknown.
	Currency  string
	InboxHref string
	Form      reportalerts.ThresholdForm
	// Offers are the offers that can be watched.
	Offers []reportalerts.WatchedOffer
	// Editing is the id of the threshold that the form changes; 0 means a new one.
	Editing int64
	// Preview is for the form's threshold; nil until requested.
	Preview *ThresholdRow
	// Wrong says why it can't be set, Notice what was just done; may be empty.
	form.Wrong
	Notice string
}

// ThresholdRow is a threshold, with how often it would have opened an alert.
type ThresholdRow struct {
	reportalerts.Threshold
	reportalerts.Preview
	Location *time.Location
}

// ReadEdited fills the form in with the threshold that it changes, if fill. It returns false if
// the page doesn't list that one.
func (p *ThresholdsPage) ReadEdited(fill bool) bool {
	i := slices.IndexFunc(p.Rows, func(r ThresholdRow) bool { return r.ID == p.Editing })
	if p.Editing == 0 || i < 0 {
		return p.Editing == 0
	}
	if !fill {
		return true
	}
	p.Form, p.Preview = p.Rows[i].Form(p.Locale), &p.Rows[i]
	if o := p.Rows[i].Offer; o.ID != "" && !slices.Contains(p.Offers, o) {
		p.Offers = append(p.Offers, o)
	}
	return true
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

// unknown says which days couldn't be judged, and why; empty if all could.
func (r ThresholdRow) unknown(l locale.Locale) string {
	missing := reportalerts.PreviewDays - r.Known - r.Few
	switch {
	case r.Few == reportalerts.PreviewDays:
		return l.T("alerts.threshold.all_few", "total", reportalerts.PreviewDays, "n", r.LeastOrders)
	case r.Known == 0 && r.Offer.ID != "":
		return l.T("alerts.threshold.all_unknown_offer")
	case r.Known == 0:
		return l.T("alerts.threshold.all_unknown")
	}
	var says []string
	if r.Few > 0 {
		says = append(says, l.T("alerts.threshold.some_few", "n", r.Few))
	}
	switch {
	case missing > 0 && r.Offer.ID != "":
		says = append(says, l.T("alerts.threshold.some_unknown_offer", "n", missing))
	case missing > 0:
		says = append(says, l.T("alerts.threshold.some_unknown", "n", missing))
	}
	return strings.Join(says, " ")
}

// set says who set it, and from how many orders on it applies.
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

func (p ThresholdsPage) actionOf(id int64) string { return p.Path + "/" + strconv.FormatInt(id, 10) }

// editHref opens the form of a threshold.
func (r ThresholdRow) editHref(p ThresholdsPage) string {
	return p.Path + "?edit=" + strconv.FormatInt(r.ID, 10) + "#new-threshold"
}

// action is where the form goes, title what it does, and submit what its button says.
func (p ThresholdsPage) action() string {
	if p.Editing == 0 {
		return p.Path
	}
	return p.actionOf(p.Editing)
}

func (p ThresholdsPage) formTitle() string {
	if p.Editing == 0 {
		return p.T("alerts.threshold.new")
	}
	return p.T("alerts.threshold.change")
}

func (p ThresholdsPage) submit() string {
	if p.Editing == 0 {
		return p.T("alerts.threshold.set")
	}
	return p.T("alerts.threshold.save")
}

// whats are what can be watched: figures of the store and its placements, and offers.
func (p ThresholdsPage) whats() (figures, offers []form.Choice) {
	keys, of := reportalerts.Watchable(p.Offers)
	for _, key := range keys {
		if o := of[key].Offer; o.ID != "" {
			offers = append(offers, form.Choice{Value: key, Label: locale.Name(o.Name)})
			continue
		}
		figures = append(figures, form.Choice{Value: key, Label: of[key].What().In(p.Locale)})
	}
	return figures, offers
}

// kinds are the ways to compare.
func (p ThresholdsPage) kinds() (out []form.Choice) {
	for _, k := range reportalerts.ThresholdKinds {
		out = append(out, form.Choice{Value: string(k), Label: p.T("alerts.threshold.kind." + string(k))})
	}
	return out
}

// amountHelp says the unit of an amount.
func (p ThresholdsPage) amountHelp() string {
	if p.Currency == "" {
		return p.T("alerts.threshold.amount_help_none")
	}
	return p.T("alerts.threshold.amount_help", "currency", p.Currency)
}
