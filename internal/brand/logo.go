package brand

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // formats that a logo may come in
	_ "image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// What a picture may be, and what happens to it.
const (
	MaxLogoBytes  = 512 << 10
	maxLogoPixels = 4_000_000
	// maxLogoWidth and maxLogoHeight are the box that it is drawn into.
	maxLogoWidth, maxLogoHeight = 512, 128
)

// LogoError refuses a picture.
type LogoError struct {
	// Reason is a code: large, format, pixels, more (something behind the picture), damaged
	// or clear.
	Reason string
	// Width and Height are the picture's, for the reason pixels.
	Width, Height int
}

func (e *LogoError) Error() string { return "logo refused: " + e.Reason }

// Logo decodes a picture and draws it again as a PNG, into the box and never
// larger than it came. Nothing of the file remains but what it looks like: not its
// metadata, nor what was written into it. A file that goes on behind its picture is
// refused. How large the picture will be is known before it is decoded. *LogoError.
func Logo(file []byte) ([]byte, error) {
	if len(file) > MaxLogoBytes {
		return nil, &LogoError{Reason: "large"}
	}
	about, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || ends[format] == nil { // another part of the program may know more formats
		return nil, &LogoError{Reason: "format"}
	}
	if about.Width < 1 || about.Height < 1 || about.Width > maxLogoPixels/about.Height {
		return nil, &LogoError{"pixels", about.Width, about.Height}
	}
	end, whole := ends[format](file)
	if whole && len(bytes.Trim(file[end:], "\x00\r\n ")) > 0 {
		return nil, &LogoError{Reason: "more"}
	}
	from, _, err := image.Decode(bytes.NewReader(file))
	if err != nil || !whole {
		return nil, &LogoError{Reason: "damaged"}
	}
	seen := visible(from)
	if seen.Empty() {
		return nil, &LogoError{Reason: "clear"}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, fitted(from, seen)); err != nil {
		return nil, fmt.Errorf("write logo: %w", err)
	}
	return out.Bytes(), nil
}

// visible is the part of a picture that is not clear: room around a logo would only
// make it smaller.
func visible(m image.Image) (part image.Rectangle) {
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		return m.Bounds()
	}
	box := m.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if _, _, _, a := m.At(x, y).RGBA(); a > 0 {
				part = part.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return part
}

// fitted draws a part of the picture into the box, in its own proportions.
func fitted(from image.Image, part image.Rectangle) image.Image {
	size := part.Size()
	scale := min(1, float64(maxLogoWidth)/float64(size.X), float64(maxLogoHeight)/float64(size.Y))
	box := image.Rect(0, 0, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale)))
	to := image.NewNRGBA(box)
	draw.CatmullRom.Scale(to, box, from, part, draw.Src, nil)
	return to
}
