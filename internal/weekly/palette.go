package weekly

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
)

// encode writes a picture as a PNG with at most 256 colors. Ours have a handful, plus the
// shades on smoothed edges, so the file is half the size and made in a fraction of the
// time.
func encode(drawn image.Image) ([]byte, error) {
	if picture, ok := drawn.(*image.RGBA); ok {
		drawn = paletted(picture)
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, drawn); err != nil {
		return nil, fmt.Errorf("encode a picture: %w", err)
	}
	return out.Bytes(), nil
}

// paletted keeps the 256 most common colors. Others, single points on edges, become the
// nearest of these.
func paletted(picture *image.RGBA) *image.Paletted {
	counts := map[[4]byte]int{}
	each := func(do func(i int, of [4]byte)) {
		for y := range picture.Rect.Dy() {
			row := picture.Pix[y*picture.Stride:][:4*picture.Rect.Dx()]
			for x := 0; x < len(row); x += 4 {
				do(y*picture.Rect.Dx()+x/4, [4]byte(row[x:x+4]))
			}
		}
	}
	var last [4]byte
	run := 0
	each(func(_ int, of [4]byte) {
		if of != last {
			counts[last] += run
			last, run = of, 0
		}
		run++
	})
	counts[last] += run
	common := make([][4]byte, 0, len(counts))
	for of, n := range counts {
		if n > 0 {
			common = append(common, of)
		}
	}
	slices.SortFunc(common, func(a, b [4]byte) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), bytes.Compare(a[:], b[:]))
	})
	palette := make(color.Palette, 0, 256)
	places := map[[4]byte]uint8{}
	for i, of := range common {
		shade := color.RGBA{of[0], of[1], of[2], of[3]}
		if i < 256 {
			palette = append(palette, shade)
			places[of] = uint8(i)
		} else {
			places[of] = uint8(palette.Index(shade))
		}
	}
	out := image.NewPaletted(image.Rect(0, 0, picture.Rect.Dx(), picture.Rect.Dy()), palette)
	at := places[last]
	each(func(i int, of [4]byte) {
		if of != last {
			last, at = of, places[of]
		}
		out.Pix[i] = at
	})
	return out
}
