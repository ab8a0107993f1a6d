package gift

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

type find struct {
	ofStore
	Kind  string `arg:"" enum:"products,trigger-products,collections,segments,locations,shipping-rates,markets,pos" help:"What to find: products (to give away), trigger-products, collections, segments, locations (markets and countries), shipping-rates, markets or pos."`
	Query string `arg:"" optional:"" help:"A name or part of it, or a product's handle; without it, the first ten."`
	JSON  bool   `name:"json" help:"Print the matches as JSON, as the service sent them."`
}

// Run shows the ids that campaigns use for products, collections and so on.
func (c find) Run(ctx context.Context, p *cli.Program) error {
	return c.read(ctx, p, func(client *gift.Client) error {
		found, err := finder{client, findable[c.Kind]}.find(ctx, c.Query)
		none, missing := errors.AsType[*noMatch](err)
		if err != nil && !missing {
			return err
		}
		if c.JSON {
			if err := printCandidates(p, found); err != nil {
				return err
			}
		}
		switch {
		case missing && none.raw != nil && !c.JSON:
			p.Printf("%s", outline(none.raw))
			return err
		case missing || c.JSON:
			return err
		}
		printTable(p, found, findable[c.Kind].products)
		if len(found) >= candidatesMost {
			p.Notef("The service shows ten at most: write more of the name to see others.\n")
		}
		return nil
	})
}

// candidatesMost is the most results of a search at the service.
const candidatesMost = 10

// resourceKind is a kind of thing that campaigns refer to by id.
type resourceKind struct {
	one, many string
	// products also have handles, which the service looks up separately.
	products bool
	// whole: the service can't search these, only list them.
	whole bool
	of    gift.Kind
}

var findable = map[string]resourceKind{
	"products":         {"product", "products", true, false, gift.GiftProducts},
	"trigger-products": {"product", "products", true, false, gift.TriggerProducts},
	"collections":      {"collection", "collections", false, false, gift.Collections},
	"segments":         {"customer segment", "customer segments", false, false, gift.CustomerSegments},
	"locations":        {"market or country", "markets or countries", false, false, gift.CustomerLocations},
	"shipping-rates":   {"shipping rate", "shipping rates", false, false, gift.ShippingRates},
	"markets":          {"market", "markets", false, true, gift.Markets},
	"pos":              {"point of sale", "points of sale", false, false, gift.PosLocations},
}

// noMatch says why a search found nothing. raw is the answer if it contains something
// without an id.
type noMatch struct {
	why string
	raw upstream.Raw
}

func (e *noMatch) Error() string { return e.why }

// finder finds one kind of thing at a store's gift service.
type finder struct {
	client *gift.Client
	kind   resourceKind
}

// find returns what the service has with that name or handle, or a *noMatch.
func (f finder) find(ctx context.Context, text string) ([]gift.Candidate, error) {
	got, err := f.client.Find(ctx, f.kind.of, text)
	if err != nil {
		return nil, err
	}
	list := got.Data.List
	if f.kind.whole {
		list = slices.DeleteFunc(slices.Clone(list), func(c gift.Candidate) bool {
			return !strings.Contains(strings.ToLower(c.Name), strings.ToLower(strings.TrimSpace(text)))
		})
	}
	switch {
	case len(list) > 0:
		return list, nil
	case len(got.Data.List) == 0 && holdsList(got.Data.Raw):
		return nil, &noMatch{"the gift service's answer names nothing with an id, so there is nothing to write into a campaign", got.Data.Raw}
	case f.isHandle(text):
		one, err := f.byHandle(ctx, text)
		if err != nil || one != nil {
			return one, err
		}
	}
	return nil, f.whyNone(ctx, text)
}

// byHandle looks a product up by its handle, which a search may not cover; nil if the store
// has no such product.
func (f finder) byHandle(ctx context.Context, handle string) ([]gift.Candidate, error) {
	got, err := f.client.Products(ctx, []string{handle})
	if err != nil || len(got.Data.Products) == 0 {
		return nil, err
	}
	p := got.Data.Products[0]
	if p.Title != "" { // the search returns more details
		named, err := f.client.Find(ctx, f.kind.of, string(p.Title))
		if err != nil {
			return nil, err
		}
		for _, c := range named.Data.List {
			if strings.EqualFold(c.Handle, handle) || p.ID != "" && c.IDText() == string(p.ID) {
				return []gift.Candidate{c}, nil
			}
		}
	}
	c := gift.Candidate{Name: string(p.Title), Handle: handle, Blockers: p.Issues}
	if p.ID != "" {
		c.ID, _ = json.Marshal(string(p.ID))
	}
	return []gift.Candidate{c}, nil
}

