package web_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/web/webtest"
)

// Two clicks would save a note, a share link or a channel twice.
func TestAFormIsSentOnceHoweverOftenItsButtonIsPressed(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorldForBrowsers(t, "127.0.0.1")
	tab := browsertest.Open(t)
	tab.Show(t, w.HTTP.URL+"/sign-in/"+w.Link(), 1000, "light")
	tab.Press(t, "main form button")
	tab.Show(t, w.HTTP.URL+"/account", 1000, "light")
	sent := browsertest.Eval[[]bool](t, tab, `(() => {
		const [one, other] = document.querySelectorAll("main form[method=post]");
		const refused = (e) => e.preventDefault();
		other.addEventListener("submit", refused, {once: true}); // as a script does that sends the form itself
		const goes = (form) => form.dispatchEvent(new SubmitEvent("submit", {bubbles: true, cancelable: true}));
		const said = [goes(one), goes(one), goes(other), goes(other), goes(other)];
		dispatchEvent(new PageTransitionEvent("pageshow")); // back on the page, it may be sent again
		return [...said, goes(other)];
	})()`)
	for i, want := range []bool{true, false, false, true, false, true} {
		if sent[i] != want {
			t.Errorf("submission %d goes: %t", i+1, sent[i])
		}
	}
}
