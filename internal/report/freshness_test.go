package report

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report/reporttest/values"
)

func TestN73EachStateOfAStoreHasItsOwnSignAndAPausedOneNone(t *testing.T) {
	t.Parallel()
	for state, sign := range map[string]string{"good": "active", "filling": "filling", "stale": "waiting", "failed": "person"} {
		values.Equal(t, state, Freshness{State: state}.Sign(), sign)
		values.Equal(t, state+" and paused", Freshness{State: state, Off: true}.Sign(), "none")
	}
}
