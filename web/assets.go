// Package web is the server: it puts the parts of the site together, authenticates requests, answers
// errors, and serves the built files. Numbers and pages are made by the parts below it.
package web

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// dist is what `npm run build` leaves: hashed files, their .br and .gz
// siblings, and manifest.json from plain to hashed names. In a fresh checkout
// it holds .gitkeep alone, and everything still compiles.
//
//go:embed all:dist
var dist embed.FS

// AssetSet is a set of built files with the names that pages use for them.
type AssetSet struct {
	files    map[string]*asset // by hashed name
	manifest map[string]string // plain name to hashed name
}

type asset struct {
	contentType     string
	etag            string
	plain, br, gzip []byte
}

// Assets returns the embedded files, read once.
var Assets = sync.OnceValue(func() *AssetSet {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the directory is embedded by name, so this can't happen
	}
	set, err := LoadAssets(sub)
	if err != nil {
		panic("web/dist: " + err.Error() + " (run npm run build)")
	}
	return set
})

// Path returns the address of a file by its plain name: "app.css" becomes
// "/static/app.<hash>.css". A file that is not built keeps its plain name.
func Path(name string) string { return Assets().Path(name) }

// Built reports whether the front end was built into the program. Without it pages have
// no styles, and nothing on them moves.
func (s *AssetSet) Built() bool { return len(s.manifest) > 0 }

// Path returns the address of a file by its plain name.
func (s *AssetSet) Path(name string) string {
	if hashed, ok := s.manifest[name]; ok {
		return "/static/" + hashed
	}
	return "/static/" + name
}

func LoadAssets(dir fs.FS) (*AssetSet, error) {
	set := &AssetSet{files: map[string]*asset{}, manifest: map[string]string{}}
	raw, err := fs.ReadFile(dir, "manifest.json")
	if err != nil { // nothing built yet
		return set, nil
	}
	if err := json.Unmarshal(raw, &set.manifest); err != nil {
		return nil, err
	}
	for _, hashed := range set.manifest {
		a := &asset{contentType: contentType(hashed)}
		if a.plain, err = fs.ReadFile(dir, hashed); err != nil {
			return nil, err
		}
		a.br, _ = fs.ReadFile(dir, hashed+".br") // missing if it wouldn't be smaller
		a.gzip, _ = fs.ReadFile(dir, hashed+".gz")
		a.etag = strings.TrimSuffix(path.Base(hashed), path.Ext(hashed)) // the name contains the hash
		set.files[hashed] = a
	}
	return set, nil
}

// contentType doesn't use the machine's own tables, which differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return cmp.Or(mime.TypeByExtension(path.Ext(name)), "application/octet-stream")
}

// ServeHTTP serves a file by its hashed name, for a year; anything else is 404.
func (s *AssetSet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	a, ok := s.files[strings.TrimPrefix(r.URL.Path, "/static/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	body, etag := a.plain, a.etag
	if a.br != nil || a.gzip != nil {
		h.Set("Vary", "Accept-Encoding")
		accept := r.Header.Get("Accept-Encoding")
		switch {
		case a.br != nil && accepts(accept, "br"):
			body, etag = a.br, a.etag+"-br"
			h.Set("Content-Encoding", "br")
		case a.gzip != nil && accepts(accept, "gzip"):
			body, etag = a.gzip, a.etag+"-gz"
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("ETag", strconv.Quote(etag))
	h.Set("Content-Length", strconv.Itoa(len(body))) // ServeContent leaves it out of compressed files
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// accepts reports whether the Accept-Encoding header takes the coding; q=0 refuses it.
func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		q, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q=")
		if !ok {
			return true
		}
		weight, err := strconv.ParseFloat(q, 64)
		return err == nil && weight > 0
	}
	return false
}
