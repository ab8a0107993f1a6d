// Package style is how mails look: the pages' colors, light and dark, with the brand's accent, and a
// few text styles, as HTML that mail programs understand.
package style

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/brand"
)

// Colors are those of the pages, light or dark.
type Colors struct {
	Page, Surface, Line, Faint, Muted, Ink, Accent, OnAccent, Warm, Brick string
	// Placement is keyed by Placement.Key.
	Placement map[string]string
}

// Of returns the light and the dark colors, with the brand's accent.
func Of(a brand.Accent) (light, dark Colors) {
	light = Colors{
		Page: "#f8f6f1", Surface: "#fffefc", Line: "#e7e2d9", Faint: "#a79f92", Muted: "#645e55", Ink: "#211e1a",
		Accent: "#0e6259", OnAccent: "#fffefc", Warm: "#fbf1dd", Brick: "#a13212",
		Placement: map[string]string{"post_purchase": "#1f4e99", "thank_you": "#c08400", "coupon": "#4a463f", "order_status": "#c24a74", "unknown": "#645e55"},
	}
	dark = Colors{
		Page: "#161411", Surface: "#1e1c18", Line: "#35312a", Faint: "#6f695f", Muted: "#aba397", Ink: "#efeae1",
		Accent: "#62c6b5", OnAccent: "#0b1f1b", Warm: "#352a16", Brick: "#f6916f",
		Placement: map[string]string{"post_purchase": "#7fa8e8", "thank_you": "#e8b44e", "coupon": "#ddd7cb", "order_status": "#d8709f", "unknown": "#aba397"},
	}
	if a.Hex() != "" {
		light.Accent, light.OnAccent = a.Light(), a.OnLight()
		dark.Accent, dark.OnAccent = a.Dark(), a.OnDark()
	}
	return light, dark
}

// sizes are the text styles: size/line height, weight and tracking.
var sizes = map[string]string{
	"title":  "margin:4px 0 10px;font-size:26px;line-height:32px;font-weight:600;letter-spacing:-0.016em;",
	"value":  "font-size:21px;line-height:28px;font-weight:600;letter-spacing:-0.02em;",
	"h1":     "margin:4px 0 8px;font-size:20px;line-height:26px;font-weight:600;",
	"h2":     "margin:0;font-size:16px;line-height:24px;font-weight:600;",
	"body":   "font-size:14px;line-height:20px;",
	"bold":   "margin:0;font-size:14px;line-height:20px;font-weight:600;",
	"text":   "margin:0 0 16px;font-size:15px;line-height:22px;",
	"note":   "margin:0;font-size:13px;line-height:18px;",
	"small":  "font-size:13px;line-height:18px;",
	"tiny":   "font-size:12px;line-height:16px;",
	"sign":   "font-size:13px;line-height:20px;",
	"button": "display:inline-block;white-space:nowrap;padding:12px 20px;font-size:15px;line-height:20px;font-weight:600;text-decoration:none;",
	"row":    "padding:10px 0;vertical-align:top;",
	"cell":   "padding:10px 0 10px 10px;vertical-align:top;",
	"num":    "font-variant-numeric:tabular-nums;white-space:nowrap;",
	"whole":  "white-space:nowrap;",
}

const family = "font-family:Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"

// paint is a color class: its inline style, if any, and its rule for dark screens.
type paint struct{ class, style, property, value string }

func (c Colors) paints() []paint {
	ink := func(class, colour string) paint { return paint{class, "color:" + colour, "color", colour} }
	fill := func(class, before, colour string) paint {
		return paint{class, before + "background-color:" + colour, "background-color", colour}
	}
	edge := func(class, style, colour string) paint { return paint{class, style, "border-color", colour} }
	list := []paint{
		fill("page", "", c.Page),
		fill("surface", "border:1px solid "+c.Line+";border-radius:12px;", c.Surface),
		fill("warm", "border-radius:8px;", c.Warm),
		// Outlook for Windows ignores a link's padding and uses this instead.
		fill("fill", "border-radius:8px;mso-padding-alt:12px 20px;", c.Accent),
		ink("on", c.OnAccent), ink("ink", c.Ink), ink("muted", c.Muted), ink("accent", c.Accent), ink("brick", c.Brick),
		edge("surface", "", c.Line),
		edge("line", "border-top:1px solid "+c.Line, c.Line),
		edge("side", "border-left:1px solid "+c.Line, c.Line),
		edge("apart", "border-radius:12px;border:1px dashed "+c.Faint, c.Faint),
	}
	for _, key := range slices.Sorted(maps.Keys(c.Placement)) {
		list = append(list, ink(key, c.Placement[key]))
	}
	return list
}

// Parse reads a mail's HTML. Its functions are mso, those given, and style, which [Colors.In] sets.
func Parse(html string, funcs template.FuncMap) *template.Template {
	unset := template.FuncMap{"mso": mso, "style": Colors{}.style}
	return template.Must(template.New("mail").Funcs(unset).Funcs(funcs).Parse(html))
}

// In returns the parsed mail in these colors.
func (c Colors) In(mail *template.Template) (*template.Template, error) {
	own, err := mail.Clone()
	if err != nil {
		return nil, fmt.Errorf("color a mail: %w", err)
	}
	return own.Funcs(template.FuncMap{"style": c.style}), nil
}

// style gives a tag its class, for dark screens, and its inline style, for mail clients that
// don't support classes: "ink title" is a color and a text style. "m-…" is a class of the mail's own.
func (c Colors) style(names string) (template.HTMLAttr, error) {
	var class []string
	var style strings.Builder
	paints := c.paints()
	for name := range strings.FieldsSeq(names) {
		if at := slices.IndexFunc(paints, func(p paint) bool { return p.class == name }); at >= 0 {
			class = append(class, "m-"+name)
			style.WriteString(paints[at].style + ";")
			continue
		}
		if strings.HasPrefix(name, "m-") {
			class = append(class, name)
			continue
		}
		size, ok := sizes[name]
		if !ok {
			return "", fmt.Errorf("mail: no style is called %q", name)
		}
		if strings.Contains(size, "font-size") {
			style.WriteString(family)
		}
		style.WriteString(size)
	}
	return template.HTMLAttr(fmt.Sprintf(`class="%s" style="%s"`, strings.Join(class, " "), style.String())), nil
}

// Rules are the style sheet's rules for these colors, each with a prefix.
func (c Colors) Rules(prefix string) template.CSS {
	var b strings.Builder
	for _, p := range c.paints() {
		fmt.Fprintf(&b, "%s.m-%s{%s:%s !important}\n", prefix, p.class, p.property, p.value)
	}
	return template.CSS(b.String())
}

// mso is HTML that only Outlook for Windows reads.
func mso(html string) template.HTML {
	return template.HTML("<!--[if mso]>" + html + "<![endif]-->")
}
