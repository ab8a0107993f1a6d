package weekly

import (
	"image"
	"image/color"
	"testing"
)

func TestThePaletteKeepsTheColoursThatAreMostOfAPicture(t *testing.T) {
	t.Parallel()
	picture := image.NewRGBA(image.Rect(0, 0, 100, 100))
	for y := range 100 {
		for x := range 100 {
			shade := color.RGBA{30, 98, 89, 255}
			if y >= 60 { // 4000 shades, once each, as on smoothed edges
				shade = color.RGBA{uint8(30 + (y-60)*5), 98, uint8(50 + x), 255}
			}
			picture.SetRGBA(x, y, shade)
		}
	}
	out := paletted(picture)
	if len(out.Palette) != 256 {
		t.Errorf("%d colours", len(out.Palette))
	}
	for y := range 100 {
		for x := range 100 {
			was, is := picture.RGBAAt(x, y), out.At(x, y).(color.RGBA)
			if y < 60 && was != is {
				t.Fatalf("at %d, %d: %v became %v", x, y, was, is)
			}
		}
	}
	few := image.NewRGBA(image.Rect(0, 0, 16, 16))
	for i := range 256 {
		few.SetRGBA(i%16, i/16, color.RGBA{uint8(i), 0, 0, 255})
	}
	for i, drawn := 0, paletted(few); i < 256; i++ {
		if got := drawn.At(i%16, i/16); got != (color.RGBA{uint8(i), 0, 0, 255}) {
			t.Fatalf("colour %d of 256 became %v", i, got)
		}
	}
}
