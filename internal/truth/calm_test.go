package truth

import "testing"

func TestEveryNumberIsRightOnACalmService(t *testing.T) {
	t.Parallel()
	h := newHouse(t, start)
	h.withoutDetails()
	for _, k := range allFive {
		l := h.lodge(k, 40, readings[k.slug])
		if r := h.sync(l); r.Failed > 0 {
			t.Errorf("%s: %d pulls failed: %v", l.slug, r.Failed, r.Failures)
		}
	}
	c := h.compareAll("calm, first fill of five stores")
	c.report(t)
	c.clean(t)
	for _, k := range []kind{berlin, lordHowe} {
		h.nights(h.stores[k.slug], "calm")
	}
}
