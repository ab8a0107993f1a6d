package sandbox

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
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

func (sh *shop) offerRow(o *offer, now moment, revenue int64) offerRow {
	r := offerRow{
		ID: o.id, Name: o.name, Status: o.status(now), Type: placementLabels[o.at], ABTest: o.abTest,
		Revenue: sh.revenueOf(o.at, revenue), CreatedAt: sh.stamp(o.created, o.createdMinute), IsDeleted: o.deleted(now),
	}
	if !r.IsDeleted {
		r.URL = sh.adminURL(o)
	}
	return r
}

// adminURL opens the offer in the store's admin.
func (sh *shop) adminURL(o *offer) string {
	if o.url != "" {
		return o.url
	}
	return "https://" + sh.domain + "/admin/apps/upsell/offers/" + o.id
}

// listed are the offers that the store has now, in any status, oldest first.
func (b *book) listed() []int {
	out := make([]int, 0, len(b.offers))
	for i := range b.offers {
		if o := &b.offers[i]; o.exists(b.now) && !o.deleted(b.now) {
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

// filterOf reads the filters of the list. What it does not know it ignores, and then does not echo.
func filterOf(q url.Values) appliedFilter {
	f := appliedFilter{Scope: "shop", Name: q.Get("query"), ABTest: q.Get("abTest") == "true"}
	if p, ok := parsePlacement(q.Get("type")); ok {
		f.Placement = placementLabels[p]
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

func (f appliedFilter) fits(o *offer, now moment) bool {
	return strings.Contains(strings.ToLower(o.name), strings.ToLower(f.Name)) &&
		(f.Placement == "" || f.Placement == placementLabels[o.at]) &&
		(f.Status == "" || f.Status == o.status(now)) &&
		(!f.ABTest || o.abTest)
}

// offerList pages through the offers that the store has now. The ranking by revenue leaves out those that never earned; the one from
// below has them.
func offerList(sh *shop, b *book, q asked) reply {
	filter := filterOf(q.Values)
	index := slices.DeleteFunc(b.listed(), func(i int) bool { return !filter.fits(&b.offers[i], b.now) })
	earned := func(i int) int64 { return b.offer(i, 0, b.now.day).revenue }
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
	return sh.page(b, index, filter, q, sh.shuffle && q.Get("sort") != "oldest", false)
}

// offerCount counts the offers that the store has now by placement and status.
func offerCount(sh *shop, b *book, q asked) reply {
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
		rows[n].Type = placementLabels[p]
	}
	var total int
	var sum byStatus
	for _, i := range b.listed() {
		o := &b.offers[i]
		n := slices.Index(asked, o.at)
		if n < 0 {
			continue
		}
		total++
		rows[n].Count++
		for _, c := range []*byStatus{&rows[n].ByStatus, &sum} {
			switch o.status(b.now) {
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
	}{total, rows, sum, sh.domain})
}
