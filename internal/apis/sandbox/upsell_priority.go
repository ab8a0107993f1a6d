package sandbox

import (
	"net/http"
	"slices"
	"strconv"
)

const (
	pageSize = 20
	pageMax  = 50
)

// priorities numbers the offers that exist: 1 is shown first in its placement. What does not exist has 0.
func priorities(offers []offer, now moment) []int {
	var lines [placements][]int
	for i := range offers {
		if o := &offers[i]; o.exists(now) && !o.deleted(now) {
			lines[o.at] = append(lines[o.at], i)
		}
	}
	out := make([]int, len(offers))
	for _, line := range lines {
		slices.SortFunc(line, func(i, j int) int { return offers[i].rank - offers[j].rank })
		for n, i := range line {
			out[i] = n + 1
		}
	}
	return out
}

// offersByPriority lists one placement's offers in display order. Without a placement there is no order to show.
func offersByPriority(sh *shop, b *book, q asked) reply {
	p, ok := parsePlacement(q.Get("placement"))
	switch {
	case q.Get("placement") == "":
		return upsellFailure(http.StatusUnprocessableEntity, "placement is required: priority is ranked within one placement")
	case !ok: // the document does not show this
		return upsellFailure(http.StatusUnprocessableEntity, "placement is not one of the four: priority is ranked within one placement")
	}
	index := slices.DeleteFunc(b.listed(), func(i int) bool { return b.offers[i].at != p })
	slices.SortFunc(index, func(i, j int) int { return b.priority[i] - b.priority[j] })
	return sh.page(b, index, appliedFilter{Scope: "filtered", Placement: placementLabels[p]}, q, sh.shuffle, true)
}

// page answers one page of an ordered list.
func (sh *shop) page(b *book, index []int, filter appliedFilter, q asked, shuffle, withPriority bool) reply {
	page, err := strconv.Atoi(q.Get("page"))
	if err != nil || page < 1 {
		page = 1
	}
	from := min((min(page, pageMax)-1)*pageSize, len(index))
	if (shuffle || q.moving) && 0 < from && from < len(index) {
		// The first row of this page has meanwhile moved to the front, so the last row of the page before stands here again.
		index = slices.Concat(index[from:from+1], index[:from], index[from+1:])
	}
	left := index[from:]
	rows := []offerRow{}
	for _, i := range left[:min(pageSize, len(left))] {
		r := sh.offerRow(&b.offers[i], b.now, b.offer(i, 0, b.now.day).revenue)
		if withPriority {
			r.Priority = b.priority[i]
		}
		rows = append(rows, r)
	}
	return upsellSuccess(struct {
		Offers     []offerRow    `json:"offers"`
		Total      int           `json:"total"` // this page and what is still unshown
		HasMore    bool          `json:"hasMore"`
		Currency   string        `json:"currency"`
		Filter     appliedFilter `json:"appliedFilter"`
		ShopDomain string        `json:"shopDomain"`
	}{rows, len(left), len(left) > pageSize, sh.currency, filter, sh.domain})
}
