package views_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// press sends keys to whatever has the focus.
func (b *browser) press(t *testing.T, keys string, with ...chromedp.KeyOption) {
	t.Helper()
	if err := chromedp.Do(b.Ctx, chromedp.KeyEvent(keys, with...)); err != nil {
		t.Fatal(err)
	}
}

// until waits until a script returns true.
func (b *browser) until(t *testing.T, js string) {
	t.Helper()
	eval[any](t, b, `new Promise((done) => { const look = () => (`+js+`) ? done() : requestAnimationFrame(look); look(); })`)
}

func TestAnythingIsFoundByKeysAlone(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.open(t, "overview", 1440, "light")
	// The gallery has one answer, at its own address.
	eval[any](t, b, `document.querySelector("#find form").setAttribute("action", "/find")`)
	b.press(t, "k", chromedp.KeyModifiers(2)) // Ctrl
	const input = `document.querySelector("#find input[name=q]")`
	b.until(t, `document.getElementById("find").open && document.activeElement === `+input+` && document.querySelectorAll("#find [role=option]").length === 3`)
	b.press(t, "gif")
	b.until(t, input+`.getAttribute("aria-activedescendant")?.endsWith("-0")`)
	b.press(t, kb.ArrowDown)
	chosen := eval[string](t, b, `(() => { const o = document.getElementById(`+input+`.getAttribute("aria-activedescendant")); return o.getAttribute("aria-selected") + " " + o.querySelector("bdi").textContent; })()`)
	if chosen != "true Giftwares & Co" {
		t.Errorf("%q is chosen", chosen)
	}
	b.press(t, kb.Escape)
	b.until(t, `!document.getElementById("find").open`)
	b.press(t, "?")
	b.until(t, `document.getElementById("shortcuts").open`)
	b.press(t, kb.Escape)
	b.press(t, "/")
	if on := eval[string](t, b, `document.activeElement.name ?? ""`); on != "" {
		t.Errorf("a page without a list has the focus on %q", on)
	}
	b.open(t, "stores", 1440, "light")
	b.press(t, "/")
	if on := eval[string](t, b, `document.activeElement.type ?? ""`); on != "search" {
		t.Errorf("the focus is on %q", on)
	}
	b.press(t, "?")
	if eval[bool](t, b, `document.getElementById("shortcuts").open`) {
		t.Error("a question mark that is typed opens the list of keys")
	}
}
