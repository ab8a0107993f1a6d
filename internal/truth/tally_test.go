package truth

import (
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// tally counts numbers of the JSON API by how they compare with the truth.
type tally struct {
	scenario string
	// compared is every number; wrong differs from the truth now. Of the wrong ones, flagged
	// says so itself, and unseen changed since the store's last nightly sync. The rest is
	// unflagged.
	compared, wrong, flagged, unseen, unflagged int
	// absent are numbers that the service has but the answer lacks.
	absent int
	// doubted numbers are right but flagged.
	doubted int
	lies    map[string]int
	first   map[string]string
	lacks   map[string]int
}

func newTally(scenario string) *tally {
	return &tally{scenario: scenario, lies: map[string]int{}, first: map[string]string{}, lacks: map[string]int{}}
}

// String is the line of a scenario.
func (c *tally) String() string {
	return fmt.Sprintf("%-34s compared %6d  wrong %4d  flagged %4d  not yet seen %4d  wrong and unflagged %4d  absent %4d  right but flagged %5d",
		c.scenario, c.compared, c.wrong, c.flagged, c.unseen, c.unflagged, c.absent, c.doubted)
}

func (c *tally) add(d *tally) {
	c.compared, c.wrong, c.flagged, c.unseen = c.compared+d.compared, c.wrong+d.wrong, c.flagged+d.flagged, c.unseen+d.unseen
	c.unflagged, c.absent, c.doubted = c.unflagged+d.unflagged, c.absent+d.absent, c.doubted+d.doubted
	for at, n := range d.lies {
		c.lies[at] += n
		if c.first[at] == "" {
			c.first[at] = d.first[at]
		}
	}
	for at, n := range d.lacks {
		c.lacks[at] += n
	}
}

// report prints the line, and where something is wrong; TRUTH_ALL=1 prints every place.
func (c *tally) report(t testing.TB) {
	t.Helper()
	t.Log(c)
	places, lies := sorted(c.lies), c.lies
	if os.Getenv("TRUTH_ALL") == "" {
		lies = map[string]int{}
		for at, n := range c.lies {
			if route, silent := strings.CutSuffix(at, " (unflagged)"); silent {
				lies[strings.Join(strings.Split(route, ".")[:1], ".")+", unflagged"] += n
			}
		}
		places = sorted(lies)
	}
	for _, at := range places {
		t.Logf("    %4d × %s %s", lies[at], at, c.first[at])
	}
	for _, at := range sorted(c.lacks) {
		t.Logf("    %4d absent × %s", c.lacks[at], at)
	}
}

func sorted(m map[string]int) []string {
	var out []string
	for key := range m {
		out = append(out, key)
	}
	sort.Strings(out)
	return out
}

// silent fails the test for wrong numbers without a flag.
func (c *tally) silent(t testing.TB) {
	t.Helper()
	if c.unflagged > 0 {
		t.Errorf("%s: %d numbers are wrong and don't say so", c.scenario, c.unflagged)
	}
}

// clean fails the test for any wrong number.
func (c *tally) clean(t testing.TB) {
	t.Helper()
	c.silent(t)
	if c.wrong > 0 || c.absent > 0 {
		t.Errorf("%s: %d numbers are wrong and %d are absent", c.scenario, c.wrong, c.absent)
	}
}

// panel is what an answer says about its own numbers.
type panel struct {
	*tally
	store *lodged
	// at is the route and the place in its answer.
	at     string
	flags  []string
	window window
	// missing are days of the window that the numbers leave out and name.
	missing []civil.Date
}

// doubts reports whether flags say that a number may be wrong.
func doubts(flags []string) bool {
	return slices.ContainsFunc(flags, func(f string) bool {
		switch f {
		case "revised", "window_differs", "not_reported", "unknown_value":
			return false
		}
		return true
	})
}

// of is the panel for days within its window, which may have flags of their own.
func (p panel) of(at string, w window, flags ...string) panel {
	p.at, p.window, p.missing = p.at+"."+at, w, nil
	p.flags = append(slices.Clone(p.flags), flags...)
	return p
}

// number compares a number of an answer with the truth. If the truth is nil, there must be no
// number. rounded is how many digits the answer has; below zero means exact.
func (p panel) number(name string, got any, want *decimal.Decimal, rounded int32) {
	if got == nil && want == nil {
		return
	}
	p.compared++
	at := place(p.at + "." + name)
	if got == nil {
		if doubts(p.flags) || p.store.changedSince(p.window, p.store.nightly) {
			return
		}
		p.absent++
		p.lacks[at]++
		return
	}
	value, err := decimal.NewFromString(fmt.Sprint(got))
	right := err == nil && want != nil && value.Equal(*want)
	if !right && err == nil && want != nil && rounded >= 0 {
		right = value.Equal(want.Round(rounded))
	}
	switch {
	case right:
		if doubts(p.flags) {
			p.doubted++
		}
		return
	case doubts(p.flags):
		p.flagged++
	case p.store.changedSince(p.window, p.store.nightly):
		p.unseen++
	default:
		p.unflagged++
		at += " (unflagged)"
	}
	p.wrong++
	p.lies[at]++
	if p.first[at] == "" {
		truth := "nothing"
		if want != nil {
			truth = want.String()
		}
		p.first[at] = fmt.Sprintf("%s %s %v is %v, truth %s, flags %v", p.store.slug, p.at+"."+name, p.window, got, truth, p.flags)
	}
}

// place names where a number is, without days and ids.
func place(at string) string {
	parts := strings.Split(at, ".")
	for i, part := range parts {
		if _, err := civil.ParseDate(part); err == nil {
			parts[i] = "{day}"
		}
	}
	return strings.Join(parts, ".")
}

func (p panel) count(name string, got any, want int64) {
	d := decimal.NewFromInt(want)
	p.number(name, got, &d, -1)
}

func (p panel) money(name string, got any, want decimal.Decimal) { p.number(name, got, &want, -1) }

// holds counts a fact that isn't a number as one.
func (p panel) holds(name string, ok bool) {
	one := decimal.NewFromInt(1)
	if ok {
		p.number(name, 1, &one, -1)
	} else {
		p.number(name, 0, &one, -1)
	}
}
