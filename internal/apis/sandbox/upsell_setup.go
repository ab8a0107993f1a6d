package sandbox

import (
	"encoding/json"
	"net/http"
)

// noOffer is the answer for an id that is not the store's or is gone: a success without data.
func noOffer() reply {
	return reply{status: http.StatusOK, body: struct {
		Success bool `json:"success"`
		Data    any  `json:"data"`
	}{true, nil}}
}

// find is an offer that the store has now, or nil.
func (b *book) find(id string) (o *offer, at int) {
	for i := range b.offers {
		if o := &b.offers[i]; o.id == id && o.exists(b.now) && !o.deleted(b.now) {
			return o, i
		}
	}
	return nil, none
}

// offerSetup is how an offer is set up. It does not say what the offer sells.
func offerSetup(sh *shop, b *book, q asked) reply {
	o, at := b.find(q.offer)
	if o == nil {
		return noOffer()
	}
	type setup struct {
		ID         string       `json:"id"`
		Name       string       `json:"name"`
		OfferName  string       `json:"offerName"`
		Status     string       `json:"status"`
		Type       string       `json:"type"`
		Start      string       `json:"startDate"`
		End        string       `json:"endDate,omitempty"` // only when an end is switched on
		Criteria   string       `json:"triggerCriteria"`
		Conditions []condition  `json:"triggerConditions"`
		*discount               // only when no product carries its own
		Revenue    *json.Number `json:"revenue,omitempty"` // a coupon has none
		Claims     int64        `json:"claims"`
		Rate       json.Number  `json:"acceptanceRate"`
		Priority   int          `json:"priority"`
		CreatedAt  string       `json:"createdAt"`
		ABTest     bool         `json:"abTest"`
		Currency   string       `json:"currency"`
		URL        string       `json:"url"`
	}
	did := b.offer(at, 0, b.now.day)
	s := setup{
		ID: o.id, Name: o.name, OfferName: o.name, Status: o.status(b.now), Type: placementLabels[o.at],
		Start: sh.stamp(o.start, 0), Criteria: "no-condition", Conditions: []condition{},
		Revenue: sh.revenueOf(o.at, did.revenue), Claims: did.claims, Rate: quotient(did.claims, did.impressions, 1, 4),
		Priority: b.priority[at], CreatedAt: sh.stamp(o.created, o.createdMinute), ABTest: o.abTest, Currency: sh.currency, URL: sh.adminURL(o),
	}
	switch {
	case o.again != 0:
		s.Start = sh.stamp(o.again, 0)
	case o.end < forever:
		s.End = sh.stamp(o.end, 23*60+59)
	}
	if set := sh.triggerOf(o).conditions; len(set) > 0 {
		s.Criteria, s.Conditions = "set-conditions", set
	}
	if !o.ownDiscounts() {
		d := sh.offerDiscount(o)
		s.discount = &d
	}
	return upsellSuccess(s)
}
