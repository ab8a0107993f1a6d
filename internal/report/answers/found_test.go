package answers_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/report/answers"
)

// each is how many stores are generated for each of the six causes: 504 in total.
const each = 84

func TestAKnownCauseIsNamedAndHardlyEverAnother(t *testing.T) {
	t.Parallel()
	all := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(causes)) {
		count := map[string]int{}
		for seed := range uint64(each) {
			w := newWorld(seed)
			causes[name](w)
			count[judge(named(answers.New(w.input())), w.cause)]++
		}
		t.Logf("%-20s %v", name, count)
		for k, n := range count {
			all[k] += n
		}
	}
	t.Logf("of %d stores with a known cause: %v", 6*each, all)
	// Measured with other seeds: 350 to 374 right, 402 to 427 with their factor, 1 to 8 wrong.
	if all["right"] < 340 {
		t.Errorf("%d named rightly", all["right"])
	}
	if all["right"]+all["its factor"] < 390 {
		t.Errorf("%d named, or the factor that their cause moved", all["right"]+all["its factor"])
	}
	if all["wrong"] > 12 {
		t.Errorf("%d named wrongly", all["wrong"])
	}
}

func TestWhereNothingHappenedHardlyAnythingIsNamed(t *testing.T) {
	t.Parallel()
	const stores = 500
	events, factors := 0, 0
	for seed := range uint64(stores) {
		switch n := named(answers.New(newWorld(10_000 + seed).input())); {
		case strings.HasPrefix(n, "event:"):
			events++
		case n != "":
			factors++
		}
	}
	t.Logf("of %d stores without a cause: %d silent, %d an event, %d a factor", stores, stores-events-factors, events, factors)
	if events > 5 || factors > 20 { // measured with other seeds: 0 to 2, and 5 to 13
		t.Errorf("%d an event, %d a factor", events, factors)
	}
}

// judge: an event's cause also moves a factor, so naming that factor isn't a mistake.
func judge(named, cause string) string {
	switch {
	case named == cause:
		return "right"
	case named == "":
		return "silent"
	case cause == "event:cause" && (named == "rate" || named == "orders"):
		return "its factor"
	}
	return "wrong"
}
