package sandbox

import "encoding/json"

// stageProduct is a product that a stage sells; its own discount is stated even when there is none, a final price never is.
type stageProduct struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	discount
}

// bundleDeal is a discount that grows with the number taken.
type bundleDeal struct {
	Type         string `json:"type"`
	DiscountType string `json:"discountType"`
	Tiers        []tier `json:"tiers"`
}

// tier is not shown in the document.
type tier struct {
	Quantity int         `json:"quantity"`
	Value    json.Number `json:"discountValue"`
	Label    string      `json:"label"`
}

// goods is what a stage or an arm of its test sells; a coupon sells nothing.
type goods struct {
	Products []stageProduct `json:"products,omitempty"`
	Bundle   *bundleDeal    `json:"bundleDeal,omitempty"`
}

// arm is one side of an A/B test.
type arm struct {
	Label string `json:"label"`
	Share int    `json:"trafficShare"` // percent of the shoppers
	goods
}

type stageTest struct {
	Name     string `json:"name"`
	Variants []arm  `json:"variants"`
}

// stageName places a stage in a funnel: the first follows nothing.
type stageName struct {
	Label   string `json:"label"`
	Follows string `json:"follows,omitempty"` // the label of the stage before it
	When    string `json:"when,omitempty"`    // that one was accepted or declined
}

type stage struct {
	Name *stageName `json:"stage,omitempty"` // post-purchase only
	*goods
	Test *stageTest `json:"abTest,omitempty"` // replaces products and bundle
}

// offerStages is what an offer sells, stage by stage.
func offerStages(sh *shop, b *book, q asked) reply {
	o, _ := b.find(q.offer)
	if o == nil {
		return noOffer()
	}
	return upsellSuccess(struct {
		OfferName string  `json:"offerName"`
		Stages    []stage `json:"stages"`
		Currency  string  `json:"currency"`
	}{o.name, sh.stages(o, b.now), sh.currency})
}

// stages is one stage, or the funnel of a post-purchase upsell: who accepts its first upsell may meet a second one, who declines it
// another, and some are asked a last time.
func (sh *shop) stages(o *offer, now moment) []stage {
	n := len(sh.stock)
	first := sh.goods(o, now)
	if o.at != postPurchase {
		if o.at == coupon {
			first = goods{}
		}
		return sh.tested(o, []stage{{goods: &first}})
	}
	out := []stage{{Name: &stageName{Label: sh.word("Upsell 1")}, goods: &first}}
	add := func(label, follows, when string, product int) {
		g := goods{Products: []stageProduct{sh.sells(o, product%n)}}
		out = append(out, stage{Name: &stageName{sh.word(label), sh.word(follows), when}, goods: &g})
	}
	if o.then != 0 {
		add("Upsell 2", "Upsell 1", "accepted", o.then)
		add("Downsell 1", "Upsell 1", "declined", o.product+5)
		if o.plan%3 == 0 {
			add("Upsell 3", "Upsell 2", "accepted", o.product+3)
			add("Downsell 2", "Upsell 2", "declined", o.then+4)
		}
	}
	return sh.tested(o, out)
}

// goods of a first stage: some offers sell a second product, some have a bundle deal while they are active.
func (sh *shop) goods(o *offer, now moment) goods {
	g := goods{Products: []stageProduct{sh.sells(o, o.product)}}
	if o.at != postPurchase && o.plan%4 == 3 {
		g.Products = append(g.Products, sh.sells(o, (o.product+2)%len(sh.stock)))
	}
	if o.status(now) != "active" {
		return g // a bundle is live with its offer
	}
	switch o.plan % 10 {
	case 1:
		g.Bundle = &bundleDeal{sh.word("quantity_break"), "percentage", []tier{
			{2, "5", sh.word("Buy 2")}, {3, "10", sh.word("Buy 3")}, {5, "15", sh.word("Buy 5 or more")},
		}}
	case 6:
		g.Bundle = &bundleDeal{sh.word("bundle"), "fixed_amount", []tier{{2, amount(sh.products[o.product].price/10, sh.digits), sh.word("The pair")}}}
	}
	return g
}

// tested puts the A/B test of an offer on its first stage or, in every other offer, on its last one.
func (sh *shop) tested(o *offer, stages []stage) []stage {
	if !o.abTest {
		return stages
	}
	at := 0
	if o.plan%2 == 1 {
		at = len(stages) - 1
	}
	s := &stages[at]
	b := goods{}
	if o.at != coupon {
		b.Products = []stageProduct{sh.sells(o, (o.product+1)%len(sh.stock))}
	}
	s.Test = &stageTest{sh.word("This or the other"), []arm{{sh.word("A"), 50, *s.goods}, {sh.word("B"), 50, b}}}
	s.goods = nil
	return stages
}

func (sh *shop) sells(o *offer, product int) stageProduct {
	it := sh.stock[product]
	return stageProduct{it.id, it.title, sh.productDiscount(o, product)}
}
