// Package offers makes the list of a store’s offers, the page of a single offer, and an offer's
// details: its setup, its funnel and the products that the service would recommend.
package offers

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// Row is one offer in the inventory.
type Row struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Placement report.Placement `json:"placement"`
	// Status is raw; only the three documented values have a sign.
	Status string `json:"status"`
	ABTest bool   `json:"ab_test"`
	// RevenueAllTime is nil if not reported (Coupon offer, N13).
	RevenueAllTime *decimal.Decimal `json:"revenue_all_time"`
	Currency       string           `json:"currency,omitempty"`
	// Priority is the display order within the placement, 1 first; nil if unknown.
	Priority *int `json:"priority"`
	// CreatedAt is the service's text, on the store's clock, possibly without a zone.
	CreatedAt string `json:"created_at,omitempty"`
	// URL opens the offer in the store admin; always a safe https address, or empty.
	URL       string    `json:"url,omitempty"`
	FirstSeen time.Time `json:"first_seen"`
	// LastListed is when a complete walk last saw it. Unlisted: later complete walks didn't, which
	// doesn't mean it was deleted (N11).
	LastListed time.Time `json:"last_listed"`
	Unlisted   bool      `json:"unlisted"`
	// Deleted: a ranking marked it as deleted.
	Deleted bool `json:"deleted"`
	// TriggerDeleted: the offer is active or scheduled, and its trigger points to something deleted.
	TriggerDeleted bool `json:"-"`
}

// Verified says how complete the inventory is known to be.
type Verified struct {
	// Seen is the number of offers seen, Counted the service's own count at the end of the walk.
	Seen    int64     `json:"seen"`
	Counted *int64    `json:"counted"`
	Whole   bool      `json:"whole"`
	At      time.Time `json:"at,omitzero"`
	// Calls is how many calls the walk took.
	Calls int `json:"calls"`
	// Words: "All 1,840 offers loaded", or "1,000 of 1,840 offers loaded;
	// the app doesn’t list the rest", in the reader's language.
	Words string `json:"words"`
}

// List is the store's inventory (GET /data/offers).
type List struct {
	report.Panel
	Filter report.OfferFilter `json:"filter"`
	// Rows are all offers; NewTable filters, sorts and counts them, and keeps one page.
	Rows     []Row    `json:"offers"`
	Matched  int      `json:"matched"`
	Total    int      `json:"total"`
	Pages    int      `json:"pages"`
	Verified Verified `json:"verified"`
	// Coming says when the list will be complete for the first time; nil once it has been.
	Coming *report.Part `json:"-"`
}

