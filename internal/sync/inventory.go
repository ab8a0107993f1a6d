package sync

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
)

type offerRow struct {
	OfferID   string           `json:"offer_id"`
	Name      string           `json:"name"`
	Status    string           `json:"status"`
	Placement string           `json:"placement"`
	ABTest    bool             `json:"ab_test"`
	URL       *string          `json:"url"`
	Revenue   *decimal.Decimal `json:"revenue"`
	CreatedAt *string          `json:"created_at"`
	Deleted   bool             `json:"deleted"`
}

// offerPage pulls the next page of the walk over the offer list, oldest first:
// a new offer then lands at the end and moves no row to another page (N10). A
// page is a pull of its own, so a killed walk goes on where it stood. The list is
// paged on hasMore (N8) and stops at the page that the service would only repeat
// (N9). Nothing is ever deleted for not being listed (N11).
func (w *work) offerPage(ctx context.Context, c *upsell.Client) (answer, error) {
	q := w.db.Queries()
	walk, err := q.OpenWalk(ctx, w.store.ID)
	if errors.Is(err, pgx.ErrNoRows) {
		walk, err = q.StartWalk(ctx, w.store.ID)
	}
	if err != nil {
		return answer{}, fmt.Errorf("find the walk over the offers: %w", err)
	}
	page := int(walk.NextPage)
	got, err := c.Offers(ctx, upsell.OffersQuery{Page: page, Sort: upsell.Oldest})
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	a.currency, a.domain = string(d.Currency), d.ShopDomain
	if got.Has(upstream.FlagFilterDiffers) {
		return answer{}, broken(a, "the reply is filtered though nothing was asked to be")
	}
	list := make([]offerRow, 0, len(d.Offers))
	seen := map[string]bool{}
	for _, o := range d.Offers {
		if seen[o.ID] { // a row may stand on a page twice; one statement can't set it twice
			continue
		}
		seen[o.ID] = true
		list = append(list, offerRow{o.ID, o.Name, string(o.Status), string(o.Type), o.ABTest, optional(o.URL), o.Revenue, optional(o.CreatedAt), o.IsDeleted})
	}
	clamped := d.HasMore && page >= upsell.LastPage
	over := !d.HasMore || clamped
	a.more = !over
	a.text = fmt.Sprintf("page %d", page)
	var total *int64
	if page == 1 {
		total = &d.Total
	}
	a.numbers = func(ctx context.Context, q *db.Queries) {
		_ = q.UpsertOffers(ctx, db.UpsertOffersParams{
			StoreID: w.store.ID, Rows: rows(list), Currency: optional(string(d.Currency)), FetchedAt: a.fetchedAt, Walk: walk.ID,
		})
		_ = q.StepWalk(ctx, db.StepWalkParams{ID: walk.ID, NextPage: int32(page + 1), ListedTotal: total, Clamped: clamped})
		if over {
			_ = q.FinishWalk(ctx, walk.ID)
		}
	}
	return a, nil
}
