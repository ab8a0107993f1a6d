package chart

import (
	"maps"
	"strconv"
	"sync"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/shopspring/decimal"
)

// The types of go-echarts, with added fields.
type (
	axis struct {
		opts.XAxis
		BoundaryGap bool `json:"boundaryGap"`
		// ContainShape would make room for half a bar at both ends.
		ContainShape bool      `json:"containShape"`
		AxisLabel    axisLabel `json:"axisLabel"`
		AxisPointer  pointer   `json:"axisPointer"`
	}
	axisLabel struct {
		opts.AxisLabel
		CustomValues []int `json:"customValues,omitempty"`
	}
	valueAxis struct {
		opts.YAxis
		Interval any        `json:"interval"`
		AxisTick hiddenTick `json:"axisTick"`
	}
	hiddenTick struct {
		Show bool `json:"show"`
	}
	pointer struct {
		opts.AxisPointer
		// Z is zero: below the bars.
		Z           int             `json:"z"`
		LineStyle   *opts.LineStyle `json:"lineStyle,omitempty"`
		ShadowStyle *opts.AreaStyle `json:"shadowStyle,omitempty"`
	}
	series struct {
		charts.SingleSeries
		Silent   bool      `json:"silent"`
		Z        int       `json:"z"`
		Style    *line     `json:"lineStyle,omitempty"`
		Item     any       `json:"itemStyle,omitempty"`
		Emphasis *emphasis `json:"emphasis,omitempty"`
		Marks    *marks    `json:"markLine,omitempty"`
	}
	line struct {
		Color string  `json:"color,omitempty"`
		Width float32 `json:"width"`
		Type  any     `json:"type,omitempty"`
		Cap   string  `json:"cap,omitempty"`
		Join  string  `json:"join,omitempty"`
	}
	// emphasis repeats a series' colours: no lighter shade can be computed from a CSS variable.
	emphasis struct {
		Line *line          `json:"lineStyle,omitempty"`
		Item opts.ItemStyle `json:"itemStyle"`
	}
	marks struct {
		opts.MarkLines
		Silent    bool `json:"silent"`
		Animation bool `json:"animation"`
	}
	datum struct {
		Value      any             `json:"value"`
		Symbol     string          `json:"symbol"`
		SymbolSize float32         `json:"symbolSize"`
		Item       *opts.ItemStyle `json:"itemStyle,omitempty"`
		Label      *wordLabel      `json:"label,omitempty"`
	}
	wordLabel struct {
		opts.Label
		Position any    `json:"position"`
		Distance int    `json:"distance"`
		Border   string `json:"textBorderColor"`
		Width    int    `json:"textBorderWidth"`
	}
)

const (
	fontFamily = "Inter, system-ui, sans-serif"
	fontSize   = 12
	// Top, right and bottom of a chart with axes, in pixels. The style sheet insets the picture alike.
	gridTop, gridRight, gridBottom = 12, 17, 24
)

// colour names a colour by its variable, which the browser looks up in light and dark.
func colour(variable string) string { return "var(--" + variable + ")" }

// base is what every chart shares, made once by go-echarts.
var base = sync.OnceValue(func() map[string]any {
	c := charts.NewLine()
	c.SetGlobalOptions(charts.WithInitializationOpts(opts.Initialization{Theme: "none"}), charts.WithAnimation(false))
	c.Validate()
	option := c.JSON()
	// Its tooltip would need inline styles, which the page's policy forbids: charts.js has its own.
	for _, unused := range []string{"title", "legend", "toolbox", "tooltip"} {
		delete(option, unused)
	}
	return option
})

// option is the whole set of options of a view.
func (v View) option(left int) map[string]any {
	out := maps.Clone(base())
	x := axis{XAxis: opts.XAxis{
		Type: "category", Data: make([]string, len(v.Names)), AxisTick: &opts.AxisTick{Show: opts.Bool(false)},
		AxisLine: &opts.AxisLine{LineStyle: &opts.LineStyle{Color: colour("compare"), Width: 1}},
	}, BoundaryGap: v.Lines == nil}
	y := valueAxis{YAxis: opts.YAxis{
		Type: "value", Min: 0, Max: number(v.Max), AxisLine: &opts.AxisLine{Show: opts.Bool(false)},
		SplitLine: &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: colour("inner"), Width: 1}},
	}, Interval: number(v.step())}
	words := opts.AxisLabel{Color: colour("muted"), FontFamily: fontFamily, FontSize: fontSize, Margin: 9}
	var grid opts.Grid
	if v.Lines == nil {
		x.AxisLabel.Show, y.AxisLabel = opts.Bool(false), &opts.AxisLabel{Show: opts.Bool(false)}
		grid = opts.Grid{Left: "0", Right: "0", Top: "0", Bottom: "1"}
		x.AxisPointer = pointer{AxisPointer: opts.AxisPointer{Show: opts.Bool(true), Type: "shadow", Label: &opts.Label{Show: opts.Bool(false)}}, ShadowStyle: &opts.AreaStyle{Color: colour("sunk")}}
	} else {
		x.Data = v.Names
		x.AxisLabel = axisLabel{words, v.Ticks}
		x.AxisLabel.HideOverlap, x.AxisLabel.AlignMinLabel = opts.Bool(true), "left"
		y.AxisLabel = &words
		grid = opts.Grid{Left: strconv.Itoa(left), Right: strconv.Itoa(gridRight), Top: strconv.Itoa(gridTop), Bottom: strconv.Itoa(gridBottom)}
		x.AxisPointer = pointer{AxisPointer: opts.AxisPointer{Show: opts.Bool(true), Type: "line", Label: &opts.Label{Show: opts.Bool(false)}}, LineStyle: &opts.LineStyle{Color: colour("faint"), Width: 1, Type: "solid"}}
	}
	out["grid"], out["series"] = grid, v.series()
	if v.Across {
		y.Show, y.Min, x.Data = opts.Bool(false), number(v.Max.Neg()), []string{""}
		out["xAxis"], out["yAxis"] = y, x
		return out
	}
	out["xAxis"], out["yAxis"] = x, y
	return out
}