// Event is a change that we noticed on an offer.
type Event struct {
	At time.Time `json:"at"`
	// Kind: first_seen, renamed, status, placement, ab_test, priority, unlisted, relisted, deleted.
	Kind   string `json:"kind"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// SetupBody is an offer's setup as sync stores it (GET /data/offer/{id}). A nil field was not sent,
// which doesn't mean "none" (N33).
type SetupBody struct {
	Name      string `json:"name"`
	Status    string `json:"status"`
	Placement string `json:"placement"`
	StartDate string `json:"start_date,omitempty"`
	// EndDate is empty if the offer has no end date.
	EndDate string `json:"end_date,omitempty"`
	// TriggerCriteria is raw: no-condition or set-conditions.
	TriggerCriteria string           `json:"trigger_criteria"`
	Conditions      []Condition      `json:"conditions"`
	DiscountType    string           `json:"discount_type,omitempty"`
	DiscountValue   string           `json:"discount_value,omitempty"`
	Revenue         *decimal.Decimal `json:"revenue,omitempty"`
	Claims          *int64           `json:"claims,omitempty"`
	AcceptanceRate  *decimal.Decimal `json:"acceptance_rate,omitempty"`
	Priority        *int64           `json:"priority,omitempty"`
	CreatedAt       string           `json:"created_at,omitempty"`
	ABTest          bool             `json:"ab_test"`
	Currency        string           `json:"currency,omitempty"`
	URL             string           `json:"url,omitempty"`
}

// Condition is one trigger condition. All conditions must be met together; they describe the trigger,
// not what is upsold.
type Condition struct {
	// Kind is the condition's own word, raw; empty if it had none.
	Kind  string                 `json:"kind,omitempty"`
	Names []report.ConditionName `json:"names,omitempty"`
	// Raw is the entry as received, for what we don't understand.
	Raw string `json:"raw,omitempty"`
}

// StagesBody are an offer's stages as sync stores them (GET /data/offer/{id}/stages).
type StagesBody struct {
	OfferName string      `json:"offer_name"`
	Stages    []StageBody `json:"stages"`
	Currency  string      `json:"currency,omitempty"`
}

// StageBody is one stage. It has either Arms (a stage in an A/B test), or Products and Bundle.
type StageBody struct {
	// Label is the stage's own name; empty in placements with a single stage.
	Label string `json:"label,omitempty"`
	// Follows is the label of the previous stage; empty for the first.
	Follows string `json:"follows,omitempty"`
	// Branch is accepted or declined: how the previous stage ended; empty if not sent.
	Branch   string         `json:"branch,omitempty"`
	Products []StageProduct `json:"products,omitempty"`
	Bundle   *Bundle        `json:"bundle,omitempty"`
	Arms     []StageArm     `json:"arms,omitempty"`
	Raw      string         `json:"raw,omitempty"`
}

// StageProduct is what a stage offers, with its discount, never a final price.
type StageProduct struct {
	Title         string `json:"title"`
	DiscountType  string `json:"discount_type"`
	DiscountValue string `json:"discount_value"`
}

// Bundle is a live bundle deal.
type Bundle struct {
	Type         string       `json:"type"`
	DiscountType string       `json:"discount_type"`
	Tiers        []BundleTier `json:"tiers"`
}

// BundleTier is one tier as far as we understand it; Raw is the entry as received if we understood nothing.
type BundleTier struct {
	// Words are made from Parts for a reader; sync doesn't store them.
	Words string     `json:"words"`
	Parts *TierParts `json:"parts,omitempty"`
	Raw   string     `json:"raw,omitempty"`
}

// TierParts are what sync found in a tier. Without a discount, both discount fields are empty.
type TierParts struct {
	Name          string `json:"name,omitempty"`
	Quantity      *int64 `json:"quantity,omitempty"`
	DiscountType  string `json:"discount_type,omitempty"`
	DiscountValue string `json:"discount_value,omitempty"`
}

// StageArm is one arm of an A/B test. It replaces the stage's products and bundle.
type StageArm struct {
	// Name is made from Number and Share for a reader; sync stores the name that was sent.
	Name string `json:"name"`
	// Number is the arm's position, from 1; 0 means all arms of a test that doesn't list them.
	Number   int            `json:"number,omitempty"`
	Share    string         `json:"share,omitempty"`
	Products []StageProduct `json:"products,omitempty"`
	Bundle   *Bundle        `json:"bundle,omitempty"`
	Raw      string         `json:"raw,omitempty"`
}

// RecommendationsBody is what to sell along with an offer, as sync stores it (GET
// /data/products/recommendations?offerId=). Exactly one shape is set.
type RecommendationsBody struct {
	// Shape: bought_together, best_sellers, candidates, no_slot.
	Shape string `json:"shape"`
	// Cause is only set for best_sellers: nothing_named, no_product_trigger, triggers_deleted,
	// product_deleted, no_match, or unknown.
	Cause    string                  `json:"cause,omitempty"`
	Triggers []RecommendationTrigger `json:"triggers,omitempty"`
	// Products are best sellers or candidates, which is no evidence that they sell together (N36).
	Products []RecommendedProduct `json:"products,omitempty"`
	// Omitted and Deleted are trigger products, worded for a reader; empty if the service named none.
	Omitted string `json:"omitted,omitempty"`
	Deleted string `json:"deleted,omitempty"`
	// OmittedTriggers and DeletedTriggers are the stored form of the two.
	OmittedTriggers *MissingTriggers `json:"omitted_triggers,omitempty"`
	DeletedTriggers *MissingTriggers `json:"deleted_triggers,omitempty"`
	Currency        string           `json:"currency,omitempty"`
}

// MissingTriggers are trigger products without a row. Count is nil if it wasn't sent, and may be larger
// than the number of Names.
type MissingTriggers struct {
	Count *int64   `json:"count,omitempty"`
	Names []string `json:"names,omitempty"`
}

// RecommendationTrigger is one trigger product with its suggestions, those with evidence apart from the
// padding.
type RecommendationTrigger struct {
	Title    string               `json:"title"`
	Evidence []RecommendedProduct `json:"bought_together"`
	Padding  []RecommendedProduct `json:"same_category_picks"`
}

// RecommendedProduct is one suggestion. Only evidence has CoPurchased and PastRevenue.
type RecommendedProduct struct {
	ID          string           `json:"id"`
	Title       string           `json:"title"`
	Price       *decimal.Decimal `json:"price,omitempty"`
	CoPurchased *int64           `json:"co_purchased_orders,omitempty"`
	PastRevenue *decimal.Decimal `json:"past_revenue,omitempty"`
}

// Day is one day of an offer. Stored is false if the day's ranking isn't stored, or is cut so that
// nothing is known about this offer. Stored with zero revenue means that the ranking is complete and
// the offer isn't in it.
type Day struct {
	Day     civil.Date       `json:"day"`
	Stored  bool             `json:"stored"`
	Revenue *decimal.Decimal `json:"revenue"`
	// Currency differs from the history's on days before the store changed it (N34).
	Currency string `json:"currency"`
	Claims   *int64 `json:"claims"`
}

// History has one row per day of the window.
type History struct {
	report.Panel
	// Currency is the newest stored day's; Mixed is set if another day has a different one (N34).
	Currency string        `json:"currency"`
	Mixed    *report.Empty `json:"-"`
	Days     []Day         `json:"days"`
	// Revenue is the sum of the stored days; nil if they are mixed, and for a coupon offer, which reports none.
	Revenue *decimal.Decimal `json:"revenue"`
	// Notes are people's notes about the days.
	Notes []report.DayNote `json:"-"`
}

// Results are an offer's figures for the window: as reported if a ranking of exactly this window has
// the offer, otherwise from its days.
type Results struct {
	report.Panel
	Currency string `json:"currency"`
	// Revenue is zero only if a complete ranking doesn't have the offer; nil for a coupon offer, which
	// reports none (N13).
	Revenue *decimal.Decimal `json:"revenue"`
	// Claims are nil if not reported; if stitched, they cover the days on which it was ranked.
	Claims *int64 `json:"claims"`
	// AcceptanceRate is as reported for exactly this window; it can't be made from days (N2, N19).
	AcceptanceRate *decimal.Decimal `json:"acceptance_rate"`
	// AcceptanceUnit is the unit of the window's ranking.
	AcceptanceUnit overview.RateUnit `json:"acceptance_unit"`
}

// Setup, Stages and Recommendations are panels made from the stored bodies.
type (
	// Setup is the setup panel.
	Setup struct {
		report.Panel
		SetupBody
	}
	// Stages is the stages panel.
	Stages struct {
		report.Panel
		StagesBody
	}
	// Recommendations is the recommendations panel.
	Recommendations struct {
		report.Panel
		RecommendationsBody
	}
)

// Detail is everything on an offer's page.
type Detail struct {
	Store           report.Store
	Now             time.Time
	Choice          report.Choice
	Offer           Row
	Results         Results
	Setup           Setup
	Stages          Stages
	Recommendations Recommendations
	History         History
	Events          []Event
	Answer          Answer

	listed report.Provenance
}

// Answer is what happened to an offer in the window.
type Answer struct {
	// Said: what it brought in, by how much that changed, and when it started or ended. May be empty.
	Said locale.Sentences
	// Before is its revenue in the comparison window, as in Table; nil if it can't be compared.
	Before *decimal.Decimal
	// Compared is the provenance of Before; nil without it.
	Compared *report.Provenance
	// Events are its starts and ends in the window, Around what they changed.
	Events []report.Event
	Around []answers.BeforeAfter
}

// Answered adds what happened, from the overview of the same window.
func (d Detail) Answered(o overview.Overview, events []report.Event) Detail {
	a := Answer{Before: o.Top.Earlier(o.TopBefore).Of(d.Offer.ID, d.Offer.Placement), Events: EventsOf(events, d.Offer.ID)}
	if a.Before != nil {
		a.Compared = &o.TopBefore.Provenance
	}
	r, known := d.Results, (*answers.Brought)(nil)
	if w := r.Provenance.Window; w != nil && r.Empty == nil && r.Revenue != nil && len(r.Provenance.Missing) == 0 && !r.Provenance.Has(report.FlagCut) {
		known = &answers.Brought{Window: *w, Value: *r.Revenue, Was: a.Before, Currency: r.Currency, SoFar: r.Provenance.Has(report.FlagPartial)}
		if a.Compared != nil {
			known.Against = a.Compared.Window
		}
	}
	a.Said = answers.Offer(d.Choice, known, a.Events)
	d.Answer = a
	return d
}

// EventsOf are the starts and ends of one offer.
func EventsOf(all []report.Event, id string) []report.Event {
	return slices.DeleteFunc(slices.Clone(all), func(e report.Event) bool { return e.OfferID != id })
}

// StoredList is what the offer list is made of.
type StoredList struct {
	Store       report.Store
	Credentials []report.StoredCredential
	Ledger      []report.StoredPull
	Rows        []Row
	Walk        *StoredWalk
}

// StoredWalk is the last complete walk over the inventory.
type StoredWalk struct {
	FinishedAt time.Time
	Seen       int64
	Counted    *int64
	Clamped    bool
	Calls      int
}

// StoredDetail is what an offer's page is made of.
type StoredDetail struct {
	Stored          report.Stored // for the choice: clock, stored days, ledger, credentials
	Offer           Row
	Setup           *report.StoredJSON // SetupBody; a null Body means the service says there is no such offer
	Stages          *report.StoredJSON // StagesBody
	Recommendations *report.StoredJSON // RecommendationsBody
	// Days holds the offer's row of each stored daily ranking in the window.
	Days []StoredDay
	// RankedDays are the days of the window that have a ranking. An offer that is missing from a
	// complete one earned nothing that day.
	RankedDays []report.StoredRankedDay
	Events     []Event
}

// StoredDay is an offer's row in one day's ranking.
type StoredDay struct {
	Day       civil.Date
	Revenue   *decimal.Decimal
	Claims    *int64
	Currency  string
	FetchedAt time.Time
}
