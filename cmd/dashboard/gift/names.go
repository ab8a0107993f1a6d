package gift

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/gift"
)

// Campaigns refer to products, collections and so on by ids that nobody knows by heart. A
// file may use names or handles instead: "@collections:Summer sale" anywhere, or just the
// name in a field for such an id, like "productId".
//
// What is written with @ must exist. A plain name is a guess about a field that the service
// doesn't document, so if nothing has that name it is sent unchanged.
type named struct {
	kind, text string
	// must: it was written with @.
	must bool
}

func (n named) String() string {
	if n.must {
		return "@" + n.kind + ":" + n.text
	}
	return n.text
}

// resolved replaces names in the body by ids, and prints each replacement.
func (d *desk) resolved(ctx context.Context, body []byte) ([]byte, error) {
	ids := map[named]jsontext.Value{}
	var wanted []named
	_, err := renamed(body, func(n named) (jsontext.Value, bool) {
		if !slices.Contains(wanted, n) {
			wanted = append(wanted, n)
		}
		return nil, false
	})
	if err != nil || len(wanted) == 0 {
		return body, err
	}
	var lines []string
	for _, n := range wanted {
		c, err := finder{d.client, findable[n.kind]}.one(ctx, n.text)
		if _, missing := errors.AsType[*noMatch](err); missing && !n.must {
			lines = append(lines, fmt.Sprintf("%s is sent as written: %s", n, err))
			continue
		}
		if err != nil {
			return nil, notNamed(n, err)
		}
		ids[n] = jsontext.Value(c.ID)
		line := fmt.Sprintf("%s is %s, %s", n, cli.Cell(c.Name), cli.Cell(c.IDText()))
		if why := blockers(c); len(why) > 0 {
			line += " (can't be given now: " + strings.Join(why, "; ") + ")"
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		d.p.Printf("%s\n", cli.Cell(line))
	}
	d.p.Printf("\n")
	return renamed(body, func(n named) (jsontext.Value, bool) {
		id, ok := ids[n]
		return id, ok
	})
}

// notNamed adds the name in the file to the errors that are about it, and leaves those of
// failed calls alone.
func notNamed(n named, err error) error {
	_, missing := errors.AsType[*noMatch](err)
	_, several := errors.AsType[*ambiguous](err)
	if !missing && !several {
		return err
	}
	return fmt.Errorf("%s in the file: %w. Nothing was changed", n, err)
}

// ambiguous is the error of a name that several things share.
type ambiguous struct{ line string }

func (e *ambiguous) Error() string { return e.line }

// one finds the single thing with a name or handle. A part of a name is enough if only one
// thing contains it.
func (f finder) one(ctx context.Context, text string) (gift.Candidate, error) {
	found, err := f.find(ctx, text)
	if err != nil {
		return gift.Candidate{}, err
	}
	pick := func(fits func(gift.Candidate) bool) (list []gift.Candidate) {
		for _, c := range found {
			if c.ID != nil && fits(c) {
				list = append(list, c)
			}
		}
		return list
	}
	exact := pick(func(c gift.Candidate) bool { return c.Handle == text || c.IDText() == text })
	if len(exact) == 0 && f.isHandle(text) { // the search may not have listed it
		by, err := f.byHandle(ctx, text)
		if err != nil {
			return gift.Candidate{}, err
		}
		for _, c := range by {
			if c.ID != nil {
				exact = append(exact, c)
			}
		}
	}
	if len(exact) == 0 {
		exact = pick(func(c gift.Candidate) bool { return strings.EqualFold(c.Name, strings.TrimSpace(text)) })
	}
	if len(exact) == 0 {
		exact = pick(func(gift.Candidate) bool { return true })
	}
	switch len(exact) {
	case 0:
		return gift.Candidate{}, &noMatch{fmt.Sprintf("the service does not say the id of the %s", f.kind.one), nil}
	case 1:
		return exact[0], nil
	}
	names := []string{}
	for _, c := range exact {
		names = append(names, cli.Cell(c.Name)+" ("+cli.Cell(c.IDText())+")")
	}
	return gift.Candidate{}, &ambiguous{fmt.Sprintf("it fits %d %s: %s. Write the whole name, the handle or the id", len(exact), f.kind.many, strings.Join(names, ", "))}
}

// renamed copies a JSON object, replacing each name as replace says. Everything else stays
// unchanged.
func renamed(body []byte, replace func(named) (jsontext.Value, bool)) ([]byte, error) {
	var out bytes.Buffer
	from := jsontext.NewDecoder(bytes.NewReader(body))
	to := jsontext.NewEncoder(&out, jsontext.PreserveRawStrings(true))
	if err := rename(from, to, "", false, replace); err != nil {
		return nil, fmt.Errorf("read the campaign's fields: %w", err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// rename copies the next value. given reports whether it belongs to the campaign's gifts.
func rename(from *jsontext.Decoder, to *jsontext.Encoder, field string, given bool, replace func(named) (jsontext.Value, bool)) error {
	kind := from.PeekKind()
	if kind != '{' && kind != '[' {
		value, err := from.ReadValue()
		if err != nil {
			return err
		}
		if n, is := namedIn(field, given, value); is {
			if id, ok := replace(n); ok {
				value = id
			}
		}
		return to.WriteValue(value)
	}
	if _, err := copyToken(from, to); err != nil {
		return err
	}
	for end := from.PeekKind(); end != '}' && end != ']'; end = from.PeekKind() {
		if kind == '{' {
			var err error
			if field, err = copyToken(from, to); err != nil {
				return err
			}
		}
		if err := rename(from, to, field, given || strings.Contains(strings.ToLower(field), "gift"), replace); err != nil {
			return err
		}
	}
	_, err := copyToken(from, to)
	return err
}

// copyToken copies the next token and returns its text.
func copyToken(from *jsontext.Decoder, to *jsontext.Encoder) (text string, err error) {
	token, err := from.ReadToken()
	if err != nil {
		return "", err
	}
	text = token.String()
	return text, to.WriteToken(token)
}

var (
	marked = regexp.MustCompile(`^@([a-z-]+):\s*(\S.*)$`)
	// anID is a text that is already an id: a number, or a URI such as gid://….
	anID = regexp.MustCompile(`^(\d+|[a-z]+://.*|)$`)
)

// namedIn reads a value as a name in place of an id.
func namedIn(field string, given bool, value jsontext.Value) (named, bool) {
	var text string
	if value.Kind() != '"' || json.Unmarshal(value, &text) != nil {
		return named{}, false
	}
	if m := marked.FindStringSubmatch(text); m != nil && findable[m[1]].of != "" {
		return named{m[1], m[2], true}, true
	}
	if kind := kindOf(field, given); kind != "" && !anID.MatchString(text) {
		return named{kind, text, false}, true
	}
	return named{}, false
}

// kindOf is the kind of thing that a field ending in Id or Ids refers to.
func kindOf(field string, given bool) string {
	name, of := strings.CutSuffix(strings.TrimSuffix(field, "s"), "Id")
	name = strings.ToLower(name)
	switch {
	case !of:
		return ""
	case strings.HasSuffix(name, "product") && given:
		return "products"
	case strings.HasSuffix(name, "product"):
		return "trigger-products"
	case strings.HasSuffix(name, "collection"):
		return "collections"
	case strings.HasSuffix(name, "segment"):
		return "segments"
	case strings.HasSuffix(name, "market"):
		return "markets"
	case strings.HasSuffix(name, "shippingrate"):
		return "shipping-rates"
	}
	return ""
}
