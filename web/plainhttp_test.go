package web_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/web/webtest"
)

// Without https, only one header says where a form comes from, and browsers send less to other
// machines than to localhost. The forms behind links still work.
func TestFormsBehindLinksWorkOverPlainHTTP(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	tab := browsertest.Open(t)
	base := strings.Replace(w.HTTP.URL, "127.0.0.1", "dashboard.test", 1)
	_, invitation := w.Invited("bo@example.com")
	w.Browser().Post("/sign-in", url.Values{"token": {w.Link()}}) // joins
	_, reset, err := w.SignIn.ResetLink(t.Context(), w.Person.Email)
	w.Must(err)
	for _, link := range []string{w.Share(withPassword), "/sign-in/" + w.Link(), "/invitation/" + invitation, "/sign-in/reset/" + reset} {
		tab.Show(t, base+link, 1000, "light")
		browsertest.Eval[any](t, tab, `for (const field of document.querySelectorAll("main input[type=password], main input[name=name]")) { field.value = field.name == "name" ? "Bo" : "`+sharePassword+`"; }`)
		if status := tab.Press(t, "main form button[type=submit]"); status != 200 {
			t.Errorf("%s: %d: %s", link, status, browsertest.Eval[string](t, tab, "document.body.innerText"))
		}
	}
}
