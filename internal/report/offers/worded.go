package offers

import (
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
)

// In is the stored body worded for a reader, without the parts that the words are made from.
func (s StagesBody) In(l locale.Locale) StagesBody {
	stages := slices.Clone(s.Stages)
	for i, stage := range stages {
		stage.Bundle = stage.Bundle.in(l, s.Currency)
		arms := stage.Arms
		stage.Arms = nil
		for _, arm := range arms {
			arm.Bundle = arm.Bundle.in(l, s.Currency)
			stage.Arms = append(stage.Arms, arm.in(l))
		}
		stages[i] = stage
	}
	s.Stages = stages
	return s
}

func (a StageArm) in(l locale.Locale) StageArm {
	switch {
	case a.Name != "":
	case a.Number == 0:
		a.Name = l.T("offers.funnel.under_test")
	default:
		a.Name = l.T("offers.funnel.variant_number", "n", a.Number)
	}
	if a.Share != "" {
		a.Name = l.T("offers.funnel.variant_share", "name", a.Name, "share", a.Share)
	}
	a.Number, a.Share = 0, ""
	return a
}

func (b *Bundle) in(l locale.Locale, currency string) *Bundle {
	if b == nil {
		return nil
	}
	out := *b
	out.Tiers = make([]BundleTier, len(b.Tiers))
	for i, t := range b.Tiers {
		if t.Parts != nil {
			t.Words, t.Parts = t.Parts.words(l, currency), nil
		}
		out.Tiers[i] = t
	}
	return &out
}

// words describes a tier as far as we understand it: "3 items: 15% off".
func (t TierParts) words(l locale.Locale, currency string) string {
	var parts []string
	if t.Name != "" {
		parts = append(parts, t.Name)
	}
	if t.Quantity != nil {
		parts = append(parts, l.T("offers.funnel.items", "n", *t.Quantity))
	}
	words := strings.Join(parts, ", ")
	if t.DiscountType == "" && t.DiscountValue == "" {
		return words
	}
	discount := DiscountWords(l, t.DiscountType, t.DiscountValue, currency)
	if words == "" {
		return discount
	}
	return words + l.T("unit.colon") + discount
}

// In is the stored body worded for a reader, without the parts that the words are made from.
func (r RecommendationsBody) In(l locale.Locale) RecommendationsBody {
	r.Omitted, r.Deleted = r.OmittedTriggers.words(l), r.DeletedTriggers.words(l)
	r.OmittedTriggers, r.DeletedTriggers = nil, nil
	return r
}

// words names the products if the service lists them, otherwise says how many there are.
func (m *MissingTriggers) words(l locale.Locale) string {
	if m == nil {
		return ""
	}
	names := strings.Join(m.Names, ", ")
	switch {
	case m.Count != nil && len(m.Names) == 0:
		return l.Count(*m.Count)
	case m.Count != nil && *m.Count > int64(len(m.Names)):
		return l.T("offers.instead.left_out.among", "n", *m.Count, "names", names)
	case len(m.Names) == 0:
		return l.T("offers.instead.left_out.some")
	}
	return names
}
