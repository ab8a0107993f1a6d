package views_test

import "testing"

func TestTheCurrentTabOfAPageOfPeopleIsSeenOnAPhone(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, page := range []string{"branding", "branding?lang=fr", "audit"} {
		b.open(t, page, 390, "light")
		if hidden := eval[bool](t, b, `(() => {
			const tabs = document.querySelector(".subtabs"), current = tabs.querySelector("[aria-current]").getBoundingClientRect();
			return current.left < tabs.getBoundingClientRect().left || current.right > tabs.getBoundingClientRect().right;
		})()`); hidden {
			t.Errorf("%s: the current tab is out of view", page)
		}
	}
}
