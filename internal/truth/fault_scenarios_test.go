//go:build chaos

package truth

import "testing"

func TestFaultsNeverMakeANumberWrong(t *testing.T) {
	for name, f := range map[string]shares{
		"45 % flaky":   {broken: 0.45},
		"12 % garbage": {garbage: 0.12},
		"5 % hanging":  {hanging: 0.05},
		"3 % refused":  {unauthorized: 0.03},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, k kind) {
				h := newHouse(t, start)
				h.withoutDetails()
				k.sleeps = true
				l := h.lodge(k, 45, readings[k.slug])
				h.services.faults = &faults{shares: f}
				h.sync(l)
				h.moment(l, name+", first fill")
				h.retried(l)
				h.moment(l, name+", four hours on")
				for _, age := range []int{1, 8, 33} {
					l.late(l.today().AddDays(-age))
				}
				h.moment(l, name+", late orders")
				h.nights(l, name)
			})
		})
	}
}

func TestARenewedTokenBringsEveryNumberBack(t *testing.T) {
	eachStore(t, func(t *testing.T, k kind) {
		h, l := filled(t, k, 45)
		tokens := map[string]string{}
		for _, service := range []string{"upsell", "gift"} {
			tokens[service] = h.services.renew(l.slug, service)
		}
		l.late(l.today().AddDays(-9))
		for _, when := range []string{"a night on", "two nights on"} {
			h.night(l)
			h.moment(l, "token revoked, "+when)
		}
		for service, token := range tokens {
			h.connect(l, service, token)
		}
		h.sync(l)
		h.moment(l, "token renewed")
		h.nights(l, "token renewed")
	})
}
