package site

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"
)

const HTMLType = "text/html; charset=utf-8"

// Document is an answer's body, under a name that changes with every byte of it.
type Document struct {
	contentType string
	body        []byte
	Etag        string
}

func NewDocument(contentType string, body []byte) *Document {
	return &Document{contentType, body, etagOf(body)}
}

// etagOf is weak: a body has the same name with and without compression.
func etagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// compressFrom is the size below which compression saves no packet.
const compressFrom = 1400

// compress sends the answers of a handler compressed to browsers that take it, but for
// kinds that are compressed already, such as workbooks. Compressing pages that hold a form
// token is safe as long as nothing that a stranger chose is in them beside it: addresses
// reach such a page only as parsed days and names of ours. Pages that repeat a mistake or a
// search are sent as they are, which is why this wraps documents and not the whole server.
var compress = func() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.ZstdCompressionLevel(int(zstd.SpeedDefault)), gzhttp.ExceptContentTypes([]string{XLSXType}))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap
}()

// Send answers with the document, or with 304 when the browser has it already.
// A program that asked about a window whose answer is to come gets 202. Browsers keep a private copy and ask each time whether it still holds.
func (c *Call) Send(d *Document) error {
	h := c.Response().Header()
	h.Set(echo.HeaderCacheControl, "private, no-cache")
	if c.Link != nil { // a link that was taken back shows nothing, also in the browser that had it
		h.Set(echo.HeaderCacheControl, "no-store")
	}
	h.Set(echo.HeaderVary, "Cookie, Authorization")
	h["ETag"] = []string{d.Etag}
	status := http.StatusOK
	if c.passing && c.Answers() == AsJSON {
		status = http.StatusAccepted
		h.Set(echo.HeaderRetryAfter, "3")
	}
	if c.has(d) && status == http.StatusOK {
		h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		return c.NoContent(http.StatusNotModified)
	}
	var err error
	compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h.Set(echo.HeaderContentType, d.contentType)
		w.WriteHeader(status)
		_, err = w.Write(d.body)
	})).ServeHTTP(c.Response(), c.Request())
	return err
}

// has reports whether If-None-Match names the document, so that send will say 304.
func (c *Call) has(d *Document) bool {
	for part := range strings.SplitSeq(c.Request().Header.Get("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(part), "W/") == strings.TrimPrefix(d.Etag, "W/") {
			return true
		}
	}
	return false
}
