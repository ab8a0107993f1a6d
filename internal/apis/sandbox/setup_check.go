package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

var (
	campaignTypes = []string{"order_value", "buy_product"}
	targetPages   = []string{"cart", "product", "home", "checkout"}
	discountTypes = []string{"", "percentage", "fixed_amount"}
	combinations  = []string{"order_discounts", "product_discounts", "shipping_discounts"}
)

const nameMax = 255

// checkSetup refuses an impossible setup and names the first wrong field. Everything it refers to must exist on the
// platform now.
func checkSetup(sh *world.Shop, s world.Setup) error {
	switch {
	case strings.TrimSpace(s.Name) == "" || utf8.RuneCountInString(s.Name) > nameMax:
		return wrong("name", fmt.Sprint("must have 1 to ", nameMax, " characters"))
	case !slices.Contains(campaignTypes, s.Type):
		return wrong("type", "must be one of "+strings.Join(campaignTypes, ", "))
	case !slices.Contains(targetPages, s.TargetPage):
		return wrong("targetPage", "must be one of "+strings.Join(targetPages, ", "))
	case s.Type == "order_value" && s.Trigger.MinimumOrderValue.Decimal().Sign() <= 0:
		return wrong("triggerConditions.minimumOrderValue", "must be above 0")
	case s.Type == "buy_product" && len(s.Trigger.Products)+len(s.Trigger.Collections) == 0:
		return wrong("triggerConditions.productIds", "must name a product, or collectionIds a collection")
	case len(s.Gifts.Products) == 0:
		return wrong("giftProducts.products", "must name a product to give")
	case s.Gifts.Choose < 0 || s.Gifts.Choose > len(s.Gifts.Products):
		return wrong("giftProducts.chooseUpTo", "must not be more than there are products")
	}
	for i, g := range s.Gifts.Products {
		if g.Quantity < 0 {
			return wrong(fmt.Sprintf("giftProducts.products.%d.quantity", i), "must be 1 or more")
		}
	}
	if err := checkDiscount(s.Discount); err != nil {
		return err
	}
	if err := checkNamed(sh, s); err != nil {
		return err
	}
	return checkSchedule(s.Schedule)
}

func checkDiscount(d world.DiscountSetup) error {
	value := d.Value.Decimal()
	switch {
	case !slices.Contains(discountTypes, d.Type):
		return wrong("discountSettings.discountType", "must be percentage or fixed_amount")
	case d.Type != "" && value.Sign() <= 0, d.Type == "percentage" && value.GreaterThan(decimal.NewFromInt(100)):
		return wrong("discountSettings.discountValue", "must be above 0, and a percentage at most 100")
	case d.Limit < 0:
		return wrong("discountSettings.usageLimit", "must not be below 0")
	}
	for _, c := range d.Combines {
		if !slices.Contains(combinations, c) {
			return wrong("discountSettings.combinesWith", "must be some of "+strings.Join(combinations, ", "))
		}
	}
	return nil
}

func checkSchedule(s world.ScheduleSetup) error {
	start, err := civil.ParseDate(s.Start)
	if err != nil {
		return wrong("schedule.startDate", "must be a date, YYYY-MM-DD")
	}
	if s.End == "" {
		return nil
	}
	if end, err := civil.ParseDate(s.End); err != nil || end.Before(start) {
		return wrong("schedule.endDate", "must be a date, YYYY-MM-DD, not before the start")
	}
	return nil
}

// checkNamed looks every id up on the platform. A trigger may have been deleted since an earlier write, a gift may not.
func checkNamed(sh *world.Shop, s world.Setup) error {
	for _, named := range []struct {
		field, kind string
		ids         []string
	}{
		{"triggerConditions.productIds", "Product", s.Trigger.Products},
		{"triggerConditions.collectionIds", "Collection", s.Trigger.Collections},
		{"triggerConditions.customerSegmentIds", "Segment", s.Trigger.Segments},
		{"triggerConditions.marketIds", "Market", s.Trigger.Markets},
	} {
		for _, id := range named.ids {
			if !knows(sh, named.kind, id) && !slices.ContainsFunc(sh.Catalog.Lost, func(name string) bool { return id == sh.GlobalID("Product", "lost "+name) }) {
				return wrong(named.field, "names "+id+", which this store does not have")
			}
		}
	}
	for i, g := range s.Gifts.Products {
		if !knows(sh, "Product", g.ID) {
			return wrong(fmt.Sprintf("giftProducts.products.%d.productId", i), "names "+g.ID+", which is no product of this store")
		}
	}
	return nil
}

// knows reports whether the platform has a resource of that kind and id in this store.
func knows(sh *world.Shop, kind, id string) bool {
	_, known := sh.Known[id]
	return known && strings.HasPrefix(id, "gid://shop/"+kind+"/")
}

// warnings are reasons why a campaign wouldn't work although it may be saved.
func warnings(sh *world.Shop, s world.Setup) []string {
	out := []string{}
	for _, g := range s.Gifts.Products {
		for i := range sh.Stock {
			if it := &sh.Stock[i]; it.Id == g.ID && it.Blocked() {
				out = append(out, it.Title+": "+world.Blockers[it.Way()].Message)
			}
		}
	}
	return out
}
