package upsell

import (
	"net/url"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// RecommendationsQuery names what to recommend for: at most one of the three. Without any, the
// reply is the store's best sellers.
type RecommendationsQuery struct {
	// OfferID is the best choice: the offer's own trigger products are used.
	OfferID string
	// ProductID has the form gid://<platform>/Product/<id>.
	ProductID string
	// ProductName is a product's title, looked up by the service.
	ProductName string
}

func (q RecommendationsQuery) fields() [][2]string {
	all := [][2]string{{"offerId", q.OfferID}, {"productId", q.ProductID}, {"productName", q.ProductName}}
	return slices.DeleteFunc(all, func(f [2]string) bool { return f[1] == "" })
}

// check refuses queries that the service might treat as if nothing had been named.
func (q RecommendationsQuery) check(op string) error {
	fields := q.fields()
	switch {
	case len(fields) > 1:
		return upstream.Refuse(op, "more than one of offerId, productId and productName is named")
	case len(fields) == 1 && strings.TrimSpace(fields[0][1]) == "":
		return upstream.Refuse(op, "the %s is blank", fields[0][0])
	case q.ProductID != "" && !globalID(q.ProductID):
		return upstream.Refuse(op, "the productId is not of the form gid://<platform>/Product/<id>")
	}
	return nil
}

// globalID reports whether an id has the documented form.
func globalID(id string) bool {
	rest, ok := strings.CutPrefix(id, "gid://")
	platform, number, found := strings.Cut(rest, "/Product/")
	return ok && found && platform != "" && number != "" && !strings.ContainsAny(platform+number, "/ ")
}

// confirmedBy reports whether the answer fits the query.
func (q RecommendationsQuery) confirmedBy(r Recommendations) bool {
	named := len(q.fields()) > 0
	switch r := r.(type) {
	case BoughtTogether:
		return named
	case BestSellers:
		switch r.Cause {
		case NothingNamed:
			return !named
		case NoProductTrigger, TriggersDeleted:
			return q.OfferID != ""
		case ProductDeleted:
			return q.ProductID != ""
		case NoMatch:
			return q.ProductName != ""
		}
		return named
	case Candidates:
		return q.ProductName != ""
	case NoProductSlot:
		return q.OfferID != ""
	}
	return false
}

func (q RecommendationsQuery) values() url.Values {
	values := url.Values{}
	for _, field := range q.fields() {
		values.Set(field[0], field[1])
	}
	return values
}

// Recommendations is one of exactly four answers (GET /data/products/recommendations):
// [BoughtTogether], [BestSellers], [Candidates] or [NoProductSlot], as a value. The key that is
// present decides which one (N36).
type Recommendations interface {
	// Shop is the store that the data belongs to, "" if not given (N35).
	Shop() string
}

// BoughtTogether is suggestions for each trigger product (shape 1).
type BoughtTogether struct {
	Triggers []Trigger `json:"triggers" required:"true"`
	// OmittedTriggers: the offer had more trigger products than were looked up; nil if it
	// hadn't.
	OmittedTriggers *Missing `json:"omittedTriggers"`
	// DeletedTriggers: some are gone from the commerce platform; nil if none are.
	DeletedTriggers *Missing `json:"deletedTriggers"`
	// Currency is the currency of every amount here, "" only if there are no amounts.
	Currency   upstream.Currency `json:"currency"`
	ShopDomain string            `json:"shopDomain"`
}

// Trigger is one trigger product and what goes with it: at most 6 suggestions in both lists
// together, evidence first.
type Trigger struct {
	ID    upstream.ID `json:"id" required:"true"`
	Title string      `json:"title"`
	// BoughtTogether is evidence from orders. An empty list is an answer, too: there is no
	// history (N36).
	BoughtTogether []CoPurchased `json:"boughtTogether" required:"true"`
	// SameCategoryPicks is padding: products of the same type, ranked by the whole store's
	// orders. It is no evidence of products bought together (N36).
	SameCategoryPicks []Pick `json:"sameCategoryPicks"`
}

// CoPurchased is a product that was bought together with a trigger product.
type CoPurchased struct {
	ID    upstream.ID `json:"id" required:"true"`
	Title string      `json:"title"`
	// Price is in the reply's currency; nil if not given.
	Price *decimal.Decimal `json:"price"`
	// CoPurchasedOrders counts the orders that held both.
	CoPurchasedOrders int64 `json:"coPurchasedOrders" required:"true"`
	// PastRevenue is in the reply's currency; nil if not given.
	PastRevenue *decimal.Decimal `json:"pastRevenue"`
}

// Validate refuses money without a currency.
func (b BoughtTogether) Validate() error {
	if b.Currency == "" && slices.ContainsFunc(b.Triggers, Trigger.priced) {
		return errNoCurrency
	}
	return nil
}

func (t Trigger) priced() bool {
	return slices.ContainsFunc(t.BoughtTogether, func(c CoPurchased) bool { return c.Price != nil || c.PastRevenue != nil }) ||
		slices.ContainsFunc(t.SameCategoryPicks, func(p Pick) bool { return p.Price != nil })
}

// Pick is a product without any co-purchase numbers.
type Pick struct {
	ID    upstream.ID `json:"id" required:"true"`
	Title string      `json:"title"`
	// Price is in the reply's currency; nil if not given.
	Price *decimal.Decimal `json:"price"`
}

// BestSellers is the store's best sellers in place of suggestions (shape 2): at most 5, and no
// evidence of products bought together (N36).
type BestSellers struct {
	Products []Pick `json:"shopBestSellers" required:"true"`
	// Cause is the reason.
	Cause Cause
	// NamedProduct is the cause as it came, for unknown ones.
	NamedProduct upstream.Text `json:"namedProduct"`
	// DeletedTriggers is the offer's deleted trigger products, nil if not given.
	DeletedTriggers *Missing `json:"deletedTriggers"`
	// Currency is "" if the reply has none, as documented: then the prices' currency is
	// unknown.
	Currency   upstream.Currency `json:"currency"`
	ShopDomain string            `json:"shopDomain"`
}

// Cause is why a reply holds best sellers only.
type Cause int

// The documented causes.
const (
	// CauseUnknown means none of the others, or more than one.
	CauseUnknown Cause = iota
	// NothingNamed: the query was empty.
	NothingNamed
	// NoProductTrigger: the offer's triggers name collections, tags or an order value.
	NoProductTrigger
	// TriggersDeleted: every trigger product of the offer is deleted.
	TriggersDeleted
	// ProductDeleted: the ProductID matches nothing.
	ProductDeleted
	// NoMatch: no product has the ProductName.
	NoMatch
)

// String names the cause in lower-case words.
func (c Cause) String() string {
	switch c {
	case NothingNamed:
		return "nothing named"
	case NoProductTrigger:
		return "no product trigger"
	case TriggersDeleted:
		return "triggers deleted"
	case ProductDeleted:
		return "product deleted"
	case NoMatch:
		return "no match"
	}
	return "unknown"
}

// Candidates is the products that an ambiguous ProductName may mean (shape 3). Ask again with
// the ProductID of one. Their fields aren't documented; ID is "" if none was found.
type Candidates struct {
	Products []Pick
	// Currency is "" when the reply has none.
	Currency   upstream.Currency
	ShopDomain string
}

// NoProductSlot is the answer for an offer that sells no product (shape 4).
type NoProductSlot struct {
	// CouponOffer: because it is a [Coupon] offer, which has no slot for one.
	CouponOffer bool   `json:"couponOffer"`
	ShopDomain  string `json:"shopDomain"`
}

// Shop is the store that the data belongs to.
func (b BoughtTogether) Shop() string { return b.ShopDomain }

// Shop is the store that the data belongs to.
func (b BestSellers) Shop() string { return b.ShopDomain }

// Shop is the store that the data belongs to.
func (c Candidates) Shop() string { return c.ShopDomain }

// Shop is the store that the data belongs to.
func (n NoProductSlot) Shop() string { return n.ShopDomain }
