// Package viewstest queries rendered pages by role and text. For tests only.
package viewstest

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
	"github.com/storeglass/storeglass/views/gallery"
)

// Render renders a page, with what its charts are drawn from, and parses it.
func Render(t *testing.T, c templ.Component) *Doc {
	t.Helper()
	var buf bytes.Buffer
	if err := c.Render(chart.WithData(context.Background()), &buf); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&buf)
	if err != nil {
		t.Fatal(err)
	}
	return &Doc{t, root}
}

// Doc is a part of a page, queried by role and text.
type Doc struct {
	t    *testing.T
	Node *html.Node
}

// Attr is an attribute of an element; empty if it has none.
func Attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// All returns the elements that match, in order.
func (d *Doc) All(match func(*html.Node) bool) []*Doc {
	var out []*Doc
	for n := range d.Node.Descendants() {
		if n.Type == html.ElementNode && match(n) {
			out = append(out, &Doc{d.t, n})
		}
	}
	return out
}

// Tags are the elements with a tag name, in order.
func (d *Doc) Tags(name string) []*Doc {
	return d.All(func(n *html.Node) bool { return n.Data == name })
}

// Section is the section whose heading has the words.
func (d *Doc) Section(words string) *Doc {
	d.t.Helper()
	for _, s := range d.All(func(n *html.Node) bool { return n.Data == "section" || n.Data == "article" || n.Data == "aside" }) {
		headings := s.All(func(n *html.Node) bool { return n.Data == "h2" || n.Data == "h3" })
		if len(headings) > 0 && headings[0].Text() == words {
			return s
		}
	}
	d.t.Fatalf("no section %q", words)
	return nil
}

// Labelled is the first element with the label.
func (d *Doc) Labelled(label string) *Doc {
	d.t.Helper()
	found := d.All(func(n *html.Node) bool { return Attr(n, "aria-label") == label })
	if len(found) == 0 {
		d.t.Fatalf("nothing is labelled %q", label)
	}
	return found[0]
}

// Text is what a person reads: no scripts, no closed popovers, one space between words.
func (d *Doc) Text() string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode {
			for _, a := range n.Attr {
				if a.Key == "popover" && n != d.Node {
					return
				}
			}
			switch n.Data {
			case "script", "style", "noscript", "symbol":
				return
			case "div", "p", "td", "th", "dt", "dd", "li", "h1", "h2", "h3", "button", "small", "br", "section", "tr", "summary", "option":
				b.WriteByte(' ')
				defer b.WriteByte(' ')
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(d.Node)
	return strings.Join(strings.Fields(b.String()), " ")
}

// Has requires words in the text.
func (d *Doc) Has(words ...string) {
	d.t.Helper()
	text := d.Text()
	for _, w := range words {
		if !strings.Contains(text, w) {
			d.t.Errorf("%q is not in: %s", w, text)
		}
	}
}

// HasNot requires that words aren't in the text.
func (d *Doc) HasNot(words ...string) {
	d.t.Helper()
	text := d.Text()
	for _, w := range words {
		if strings.Contains(text, w) {
			d.t.Errorf("%q is in: %s", w, text)
		}
	}
}

// Classed matches elements of a class.
func Classed(name string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		for c := range strings.FieldsSeq(Attr(n, "class")) {
			if c == name {
				return true
			}
		}
		return false
	}
}

// Gallery renders the gallery's page of the name.
func Gallery(t *testing.T, name string) *Doc {
	t.Helper()
	for _, p := range gallery.Pages(components.Base{}) {
		if p.Name == name {
			return Render(t, p.View)
		}
	}
	t.Fatalf("no page %s in the gallery", name)
	return nil
}
