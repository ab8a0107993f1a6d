package sandbox

import (
	"encoding/json"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// noOffer is the answer for an id that isn't the store's or is gone: a success without data.
func noOffer() reply { return upsellSuccess(nil) }

// find is an offer that the store has now, or nil.
func find(b *world.Book, id string) (o *world.Offer, at int) {
	for i := range b.Offers {
		if o := &b.Offers[i]; o.Id == id && o.Exists(b.Now) && !o.Deleted(b.Now) {
			return o, i
		}
	}
	return nil, world.None
}

// offerSetup is how an offer is set up. It doesn't say what the offer sells.
func offerSetup(sh *world.Shop, b *world.Book, q asked) reply {
	o, at := find(b, q.offer)
	if o == nil {
		return noOffer()
	}
	type setup struct {
		ID              string            `json:"id"`
		Name            string            `json:"name"`
		OfferName       string            `json:"offerName"`
		Status          string            `json:"status"`
		Type            string            `json:"type"`
		Start           string            `json:"startDate"`
		End             string            `json:"endDate,omitempty"` // only if an end is set
		Criteria        string            `json:"triggerCriteria"`
		Conditions      []world.Condition `json:"triggerConditions"`
		*world.Discount                   // only if no product has its own
		Revenue         *json.Number      `json:"revenue,omitempty"` // a coupon has none
		Claims          int64             `json:"claims"`
		Rate            json.Number       `json:"acceptanceRate"`
		Priority        int               `json:"priority"`
		CreatedAt       string            `json:"createdAt"`
		ABTest          bool              `json:"abTest"`
		Currency        string            `json:"currency"`
		URL             string            `json:"url"`
	}
	did := b.Offer(at, 0, b.Now.Day)
	s := setup{
		ID: o.Id, Name: o.Name, OfferName: o.Name, Status: o.Status(b.Now), Type: world.PlacementLabels[o.At],
		Start: sh.Stamp(o.Start, 0), Criteria: "no-condition", Conditions: []world.Condition{},
		Revenue: revenueOf(sh, o.At, did.Revenue), Claims: did.Claims, Rate: world.Quotient(did.Claims, did.Impressions, 0, 4),
		Priority: b.Priority[at], CreatedAt: sh.Stamp(o.Created, o.CreatedMinute), ABTest: o.AbTest, Currency: sh.Currency, URL: adminURL(sh, o),
	}
	switch {
	case o.Again != 0:
		s.Start = sh.Stamp(o.Again, 0)
	case o.End < world.Forever:
		s.End = sh.Stamp(o.End, 23*60+59)
	}
	if set := sh.TriggerOf(o).Conditions; len(set) > 0 {
		s.Criteria, s.Conditions = "set-conditions", set
	}
	if !o.OwnDiscounts() {
		s.Discount = new(sh.OfferDiscount(o))
	}
	return upsellSuccess(s)
}
