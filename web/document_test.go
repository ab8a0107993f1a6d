package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestDocumentsAreCompressedForBrowsersThatTakeIt(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	names := map[string]string{}
	for name, c := range map[string]struct{ path, accept, coding string }{
		"a page":               {"/stores/acme", "gzip, br", "gzip"},
		"a page, newer":        {"/stores/acme", "gzip, br, zstd", "zstd"},
		"a page, plain":        {"/stores/acme", "identity", ""},
		"a page, gzip refused": {"/stores/acme", "br, gzip;q=0", ""},
		"a file":               {"/stores/acme/history.csv", "gzip", "gzip"},
		"a workbook":           {"/stores/acme/history.xlsx", "gzip", ""},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			r := b.Do(method, c.path, nil, http.Header{"Accept-Encoding": {c.accept}})
			if r.Status != http.StatusOK {
				t.Fatalf("%s %s: %d", method, name, r.Status)
			}
			if got := r.Header.Get("Content-Encoding"); method == "GET" && got != c.coding {
				t.Errorf("%s: encoded as %q, want %q", name, got, c.coding)
			}
			if vary := strings.Join(r.Header["Vary"], ", "); vary != "Cookie, Authorization, Accept-Encoding" {
				t.Errorf("%s %s varies with %q", method, name, vary)
			}
			tag := r.Header.Get("ETag")
			if names[c.path] == "" {
				names[c.path] = tag
			}
			if tag == "" || names[c.path] != tag {
				t.Errorf("%s %s: ETag %q, also %q", method, name, tag, names[c.path])
			}
			if (method == "HEAD") != (r.Body == "") {
				t.Errorf("%s %s: %d bytes", method, name, len(r.Body))
			}
		}
	}
}

func TestETagChangesWithEveryByte(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, body := range []string{"", "a", "b", "ab", "ba"} {
		seen[site.NewDocument(site.HTMLType, []byte(body)).Etag] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d names for 5 documents", len(seen))
	}
}
