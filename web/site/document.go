package site

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"
)

const HTMLType = "text/html; charset=utf-8"

// Document is an answer's body, with an ETag that changes with its content.
type Document struct {
	contentType string
	body        []byte
	Etag        string
}

func NewDocument(contentType string, body []byte) *Document {
	return &Document{contentType, body, etagOf(body)}
}

// etagOf is weak: a body has the same tag with and without compression.
func etagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// compressFrom is the smallest size worth compressing: below it, compression saves no packet.
const compressFrom = 1400

// compress compresses a handler's answers for browsers that accept it, except for formats that
// are already compressed, such as workbooks. Compressing pages with a form token is safe as
// long as they contain nothing that a stranger chose: addresses only reach such a page as
// parsed days and our own names. Pages that repeat a mistake or a search are sent uncompressed,
// which is why this wraps documents and not the whole server.
var compress = func() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.ZstdCompressionLevel(int(zstd.SpeedDefault)), gzhttp.ExceptContentTypes([]string{XLSXType}))
	if err != nil {
		panic(err) // the options are constant
	}
	return wrap
}()

// Send answers with the document, or with 304 when the browser has it already. A program that asked about a window
// whose answer is pending gets 202. Browsers keep a private copy and revalidate it each time.
func (c *Call) Send(d *Document) error {
	h := c.Response().Header()
	h.Set(echo.HeaderCacheControl, "private, no-cache")
	if c.Link != nil { // a revoked link shows nothing, even in a browser that had the page
		h.Set(echo.HeaderCacheControl, "no-store")
	}
	h.Set(echo.HeaderVary, "Cookie, Authorization")
	h["ETag"] = []string{d.Etag}
	status := http.StatusOK
	if c.passing && c.Answers() == AsJSON {
		status = http.StatusAccepted
		h.Set(echo.HeaderRetryAfter, RetryAfter(cmp.Or(c.again, 3*time.Second)))
	}
	if c.has(d) && status == http.StatusOK {
		h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		return c.NoContent(http.StatusNotModified)
	}
	var err error
	out := gathered{c.Response(), bufio.NewWriterSize(c.Response(), sentAtOnce)}
	compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h.Set(echo.HeaderContentType, d.contentType)
		w.WriteHeader(status)
		_, err = w.Write(d.body)
	})).ServeHTTP(out, c.Request())
	return cmp.Or(err, out.Flush())
}

// gathered is an answer that leaves in few large writes: compression makes many small ones.
type gathered struct {
	http.ResponseWriter
	*bufio.Writer
}

func (g gathered) Write(p []byte) (int, error) { return g.Writer.Write(p) }

// sentAtOnce is in bytes, and more than most compressed pages take.
const sentAtOnce = 32 << 10

// has reports whether If-None-Match names the document, so that Send answers 304.
func (c *Call) has(d *Document) bool {
	for part := range strings.SplitSeq(c.Request().Header.Get("If-None-Match"), ",") {
		if strings.TrimSpace(part) == "*" || strings.TrimPrefix(strings.TrimSpace(part), "W/") == strings.TrimPrefix(d.Etag, "W/") {
			return true
		}
	}
	return false
}
