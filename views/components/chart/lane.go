package chart

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/a-h/templ"
)

// Sign is one thing that happened, at its point.
type Sign struct {
	// At is its point, Until the last point of several; equal to At for one.
	At, Until int
	// Symbol is its picture in the page's sprite: "m-start".
	Symbol string
	Text   string
	// Number is its place in the list below, if there is no room for names; 0 means none.
	Number int
}

// Lane is a row of signs under a chart of so many points, with their names below them.
func Lane(points int, signs []Sign) templ.Component { return lane("lane", -5, 13, points, signs) }

// Flags is a row of signs over a chart, with their names beside them.
func Flags(points int, signs []Sign) templ.Component { return lane("note-flags", 8, -3, points, signs) }

// lane writes names x and y pixels off their sign.
func lane(class string, x, y, points int, signs []Sign) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := fmt.Appendf(make([]byte, 0, 2048), `<svg class="%s" aria-hidden="true"><line x2="100%%" y1="6" y2="6" class="grid-line"/>`, class)
		last := max(points-1, 1)
		for _, s := range signs {
			b = s.append(b, last)
		}
		for _, n := range nameSigns(last, signs) {
			from, class := strconv.Itoa(x), "sign-name"
			if n.left {
				from, class = "-"+Percent(n.width), "sign-name to-left"
			}
			b = fmt.Appendf(b, `<svg x="%s" overflow="visible"><foreignObject x="%s" y="%d" width="%s" height="18"><div class="%s">`, Percent(n.at), from, y, Percent(n.width), class)
			for i, text := range n.texts {
				if i > 0 {
					b = append(b, ", "...)
				}
				b = fmt.Appendf(b, `<bdi>%s</bdi>`, templ.EscapeString(text))
			}
			b = append(b, `</div></foreignObject></svg>`...)
		}
		_, err := w.Write(append(b, `</svg>`...))
		return err
	})
}

func (s Sign) append(b []byte, last int) []byte {
	at := s.At * 1000 / last
	if s.Until > s.At {
		b = fmt.Appendf(b, `<line x1="%s" x2="%s" y1="17" y2="17" class="range-line"/>`, Percent(at), Percent(s.Until*1000/last))
	}
	b = fmt.Appendf(b, `<svg x="%s" overflow="visible">`, Percent(at))
	b = fmt.Appendf(b, `<use href="#%s" x="-4.5" y="1.5" width="9" height="9"/>`, s.Symbol)
	if s.Number > 0 {
		b = fmt.Appendf(b, `<text y="27" text-anchor="middle" class="sign-number">%d</text>`, s.Number)
	}
	return append(b, `</svg>`...)
}

// signName is the text for one sign or several close to each other, in tenths of a percent.
type signName struct {
	at, width int
	left      bool
	texts     []string
}

// letters is how many letters the names have.
func (n signName) letters() (all int) {
	for _, t := range n.texts {
		all += len([]rune(t)) + 2
	}
	return all
}

// Names closer than near share a line. A letter takes about this much of a chart that isn't full
// width; a longer name is cut off with dots on a narrower one. The last name may extend past the
// chart's edge, and goes to the left of its sign if less than enough is free.
const near, letter, over, enough = 70, 7, 12, 145

// nameSigns gives every name the room up to the next one.
func nameSigns(last int, signs []Sign) []signName {
	var out []signName
	end := 0
	for _, s := range signs {
		at := s.At * 1000 / last
		if n := len(out); n > 0 && at-end < near {
			out[n-1].texts = append(out[n-1].texts, s.Text)
		} else {
			out = append(out, signName{at: at, texts: []string{s.Text}})
		}
		end = at
	}
	for i := range out {
		n := &out[i]
		if i+1 < len(out) {
			n.width = out[i+1].at - n.at - 10
			continue
		}
		need := letter * n.letters()
		if n.width = 1000 + over - n.at; n.width >= min(need, enough) || n.at == 0 {
			continue
		}
		n.left, n.width = true, n.at
		if i > 0 { // between the last two, the name on the left takes what it needs
			free := n.at - out[i-1].at
			n.width = min(need, free/2)
			out[i-1].width = free - n.width - 10
		}
	}
	return out
}
