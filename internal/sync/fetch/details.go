package fetch

import (
	"context"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/details"
)

// null is the stored body of an offer that the service says it doesn't have: it belongs to
// another store or is gone. That counts as an answer, not as a deletion (N32).
var null = []byte("null")

func (f Caller) offerSetup(ctx context.Context, c *upsell.Client, id string) (Answer, error) {
	got, err := c.Offer(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	a, body := from(got), null
	var starts, ends *civil.Date
	if d := got.Data; d != nil {
		a.Currency, a.Domain = string(d.Currency), d.ShopDomain
		if !d.Type.Known() || !d.Status.Known() || d.TriggerCriteria != "" && !d.TriggerCriteria.Known() {
			a.Flags = addFlag(a.Flags, report.FlagUnknownValue)
		}
		body = db.JSON(details.SetupBody(*d))
		starts, ends = dayOn(d.StartDate, f.Zone), dayOn(db.OrZero(d.EndDate), f.Zone)
	} else {
		a.Text = noSuchOffer
	}
	set(&a, (*sqlc.Queries).UpsertSetup, sqlc.UpsertSetupParams{StoreID: f.Store, OfferID: id, Body: body, StartsOn: starts, EndsOn: ends, FetchedAt: a.FetchedAt})
	return a, nil
}

func (f Caller) offerStages(ctx context.Context, c *upsell.Client, id string) (Answer, error) {
	got, err := c.Stages(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	a, body := from(got), null
	if d := got.Data; d != nil {
		a.Currency, a.Domain = string(d.Currency), d.ShopDomain
		body = db.JSON(details.StagesBody(*d))
	} else {
		a.Text = noSuchOffer
	}
	set(&a, (*sqlc.Queries).UpsertStages, sqlc.UpsertStagesParams{StoreID: f.Store, OfferID: id, Body: body, FetchedAt: a.FetchedAt})
	return a, nil
}

func (f Caller) offerRecommendations(ctx context.Context, c *upsell.Client, id string) (Answer, error) {
	got, err := c.Recommendations(ctx, upsell.RecommendationsQuery{OfferID: id})
	if err != nil {
		return Answer{}, err
	}
	a, body := from(got), null
	switch {
	case got.Has(upstream.FlagFilterDiffers):
		return Answer{}, Broken(a, "the reply is no answer to what was asked")
	case got.Data == nil:
		a.Text = noSuchOffer
	default:
		recommended := details.RecommendationsBody(got.Data)
		a.Currency, a.Domain = recommended.Currency, got.Data.Shop()
		if recommended.Cause == details.CauseUnknown {
			a.Flags = addFlag(a.Flags, report.FlagUnknownValue)
		}
		body = db.JSON(recommended)
	}
	set(&a, (*sqlc.Queries).UpsertRecommendations, sqlc.UpsertRecommendationsParams{
		StoreID: f.Store, OfferID: id, Body: body, FetchedAt: a.FetchedAt,
	})
	return a, nil
}

var noSuchOffer = locale.M("sync.said.no_offer")

// dayOn is the day of a service's time on the store's clock; nil if it can't be read.
func dayOn(text string, store *time.Location) *civil.Date {
	if d, ok := report.DayOf(text, store); ok {
		return &d
	}
	return nil
}
