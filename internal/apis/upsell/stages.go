package upsell

import (
	"strings"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Stages is what an offer sells, stage by stage (GET /data/offer/{id}/stages). It
// carries discounts, never final prices. Only [PostPurchase] offers have a funnel
// of several stages; every other offer has exactly one.
type Stages struct {
	OfferName string  `json:"offerName" required:"true"`
	Stages    []Stage `json:"stages" required:"true"`
	// Currency is that of discounts that are money, "" when the reply has none.
	Currency upstream.Currency `json:"currency"`
	// ShopDomain is the store that the data belongs to, "" when not said (N35).
	ShopDomain string `json:"shopDomain"`
}

// Stage is one stage of an offer. It carries whichever of its parts apply: a nil
// part is not said, and not "none", save BundleDeal (N33).
type Stage struct {
	// Products are what the stage sells.
	Products []StageProduct
	// BundleDeal is nil when no bundle is live.
	BundleDeal *BundleDeal
	// ABTest stands in place of Products and BundleDeal: they are nil then, whatever
	// else the reply held.
	ABTest *StageTest
	// Label is nil but for [PostPurchase] offers (stage).
	Label *StageLabel
	// Raw is the stage as it came.
	Raw upstream.Raw
}

// DecodeRaw takes an object.
func (s *Stage) DecodeRaw(value []byte) error {
	wire, err := upstream.Decode[struct {
		Products   []StageProduct `json:"products"`
		BundleDeal *BundleDeal    `json:"bundleDeal"`
		ABTest     *StageTest     `json:"abTest"`
		Label      *StageLabel    `json:"stage"`
	}](value)
	if err != nil {
		return err
	}
	*s = Stage{Products: wire.Products, BundleDeal: wire.BundleDeal, Label: wire.Label}
	if wire.ABTest != nil && string(wire.ABTest.Raw) != "false" {
		s.Products, s.BundleDeal, s.ABTest = nil, nil, wire.ABTest
	}
	return s.Raw.DecodeRaw(value)
}

// Parents gives for every stage the index of the stage that it follows, -1 where
// it follows none, one that is not there, or one that can't be told from another.
// Following parents upwards always comes to an end.
func (s Stages) Parents() []int {
	parents := make([]int, len(s.Stages))
	for at, stage := range s.Stages {
		parents[at] = -1
		if stage.Label != nil && stage.Label.Follows != "" {
			parents[at] = s.find(stage.Label.Follows, at)
		}
	}
	for at := range parents { // a ring is cut at its first stage
		for up, steps := parents[at], 0; up >= 0 && steps <= len(parents); up, steps = parents[up], steps+1 {
			if up == at {
				parents[at] = -1
				break
			}
		}
	}
	return parents
}

// find gives the one other stage that is called so, by id first.
func (s Stages) find(called string, self int) int {
	called = strings.TrimSpace(called)
	for _, name := range []func(*StageLabel) string{
		func(l *StageLabel) string { return l.ID },
		func(l *StageLabel) string { return l.Name },
	} {
		found, hits := -1, 0
		for at, stage := range s.Stages {
			if at != self && stage.Label != nil && strings.EqualFold(strings.TrimSpace(name(stage.Label)), called) {
				found, hits = at, hits+1
			}
		}
		if hits == 1 {
			return found
		}
		if hits > 1 {
			return -1
		}
	}
	return -1
}
