package alerts

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// ThresholdForm is a threshold as typed. What is a metric, "value/" plus a placement's key, or "offer/"
// plus an offer's id.
type ThresholdForm struct{ What, Kind, Amount, LeastOrders string }

// NewThresholdForm has defaults that suit most stores.
func NewThresholdForm() ThresholdForm {
	return ThresholdForm{What: string(fact.ThresholdValue), Kind: string(fact.ThresholdFall), Amount: "30", LeastOrders: strconv.Itoa(fallOrders)}
}

const offerPrefix = "offer/"

// WatchOffer is the form that watches an offer.
func WatchOffer(id string) ThresholdForm {
	f := NewThresholdForm()
	f.What = offerPrefix + id
	return f
}

// Form is the threshold as its filled-in form. l is the reader's language.
func (t Threshold) Form(l locale.Locale) ThresholdForm {
	return ThresholdForm{What: t.key(), Kind: string(t.Kind), Amount: l.Decimal(t.Amount), LeastOrders: strconv.Itoa(t.LeastOrders)}
}

// OfferID is the id of the offer that the form watches; empty if none.
func (f ThresholdForm) OfferID() string {
	id, of := strings.CutPrefix(f.What, offerPrefix)
	if !of {
		return ""
	}
	return id
}

// key is the form's What for a threshold.
func (t Threshold) key() string {
	switch {
	case t.Offer.ID != "":
		return offerPrefix + t.Offer.ID
	case t.Placement != "":
		return string(t.Metric) + "/" + t.Placement.Key()
	}
	return string(t.Metric)
}

// Watchable lists the values that What can have, and the threshold for each: first the store and its
// placements, then its offers.
func Watchable(offers []WatchedOffer) (keys []string, of map[string]Threshold) {
	of = map[string]Threshold{}
	add := func(t Threshold) {
		keys = append(keys, t.key())
		of[t.key()] = t
	}
	for _, m := range []fact.ThresholdMetric{fact.ThresholdValue, fact.ThresholdOrders, fact.ThresholdRate, fact.ThresholdAverage, fact.ThresholdViews} {
		add(Threshold{Metric: m})
	}
	for _, p := range report.Placements {
		if p.ReportsRevenue() {
			add(Threshold{Metric: fact.ThresholdValue, Placement: p})
		}
	}
	for _, o := range offers {
		add(Threshold{Metric: fact.ThresholdValue, Offer: o})
	}
	return keys, of
}

// ThresholdKinds are the ways to compare.
var ThresholdKinds = []fact.ThresholdKind{fact.ThresholdFall, fact.ThresholdDay, fact.ThresholdWeek}

// mostOrders is the highest order minimum, mostAmount the limit that an amount must stay below.
const mostOrders = 1_000_000

var mostAmount = decimal.New(1, 12)

// Read parses the threshold, or says in the reader's language which field is wrong and why. currency is
// the store's; empty if unknown. offers are those that can be watched.
func (f ThresholdForm) Read(l locale.Locale, currency string, offers []WatchedOffer) (t Threshold, field, problem string) {
	_, of := Watchable(offers)
	t, ok := of[f.What]
	if !ok {
		return t, "what", l.T("alerts.threshold.wrong.what")
	}
	switch t.Kind = fact.ThresholdKind(f.Kind); t.Kind {
	case fact.ThresholdFall:
	case fact.ThresholdDay, fact.ThresholdWeek:
		if t.inMoney() && currency == "" {
			return t, "what", l.T("goal.wrong.currency")
		}
		if t.inMoney() {
			t.Currency = currency
		}
	default:
		return t, "kind", l.T("alerts.threshold.wrong.kind")
	}
	if t.Amount, problem = f.amount(l, t); problem != "" {
		return t, "amount", problem
	}
	orders, err := strconv.Atoi(strings.TrimSpace(f.LeastOrders))
	if t.LeastOrders = orders; err != nil || orders < 0 || orders > mostOrders {
		return t, "least_orders", l.T("alerts.threshold.wrong.orders")
	}
	return t, "", ""
}

func (f ThresholdForm) amount(l locale.Locale, t Threshold) (amount decimal.Decimal, problem string) {
	amount, ok := l.ParseNumber(strings.TrimSpace(f.Amount))
	digits := int32(0)
	switch {
	case t.Kind == fact.ThresholdFall:
	case t.Metric == fact.ThresholdRate:
		digits = 1
	case t.inMoney():
		digits = locale.Digits(t.Currency)
	}
	wrong := !ok || !amount.IsPositive() || amount.GreaterThanOrEqual(mostAmount) || !amount.Equal(amount.Truncate(digits))
	switch {
	case t.Kind == fact.ThresholdFall || t.Metric == fact.ThresholdRate:
		if wrong || amount.GreaterThan(decimal.NewFromInt(100)) {
			return amount, l.T("alerts.threshold.wrong.percent")
		}
	case wrong && t.inMoney():
		return amount, l.T("alerts.threshold.wrong.amount", "example", l.Count(500))
	case wrong:
		return amount, l.T("alerts.threshold.wrong.count", "example", l.Count(500))
	}
	return amount, ""
}
