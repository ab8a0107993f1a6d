//go:build chaos

package truth

import "testing"

func TestOneLateOrderSeventyDaysAgoIsHealedWithFewCalls(t *testing.T) {
	t.Parallel()
	spent := func(late bool) map[string]int {
		h := newHouse(t, start)
		h.withoutDetails()
		l := h.lodge(newYork, 100, reading{})
		h.sync(l)
		h.night(l)
		before := map[string]int{}
		for _, service := range []string{"upsell", "gift"} {
			before[service] = h.services.called(l.slug, service)
		}
		if late {
			l.late(l.today().AddDays(-70))
		}
		for range 2 {
			h.night(l)
		}
		c := h.compare(l, "one late order")
		c.report(t)
		c.clean(t)
		for service := range before {
			before[service] = h.services.called(l.slug, service) - before[service]
		}
		return before
	}
	ordinary, healing := spent(false), spent(true)
	for service, n := range healing {
		more := n - ordinary[service]
		t.Logf("%s: %d calls in two nights, %d without a late order: %d more", service, n, ordinary[service], more)
		if more > 24 {
			t.Errorf("%s: a late order 70 days ago took %d calls", service, more)
		}
	}
}
