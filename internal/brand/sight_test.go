package brand

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// block is a picture with a block of one color inside, and another next to it.
func block(ground, left, right color.Color) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, 90, 30))
	fill := func(r image.Rectangle, c color.Color) { draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src) }
	fill(m.Bounds(), ground)
	fill(image.Rect(5, 5, 45, 25), left)
	fill(image.Rect(50, 5, 85, 25), right)
	return m
}

func TestALogoIsGivenAGroundWhereItWouldNotBeSeen(t *testing.T) {
	t.Parallel()
	clear, black, white, green, grey := color.Transparent, color.Black, color.White, color.NRGBA{0, 160, 80, 255}, color.Gray{128}
	ring := block(clear, black, black).(*image.NRGBA)
	draw.Draw(ring, image.Rect(10, 10, 40, 20), image.White, image.Point{}, draw.Src)
	for name, c := range map[string]struct {
		picture     image.Image
		light, dark bool
	}{
		"black":                        {block(clear, black, black), false, true},
		"white":                        {block(clear, white, white), true, false},
		"green":                        {block(clear, green, green), false, false},
		"grey":                         {block(clear, grey, grey), false, false},
		"black beside green":           {block(clear, black, green), false, true},
		"black beside white":           {block(clear, black, white), false, false},
		"white within black":           {ring, false, true},
		"black on a ground of its own": {block(white, black, black), false, false},
		"white on a ground of its own": {block(black, white, white), false, false},
	} {
		out, size := drawn(t, asPNG(t, c.picture))
		got, err := See(out)
		if err != nil || got != (Sight{size.X, size.Y, c.light, c.dark}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := See([]byte("no picture")); err == nil {
		t.Error("what is no picture was looked at")
	}
}
