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
	for _, page := range []string{"stores", "stores?lang=de", "stores?lang=fr", "stores?lang=es", "stores-late", "stores-late?lang=fr", "stores-by-group", "stores-hostile"} {
		b.open(t, page, 1440, "light")
		if wrong := eval[[]string](t, b, `[...document.querySelectorAll(".stores tbody tr:not(.group)")].filter((r) => r.offsetHeight > 46).map((r) => r.offsetHeight + " px: " + r.innerText.slice(0, 60))`); len(wrong) > 0 {
			t.Errorf("%s: %s", page, strings.Join(wrong, "\n"))
		}
		if cut := eval[[]string](t, b, `[...document.querySelectorAll(".stores .delta-cell .note")].filter((n) => n.scrollWidth > n.clientWidth + 1 || n.scrollHeight > n.clientHeight + 2).map((n) => n.innerText)`); len(cut) > 0 {
			t.Errorf("%s: the end of %q can't be read", page, cut)
		}
		b.open(t, page, 390, "light")
		if bottom := eval[int](t, b, `Math.round(document.querySelector(".stores tbody tr:not(.group)").getBoundingClientRect().bottom)`); bottom > 760 {
			t.Errorf("%s: on a phone the first store ends at %d px", page, bottom)
		}
	}
}

func TestANumberStaysOnTheLineOfItsWord(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.open(t, "stores", 1000, "light")
	if got := eval[string](t, b, `document.querySelector("[data-search-part=counts]").textContent`); !strings.Contains(got, "\u00a0up, ") || !strings.Contains(got, "\u00a0not\u00a0compared") {
		t.Errorf("the counts are %q", got)
	}
}

// On a phone the tabs scroll sideways.
func TestTabsFadeWhereTheyGoOnAndTheCurrentOneIsWhollySeen(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	const seen = `(() => {
		const tabs = document.querySelector(".tabs"), end = tabs.getBoundingClientRect().right, fade = getComputedStyle(tabs, "::after");
		if (tabs.scrollWidth <= tabs.clientWidth) return "all tabs fit";
		if (fade.position !== "sticky" || !fade.backgroundImage.includes("gradient")) return "no fade";
		const current = tabs.querySelector("[aria-current]").getBoundingClientRect();
		return current.left < 0 || current.right > end - parseFloat(fade.width) + 16 ? "the current tab is under the fade" : "";
	})()`
	for _, page := range []string{"overview", "sync", "settings"} {
		b.open(t, page, 390, "light")
		if problem := eval[string](t, b, seen); problem != "" {
			t.Errorf("%s: %s", page, problem)
		}
	}
	b.open(t, "stores", 390, "light")
	if wide := eval[int](t, b, `document.querySelector(".tabs").scrollWidth - document.querySelector(".tabs").clientWidth`); wide != 0 {
		t.Errorf("tabs that fit scroll by %d px", wide)
	}
}
