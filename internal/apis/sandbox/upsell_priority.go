package sandbox

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

const (
	pageSize = 20
	pageMax  = 50
)

// offersByPriority lists one placement's offers in display order. Without a placement there is no order to show.
func offersByPriority(sh *world.Shop, b *world.Book, q asked) reply {
	p, ok := world.ParsePlacement(q.Get("placement"))
	switch {
	case q.Get("placement") == "":
		return upsellFailure(http.StatusUnprocessableEntity, "placement is required: priority is ranked within one placement")
	case !ok: // not documented
		return upsellFailure(http.StatusUnprocessableEntity, "placement is not one of the four: priority is ranked within one placement")
	}
	index := slices.DeleteFunc(listedOf(b), func(i int) bool { return b.Offers[i].At != p })
	slices.SortFunc(index, func(i, j int) int { return b.Priority[i] - b.Priority[j] })
	return page(sh, b, index, appliedFilter{Scope: "filtered", Placement: world.PlacementLabels[p]}, q, sh.Shuffle, true)
}

// page answers one page of an ordered list.
func page(sh *world.Shop, b *world.Book, index []int, filter appliedFilter, q asked, shuffle, withPriority bool) reply {
	page, err := strconv.Atoi(q.Get("page"))
	if err != nil || page < 1 {
		page = 1
	}
	from := min((min(page, pageMax)-1)*pageSize, len(index))
	if (shuffle || q.moving) && 0 < from && from < len(index) {
		// The first row of this page has moved to the front meanwhile, so the last row of the previous page is here
		// again.
		index = slices.Concat(index[from:from+1], index[:from], index[from+1:])
	}
	left := index[from:]
	rows := []offerRow{}
	for _, i := range left[:min(pageSize, len(left))] {
		r := offerRowOf(sh, &b.Offers[i], b.Now, b.Offer(i, 0, b.Now.Day).Revenue)
		if withPriority {
			r.Priority = b.Priority[i]
		}
		rows = append(rows, r)
	}
	return upsellSuccess(struct {
		Offers     []offerRow    `json:"offers"`
		Total      int           `json:"total"` // this page and everything after it
		HasMore    bool          `json:"hasMore"`
		Currency   string        `json:"currency"`
		Filter     appliedFilter `json:"appliedFilter"`
		ShopDomain string        `json:"shopDomain"`
	}{rows, len(left), len(left) > pageSize, sh.Currency, filter, sh.Domain})
}
