//go:build wallsoff

package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/site"
)

// wallsOff: the program's own checks were taken away.
const wallsOff = true

// Without the first wall the handlers run on the foreign store, or the second would
// be tested by nobody, and find no row of it.
func TestWithoutTheFirstWallHandlersRunOnWhatIsNotThePrincipals(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	for _, r := range m.Server.Routes() {
		if r.Method != http.MethodGet || !strings.Contains(r.Path, ":slug") {
			continue
		}
		want := http.StatusOK
		if strings.Count(r.Path, ":") > 1 || r.Path == "/stores/:slug/replies" { // it is about one thing, which is not there
			want = http.StatusNotFound
		}
		if strings.HasPrefix(r.Path, "/stores/:slug/snapshot") { // the subscriptions asks both walls again
			want = http.StatusNotFound
		}
		if own, ok := ownAnswers["GET "+r.Path]; ok {
			want = own
		}
		for _, to := range m.targets(r) {
			if slices.ContainsFunc(to.kinds, func(k int) bool { return k != foreignID }) {
				continue
			}
			for _, a := range m.principals {
				by := bySession
				if r.Admits == site.AdmitToken {
					by = byBearer
				}
				if a.dead || a.kind != by || by == bySession && !a.role.May(r.Needs) {
					continue
				}
				got := m.send(a, to)
				m.check(a, to, got)
				if got.Status != want {
					t.Errorf("%s as %s: %d, want %d", to, a.name, got.Status, want)
				}
			}
		}
	}
}