func (v View) series() []series {
	var out []series
	if len(v.Missing) > 0 {
		out = append(out, v.hatched())
	}
	if v.Bars != nil {
		wide := 100 - 2*barSpace
		if v.Slim {
			wide = 100 - 2*slimSpace
		}
		s := plain("bar", 2, values(v.Bars))
		s.BarGap, s.BarWidth = "-100%", strconv.Itoa(wide)+"%"
		own := opts.ItemStyle{Color: "currentColor", BorderRadius: "1"}
		if v.Hollow {
			own = opts.ItemStyle{Color: "transparent", BorderColor: "currentColor", BorderWidth: 1.5}
		}
		s.Item, s.Emphasis = own, &emphasis{Item: own}
		out = append(out, s)
	}
	for i, l := range v.Lines {
		name, width, dash := l.Style.stroke()
		drawn := line{Color: colour(name), Width: width, Cap: "round", Join: "round"}
		if dash != nil {
			drawn.Type, drawn.Cap = dash, "butt"
		}
		s := plain("line", 2+i, values(l.Values))
		s.Id, s.ShowSymbol, s.ConnectNulls = string(l.Style), opts.Bool(false), opts.Bool(false)
		s.Symbol, s.SymbolSize = "circle", 7
		s.Style, s.Item = &drawn, opts.ItemStyle{Color: colour(name)}
		s.Emphasis = &emphasis{&drawn, opts.ItemStyle{Color: colour(name)}}
		out = append(out, s)
	}
	if len(v.Dots) > 0 {
		out = append(out, v.dotted())
	}
	if len(v.Words) > 0 {
		out = append(out, v.written())
	}
	if len(out) > 0 && len(v.Rules) > 0 {
		out[0].Marks = v.ruled()
	}
	return out
}

func plain(kind string, z int, data any) series {
	s := series{Silent: true, Z: z}
	s.Type, s.Data = kind, data
	return s
}

// hatched fills the points that are not stored, as bars as wide as a point.
func (v View) hatched() series {
	data := make([]any, len(v.Names))
	for _, run := range v.Missing {
		for i := run.From; i <= run.To; i++ {
			data[i] = number(v.Max)
		}
	}
	s := plain("bar", 1, data)
	s.BarWidth, s.BarGap = "100%", "-100%"
	type attrs map[string]any
	pattern := map[string]any{"color": map[string]any{"svgWidth": 7, "svgHeight": 7, "svgElement": map[string]any{"tag": "path", "attrs": attrs{
		"d": "M-1 1 1-1M0 7 7 0M6 8 8 6", "stroke": colour("faint"), "stroke-width": 0.7, "stroke-opacity": 0.65, "fill": "none",
	}}}}
	s.Item = pattern
	return s
}

// dotted are the dots and the words beside them.
func (v View) dotted() series {
	data := make([]any, len(v.Names))
	for _, d := range v.Dots {
		name, _, _ := d.Style.stroke()
		each := datum{Value: number(d.Value), Symbol: "circle", SymbolSize: 6.5, Item: &opts.ItemStyle{Color: colour(name)}}
		if d.Hollow {
			each.SymbolSize, each.Item = 8, &opts.ItemStyle{Color: colour("surface"), BorderColor: colour(name), BorderWidth: 2}
		}
		data[d.At] = each
	}
	s := plain("line", 9, data)
	s.Symbol, s.ShowSymbol, s.Style = "none", opts.Bool(true), &line{}
	return s
}

// written are the words, each on an invisible dot.
func (v View) written() series {
	data := make([]any, len(v.Names))
	for _, w := range v.Words {
		label := wordLabel{
			Label: opts.Label{
				Show: opts.Bool(true), Color: colour("muted"), FontFamily: fontFamily, FontSize: fontSize, Align: "center", VerticalAlign: "top", Formatter: w.Text,
			},
			Position: []int{0, 4}, Border: colour("surface"), Width: 3,
		}
		switch w.Side {
		case Before:
			label.Position, label.Distance, label.Align, label.VerticalAlign = "left", 9, "right", "middle"
		case After:
			label.Align = "left"
		}
		data[w.At] = datum{Value: number(w.Value), Symbol: "circle", SymbolSize: 1, Item: &opts.ItemStyle{Color: "transparent"}, Label: &label}
	}
	s := plain("line", 8, data)
	s.Symbol, s.ShowSymbol, s.Style = "none", opts.Bool(true), &line{}
	return s
}

// ruled are the upright dotted lines.
func (v View) ruled() *marks {
	m := marks{Silent: true, MarkLines: opts.MarkLines{MarkLineStyle: opts.MarkLineStyle{
		Symbol: []string{"none", "none"}, Label: &opts.Label{Show: opts.Bool(false)}, LineStyle: &opts.LineStyle{Color: colour("faint"), Width: 1, Type: "dotted"},
	}}}
	for _, at := range v.Rules {
		m.Data = append(m.Data, opts.MarkLineNameXAxisItem{XAxis: at})
	}
	return &m
}

// values are exact: their JSON keeps every decimal.
func values(list []*decimal.Decimal) []any {
	out := make([]any, len(list))
	for i, v := range list {
		if v != nil {
			out[i] = number(*v)
		}
	}
	return out
}