// handleShape is what follows /products/ in a product's URL.
var handleShape = regexp.MustCompile(`^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}_-]*$`)

func (f finder) isHandle(text string) bool { return f.kind.products && handleShape.MatchString(text) }

// whyNone says whether nothing has that name, or the store has nothing of the kind.
func (f finder) whyNone(ctx context.Context, text string) error {
	if text == "" {
		return &noMatch{"the store has no " + f.kind.many, nil}
	}
	all, err := f.client.Find(ctx, f.kind.of, "")
	if err != nil {
		return err
	}
	nothing := fmt.Sprintf("no %s is called %q", f.kind.one, text)
	if f.isHandle(text) {
		nothing = fmt.Sprintf("no %s has the name or handle %q", f.kind.one, text)
	}
	names := []string{}
	for _, c := range all.Data.List {
		names = append(names, cli.Cell(c.Name))
	}
	switch n := len(names); {
	case n == 0 && holdsList(all.Data.Raw):
		return &noMatch{nothing, nil}
	case n == 0:
		return &noMatch{fmt.Sprintf("%s: the store has no %s", nothing, f.kind.many), nil}
	case n >= candidatesMost:
		return &noMatch{fmt.Sprintf("%s; the first of them: %s", nothing, strings.Join(names, ", ")), nil}
	}
	return &noMatch{fmt.Sprintf("%s; the store has: %s", nothing, strings.Join(names, ", ")), nil}
}

// holdsList reports whether an answer contains a non-empty list.
func holdsList(raw upstream.Raw) bool {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return false
	}
	switch value := value.(type) {
	case []any:
		return len(value) > 0
	case map[string]any:
		for _, inner := range value {
			if list, ok := inner.([]any); ok && len(list) > 0 {
				return true
			}
		}
	}
	return false
}

// printTable prints candidates. Products have columns for stock and blockers; other kinds list
// their plain values under DETAILS.
func printTable(p *cli.Program, found []gift.Candidate, products bool) {
	columns := []string{"ID", "NAME", "BELONGS TO", "DETAILS"}
	if products {
		columns = []string{"ID", "NAME", "HANDLE", "STOCK", "BLOCKED BY"}
	}
	w := p.Table(columns...)
	for _, c := range found {
		switch {
		case !products:
			w.Row(c.IDText(), c.Name, c.Within, details(c))
		case c.Within == "": // a product, not a variant
			w.Row(c.IDText(), c.Name, c.Handle, c.StockStatus, strings.Join(blockers(c), "; "))
		}
	}
	_ = w.Flush()
}

func blockers(c gift.Candidate) []string {
	out := []string{}
	for _, b := range c.Blockers {
		if b.Message != "" {
			out = append(out, b.Message)
		} else {
			out = append(out, b.Code)
		}
	}
	return out
}

func details(c gift.Candidate) string {
	out := []string{}
	for _, d := range c.Details {
		out = append(out, d.Name+" "+d.Value)
	}
	return strings.Join(out, ", ")
}

func printCandidates(p *cli.Program, found []gift.Candidate) error {
	type row struct {
		ID       upstream.Raw `json:"id"`
		Name     string       `json:"name"`
		Handle   string       `json:"handle,omitempty"`
		Within   string       `json:"belongs_to,omitempty"`
		Stock    string       `json:"stock_status,omitempty"`
		Blockers []string     `json:"blockers,omitempty"`
		Raw      upstream.Raw `json:"as_sent"`
	}
	rows := []row{}
	for _, c := range found {
		rows = append(rows, row{c.ID, c.Name, c.Handle, c.Within, string(c.StockStatus), blockers(c), c.Raw})
	}
	text, err := json.MarshalIndent(rows, "", "  ")
	if err == nil {
		p.Printf("%s\n", text)
	}
	return err
}
