//go:build chaos

package truth

import "testing"

func TestHistoryBeyondWhatTheServiceKeeps(t *testing.T) {
	t.Parallel()
	for name, refuses := range map[string]bool{"cut": false, "refused": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, start)
			h.withoutDetails()
			l := h.lodge(lordHowe, 400, reading{keeps: 210, refuses: refuses})
			r := h.sync(l)
			if r.Failed > 0 {
				t.Errorf("%d pulls failed: %v", r.Failed, r.Failures[:min(3, len(r.Failures))])
			}
			l.history = 209
			h.moment(l, "400 days wanted, 210 kept, "+name)
			h.nights(l, "400 days wanted, 210 kept, "+name)
		})
	}
}
