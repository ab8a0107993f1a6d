package fetch

import (
	"context"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
)

func (f Caller) giftCampaigns(ctx context.Context, c *gift.Client) (Answer, error) {
	d, a, err := answered(c.Campaigns(ctx, nil))
	if err != nil {
		return Answer{}, err
	}
	list := make([]sqlc.GiftCampaign, 0, len(d.Campaigns))
	for i, k := range d.Campaigns {
		list = append(list, sqlc.GiftCampaign{
			Position: int32(i), CampaignID: string(k.ID), Name: string(k.Name), Status: string(k.Status), Type: string(k.Type), TargetPage: string(k.TargetPage),
			StartDate: db.Optional(string(k.StartDate)), EndDate: db.Optional(string(k.EndDate)), Code: db.Optional(string(k.Code)),
		})
	}
	if twice(list, func(c sqlc.GiftCampaign) string { return c.CampaignID }) {
		return Answer{}, Broken(a, "a campaign is listed twice")
	}
	set(&a, (*sqlc.Queries).UpsertCampaigns, sqlc.UpsertCampaignsParams{
		StoreID: f.Store, Total: d.Total, Capped: d.Capped(), FetchedAt: a.FetchedAt, Rows: db.Rows(list),
	})
	return a, nil
}

// giftCampaign keeps a campaign's configuration as it came. "Not found" counts as an answer,
// but doesn't prove that the campaign was deleted (N54).
func (f Caller) giftCampaign(ctx context.Context, c *gift.Client, id string) (Answer, error) {
	got, err := c.Campaign(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	a := from(got)
	if !got.Data.Found {
		a.Text = locale.M("sync.said.no_campaign")
	}
	set(&a, (*sqlc.Queries).UpsertCampaignConfig, sqlc.UpsertCampaignConfigParams{
		StoreID: f.Store, CampaignID: id, Found: got.Data.Found, Body: got.Data.Raw, FetchedAt: a.FetchedAt,
	})
	return a, nil
}
