package web_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/storeglass/storeglass/web"
)

func builtAssets(t *testing.T) *web.AssetSet {
	t.Helper()
	set, err := web.LoadAssets(fstest.MapFS{
		"manifest.json":            {Data: []byte(`{"app.css": "app.0123456789ab.css", "inter.woff2": "inter.ba9876543210.woff2"}`)},
		"app.0123456789ab.css":     {Data: []byte("body{color:red}")},
		"app.0123456789ab.css.br":  {Data: []byte("brotli")},
		"app.0123456789ab.css.gz":  {Data: []byte("gzip")},
		"inter.ba9876543210.woff2": {Data: []byte("font")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestAssetNamesAreHashedOncePlainBefore(t *testing.T) {
	t.Parallel()
	if got := builtAssets(t).Path("app.css"); got != "/static/app.0123456789ab.css" {
		t.Error(got)
	}
	unbuilt, err := web.LoadAssets(fstest.MapFS{".gitkeep": {}})
	if err != nil {
		t.Fatal(err)
	}
	if got := unbuilt.Path("app.css"); got != "/static/app.css" {
		t.Error(got)
	}
	if _, err := web.LoadAssets(fstest.MapFS{"manifest.json": {Data: []byte(`{"a.css": "a.1.css"}`)}}); err == nil {
		t.Error("a file that the manifest names is missing and nobody says so")
	}
}

func TestAssetsAreServedForAYearInTheCodingThatIsAccepted(t *testing.T) {
	t.Parallel()
	set := builtAssets(t)
	const css = "/static/app.0123456789ab.css"
	for name, c := range map[string]struct {
		method, path, accept, ifNoneMatch string
		status                            int
		body, coding, contentType         string
	}{
		"brotli first":     {"GET", css, "gzip, deflate, br", "", 200, "brotli", "br", "text/css; charset=utf-8"},
		"gzip":             {"GET", css, "gzip", "", 200, "gzip", "gzip", "text/css; charset=utf-8"},
		"refused brotli":   {"GET", css, "br;q=0, gzip;q=0.5", "", 200, "gzip", "gzip", "text/css; charset=utf-8"},
		"plain":            {"GET", css, "", "", 200, "body{color:red}", "", "text/css; charset=utf-8"},
		"a type face":      {"GET", "/static/inter.ba9876543210.woff2", "br", "", 200, "font", "", "font/woff2"},
		"head":             {"HEAD", css, "br", "", 200, "", "br", "text/css; charset=utf-8"},
		"not modified":     {"GET", css, "br", `"app.0123456789ab-br"`, 304, "", "", ""},
		"another coding":   {"GET", css, "gzip", `"app.0123456789ab-br"`, 200, "gzip", "gzip", "text/css; charset=utf-8"},
		"an unhashed name": {"GET", "/static/app.css", "", "", 404, "404 page not found\n", "", "text/plain; charset=utf-8"},
		"the manifest":     {"GET", "/static/manifest.json", "", "", 404, "404 page not found\n", "", "text/plain; charset=utf-8"},
		"the sibling":      {"GET", css + ".br", "", "", 404, "404 page not found\n", "", "text/plain; charset=utf-8"},
		"no way up":        {"GET", "/static/../assets.go", "", "", 404, "404 page not found\n", "", "text/plain; charset=utf-8"},
		"no writing":       {"POST", css, "", "", 405, "only GET and HEAD\n", "", "text/plain; charset=utf-8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(c.method, "http://example.test/", nil)
			r.URL.Path = c.path
			r.Header.Set("Accept-Encoding", c.accept)
			r.Header.Set("If-None-Match", c.ifNoneMatch)
			w := httptest.NewRecorder()
			set.ServeHTTP(w, r)
			h := w.Header()
			if w.Code != c.status || w.Body.String() != c.body || h.Get("Content-Encoding") != c.coding || h.Get("Content-Type") != c.contentType {
				t.Errorf("got %d %q %q %q", w.Code, w.Body, h.Get("Content-Encoding"), h.Get("Content-Type"))
			}
			immutable := strings.Contains(h.Get("Cache-Control"), "immutable")
			if found := c.status == http.StatusOK || c.status == http.StatusNotModified; immutable != found || (h.Get("ETag") != "") != found {
				t.Errorf("Cache-Control %q, ETag %q at %d", h.Get("Cache-Control"), h.Get("ETag"), w.Code)
			}
			if c.method == "HEAD" && h.Get("Content-Length") != "6" {
				t.Errorf("HEAD has length %q", h.Get("Content-Length"))
			}
		})
	}
}

// A style sheet can't be translated, so labels are in the markup, as data-label.
func TestStyleSheetsHoldNoWords(t *testing.T) {
	t.Parallel()
	sheets, err := filepath.Glob("static/css/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatalf("no style sheets: %v", err)
	}
	content, words := regexp.MustCompile(`content: *"([^"]*)"`), regexp.MustCompile(`\pL{2}`)
	for _, name := range sheets {
		sheet, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range content.FindAllSubmatch(sheet, -1) {
			if said := regexp.MustCompile(`\\[0-9a-fA-F]+ ?`).ReplaceAll(m[1], nil); words.Match(said) {
				t.Errorf("%s says %q", name, m[1])
			}
		}
	}
}
