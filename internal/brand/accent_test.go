package brand

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestANameIsShortAndOnOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "  Acme Reports ": "Acme Reports", `"><script>`: `"><script>`, "متجر": "متجر", strings.Repeat("é", 40): strings.Repeat("é", 40)} {
		if got, err := Name(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{strings.Repeat("é", 41), "a\nb", "a\x00", "a\x1b[31m", "a\u202eb", "\xff"} {
		if _, err := Name(text); !errors.Is(err, ErrName) {
			t.Errorf("%q was taken", text)
		}
	}
}

// The backgrounds must match the style sheet, which is what pages use.
func TestGroundsAreThoseOfTheStyleSheet(t *testing.T) {
	t.Parallel()
	css, err := os.ReadFile("../../web/static/css/app.css")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"page", "surface", "sunk"} {
		found := regexp.MustCompile(`--` + name + `: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindStringSubmatch(string(css))
		if found == nil || found[1] != lightGrounds[i] || found[2] != darkGrounds[i] {
			t.Errorf("%s is %v in the style sheet, %s and %s here", name, found, lightGrounds[i], darkGrounds[i])
		}
	}
	if found := regexp.MustCompile(`--on-accent: light-dark\((#[0-9a-f]{6}), #[0-9a-f]{6}\);`).FindStringSubmatch(string(css)); found == nil || found[1] != onLight {
		t.Errorf("what stands on the accent is %v in the style sheet", found)
	}
}

func TestContrastIsThatOfWCAG(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]float64{
		{"#000000", "#ffffff"}: 21, {"#777777", "#ffffff"}: 4.48, {"#767676", "#ffffff"}: 4.54, {"#0e6259", "#fffefc"}: 7.16, {"#ff0000", "#ffffff"}: 4.0,
	} {
		if got := contrast(pair[0], pair[1]); math.Abs(got-want) > 0.01 {
			t.Errorf("%v: %.3f, want %.2f", pair, got, want)
		}
	}
}

// Whatever color is chosen, text in it is readable on every background, in light and in dark mode, and
// so is text on it; it keeps its hue, and stays unchanged if possible.
func TestEveryColourIsMadeReadableAndKeepsItsHue(t *testing.T) {
	t.Parallel()
	changed, kept := 0, 0
	for i := range 16 * 16 * 16 {
		hex := fmt.Sprintf("#%02x%02x%02x", i>>8*17, i>>4&15*17, i&15*17)
		a, err := ParseAccent(hex)
		if err != nil || a.Hex() != hex {
			t.Fatalf("%s: %s, %v", hex, a.Hex(), err)
		}
		for _, c := range []struct {
			shade
			grounds []string
		}{{a.light, lightGrounds}, {a.dark, darkGrounds}} {
			if r := least(c.accent, append([]string{c.soft, c.on}, c.grounds...)); r < MinContrast {
				t.Errorf("%s: %s has a contrast of %.2f", hex, c.accent, r)
			}
			if c.accent == hex {
				kept++
				continue
			}
			changed++
			if r := least(hex, append([]string{c.soft, c.on}, c.grounds...)); r >= MinContrast {
				t.Errorf("%s became %s, and could be read", hex, c.accent)
			}
			_, c1, h1 := of(hex).OkLch()
			_, c2, h2 := of(c.accent).OkLch()
			if turned := math.Abs(math.Mod(h1-h2+540, 360) - 180); c1 > 0.04 && c2 > 0.04 && turned > 3 {
				t.Errorf("%s: %s is of another hue, by %.0f°", hex, c.accent, turned)
			}
		}
	}
	if changed < 1000 || kept < 1000 {
		t.Errorf("%d changed, %d kept", changed, kept)
	}
}

func TestYellowBlackAndWhiteAreMadeReadable(t *testing.T) {
	t.Parallel()
	for hex, want := range map[string][2]string{"#ffd400": {"", "#ffd400"}, "#000000": {"#000000", ""}, "#ffffff": {"", "#ffffff"}} {
		a, err := ParseAccent(hex)
		if err != nil || want[0] != "" && a.Light() != want[0] || want[1] != "" && a.Dark() != want[1] {
			t.Errorf("%s: %s in light, %s in dark, %v", hex, a.Light(), a.Dark(), err)
		}
		if a.Light() == a.Dark() {
			t.Errorf("%s is %s in both", hex, a.Light())
		}
	}
}

// Our own green, used as a brand color, looks nearly the same as the default.
func TestOurOwnColourStaysNearlyWhatItIs(t *testing.T) {
	t.Parallel()
	a, err := ParseAccent("0E6259")
	if err != nil || a.Hex() != "#0e6259" {
		t.Fatal(a.Hex(), err)
	}
	for _, pair := range [][2]string{
		{a.light.accent, "#0e6259"}, {a.light.soft, "#e1eeea"}, {a.light.half, "#9ab5af"},
		{a.dark.accent, "#62c6b5"}, {a.dark.soft, "#17352f"}, {a.dark.on, "#0b1f1b"}, {a.dark.half, "#3b7a6f"},
	} {
		if d := of(pair[0]).DistanceLab(of(pair[1])); d > 0.04 {
			t.Errorf("%s, where ours is %s (%.3f)", pair[0], pair[1], d)
		}
	}
}

var safeCSS = regexp.MustCompile(`^:root,\[data-theme\]\{--[a-z-]+:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)(?:;--[a-z-]+:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)){3}\}\n$`)

func TestNothingButColoursReachesTheStyleSheet(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "red", "#fff", "#0e62591", "#0e6259}", "#0e6259;}body{background:url(//evil.example)}", "0e625g", "\u202e#0e6259", "#0e6259\n*{display:none}",
		"</style><script>alert(1)</script>", "var(--x)", "#٠٠٠٠٠٠", "url(javascript:alert(1))", "expression(alert(1))", "rgb(0,0,0)", "#0e62 59",
	} {
		if a, err := ParseAccent(text); !errors.Is(err, ErrColour) || a.CSS() != "" || a.Icon() != "" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"#0e6259", " 7A1FA2 ", "#000000"} {
		a, err := ParseAccent(text)
		if err != nil || !safeCSS.MatchString(a.CSS()) {
			t.Errorf("%q: %v\n%s", text, err, a.CSS())
		}
		if !regexp.MustCompile(`^<svg [^<>]*><rect [^<>]*/><path [^<>]*/></svg>\n$`).MatchString(a.Icon()) {
			t.Errorf("%q: %s", text, a.Icon())
		}
	}
	if (Accent{}).CSS() != "" || (Accent{}).Icon() != "" || (Accent{}).Hex() != "" {
		t.Error("our own colour changes something")
	}
}
