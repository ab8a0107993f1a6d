package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/web/site"
)

// idForms are what an id in an address can be. A value that is empty is left out:
// nothing of someone else's exists.
type idForms struct {
	own, foreign, random string
	malformed            []string
}

// kinds of ids, in the order of idForms.
const (
	ownID = iota
	foreignID
	randomID
	malformedID
)

var kindNames = []string{"own", "foreign", "random", "malformed"}

// target is one address of a route, with the kinds of the ids in it.
type target struct {
	route site.Route
	path  string
	form  url.Values
	kinds []int
	// slug is the kind of the store in the path, or own if there is none.
	slug int
}

// own reports whether every id is the principal's own.
func (t target) own() bool {
	return !slices.ContainsFunc(t.kinds, func(k int) bool { return k != ownID })
}

func (t target) String() string {
	words := make([]string, len(t.kinds))
	for i, k := range t.kinds {
		words[i] = kindNames[k]
	}
	return fmt.Sprintf("%s %s (%s) %s", t.route.Method, t.route.Path, strings.Join(words, ", "), t.path)
}

// targets are the addresses of a route: every combination of kinds, and every
// malformed value at least once.
func targets(r site.Route, parameters map[string]idForms) ([]target, error) {
	done := []target{{route: r, form: url.Values{}}}
	add := func(where string, p idForms, put func(target, string) target) {
		values := [][]string{{p.own}, {p.foreign}, {p.random}, p.malformed}
		var next []target
		for _, base := range done {
			for kind, these := range values {
				if !base.own() && len(these) > 1 {
					these = these[:1]
				}
				for _, v := range these {
					if v == "" {
						continue
					}
					b := put(base, v)
					b.kinds = append(slices.Clone(base.kinds), kind)
					if where == ":slug" {
						b.slug = kind
					}
					next = append(next, b)
				}
			}
		}
		done = next
	}
	path := func(b target, v string) target {
		b.path += "/" + v
		return b
	}
	parts := strings.Split(strings.TrimPrefix(r.Path, "/"), "/")
	for i, part := range parts {
		name, ending, _ := strings.Cut(part, ".")
		if ending != "" {
			ending = "." + ending
		}
		if !strings.HasPrefix(name, ":") && name != "*" {
			add("", idForms{own: part}, path)
			for j := range done { // a part that is the same for all has no kind
				done[j].kinds = done[j].kinds[:len(done[j].kinds)-1]
			}
			continue
		}
		p, ok := parameters[name]
		if !ok && i > 0 {
			p, ok = parameters[parts[i-1]+"/"+name]
		}
		if !ok {
			return nil, fmt.Errorf("%s %s: no line of parameters says what %s can be", r.Method, r.Path, part)
		}
		add(name, p, func(b target, v string) target { return path(b, v+ending) })
	}
	if r.Method != http.MethodGet {
		form, ok := forms[r.Path]
		if !ok {
			return nil, fmt.Errorf("%s %s: no line of forms says what it sends", r.Method, r.Path)
		}
		for field, value := range form {
			name, isParameter := strings.CutPrefix(value, ":")
			if !isParameter {
				name = value
			}
			p, ok := parameters[name]
			if isParameter && !ok {
				p, ok = parameters[value]
			}
			if !ok {
				p = idForms{own: value}
			}
			add("", p, func(b target, v string) target {
				form := url.Values{field: {v}}
				for k, old := range b.form {
					form[k] = old
				}
				b.form = form
				return b
			})
		}
	}
	for i := range done {
		if done[i].path == "" {
			done[i].path = "/"
		}
		if q := queries[r.Path]; q != "" {
			done[i].path += "?" + q
		}
	}
	return done, nil
}

func (m *matrix) targets(r site.Route) []target {
	m.T.Helper()
	out, err := targets(r, m.forms)
	m.Must(err)
	return out
}
