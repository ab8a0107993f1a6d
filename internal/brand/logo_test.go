package brand

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
)

func picture(w, h int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, color.NRGBA{uint8(x), uint8(y), 80, uint8(55 + (x+y)%200)})
		}
	}
	return m
}

func asPNG(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asGIF(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// aWebP is 4 by 2 points, lossless.
func aWebP(t *testing.T) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString("UklGRh4AAABXRUJQVlA4TBEAAAAvA0AAAAdQjyIXpf+BiOh/AAA=")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// drawn is the result for a file that must be accepted.
func drawn(t *testing.T, file []byte) ([]byte, image.Point) {
	t.Helper()
	out, err := Logo(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return out, m.Bounds().Size()
}

func TestAPictureIsDrawnAnewIntoTheBox(t *testing.T) {
	t.Parallel()
	roomy := image.NewNRGBA(image.Rect(0, 0, 300, 200))
	draw.Draw(roomy, image.Rect(100, 50, 120, 60), image.Black, image.Point{}, draw.Src)
	for name, c := range map[string]struct {
		file []byte
		want image.Point
	}{
		"small stays":           {asPNG(t, picture(100, 40)), image.Pt(100, 40)},
		"wide":                  {asPNG(t, picture(1024, 64)), image.Pt(512, 32)},
		"high":                  {asJPEG(t, picture(200, 400)), image.Pt(64, 128)},
		"both":                  {asGIF(t, picture(1000, 500)), image.Pt(256, 128)},
		"a line":                {asGIF(t, picture(5000, 1)), image.Pt(512, 1)},
		"webp":                  {aWebP(t), image.Pt(4, 2)},
		"as many points as may": {asPNG(t, image.NewGray(image.Rect(0, 0, 2000, 2000))), image.Pt(128, 128)},
		"a point":               {asPNG(t, picture(1, 1)), image.Pt(1, 1)},
		"more than 8 bits":      {asPNG(t, image.NewGray16(image.Rect(0, 0, 30, 30))), image.Pt(30, 30)},
		"room around":           {asPNG(t, roomy), image.Pt(20, 10)},
		"a palette":             {asPNG(t, image.NewPaletted(image.Rect(0, 0, 9, 9), color.Palette{color.Black, color.White})), image.Pt(9, 9)},
	} {
		if _, size := drawn(t, c.file); size != c.want {
			t.Errorf("%s: %v, want %v", name, size, c.want)
		}
	}
}

func TestALogoLooksAsItDid(t *testing.T) {
	t.Parallel()
	m := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	draw.Draw(m, image.Rect(0, 0, 10, 20), image.NewUniform(color.NRGBA{200, 30, 40, 255}), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(20, 0, 30, 20), image.NewUniform(color.NRGBA{20, 30, 240, 255}), image.Point{}, draw.Src)
	out, _ := drawn(t, asPNG(t, m))
	again, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[int]color.NRGBA{3: {200, 30, 40, 255}, 15: {}, 26: {20, 30, 240, 255}} {
		if got := color.NRGBAModel.Convert(again.At(x, 3)); got != want {
			t.Errorf("at %d is %v, want %v", x, got, want)
		}
	}
}

// A file may contain more than its picture: only the picture is kept.
func TestNothingOfAFileIsLeftButThePicture(t *testing.T) {
	t.Parallel()
	evil := `<script>alert(document.domain)</script><svg onload=alert(1)>GIF89a/*`
	withText := func() []byte {
		file := asPNG(t, picture(8, 8))
		chunk := func(kind, body string) []byte {
			b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
			b = append(append(b, kind...), body...)
			return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
		}
		head := 8 + 25 // the signature and IHDR
		out := append([]byte{}, file[:head]...)
		out = append(out, chunk("tEXt", "Comment\x00"+evil)...)
		out = append(out, chunk("eXIf", evil)...)
		out = append(out, chunk("iTXt", "XML:com.adobe.xmp\x00\x00\x00\x00\x00"+evil)...)
		return append(out, file[head:]...)
	}
	inComment := func() []byte {
		file := asJPEG(t, picture(8, 8))
		segment := append([]byte{0xff, 0xfe, 0, byte(len(evil) + 2)}, evil...)
		return append(append(append([]byte{}, file[:2]...), segment...), file[2:]...)
	}
	inExtension := func() []byte {
		file := asGIF(t, picture(8, 8))
		head := 13 + 3*256
		comment := append(append([]byte{0x21, 0xfe, byte(len(evil))}, evil...), 0)
		return append(append(append([]byte{}, file[:head]...), comment...), file[head:]...)
	}
	for name, file := range map[string][]byte{"a PNG": withText(), "a JPEG": inComment(), "a GIF": inExtension()} {
		out, _ := drawn(t, file)
		for _, part := range []string{"script", "svg", "alert", "<", "PK\x03\x04", "tEXt", "eXIf", "iTXt", "GIF8"} {
			if part != "<" && bytes.Contains(out, []byte(part)) || bytes.Contains(out, []byte("<s")) {
				t.Errorf("%s: %q is left", name, part)
			}
		}
		if !bytes.HasPrefix(out, []byte("\x89PNG\r\n\x1a\n")) {
			t.Errorf("%s: no PNG came out", name)
		}
	}
}

// A file that is both a picture and something else is refused, whatever the picture.
func TestAFileThatGoesOnBehindItsPictureIsRefused(t *testing.T) {
	t.Parallel()
	// This GIF's width makes its first bytes the start of a script comment: GIF89a/* … */=0;alert(1)
	script := asGIF(t, picture(8, 4))
	copy(script[6:], "/*")
	for name, file := range map[string][]byte{
		"a PNG": asPNG(t, picture(300, 300)), "a JPEG": asJPEG(t, picture(300, 300)), "a GIF": asGIF(t, picture(300, 300)), "a WebP": aWebP(t), "a script": script,
	} {
		drawn(t, file)
		drawn(t, append(file[:len(file):len(file)], "\x00\r\n"...))
		for _, behind := range []string{"<html><script>alert(1)</script>", "PK\x03\x04", "*/=0;alert(1)", "%PDF-1.7", "\x00\x00x"} {
			out, err := Logo(append(file[:len(file):len(file)], behind...))
			if refused, ok := errors.AsType[*LogoError](err); !ok || out != nil || refused.Reason != "more" {
				t.Errorf("%q behind %s: %v", behind, name, err)
			}
		}
	}
}

// Each scan of a JPEG goes over all its pixels, but takes only a few bytes.
func TestAPictureInTooManyScansIsRefused(t *testing.T) {
	t.Parallel()
	file := asJPEG(t, picture(40, 40))
	scan := bytes.Index(file, []byte("\xff\xda"))
	many := append(append(file[:scan:scan], bytes.Repeat([]byte("\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x00"), maxScans)...), file[scan:]...)
	if _, whole := jpegEnd(many); whole {
		t.Error("it counts as whole")
	}
	if _, err := Logo(many); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}

func TestWhatIsNoPictureIsRefusedInWords(t *testing.T) {
	t.Parallel()
	good := asPNG(t, picture(200, 100))
	for name, file := range map[string][]byte{
		"nothing":             nil,
		"text":                []byte("hello"),
		"a drawing":           []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"a drawing, declared": []byte(`<?xml version="1.0"?><svg/>`),
		"a page":              []byte("<!doctype html><img src=x onerror=alert(1)>"),
		"a PDF":               []byte("%PDF-1.7"),
		"a BMP":               append([]byte("BM"), make([]byte, 60)...),
		"a TIFF":              []byte("II*\x00\x08\x00\x00\x00"),
		"an icon":             {0, 0, 1, 0, 1, 0},
		"a page, then a PNG":  append([]byte("<html>"), good...),
		"half a PNG":          good[:len(good)/2],
		"a damaged PNG":       bytes.Replace(good, []byte("IDAT"), []byte("IDAX"), 1),
		"half a JPEG":         asJPEG(t, picture(200, 100))[:700],
		"half a GIF":          asGIF(t, picture(200, 100))[:900],
		"half a WebP":         aWebP(t)[:24],
		"a head alone":        good[:33],
		"nothing to be seen":  asPNG(t, image.NewNRGBA(image.Rect(0, 0, 20, 10))),
		"too many bytes":      append(good, make([]byte, MaxLogoBytes)...),
	} {
		out, err := Logo(file)
		refused, ok := errors.AsType[*LogoError](err)
		if !ok || out != nil || !locale.Has("branding.logo_refused."+refused.Reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A few bytes can promise a picture with many pixels: it's refused based on its header, before any of
// it is unpacked.
func TestAPictureOfTooManyPointsIsRefusedByItsHead(t *testing.T) {
	t.Parallel()
	pngOf := func(w, h uint32) []byte {
		chunk := func(kind string, body []byte) []byte {
			b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
			b = append(append(b, kind...), body...)
			return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
		}
		head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
		var zeros bytes.Buffer
		z := zlib.NewWriter(&zeros)
		z.Write(make([]byte, 8<<20))
		z.Close()
		out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, 8, 6, 0, 0, 0))...)
		return append(append(out, chunk("IDAT", zeros.Bytes())...), chunk("IEND", nil)...)
	}
	gifOf := func(w, h uint16) []byte {
		b := binary.LittleEndian.AppendUint16([]byte("GIF89a"), w)
		return append(binary.LittleEndian.AppendUint16(b, h), 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x3b)
	}
	webpOf := func(chunks ...[]byte) []byte {
		body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
		return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
	}
	chunk := func(kind string, body []byte) []byte {
		b := append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body))), body...)
		if len(body)%2 == 1 {
			b = append(b, 0)
		}
		return b
	}
	vp8x := func(w, h uint32, flags byte) []byte {
		return chunk("VP8X", []byte{flags, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), byte((w - 1) >> 16), byte(h - 1), byte((h - 1) >> 8), byte((h - 1) >> 16)})
	}
	vp8l := func(w, h uint32) []byte {
		bits := (w - 1) | (h-1)<<14
		return chunk("VP8L", append([]byte{0x2f}, binary.LittleEndian.AppendUint32(nil, bits)...))
	}
	for name, c := range map[string]struct {
		file []byte
		want LogoError
	}{
		"a PNG of a square":         {pngOf(30_000, 30_000), LogoError{"pixels", 30_000, 30_000}},
		"a PNG of a line":           {pngOf(0x7fffffff, 1), LogoError{"pixels", 0x7fffffff, 1}},
		"a PNG, one line too many":  {pngOf(2000, 2001), LogoError{"pixels", 2000, 2001}},
		"a PNG whose size is 2^62":  {pngOf(0x7fffffff, 0x7fffffff), LogoError{Reason: "format"}},
		"a GIF":                     {gifOf(65535, 65535), LogoError{"pixels", 65535, 65535}},
		"a lossless WebP":           {webpOf(vp8l(16384, 16384)), LogoError{"pixels", 16384, 16384}},
		"a large canvas":            {webpOf(vp8x(1<<24, 100, 0)), LogoError{"pixels", 1 << 24, 100}},
		"a small canvas, large in":  {webpOf(vp8x(10, 10, 0), vp8l(16384, 16384)), LogoError{Reason: "damaged"}},
		"a large veil on a small":   {webpOf(vp8x(1<<14, 1<<14, 1<<4), chunk("ALPH", []byte{1})), LogoError{"pixels", 1 << 14, 1 << 14}},
		"a PNG that promises none":  {pngOf(0, 10), LogoError{Reason: "format"}},
		"more bytes than its lines": {pngOf(10, 10), LogoError{Reason: "damaged"}},
	} {
		_, err := Logo(c.file)
		refused, ok := errors.AsType[*LogoError](err)
		if !ok || *refused != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// However broken a file is, it's either refused or drawn.
func FuzzLogo(f *testing.F) {
	var b bytes.Buffer
	_ = png.Encode(&b, picture(20, 10))
	f.Add(b.Bytes())
	b = bytes.Buffer{}
	_ = gif.Encode(&b, picture(20, 10), nil)
	f.Add(b.Bytes())
	b = bytes.Buffer{}
	_ = jpeg.Encode(&b, picture(20, 10), nil)
	f.Add(b.Bytes())
	webp, _ := base64.StdEncoding.DecodeString("UklGRh4AAABXRUJQVlA4TBEAAAAvA0AAAAdQjyIXpf+BiOh/AAA=")
	f.Add(webp)
	f.Fuzz(func(t *testing.T, file []byte) {
		out, err := Logo(file)
		if err != nil {
			if _, ok := errors.AsType[*LogoError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		m, err := png.Decode(bytes.NewReader(out))
		if err != nil || m.Bounds().Dx() > maxLogoWidth || m.Bounds().Dy() > maxLogoHeight {
			t.Fatal(err, m.Bounds())
		}
	})
}
