package brand

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"github.com/lucasb-eyer/go-colorful"
)

// Sight is how visible a logo is on cards, in light and in dark mode.
type Sight struct {
	Width, Height int
	// FaintOnLight and FaintOnDark say that it needs its own background there: too much of its outline
	// is nearly as light, or as dark, as the card. A picture with its own background never does.
	FaintOnLight, FaintOnDark bool
}

// A third of the outline may be fainter than this, and the rest still shows what it is.
const (
	outlineContrast = 2
	outlineShare    = 1.0 / 3
)

// See examines a logo as made by Logo.
func See(logo []byte) (Sight, error) {
	m, err := png.Decode(bytes.NewReader(logo))
	if err != nil {
		return Sight{}, fmt.Errorf("read logo: %w", err)
	}
	box := m.Bounds()
	s := Sight{Width: box.Dx(), Height: box.Dy()}
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		return s, nil
	}
	var outline, onLight, onDark float64
	light, dark := luminance(of(lightGrounds[1])), luminance(of(darkGrounds[1]))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if !drawnAt(m, x, y) || drawnAt(m, x-1, y) && drawnAt(m, x+1, y) && drawnAt(m, x, y-1) && drawnAt(m, x, y+1) {
				continue
			}
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			of := luminance(colorful.Color{R: float64(c.R) / 255, G: float64(c.G) / 255, B: float64(c.B) / 255})
			outline++
			if ratio(of, light) < outlineContrast {
				onLight++
			}
			if ratio(of, dark) < outlineContrast {
				onDark++
			}
		}
	}
	s.FaintOnLight, s.FaintOnDark = onLight > outline*outlineShare, onDark > outline*outlineShare
	if s.FaintOnLight && s.FaintOnDark { // then another background wouldn't help in either
		s.FaintOnLight, s.FaintOnDark = false, false
	}
	return s, nil
}

// drawnAt reports whether the pixel is more picture than background.
func drawnAt(m image.Image, x, y int) bool {
	_, _, _, a := m.At(x, y).RGBA()
	return a >= 0x8000
}
