package chart

import (
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"
)

// Chart is a picture until a reader interacts with it. Then charts.js draws it from the options
// built here.
type Chart struct {
	// ID is unique on the page.
	ID string
	// Label describes the chart in words.
	Label string
	// Views are shown one at a time, each on its own axis.
	Views []View
	// Class is its CSS class: height and color of bars.
	Class string
}

// View is one number over the same points: as lines with an axis beside them, or as bars
// whose axis is named above them.
type View struct {
	Key string
	// Max is the top of the zero-based axis; Axis are its tick labels from zero up, none for
	// bars.
	Max  decimal.Decimal
	Axis []string
	// Names are the points' names, Ticks the ones shown under the axis.
	Names []string
	Ticks []int
	// Lines are drawn in order, the last on top.
	Lines []Line
	Bars  []*decimal.Decimal
	// Slim bars have wider gaps.
	Slim bool
	// Across: one bar lies on an axis from -Max to Max. Hollow: it is an outline.
	Across, Hollow bool
	// Missing are runs of points that aren't stored; they are hatched.
	Missing []Run
	// Rules are points with an upright dotted line: something happened there.
	Rules []int
	Dots  []Dot
	Words []Words
	// Tip returns a point's tooltip.
	Tip func(at int) Tip
}

// Bar adds a point with its bar. A point that isn't stored is hatched; a zero has no bar.
func (v *View) Bar(name string, value *decimal.Decimal, stored bool) {
	at := len(v.Names)
	v.Names = append(v.Names, name)
	if stored {
		v.Bars = append(v.Bars, value)
		return
	}
	v.Bars = append(v.Bars, nil)
	v.Miss(at)
}

// Miss marks a point as not stored.
func (v *View) Miss(at int) {
	if n := len(v.Missing); n > 0 && v.Missing[n-1].To == at-1 {
		v.Missing[n-1].To = at
		return
	}
	v.Missing = append(v.Missing, Run{at, at})
}

// Highest is the highest bar; zero if there is none.
func (v View) Highest() decimal.Decimal {
	highest := decimal.Zero
	for _, b := range v.Bars {
		if b != nil {
			highest = decimal.Max(highest, *b)
		}
	}
	return highest
}

// Blank reports whether no bar has a value, which isn't zero (N1).
func (v View) Blank() bool {
	return !slices.ContainsFunc(v.Bars, func(b *decimal.Decimal) bool { return b != nil })
}

// Line is one series of values; nil is a gap, which breaks it (N1).
type Line struct {
	Style  LineStyle
	Values []*decimal.Decimal
}

// LineStyle is how a line is drawn.
type LineStyle string

const (
	Now   LineStyle = "now"
	Stale LineStyle = "stale" // last good numbers
	Then  LineStyle = "then"
	Today LineStyle = "today" // to a day that isn't over, or a week that lacks days
	Goal  LineStyle = "goal"
)

// stroke is a line's colour, width and dashes.
func (s LineStyle) stroke() (colour string, width float32, dash []int) {
	switch s {
	case Stale:
		return "faint", 2.25, nil
	case Then:
		return "compare", 1.25, nil
	case Today:
		return "accent", 2.25, []int{5, 4}
	case Goal:
		return "muted", 1.5, []int{2, 4}
	}
	return "accent", 2.25, nil
}

// Dot marks one value: hollow if it is provisional.
type Dot struct {
	At     int
	Value  decimal.Decimal
	Style  LineStyle
	Hollow bool
}

// Words is text next to a point.
type Words struct {
	At    int
	Value decimal.Decimal
	Text  string
	Side  Side
}

// Side says where words are written.
type Side string

// The sides: to the left of the place, in its middle, or from it to the right, both below it.
const (
	Before Side = "before"
	Below  Side = "below"
	After  Side = "after"
)

// Run is a range of points, both ends included.
type Run struct{ From, To int }

// Left is the room for the words of the axes in pixels, the same for every view. The picture,
// the chart and the lanes around them share it, so that they line up.
func (c Chart) Left() int {
	longest := 0
	for _, v := range c.Views {
		for _, word := range v.Axis {
			longest = max(longest, len([]rune(word)))
		}
	}
	if longest == 0 {
		return 0
	}
	return min((longest*7+12+7)/8*8, 96) // the style sheet has a class for every 8 pixels
}

// data is what charts.js reads.
type data struct {
	Label string `json:"label"`
	// Keys describes the arrow keys.
	Keys  string     `json:"keys"`
	Views []viewData `json:"views"`
}

type viewData struct {
	Key    string         `json:"key"`
	Option map[string]any `json:"option"`
	// Axis are the words of the ticks, Step the distance between two.
	Axis []string    `json:"axis"`
	Step json.Number `json:"step"`
	Tips []Tip       `json:"tips"`
}

func (c Chart) data(keys string) data {
	d := data{Label: c.Label, Keys: keys}
	for _, v := range c.Views {
		axis := v.Axis
		if axis == nil {
			axis = []string{}
		}
		each := viewData{v.Key, v.option(c.Left()), axis, number(v.step()), make([]Tip, len(v.Names))}
		for at := range v.Names {
			each.Tips[at] = v.Tip(at)
		}
		d.Views = append(d.Views, each)
	}
	return d
}

// step is the distance between two ticks of the axis; bars have one in the middle.
func (v View) step() decimal.Decimal {
	if n := len(v.Axis); n > 1 {
		return v.Max.DivRound(decimal.NewFromInt(int64(n-1)), 12)
	}
	return v.Max.DivRound(decimal.NewFromInt(2), 12)
}

func number(d decimal.Decimal) json.Number { return json.Number(d.String()) }
