package plan

import (
	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// ListReach is how many offers a list shows from one end: 50 pages of 20 (N9).
const ListReach = upsell.PageSize * upsell.LastPage

// part is a part of the inventory that the service can list by itself: the whole
// shop (the zero part), a placement or a status, both, or what of both is under test.
type part struct {
	placement upsell.Placement
	status    upsell.Status
	abTest    bool
}

// ListSlice is a part listed from one end.
type ListSlice struct {
	N         int    `json:"n"`
	Placement string `json:"placement"`
	Status    string `json:"status"`
	ABTest    bool   `json:"ab_test"`
	Sort      string `json:"sort"`
}

// The walk over the offers goes oldest first: a new offer then lands at the end and
// moves no row to another page (N10). What a list can't show is reached by slicing,
// with as few calls as find all of it:
//
// Up to 1,000 offers: the shop's list, a page for each 20, which is the least there is.
//
// Beyond that: a list for each placement, and where one has more than 1,000, for each
// status of it. Every slice costs at most one page more than its share. Where the
// documented placements don't add up to the count, some offers are in one that can't
// be asked for (N31): then a list for each status of the shop, which takes no placement.
//
// A status with more than 1,000 offers is listed from both ends, until they meet; one
// with more than 2,000, or whose ends are not one order (a bulk import made in one
// second), also by what of it is under test. What is left then is said to be missing.
//
// Slices that the count says are empty are not asked.
//
// A later night takes the same walk: a rename or a new status may be on any page,
// and no sort brings it forward. With less, only offers that are new could be found
// (the newest page) and that some are gone (the count).

// FirstSlices is where a walk begins.
func FirstSlices(counts []sqlc.OfferCount) []ListSlice {
	parts := entry(part{}, counts)
	if len(parts) == 0 { // an empty shop: one page says so
		parts = []part{{}}
	}
	return oldest(parts)
}

// NextSlices are the slices to walk after one that has ended. short means that it didn't show
// all offers of its part.
func NextSlices(s ListSlice, short bool, counts []sqlc.OfferCount) []ListSlice {
	p := s.part()
	if !short {
		return nil
	}
	if p.status != "" && s.Sort == string(upsell.Oldest) {
		s.Sort = string(upsell.Newest)
		return []ListSlice{s}
	}
	var parts []part
	for _, child := range p.children(counts) {
		parts = append(parts, entry(child, counts)...)
	}
	return oldest(parts)
}

// WholeShop reports whether the slice lists every offer of the shop.
func (s ListSlice) WholeShop() bool { return s.part() == part{} }

func (s ListSlice) part() part {
	return part{upsell.Placement(s.Placement), upsell.Status(s.Status), s.ABTest}
}

func oldest(parts []part) []ListSlice {
	out := make([]ListSlice, len(parts))
	for i, p := range parts {
		out[i] = ListSlice{Placement: string(p.placement), Status: string(p.status), ABTest: p.abTest, Sort: string(upsell.Oldest)}
	}
	return out
}

// entry is the part itself or, if the count says that one list can't show it, its sub-parts.
func entry(p part, counts []sqlc.OfferCount) []part {
	size, known := p.size(counts)
	switch {
	case known && size == 0:
		return nil
	case known && size > ListReach && p.status == "":
		var out []part
		for _, child := range p.children(counts) {
			out = append(out, entry(child, counts)...)
		}
		return out
	}
	return []part{p}
}

func (p part) children(counts []sqlc.OfferCount) []part {
	var out []part
	switch {
	case p.placement == "" && (p.status != "" || !elsewhere(counts)):
		for _, at := range upsell.Placements() {
			out = append(out, part{placement: at, status: p.status})
		}
	case p.status == "":
		for _, s := range []upsell.Status{upsell.Active, upsell.Scheduled, upsell.Expired} {
			out = append(out, part{placement: p.placement, status: s})
		}
	case !p.abTest:
		p.abTest = true
		out = append(out, p)
	}
	return out
}

// elsewhere reports whether the count includes offers outside the documented placements.
func elsewhere(counts []sqlc.OfferCount) bool {
	rest := int64(0)
	for _, c := range counts {
		switch {
		case c.Placement == "":
			rest += c.Total
		case upsell.Placement(c.Placement).Known():
			rest -= c.Total
		}
	}
	return rest > 0
}

// size is how many offers the part has according to the stored count; known is false if the
// count doesn't say.
func (p part) size(counts []sqlc.OfferCount) (size int64, known bool) {
	if len(counts) == 0 || p.abTest {
		return 0, false
	}
	total, sum := int64(0), int64(0)
	for _, c := range counts {
		if c.Placement == "" {
			total = c.Total
			continue
		}
		sum += c.Total
		if p.placement == "" || string(c.Placement) == string(p.placement) {
			size += p.of(c)
			known = known || p.placement != ""
		}
	}
	if p == (part{}) {
		return total, true
	}
	return size, known || total == sum // a full count leaves out what has no offers
}

// of is how many of a placement's offers have the part's status.
func (p part) of(c sqlc.OfferCount) int64 {
	switch p.status {
	case upsell.Active:
		return c.Active
	case upsell.Scheduled:
		return c.Scheduled
	case upsell.Expired:
		return c.Expired
	}
	return c.Total
}
