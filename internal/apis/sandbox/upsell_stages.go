package sandbox

import (
	"encoding/json"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// stageProduct is a product that a stage sells; its own discount is given even if there is none, but never a final
// price.
type stageProduct struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	world.Discount
}

// bundleDeal is a discount that grows with the number taken.
type bundleDeal struct {
	Type         string `json:"type"`
	DiscountType string `json:"discountType"`
	Tiers        []tier `json:"tiers"`
}

// tier isn't documented.
type tier struct {
	Quantity int         `json:"quantity"`
	Value    json.Number `json:"discountValue"`
	Label    string      `json:"label"`
}

// goods are what a stage or an arm of its test sells; a coupon sells nothing.
type goods struct {
	Products []stageProduct `json:"products,omitempty"`
	Bundle   *bundleDeal    `json:"bundleDeal,omitempty"`
}

// arm is one side of an A/B test.
type arm struct {
	Label string `json:"label"`
	Share int    `json:"trafficShare"` // percent of shoppers
	goods
}

type stageTest struct {
	Name     string `json:"name"`
	Variants []arm  `json:"variants"`
}

// stageName is a stage's place in a funnel: the first follows nothing.
type stageName struct {
	Label   string `json:"label"`
	Follows string `json:"follows,omitempty"` // the label of the stage before it
	When    string `json:"when,omitempty"`    // whether that stage was accepted or declined
}

type stage struct {
	Name *stageName `json:"stage,omitempty"` // post-purchase only
	*goods
	Test *stageTest `json:"abTest,omitempty"` // replaces products and bundle
}

// offerStages is what an offer sells, stage by stage.
func offerStages(sh *world.Shop, b *world.Book, q asked) reply {
	o, _ := find(b, q.offer)
	if o == nil {
		return noOffer()
	}
	return upsellSuccess(struct {
		OfferName string  `json:"offerName"`
		Stages    []stage `json:"stages"`
		Currency  string  `json:"currency"`
	}{o.Name, stages(sh, o, b.Now), sh.Currency})
}

// stages is one stage, or the funnel of a post-purchase upsell: shoppers who accept the first upsell may see a second
// one, those who decline another, and some get a last offer.
func stages(sh *world.Shop, o *world.Offer, now world.Moment) []stage {
	n := len(sh.Stock)
	first := goodsOf(sh, o, now)
	if o.At != world.PostPurchase {
		if o.At == world.Coupon {
			first = goods{}
		}
		return tested(sh, o, []stage{{goods: &first}})
	}
	out := []stage{{Name: &stageName{Label: sh.Word("Upsell 1")}, goods: &first}}
	add := func(label, follows, when string, product int) {
		g := goods{Products: []stageProduct{sells(sh, o, product%n)}}
		out = append(out, stage{Name: &stageName{sh.Word(label), sh.Word(follows), when}, goods: &g})
	}
	if o.Then != 0 {
		add("Upsell 2", "Upsell 1", "accepted", o.Then)
		add("Downsell 1", "Upsell 1", "declined", o.Product+5)
		if o.Plan%3 == 0 {
			add("Upsell 3", "Upsell 2", "accepted", o.Product+3)
			add("Downsell 2", "Upsell 2", "declined", o.Then+4)
		}
	}
	return tested(sh, o, out)
}

// goodsOf returns what a first stage sells: some offers sell a second product, some have a bundle deal while
// they are active.
func goodsOf(sh *world.Shop, o *world.Offer, now world.Moment) goods {
	g := goods{Products: []stageProduct{sells(sh, o, o.Product)}}
	if o.At != world.PostPurchase && o.Plan%4 == 3 {
		g.Products = append(g.Products, sells(sh, o, (o.Product+2)%len(sh.Stock)))
	}
	if o.Status(now) != "active" {
		return g // a bundle is live with its offer
	}
	switch o.Plan % 10 {
	case 1:
		g.Bundle = &bundleDeal{sh.Word("quantity_break"), "percentage", []tier{
			{2, "5", sh.Word("Buy 2")}, {3, "10", sh.Word("Buy 3")}, {5, "15", sh.Word("Buy 5 or more")},
		}}
	case 6:
		g.Bundle = &bundleDeal{sh.Word("bundle"), "fixed_amount", []tier{{2, world.Amount(sh.Products[o.Product].Price/10, sh.Digits), sh.Word("The pair")}}}
	}
	return g
}

// tested puts an offer's A/B test on its first stage or, in every other offer, on its last one.
func tested(sh *world.Shop, o *world.Offer, stages []stage) []stage {
	if !o.AbTest {
		return stages
	}
	at := 0
	if o.Plan%2 == 1 {
		at = len(stages) - 1
	}
	s := &stages[at]
	b := goods{}
	if o.At != world.Coupon {
		b.Products = []stageProduct{sells(sh, o, (o.Product+1)%len(sh.Stock))}
	}
	s.Test = &stageTest{sh.Word("This or the other"), []arm{{sh.Word("A"), 50, *s.goods}, {sh.Word("B"), 50, b}}}
	s.goods = nil
	return stages
}

func sells(sh *world.Shop, o *world.Offer, product int) stageProduct {
	it := sh.Stock[product]
	return stageProduct{it.Id, it.Title, sh.ProductDiscount(o, product)}
}
