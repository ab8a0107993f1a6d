package sandbox

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// offerRow is an offer as every list returns it.
type offerRow struct {
	ID             string       `json:"id"`
	Name           string       `json:"name"`
	Status         string       `json:"status"`
	Type           string       `json:"type"`
	ABTest         bool         `json:"abTest"`
	URL            string       `json:"url,omitempty"` // absent when deleted
	Revenue        *json.Number `json:"revenue,omitempty"`
	Priority       int          `json:"priority,omitempty"` // by-priority only
	CreatedAt      string       `json:"createdAt"`
	Claims         *int64       `json:"claims,omitempty"`
	AcceptanceRate *json.Number `json:"acceptanceRate,omitempty"`
	IsDeleted      bool         `json:"isDeleted,omitempty"`
}

func offerRowOf(sh *world.Shop, o *world.Offer, now world.Moment, revenue int64) offerRow {
	r := offerRow{
		ID: o.Id, Name: o.Name, Status: o.Status(now), Type: world.PlacementLabels[o.At], ABTest: o.AbTest,
		Revenue: revenueOf(sh, o.At, revenue), CreatedAt: sh.Stamp(o.Created, o.CreatedMinute), IsDeleted: o.Deleted(now),
	}
	if !r.IsDeleted {
		r.URL = adminURL(sh, o)
	}
	return r
}

// adminURL opens the offer in the store's admin.
func adminURL(sh *world.Shop, o *world.Offer) string {
	return cmp.Or(o.Url, "https://"+sh.Domain+"/admin/apps/upsell/offers/"+o.Id)
}

// listedOf are the offers that the store has now, in any status, oldest first.
func listedOf(b *world.Book) []int {
	out := make([]int, 0, len(b.Offers))
	for i := range b.Offers {
		if o := &b.Offers[i]; o.Exists(b.Now) && !o.Deleted(b.Now) {
			out = append(out, i)
		}
	}
	return out
}

type appliedFilter struct {
	Scope     string `json:"scope"`
	Name      string `json:"name,omitempty"`
	Placement string `json:"placement,omitempty"`
	Status    string `json:"status,omitempty"`
	ABTest    bool   `json:"abTest,omitempty"`
}

// filterOf reads the filters of the list. Unknown ones are ignored and not echoed.
func filterOf(q url.Values) appliedFilter {
	f := appliedFilter{Scope: "shop", Name: q.Get("query"), ABTest: q.Get("abTest") == "true"}
	if p, ok := world.ParsePlacement(q.Get("type")); ok {
		f.Placement = world.PlacementLabels[p]
	}
	switch status := q.Get("status"); status {
	case "active", "scheduled", "expired":
		f.Status = status
	}
	if f != (appliedFilter{Scope: "shop"}) {
		f.Scope = "filtered"
	}
	return f
}

func (f appliedFilter) fits(o *world.Offer, now world.Moment) bool {
	return strings.Contains(strings.ToLower(o.Name), strings.ToLower(f.Name)) &&
		(f.Placement == "" || f.Placement == world.PlacementLabels[o.At]) &&
		(f.Status == "" || f.Status == o.Status(now)) &&
		(!f.ABTest || o.AbTest)
}

// offerList pages through the offers that the store has now. The ranking by revenue leaves out offers that never
// earned; the one from the lowest includes them.
func offerList(sh *world.Shop, b *world.Book, q asked) reply {
	filter := filterOf(q.Values)
	index := slices.DeleteFunc(listedOf(b), func(i int) bool { return !filter.fits(&b.Offers[i], b.Now) })
	earned := func(i int) int64 { return b.Offer(i, 0, b.Now.Day).Revenue }
	switch q.Get("sort") {
	case "oldest":
	case "revenue":
		index = slices.DeleteFunc(index, func(i int) bool { return earned(i) == 0 })
		slices.SortStableFunc(index, func(i, j int) int { return cmp.Compare(earned(j), earned(i)) })
	case "revenue_low":
		slices.SortStableFunc(index, func(i, j int) int { return cmp.Compare(earned(i), earned(j)) })
	default:
		slices.Reverse(index)
	}
	return page(sh, b, index, filter, q, sh.Shuffle && q.Get("sort") != "oldest", false)
}

// offerCount counts the offers that the store has now by placement and status.
func offerCount(sh *world.Shop, b *world.Book, q asked) reply {
	type byStatus struct {
		Active    int `json:"active"`
		Expired   int `json:"expired"`
		Scheduled int `json:"scheduled"`
	}
	type typeCount struct {
		Type     string   `json:"type"`
		Count    int      `json:"count"`
		ByStatus byStatus `json:"byStatus"`
	}
	asked := placementsAsked(q.Values)
	rows := make([]typeCount, len(asked))
	for n, p := range asked {
		rows[n].Type = world.PlacementLabels[p]
	}
	var total int
	var sum byStatus
	for _, i := range listedOf(b) {
		o := &b.Offers[i]
		n := slices.Index(asked, o.At)
		if n < 0 {
			continue
		}
		total++
		rows[n].Count++
		for _, c := range []*byStatus{&rows[n].ByStatus, &sum} {
			switch o.Status(b.Now) {
			case "active":
				c.Active++
			case "scheduled":
				c.Scheduled++
			default:
				c.Expired++
			}
		}
	}
	return upsellSuccess(struct {
		Total      int         `json:"total"`
		ByType     []typeCount `json:"byType"`
		ByStatus   byStatus    `json:"byStatus"`
		ShopDomain string      `json:"shopDomain"`
	}{total, rows, sum, sh.Domain})
}
