package upsell

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Bounds of an offer list.
const (
	PageSize = 20
	// LastPage is the last real page: for any later number the service repeats this one (N9).
	LastPage = 50
)

// Offer is a row of an offer list or of the ranking.
type Offer struct {
	ID   string `json:"id" required:"true"`
	Name string `json:"name" required:"true"`
	// Status and Type may be "" on a deleted offer, and only there.
	Status Status    `json:"status"`
	Type   Placement `json:"type"`
	ABTest bool      `json:"abTest" required:"true"`
	// URL opens the offer in the store's admin. "" on a deleted offer (N17). It comes from
	// outside: check its scheme before making it a link.
	URL string `json:"url"`
	// Revenue is for all time in a list and for the window in a ranking (N12); nil if the row
	// has none.
	Revenue *decimal.Decimal `json:"revenue"`
	// Priority is the display order, 1 first; only in a by-priority list.
	Priority *int64 `json:"priority"`
	// CreatedAt is a timestamp of the store's clock as it came, maybe without a zone (N26). ""
	// if the row has none.
	CreatedAt string `json:"createdAt"`
	// Claims and AcceptanceRate are only on rows of the ranking. The unit of AcceptanceRate
	// isn't documented: show it as reported (N19).
	Claims         *int64           `json:"claims"`
	AcceptanceRate *decimal.Decimal `json:"acceptanceRate"`
	// IsDeleted marks an offer that no longer exists; absent means false.
	IsDeleted bool `json:"isDeleted"`
}

// Validate refuses a row that can't be told apart from others.
func (o Offer) Validate() error {
	if o.ID == "" {
		return errors.New("the id is empty")
	}
	if !o.IsDeleted && (o.Status == "" || o.Type == "") {
		return errors.New("the offer has no status or no type")
	}
	return nil
}

// Sort is the order of an offer list.
type Sort string

// The documented sorts. Only Newest, Oldest and RevenueLow include offers that never earned
// (N11).
const (
	Newest     Sort = "newest"
	Oldest     Sort = "oldest"
	Revenue    Sort = "revenue"
	RevenueLow Sort = "revenue_low"
)

// OffersQuery selects a page of offers. Zero values are not sent.
type OffersQuery struct {
	// Query is part of the name, ignoring case.
	Query  string
	Status Status
	Type   Placement
	// Page is 1 to [LastPage]; 0 means 1.
	Page int
	Sort Sort
	// ABTest asks only for offers under test.
	ABTest bool
}

func (q OffersQuery) check(op string) error {
	if err := checkPage(op, q.Page); err != nil {
		return err
	}
	if q.Status != "" && !q.Status.Known() {
		return upstream.Refuse(op, "the status %q is not active, scheduled or expired", string(q.Status))
	}
	switch q.Sort {
	case "", Newest, Oldest, Revenue, RevenueLow:
		return nil
	}
	return upstream.Refuse(op, "the sort %q is not newest, oldest, revenue or revenue_low", string(q.Sort))
}

func checkPage(op string, page int) error {
	if page < 0 || page > LastPage {
		return upstream.Refuse(op, "the page %d is not 1 to %d", page, LastPage)
	}
	return nil
}

func (q OffersQuery) values() url.Values {
	values := url.Values{}
	set := func(name, value string) {
		if value != "" {
			values.Set(name, value)
		}
	}
	set("query", q.Query)
	set("status", string(q.Status))
	set("type", string(q.Type))
	set("sort", string(q.Sort))
	if q.Page > 0 {
		set("page", strconv.Itoa(q.Page))
	}
	if q.ABTest {
		set("abTest", "true")
	}
	return values
}

func (q OffersQuery) filtered() bool {
	return q.Query != "" || q.Status != "" || q.Type != "" || q.ABTest
}

