package weekly_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/internal/locale"
)

// A phone shows a mail that is too wide for it smaller, or cut off. 320 pixels is the narrowest one.
func TestTheMailFitsAPhoneInEveryLanguage(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, pages[r.URL.Path])
	}))
	defer server.Close()
	for _, tongue := range append(others, locale.English) {
		pages["/ordinary/"+tongue.Code()] = compose(t, weekIn(tongue, shop("USD"), usualBefore...), frameIn(tongue)).HTML
		pages["/missing days/"+tongue.Code()] = compose(t, weekIn(tongue, missingDays()), frameIn(tongue)).HTML
		pages["/digest/"+tongue.Code()] = compose(t, agency(t, tongue, 5), frameIn(tongue)).HTML
	}
	tab := browsertest.Open(t)
	for path := range pages {
		tab.Visit(t, server.URL+path, 320, "light")
		if wide := browsertest.Eval[int](t, tab, "document.documentElement.scrollWidth"); wide > 320 {
			t.Errorf("%s: is %d pixels wide on a phone of 320", path, wide)
		}
	}
}
