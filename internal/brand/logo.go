package brand

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // the formats a logo may have
	_ "image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// The limits for a picture, and for the box it's drawn into.
const (
	MaxLogoBytes  = 512 << 10
	maxLogoPixels = 4_000_000
	// maxLogoWidth and maxLogoHeight are the box that it's drawn into.
	maxLogoWidth, maxLogoHeight = 512, 128
)

// LogoError says why a picture is refused.
type LogoError struct {
	// Reason is a code: large, format, pixels, more (there is data after the picture), damaged or clear.
	Reason string
	// Width and Height are the picture's size, if the reason is pixels.
	Width, Height int
}

func (e *LogoError) Error() string { return "logo refused: " + e.Reason }

// Logo decodes a picture and redraws it as a PNG that fits into the box, without enlarging it. Only its
// appearance remains: no metadata, and no hidden content. A file with data after the picture is
// refused. The picture's size is checked before it is decoded. Errors are *LogoError.
func Logo(file []byte) ([]byte, error) {
	if len(file) > MaxLogoBytes {
		return nil, &LogoError{Reason: "large"}
	}
	about, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || ends[format] == nil { // another part of the program may have registered more formats
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

// visible is the non-transparent part of a picture: empty space around a logo would only make it smaller.
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

// fitted draws part of a picture into the box, keeping its proportions.
func fitted(from image.Image, part image.Rectangle) image.Image {
	size := part.Size()
	scale := min(1, float64(maxLogoWidth)/float64(size.X), float64(maxLogoHeight)/float64(size.Y))
	box := image.Rect(0, 0, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale)))
	to := image.NewNRGBA(box)
	draw.CatmullRom.Scale(to, box, from, part, draw.Src, nil)
	return to
}