// ConfirmedBy reports whether a page of the list says that it was filtered by exactly what was
// asked for, and no row contradicts that (N30). [upstream.FlagFilterDiffers] is based on it.
func (q OffersQuery) ConfirmedBy(page Offers) bool {
	for _, row := range page.Offers {
		if q.Type != "" && row.Type != "" && !row.Type.is(q.Type) ||
			q.Status != "" && row.Status != "" && !strings.EqualFold(string(row.Status), string(q.Status)) ||
			q.ABTest && !row.ABTest {
			return false
		}
	}
	return q.echoedBy(page.AppliedFilter)
}

func (q OffersQuery) echoedBy(f *AppliedFilter) bool {
	if f == nil {
		return !q.filtered()
	}
	if !q.filtered() {
		return f.Scope != ScopeFiltered
	}
	return f.Scope == ScopeFiltered &&
		strings.EqualFold(string(f.Name), q.Query) &&
		Placement(f.Placement).is(q.Type) &&
		strings.EqualFold(string(f.Status), string(q.Status)) &&
		(f.ABTest == "true") == q.ABTest
}

// Offers is a page of offers (GET /data/offers, GET /data/offers/by-priority).
type Offers struct {
	Offers []Offer `json:"offers" required:"true"`
	// Total is the full count on page 1 only; on later pages it counts from that page on (N8).
	Total int64 `json:"total" required:"true"`
	// HasMore is the field to follow for paging.
	HasMore  bool              `json:"hasMore" required:"true"`
	Currency upstream.Currency `json:"currency" required:"true"`
	// AppliedFilter is nil if the reply has none.
	AppliedFilter *AppliedFilter `json:"appliedFilter"`
	// ShopDomain is the store that the data belongs to, "" if not given (N35).
	ShopDomain string `json:"shopDomain"`
}

// confirms is ConfirmedBy for the by-priority list. It isn't documented whether the placement
// counts as a filter there: an echo is checked but not required, and the rows are checked, too.
func (o Offers) confirms(asked Placement) bool {
	if f := o.AppliedFilter; f != nil {
		if f.Placement != "" && !Placement(f.Placement).is(asked) || f.Name != "" || f.Status != "" || f.ABTest == "true" {
			return false
		}
	}
	return !slices.ContainsFunc(o.Offers, func(row Offer) bool { return row.Type != "" && !row.Type.is(asked) })
}

// ranked is a page of the by-priority list.
type ranked Offers

// Validate refuses a row without the priority that ranks it, which counts from 1.
func (r ranked) Validate() error {
	for _, row := range r.Offers {
		switch {
		case row.Priority == nil:
			return errors.New("an offer has no priority")
		case *row.Priority < 1:
			return errBeforeFirst
		}
	}
	return nil
}

var errBeforeFirst = errors.New("a priority is below 1, which is the first")

// AppliedFilter echoes the filter of a list. The JSON types of the echoes aren't documented, so
// they are kept as text; "" means "not applied".
type AppliedFilter struct {
	// Scope is "shop" or [ScopeFiltered].
	Scope     string        `json:"scope" required:"true"`
	Name      upstream.Text `json:"name"`
	Placement upstream.Text `json:"placement"`
	Status    upstream.Text `json:"status"`
	ABTest    upstream.Text `json:"abTest"`
}

// ScopeFiltered is the scope of a list that is filtered.
const ScopeFiltered = "filtered"

// Count is how many offers there are (GET /data/offers/count).
type Count struct {
	// Total is over the placements counted.
	Total  int64            `json:"total" required:"true"`
	ByType []PlacementCount `json:"byType" required:"true"`
	// ShopDomain is the store that the data belongs to, "" if not given (N35).
	ShopDomain string `json:"shopDomain"`
}

// PlacementCount is one placement's offers.
type PlacementCount struct {
	Type     Placement    `json:"type" required:"true"`
	Count    int64        `json:"count" required:"true"`
	ByStatus StatusCounts `json:"byStatus" required:"true"`
}

// StatusCounts splits a count by the three statuses.
type StatusCounts struct {
	Active    int64 `json:"active" required:"true"`
	Expired   int64 `json:"expired" required:"true"`
	Scheduled int64 `json:"scheduled" required:"true"`
}
