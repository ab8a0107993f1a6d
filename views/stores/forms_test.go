package stores

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
)

func TestTheTimeToLoadFollowsTheRateLimit(t *testing.T) {
	t.Parallel()
	for pace, want := range map[int]string{50: "about 6 minutes.", 25: "about 11 minutes.", 5990: "about 1 minute."} {
		if got := (StoreInput{Pace: pace}).fillTime(locale.English); !strings.Contains(got, want) {
			t.Errorf("%d calls a minute: %q, want %q", pace, got, want)
		}
	}
}
