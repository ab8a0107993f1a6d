package pulls

import (
	"context"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// null is the stored body of an offer that the service says it does not have: not
// this store's, or gone. That is an answer, and no deletion (N32).
var null = []byte("null")

func (w *work) offerSetup(ctx context.Context, c *upsell.Client, id string) (answer, error) {
	got, err := c.Offer(ctx, id)
	if err != nil {
		return answer{}, err
	}
	a, body := from(got), null
	var starts, ends *time.Time
	if d := got.Data; d != nil {
		a.currency, a.domain = string(d.Currency), d.ShopDomain
		if !d.Type.Known() || !d.Status.Known() || d.TriggerCriteria != "" && !d.TriggerCriteria.Known() {
			a.flags = addFlag(a.flags, report.FlagUnknownValue)
		}
		body = object(setupBody(*d))
		starts, ends = dayOn(d.StartDate, w.loc), dayOn(text(d.EndDate), w.loc)
	} else {
		a.text = noSuchOffer
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*db.Queries).UpsertSetup, db.UpsertSetupParams{StoreID: w.store.ID, OfferID: id, Body: body, StartsOn: starts, EndsOn: ends, FetchedAt: a.fetchedAt})
	})
	return a, nil
}

func (w *work) offerStages(ctx context.Context, c *upsell.Client, id string) (answer, error) {
	got, err := c.Stages(ctx, id)
	if err != nil {
		return answer{}, err
	}
	a, body := from(got), null
	if d := got.Data; d != nil {
		a.currency, a.domain = string(d.Currency), d.ShopDomain
		body = object(stagesBody(*d))
	} else {
		a.text = noSuchOffer
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*db.Queries).UpsertStages, db.UpsertStagesParams{StoreID: w.store.ID, OfferID: id, Body: body, FetchedAt: a.fetchedAt})
	})
	return a, nil
}

func (w *work) offerRecommendations(ctx context.Context, c *upsell.Client, id string) (answer, error) {
	got, err := c.Recommendations(ctx, upsell.RecommendationsQuery{OfferID: id})
	if err != nil {
		return answer{}, err
	}
	a, body := from(got), null
	switch {
	case got.Has(upstream.FlagFilterDiffers):
		return answer{}, broken(a, "the reply is no answer to what was asked")
	case got.Data == nil:
		a.text = noSuchOffer
	default:
		recommended := recommendationsBody(got.Data)
		a.currency, a.domain = recommended.Currency, got.Data.Shop()
		if recommended.Cause == causeUnknown {
			a.flags = addFlag(a.flags, report.FlagUnknownValue)
		}
		body = object(recommended)
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*db.Queries).UpsertRecommendations, db.UpsertRecommendationsParams{
			StoreID: w.store.ID, OfferID: id, Body: body, FetchedAt: a.fetchedAt,
		})
	})
	return a, nil
}

const noSuchOffer = "the service has no such offer"

func setupBody(d upsell.OfferSetup) report.SetupBody {
	body := report.SetupBody{
		Name: d.Name, Status: string(d.Status), Placement: string(d.Type), StartDate: d.StartDate, EndDate: text(d.EndDate),
		TriggerCriteria: string(d.TriggerCriteria), Conditions: make([]report.Condition, 0, len(d.TriggerConditions)),
		DiscountType: string(d.DiscountType), DiscountValue: valueText(d.DiscountValue),
		Revenue: d.Revenue, Claims: d.Claims, AcceptanceRate: d.AcceptanceRate, Priority: d.Priority,
		CreatedAt: d.CreatedAt, ABTest: d.ABTest != nil && *d.ABTest, Currency: string(d.Currency), URL: d.URL,
	}
	for _, c := range d.TriggerConditions {
		body.Conditions = append(body.Conditions, condition(c))
	}
	return body
}

// condition keeps the entry as it came where it names nothing that was understood.
func condition(c upsell.TriggerCondition) report.Condition {
	out := report.Condition{Kind: c.Kind}
	for _, r := range c.Resources {
		out.Names = append(out.Names, report.ConditionName{Kind: string(r.Kind), Name: titleOf(r), Deleted: r.Deleted})
	}
	if len(c.Resources) == 0 {
		out.Raw = string(c.Raw)
	}
	if c.Deleted && !anyDeleted(c.Resources) { // the mark is on the condition, and it does not say whose
		out.Names = append(out.Names, report.ConditionName{Name: "what it named", Deleted: true})
	}
	return out
}

func anyDeleted(in []upsell.Resource) bool {
	for _, r := range in {
		if r.Deleted {
			return true
		}
	}
	return false
}

// titleOf is a resource's title or, without one, its id.
func titleOf(r upsell.Resource) string {
	if r.Title != "" {
		return r.Title
	}
	return r.ID
}

// valueText is empty for a discount that was not sent, which is not "none" (N33).
func valueText(v *upsell.DiscountValue) string {
	if v == nil {
		return ""
	}
	return v.Text
}

// dayOn is the day of a service's timestamp on the store's clock; one without a zone
// is on that clock already (N26). nil when the text is none.
func dayOn(text string, loc *time.Location) *time.Time {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return dayPtr(civil.DateOf(t.In(loc)))
	}
	d, err := civil.ParseDate(text[:min(len(text), len(time.DateOnly))])
	if err != nil || !d.IsValid() {
		return nil
	}
	return dayPtr(d)
}
