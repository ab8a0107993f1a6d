// Package details turns the upsell service's replies about one offer into what reports store:
// how the offer is set up, what its stages sell, what is recommended for it. It is pure: a
// reply in, a body out.
package details

import (
	"cmp"
	"slices"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
)

// SetupBody is an offer's setup as reports store it.
func SetupBody(d upsell.OfferSetup) offers.SetupBody {
	body := offers.SetupBody{
		Name: d.Name, Status: string(d.Status), Placement: string(d.Type), StartDate: d.StartDate,
		TriggerCriteria: string(d.TriggerCriteria), Conditions: make([]offers.Condition, 0, len(d.TriggerConditions)),
		DiscountType: string(d.DiscountType), DiscountValue: string(d.DiscountValue),
		Revenue: d.Revenue, Claims: d.Claims, AcceptanceRate: d.AcceptanceRate, Priority: d.Priority,
		CreatedAt: d.CreatedAt, ABTest: d.ABTest != nil && *d.ABTest, Currency: string(d.Currency), URL: d.URL,
	}
	if d.EndDate != nil {
		body.EndDate = *d.EndDate
	}
	for _, c := range d.TriggerConditions {
		body.Conditions = append(body.Conditions, condition(c))
	}
	return body
}

// condition keeps the raw entry if it names no resource that was understood.
func condition(c upsell.TriggerCondition) offers.Condition {
	out := offers.Condition{Kind: c.Kind}
	for _, r := range c.Resources {
		out.Names = append(out.Names, report.ConditionName{Kind: string(r.Kind), Name: titleOf(r), Deleted: r.Deleted})
	}
	if len(c.Resources) == 0 {
		out.Raw = string(c.Raw)
	}
	if c.Deleted && !slices.ContainsFunc(c.Resources, func(r upsell.Resource) bool { return r.Deleted }) { // the mark is on the condition and doesn't say which resource
		out.Names = append(out.Names, report.ConditionName{Name: "what it named", Deleted: true})
	}
	return out
}

// titleOf is a resource's title or, without one, its id.
func titleOf(r upsell.Resource) string { return cmp.Or(r.Title, r.ID) }
