package views_test

import (
	"strings"
	"testing"
)

// However many stores there are: one line each on a desktop, and no scrolling to the first on a
// phone.
func TestAStoreIsOneLineOfTheListAndTheFirstIsOnAPhonesScreen(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, page := range []string{"stores", "stores?lang=de", "stores-late", "stores-by-group", "stores-hostile"} {
		b.open(t, page, 1440, "light")
		if wrong := eval[[]string](t, b, `[...document.querySelectorAll(".stores tbody tr:not(.group)")].filter((r) => r.offsetHeight > 46).map((r) => r.offsetHeight + " px: " + r.innerText.slice(0, 60))`); len(wrong) > 0 {
			t.Errorf("%s: %s", page, strings.Join(wrong, "\n"))
		}
		b.open(t, page, 390, "light")
		if bottom := eval[int](t, b, `Math.round(document.querySelector(".stores tbody tr:not(.group)").getBoundingClientRect().bottom)`); bottom > 760 {
			t.Errorf("%s: on a phone the first store ends at %d px", page, bottom)
		}
	}
}
