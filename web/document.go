package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/labstack/echo/v4"
)

const htmlType = "text/html; charset=utf-8"

// document is an answer's body, piece after piece, under a name that changes with
// every byte of it.
type document struct {
	contentType string
	pieces      []piece
}

// piece is a stretch of a document. Those that are kept are packed once.
type piece struct {
	plain, packed []byte
	sum           [sha256.Size]byte
}

func newDocument(contentType string, body []byte) *document {
	return &document{contentType, []piece{newPiece(body)}}
}

func newPiece(body []byte) piece { return piece{plain: body, sum: sha256.Sum256(body)} }

// storedUpTo is the size of a piece that is put into a gzip file as it is: to pack
// a header of a few stores for every page costs more than the bytes that it saves.
const storedUpTo = 2 << 10

// pack deflates the piece by itself. Its last block is not marked as the last of
// all, and it ends at a whole byte, so that other pieces can follow (RFC 1951, 3.2.4).
func (p piece) pack() piece {
	switch n := uint16(len(p.plain)); {
	case p.packed != nil:
	case len(p.plain) <= storedUpTo:
		p.packed = append([]byte{0, byte(n), byte(n >> 8), ^byte(n), ^byte(n >> 8)}, p.plain...)
	default:
		var b bytes.Buffer
		b.Grow(len(p.plain) / 4)
		_ = flate.StatelessDeflate(&b, p.plain, false, nil) // writing to memory does not fail
		p.packed = b.Bytes()
	}
	return p
}

// gzipHead begins every gzip file here: deflated, no name, no time, quickly, on no
// system in particular (RFC 1952). lastBlock is an empty one.
var (
	gzipHead  = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255}
	lastBlock = []byte{1, 0, 0, 0xff, 0xff}
)

// gzip joins the packed pieces to one gzip file.
func (d *document) gzip() []byte {
	b := bytes.NewBuffer(make([]byte, 0, d.size()/4))
	b.Write(gzipHead)
	sum := uint32(0)
	for _, p := range d.pieces {
		b.Write(p.pack().packed)
		sum = crc32.Update(sum, crc32.IEEETable, p.plain)
	}
	b.Write(lastBlock)
	end := binary.LittleEndian.AppendUint32(b.AvailableBuffer(), sum)
	b.Write(binary.LittleEndian.AppendUint32(end, uint32(d.size())))
	return b.Bytes()
}

func (d *document) plain() []byte {
	if len(d.pieces) == 1 {
		return d.pieces[0].plain
	}
	b := make([]byte, 0, d.size())
	for _, p := range d.pieces {
		b = append(b, p.plain...)
	}
	return b
}

// size is the body's before packing.
func (d *document) size() (n int) {
	for _, p := range d.pieces {
		n += len(p.plain)
	}
	return n
}

// etags name the document as it is, and packed.
func (d *document) etags() (plain, gzip string) {
	h := sha256.New()
	for _, p := range d.pieces {
		h.Write(p.sum[:])
	}
	name := base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
	return `"` + name + `"`, `"` + name + `-gz"`
}

// packFrom is the size below which packing saves no packet. Packing pages that
// hold a form token is safe as long as nothing that a stranger chose stands in
// them beside it: addresses reach a packed page only as parsed days and names of
// ours, and pages that repeat a mistake are sent as they are.
const packFrom = 1400

// send answers with the document, or with 304 when the asker has it already.
// Browsers keep a private copy and ask each time whether it still holds.
func (c *call) send(d *document) error {
	h := c.Response().Header()
	h.Set(echo.HeaderCacheControl, "private, no-cache")
	if c.link != nil { // a link that was taken back shows nothing, also in the browser that had it
		h.Set(echo.HeaderCacheControl, "no-store")
	}
	h.Set(echo.HeaderVary, "Accept-Encoding, Cookie, Authorization")
	plain, gzip := d.etags()
	// A workbook is packed already.
	packed := d.size() >= packFrom && d.contentType != xlsxType && accepts(c.Request().Header.Get("Accept-Encoding"), "gzip")
	if packed {
		h["ETag"] = []string{gzip}
	} else {
		h["ETag"] = []string{plain}
	}
	if matches(c.Request().Header.Get("If-None-Match"), plain, gzip) {
		return c.NoContent(http.StatusNotModified)
	}
	if !packed {
		return c.Blob(http.StatusOK, d.contentType, d.plain())
	}
	h.Set(echo.HeaderContentEncoding, "gzip")
	return c.Blob(http.StatusOK, d.contentType, d.gzip())
}

// has reports whether the asker holds the document already, so that send will say 304.
func (c *call) has(d *document) bool {
	plain, gzip := d.etags()
	return matches(c.Request().Header.Get("If-None-Match"), plain, gzip)
}

// matches reports whether If-None-Match names one of the tags.
func matches(header string, tags ...string) bool {
	for part := range strings.SplitSeq(header, ",") {
		named := strings.TrimPrefix(strings.TrimSpace(part), "W/")
		for _, tag := range tags {
			if named == tag {
				return true
			}
		}
	}
	return false
}
