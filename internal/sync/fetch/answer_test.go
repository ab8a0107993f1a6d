package fetch

import (
	"fmt"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
)

func number(text string) *decimal.Decimal {
	if text == "" {
		return nil
	}
	d := decimal.RequireFromString(text)
	return &d
}

func TestARateThatIsNotTheOneItsPartsGiveIsNoticed_N19(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reported    string
		part, whole int64
		disagrees   bool
	}{
		"the fraction":               {"0.142600", 1426, 10000, false},
		"rounded to two digits":      {"0.14", 1426, 10000, false},
		"a percentage":               {"14.26", 1426, 10000, true},
		"a small percentage":         {"1", 100, 10000, true},
		"a percentage of one in 500": {"0.2", 1, 500, true},
		"a hundredth of it":          {"0.001426", 1426, 10000, true},
		"nothing of nothing":         {"0", 0, 0, false},
		"all":                        {"1", 5, 5, false},
		"all, as a percentage":       {"100", 5, 5, true},
		"none":                       {"0", 0, 5, false},
		"not reported":               {"", 1, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := disagrees(number(c.reported), *number(fmt.Sprint(c.part)), c.whole); got != c.disagrees {
				t.Errorf("%s for %d of %d disagrees: %v, want %v", c.reported, c.part, c.whole, got, c.disagrees)
			}
		})
	}
}

func TestAReplyOfAnotherShopIsNoticedWhateverItsCase_N35(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		domain, want string
		wrong        bool
	}{
		"the same":           {"acme.example", "acme.example", false},
		"in capitals":        {"ACME.example", "acme.example", false},
		"another":            {"birch.example", "acme.example", true},
		"it names none":      {"", "acme.example", false},
		"none was ever told": {"acme.example", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := WrongShop(Answer{Domain: c.domain, Endpoint: "/x"}, c.want)
			if (err != nil) != c.wrong || c.wrong && upstreamtest.KindOf(err) != upstream.Quarantine {
				t.Errorf("error is %v", err)
			}
		})
	}
}
