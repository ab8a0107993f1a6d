package fetch

import (
	"context"
	"fmt"
	"slices"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

func placementOf(key string) (upsell.Placement, error) {
	for _, p := range upsell.Placements() {
		if report.Placement(p).Key() == key {
			return p, nil
		}
	}
	return "", fmt.Errorf("no placement is called %q", key)
}

// priorityPage pulls the next page of one placement's display order. As with the inventory,
// each page is its own pull, so a killed walk continues where it left off. Its rows go into the
// inventory, but only the inventory's own walk decides whether that is complete.
func (f Caller) priorityPage(ctx context.Context, c *upsell.Client, key string) (Answer, error) {
	placement, err := placementOf(key)
	if err != nil {
		return Answer{}, err
	}
	q := f.DB.Queries()
	walk, err := q.PriorityWalk(ctx, sqlc.PriorityWalkParams{StoreID: f.Store, Placement: report.Placement(placement)})
	if err != nil {
		return Answer{}, fmt.Errorf("find the walk over the display order: %w", err)
	}
	page := int(walk.NextPage)
	got, err := c.ByPriority(ctx, placement, page)
	if err != nil {
		return Answer{}, err
	}
	d := got.Data
	a := from(got)
	a.Currency, a.Domain = string(d.Currency), d.ShopDomain
	if got.Has(upstream.FlagFilterDiffers) {
		return Answer{}, Broken(a, "the reply does not say that it is of the placement asked for")
	}
	offers := offerRows(d.Offers)
	list := make([]sqlc.Offer, 0, len(offers))
	for _, o := range d.Offers {
		if o.Priority != nil && !o.IsDeleted && !slices.ContainsFunc(list, func(r sqlc.Offer) bool { return r.OfferID == o.ID }) {
			list = append(list, sqlc.Offer{OfferID: o.ID, Priority: o.Priority})
		}
	}
	over := !d.HasMore || page >= upsell.LastPage
	if !over { // as in the inventory, a page that only repeats others is past the end
		known, err := metBefore(ctx, q, sqlc.MetInWalkParams{StoreID: f.Store, DisplayOrder: true, Walk: walk.Walk}, offers)
		if err != nil {
			return Answer{}, err
		}
		over = known == len(offers)
	}
	a.More = !over
	a.Text = locale.M("sync.said.page", "n", page)
	next := sqlc.StepPriorityWalkParams{StoreID: f.Store, Placement: report.Placement(placement), NextPage: int32(page + 1)}
	if page == 1 {
		next.ListedTotal = &d.Total
	}
	if over {
		next.FinishedAt = &a.FetchedAt
	}
	set(&a, (*sqlc.Queries).UpsertOffers, sqlc.UpsertOffersParams{
		StoreID: f.Store, Rows: db.Rows(offers), Currency: db.Optional(string(d.Currency)), FetchedAt: a.FetchedAt,
	})
	set(&a, (*sqlc.Queries).SetPriorities, sqlc.SetPrioritiesParams{StoreID: f.Store, Rows: db.Rows(list), Walk: walk.Walk, At: a.FetchedAt})
	set(&a, (*sqlc.Queries).StepPriorityWalk, next)
	if over {
		set(&a, (*sqlc.Queries).ForgetPriorities, sqlc.ForgetPrioritiesParams{StoreID: f.Store, Placement: report.Placement(placement)})
	}
	return a, nil
}
