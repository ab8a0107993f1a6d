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
	// ABTest replaces Products and BundleDeal: they are nil then, whatever
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
// it follows none, one that is not there, or one that can't be distinguished from another.
// Following parents upwards always comes to an end.
func (s Stages) Parents() []int {
	ids, names := map[string]int{}, map[string]int{}
	for at, stage := range s.Stages {
		if stage.Label != nil {
			enter(ids, stage.Label.ID, at)
			enter(names, stage.Label.Name, at)
		}
	}
	parents := make([]int, len(s.Stages))
	for at, stage := range s.Stages {
		parents[at] = -1
		if stage.Label == nil || stage.Label.Follows == "" {
			continue
		}
		called := folded(stage.Label.Follows)
		if parent, ok := ids[called]; ok {
			parents[at] = parent
		} else if parent, ok := names[called]; ok {
			parents[at] = parent
		}
	}
	cutRings(parents)
	return parents
}

func folded(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// enter keeps where a name is, -1 once it means two.
func enter(at map[string]int, name string, here int) {
	name = folded(name)
	if _, twice := at[name]; twice {
		here = -1
	}
	at[name] = here
}

// cutRings frees the stage at which a walk upwards meets itself.
func cutRings(parents []int) {
	walk := make([]int, len(parents)) // which walk came by, 0 for none yet
	for start := range parents {
		for at := start; at >= 0 && walk[at] == 0; at = parents[at] {
			walk[at] = start + 1
			if up := parents[at]; up >= 0 && walk[up] == start+1 {
				parents[at] = -1
			}
		}
	}
}
