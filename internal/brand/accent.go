package brand

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/lucasb-eyer/go-colorful"
)

// ErrColour: not a color of six hexadecimal digits.
var ErrColour = errors.New("write the colour as # and six digits from 0 to f, such as #0e6259")

// MinContrast is the contrast that text needs (WCAG 2.2, 1.4.3).
const MinContrast = 4.5

// Accent is a color for current choices, links and the main series of charts, in light and in dark
// mode: made darker or lighter than chosen if text in it couldn't be read. The zero Accent is our own.
type Accent struct {
	hex         string
	light, dark shade
}

// shade is the accent in one mode: the color itself, a soft background of it, the color of text on it,
// and a half-strength version for graphics, which need no contrast.
type shade struct{ accent, soft, on, half string }

// The backgrounds behind text in the accent: the page, cards and sunken fields, as in web/static/css/app.css.
var (
	lightGrounds = []string{"#f8f6f1", "#fffefc", "#f1eee7"}
	darkGrounds  = []string{"#161411", "#1e1c18", "#26231e"}
)

const onLight = "#fffefc"

var hexForm = regexp.MustCompile(`^#?[0-9a-fA-F]{6}$`)

// ParseAccent parses a color and works out its light and dark versions. It returns ErrColour.
func ParseAccent(text string) (Accent, error) {
	text = strings.TrimSpace(text)
	if !hexForm.MatchString(text) {
		return Accent{}, ErrColour
	}
	hex := "#" + strings.ToLower(strings.TrimPrefix(text, "#"))
	return Accent{hex, lightShade(hex), darkShade(hex)}, nil
}

// Hex is the chosen color, as '#rrggbb'; empty for our own.
func (a Accent) Hex() string { return a.hex }

// Light and Dark are the color in each mode.
func (a Accent) Light() string { return a.light.accent }
func (a Accent) Dark() string  { return a.dark.accent }

// OnLight and OnDark are the color of text on it in each mode.
func (a Accent) OnLight() string { return a.light.on }
func (a Accent) OnDark() string  { return a.dark.on }

// step is how much the lightness changes at a time until text is readable.
const step = 0.005

// lightShade is the color itself, or the lightest readable one of its hue.
func lightShade(hex string) shade {
	l, c, h := of(hex).OkLch()
	s := shade{accent: hex, on: onLight}
	for ; least(s.accent, lightGrounds) < MinContrast; l -= step {
		s.accent = at(max(0, l), c, h)
	}
	for soft := 0.945; s.soft == "" || contrast(s.accent, s.soft) < MinContrast; soft += step {
		s.soft = at(min(1, soft), min(c, 0.02), h)
	}
	s.half = at(0.75, c*0.45, h)
	return s
}

// darkShade is the color itself if it's readable, otherwise one of its hue that is as light as our own
// accent in dark mode.
func darkShade(hex string) shade {
	_, c, h := of(hex).OkLch()
	s := shade{accent: hex, soft: at(0.305, min(c, 0.04), h), on: at(0.22, min(c, 0.03), h), half: at(0.53, c*0.8, h)}
	grounds := append([]string{s.soft, s.on}, darkGrounds...)
	for l := 0.761; least(s.accent, grounds) < MinContrast; l += step {
		s.accent = at(min(1, l), min(c*1.3, 0.13), h)
	}
	return s
}

// least is a color's lowest contrast with the given backgrounds.
func least(hex string, grounds []string) float64 {
	least := math.Inf(1)
	for _, g := range grounds {
		least = min(least, contrast(hex, g))
	}
	return least
}

// contrast is the contrast ratio as defined by WCAG 2.2.
func contrast(a, b string) float64 {
	return ratio(luminance(of(a)), luminance(of(b)))
}

func ratio(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

func luminance(c colorful.Color) float64 {
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// of parses a color that was checked before.
func of(hex string) colorful.Color {
	c, err := colorful.Hex(hex)
	if err != nil {
		panic("brand: " + hex + ": " + err.Error())
	}
	return c
}

// at is the color with that lightness and hue whose chroma comes closest to c on a screen.
func at(l, c, h float64) string {
	low, high := 0.0, c
	if colorful.OkLch(l, c, h).IsValid() {
		low = c
	}
	for high-low > 0.0005 {
		if middle := (low + high) / 2; colorful.OkLch(l, middle, h).IsValid() {
			low = middle
		} else {
			high = middle
		}
	}
	return colorful.OkLch(l, low, h).Clamped().Hex()
}

// CSS is the style sheet that makes pages use the color; empty for our own. It is outside all layers,
// so it overrides the built one.
func (a Accent) CSS() string {
	if a.hex == "" {
		return ""
	}
	return fmt.Sprintf(":root,[data-theme]{--accent:light-dark(%s,%s);--accent-soft:light-dark(%s,%s);--on-accent:light-dark(%s,%s);--accent-half:light-dark(%s,%s)}\n",
		a.light.accent, a.dark.accent, a.light.soft, a.dark.soft, a.light.on, a.dark.on, a.light.half, a.dark.half)
}

// Icon is our mark in that color, as an SVG we generate; empty for our own.
func (a Accent) Icon() string {
	if a.hex == "" {
		return ""
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18"><rect width="18" height="18" rx="5" fill="` + a.light.accent +
		`"/><path d="M5 11 10.5 5M8 13.5 13.5 7.5" stroke="` + a.light.on + `" stroke-width="1.7" stroke-linecap="round"/></svg>` + "\n"
}
