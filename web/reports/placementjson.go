package reports

import (
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// PlacementsAnswer is the placements as JSON.
func PlacementsAnswer(p overview.PlacementStats) any {
	out := struct {
		report.Panel
		Currency       string             `json:"currency"`
		Rows           []*placementRow    `json:"placements"`
		ShopOfferCount *int64             `json:"shop_offer_count"`
		Compared       *report.Provenance `json:"compared,omitempty"`
	}{p.Panel, p.Currency, make([]*placementRow, len(p.Rows)), p.ShopOfferCount, p.Compared}
	for i := range p.Rows {
		out.Rows[i] = placementRowOf(&p.Rows[i])
	}
	return out
}

// placementRow is a overview.PlacementRow whose unknown counts are null, so that programs don't
// take them for zero.
type placementRow struct {
	Placement   report.Placement `json:"placement"`
	Revenue     *decimal.Decimal `json:"revenue"`
	Impressions *int64           `json:"impressions"`
	Claims      *int64           `json:"claims"`
	Absent      bool             `json:"absent"`
	Days        []placementDay   `json:"days"`
	Previous    *placementRow    `json:"previous,omitempty"`
}

type placementDay struct {
	Day         civil.Date       `json:"day"`
	Stored      bool             `json:"stored"`
	Revenue     *decimal.Decimal `json:"revenue"`
	Currency    string           `json:"currency"`
	Impressions *int64           `json:"impressions"`
	Claims      *int64           `json:"claims"`
}

func placementRowOf(r *overview.PlacementRow) *placementRow {
	if r == nil {
		return nil
	}
	out := &placementRow{
		Placement: r.Placement, Revenue: r.Revenue, Absent: r.Absent,
		Days: make([]placementDay, len(r.Days)), Previous: placementRowOf(r.Previous),
	}
	if !r.Absent {
		out.Impressions, out.Claims = &r.Impressions, &r.Claims
	}
	for i, d := range r.Days {
		out.Days[i] = placementDay{Day: d.Day, Stored: d.Stored, Revenue: d.Revenue, Currency: d.Currency}
		if d.Stored {
			out.Days[i].Impressions, out.Days[i].Claims = &d.Impressions, &d.Claims
		}
	}
	return out
}
