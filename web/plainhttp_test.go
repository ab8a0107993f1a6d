package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/browsertest"
)

// Without https, a browser says where a form comes from in one header alone, and tells
// other machines less than it tells localhost. The forms behind links work all the same.
func TestFormsBehindLinksWorkOverPlainHTTP(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tab := browsertest.Open(t)
	base := strings.Replace(w.http.URL, "127.0.0.1", "dashboard.test", 1)
	_, invitation := w.invited("bo@example.com")
	w.browser().post("/sign-in", url.Values{"token": {w.link()}}) // joins
	_, reset, err := w.access.ResetLink(t.Context(), w.person.Email)
	w.must(err)
	for _, link := range []string{w.share(withPassword), "/sign-in/" + w.link(), "/invitation/" + invitation, "/sign-in/reset/" + reset} {
		tab.Show(t, base+link, 1000, "light")
		browsertest.Eval[any](t, tab, `for (const field of document.querySelectorAll("main input[type=password], main input[name=name]")) { field.value = field.name == "name" ? "Bo" : "`+sharePassword+`"; }`)
		if status := tab.Press(t, "main form button[type=submit]"); status != 200 {
			t.Errorf("%s: %d: %s", link, status, browsertest.Eval[string](t, tab, "document.body.innerText"))
		}
	}
}
