package upsell

import (
	"strings"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Stages is what an offer sells, stage by stage (GET /data/offer/{id}/stages). It has
// discounts, never final prices. Only [PostPurchase] offers have a funnel of several stages;
// every other offer has exactly one.
type Stages struct {
	OfferName string  `json:"offerName" required:"true"`
	Stages    []Stage `json:"stages" required:"true"`
	// Currency is the currency of money discounts, "" if the reply has none.
	Currency upstream.Currency `json:"currency"`
	// ShopDomain is the store that the data belongs to, "" if not given (N35).
	ShopDomain string `json:"shopDomain"`
}

// Stage is one stage of an offer, with whichever parts apply: a nil part is unknown, not
// "none", except for BundleDeal (N33).
type Stage struct {
	// Products are what the stage sells.
	Products []StageProduct
	// BundleDeal is nil when no bundle is live.
	BundleDeal *BundleDeal
	// ABTest replaces Products and BundleDeal: they are nil then, whatever the reply has.
	ABTest *StageTest
	// Label is nil except for [PostPurchase] offers (stage).
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

// Parents returns for each stage the index of the stage that it follows; -1 if it follows none,
// or one that is missing or ambiguous. Following parents always ends.
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

// enter records a name's index, -1 once two stages share it.
func enter(at map[string]int, name string, here int) {
	name = folded(name)
	if _, twice := at[name]; twice {
		here = -1
	}
	at[name] = here
}

// cutRings breaks cycles: the stage where a walk up meets itself gets no parent.
func cutRings(parents []int) {
	walk := make([]int, len(parents)) // the walk that visited it; 0 means none yet
	for start := range parents {
		for at := start; at >= 0 && walk[at] == 0; at = parents[at] {
			walk[at] = start + 1
			if up := parents[at]; up >= 0 && walk[up] == start+1 {
				parents[at] = -1
			}
		}
	}
}
