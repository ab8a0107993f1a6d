package chart_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

type rgb [3]float64 // linear light

// themes are the style sheet's colors, light and dark.
func themes(t *testing.T) map[string]map[string]rgb {
	t.Helper()
	css, err := os.ReadFile("../../../web/static/css/app.css")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]rgb{"light": {}, "dark": {}}
	colours := regexp.MustCompile(`--(\w+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);`).FindAllStringSubmatch(string(css), -1)
	for _, each := range colours {
		for i, theme := range []string{"light", "dark"} {
			n, err := strconv.ParseUint(each[2+i], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			out[theme][each[1]] = rgb{linear(n >> 16 & 255), linear(n >> 8 & 255), linear(n & 255)}
		}
	}
	if len(colours) < 15 {
		t.Fatalf("%d colors", len(colours))
	}
	return out
}

func linear(n uint64) float64 {
	c := float64(n) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// through is a color as seen with a color vision deficiency, after Machado, Oliveira and Fernandes
// (2009), at full strength.
func (c rgb) through(m [3]rgb) (out rgb) {
	for i, row := range m {
		out[i] = min(max(row[0]*c[0]+row[1]*c[1]+row[2]*c[2], 0), 1)
	}
	return out
}

func (c rgb) oklab() rgb {
	l := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
	m := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
	s := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
	return rgb{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func (c rgb) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func TestPlacementsAndGoodAndBadCanBeToldApartByThoseWhoDoNotSeeAllColours(t *testing.T) {
	t.Parallel()
	eyes := map[string][3]rgb{
		"all colours":  {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	pairs := [][2]string{{"accent", "bad"}, {"post", "thank"}, {"post", "coupon"}, {"post", "order"}, {"thank", "coupon"}, {"thank", "order"}, {"coupon", "order"}}
	for theme, colours := range themes(t) {
		for eye, matrix := range eyes {
			for _, pair := range pairs {
				p, q := colours[pair[0]].through(matrix).oklab(), colours[pair[1]].through(matrix).oklab()
				if apart := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]); apart < 0.10 {
					t.Errorf("%s, %s: %s and %s are %.3f apart in OKLab, at least 0.10", theme, eye, pair[0], pair[1], apart)
				}
			}
		}
	}
}

func TestSeriesStandOutFromTheirSurface(t *testing.T) {
	t.Parallel()
	for theme, colours := range themes(t) {
		for _, name := range []string{"accent", "compare", "muted", "bad", "post", "thank", "coupon", "order"} {
			a, b := colours[name].luminance()+0.05, colours["surface"].luminance()+0.05
			if ratio := max(a, b) / min(a, b); ratio < 3 {
				t.Errorf("%s: %s has %.2f:1 on the surface, at least 3:1", theme, name, ratio)
			}
		}
	}
}
