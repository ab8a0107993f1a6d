package pulls

import (
	"context"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

func (f Fetcher) giftCampaigns(ctx context.Context, c *gift.Client) (answer, error) {
	got, err := c.Campaigns(ctx, nil)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	list := make([]sqlc.GiftCampaign, 0, len(d.Campaigns))
	for i, k := range d.Campaigns {
		list = append(list, sqlc.GiftCampaign{
			Position: int32(i), CampaignID: string(k.ID), Name: k.Name, Status: string(k.Status), Type: string(k.Type), TargetPage: string(k.TargetPage),
			StartDate: k.StartDate, EndDate: k.EndDate, Code: db.Optional(string(k.Code)),
		})
	}
	if twice(list, func(c sqlc.GiftCampaign) string { return c.CampaignID }) {
		return answer{}, broken(a, "a campaign is listed twice")
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).UpsertCampaigns, sqlc.UpsertCampaignsParams{
			StoreID: f.Store, Total: d.Total, Capped: d.Capped(), FetchedAt: a.fetchedAt, Rows: db.Rows(list),
		})
	})
	return a, nil
}

// giftCampaign keeps a campaign's configuration as it came. "Not found" counts as an answer,
// but doesn't prove that the campaign was deleted (N54).
func (f Fetcher) giftCampaign(ctx context.Context, c *gift.Client, id string) (answer, error) {
	got, err := c.Campaign(ctx, id)
	if err != nil {
		return answer{}, err
	}
	a := from(got)
	if !got.Data.Found {
		a.text = "the service has no such campaign"
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).UpsertCampaignConfig, sqlc.UpsertCampaignConfigParams{
			StoreID: f.Store, CampaignID: id, Found: got.Data.Found, Body: got.Data.Raw, FetchedAt: a.fetchedAt,
		})
	})
	return a, nil
}
