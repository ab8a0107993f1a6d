package gift

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Endpoint is one endpoint as the service lists it, or as this program knows it. Method, Access
// and Does are "" if the list doesn't say.
type Endpoint struct {
	Method, Path, Access, Does string
	// Tool is the name of its tool in the list of tools.
	Tool string
	// Takes are the names of its query or body, nil if the list doesn't say.
	Takes []string
}

// Known are the 26 endpoints in the service's documentation, with the parameters that this
// program sends.
func Known() []Endpoint {
	get := func(path string, takes ...string) Endpoint {
		return Endpoint{Method: "GET", Path: path, Access: "read", Takes: takes}
	}
	write := func(method, path string, takes ...string) Endpoint {
		return Endpoint{Method: method, Path: path, Access: "write", Takes: takes}
	}
	remove := func(path string, takes ...string) Endpoint {
		return Endpoint{Method: "POST", Path: path, Access: "delete", Takes: takes}
	}
	return []Endpoint{
		get("/setup-health"), get("/campaigns", "status"), get("/campaigns/{id}"), get("/analytics", "days", "includeToday"),
		get("/products", "handles"), get("/widgets"), get("/widgets/{type}"), get("/translations", "locale"), get("/settings"), get("/plan"),
		get("/gift-products", "query"), get("/trigger-products", "query"), get("/collections", "query"), get("/customer-segments", "query"),
		get("/customer-locations", "query"), get("/shipping-rates", "query"), get("/markets"), get("/pos-locations", "query"),
		write("POST", "/campaigns/preview"), write("POST", "/campaigns", tokenField),
		write("POST", "/campaigns/{id}/edit-preview"), write("PATCH", "/campaigns/{id}", tokenField),
		write("PUT", "/campaigns/{id}/status", "enabled"), write("PATCH", "/widgets/{type}"),
		remove("/campaigns/{id}/deletion-preview"), remove("/campaigns/{id}/delete", tokenField),
	}
}

// Difference is how the service's lists differ from what this program knows.
type Difference struct {
	// New are endpoints that this program doesn't know, Gone are known ones that the service no
	// longer lists.
	New, Gone []Endpoint
	// Changed are sentences about a different method or access level, or a parameter that we
	// send and the service no longer takes.
	Changed []string
}

// None reports whether nothing differs.
func (d Difference) None() bool { return len(d.New)+len(d.Gone)+len(d.Changed) == 0 }

// Compare compares the two lists with [Known]. tools may be empty; it only tells what each
// endpoint takes.
func Compare(endpoints, tools []Endpoint) (d Difference) {
	known := Known()
	for _, k := range known {
		at := slices.IndexFunc(endpoints, k.is)
		if at < 0 {
			d.Gone = append(d.Gone, k)
			continue
		}
		if level := strings.ToLower(endpoints[at].Access); level != "" && level != k.Access {
			d.Changed = append(d.Changed, k.Method+" "+k.Path+" needs the access level "+level+", not "+k.Access)
		}
		of := slices.IndexFunc(tools, k.is)
		if of < 0 || tools[of].Takes == nil {
			continue
		}
		for _, name := range k.Takes {
			if !slices.Contains(tools[of].Takes, name) {
				d.Changed = append(d.Changed, k.Method+" "+k.Path+" no longer takes "+name)
			}
		}
	}
	for _, e := range endpoints {
		if slices.ContainsFunc(known, func(k Endpoint) bool { return k.is(e) }) || e.Path == "/" || samePath(e.Path, "/mcp/tools") {
			continue
		}
		if at := slices.IndexFunc(d.Gone, func(g Endpoint) bool { return samePath(g.Path, e.Path) }); at >= 0 {
			d.Changed = append(d.Changed, e.Path+" is called by "+e.Method+", not "+d.Gone[at].Method)
			d.Gone = slices.Delete(d.Gone, at, at+1)
			continue
		}
		d.New = append(d.New, e)
	}
	return d
}

// is reports whether both are the same endpoint. A list may leave methods out.
func (e Endpoint) is(other Endpoint) bool {
	return samePath(e.Path, other.Path) && (e.Method == other.Method || other.Method == "")
}

var (
	placeholder = regexp.MustCompile(`^(\{.*\}|:.+|<.+>)$`)
	version     = regexp.MustCompile(`^.*?/v1(/|$)`)
	methodPath  = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) +(\S*/\S*)$`)
)

// samePath compares paths by their segments; a placeholder may have any name.
func samePath(a, b string) bool {
	return slices.EqualFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(x, y string) bool {
		return x == y || placeholder.MatchString(x) && placeholder.MatchString(y)
	})
}

// below returns a path relative to the base address.
func below(path string) string {
	path = version.ReplaceAllString(path, "/")
	return "/" + strings.Trim(path, "/")
}

// List reads the endpoints, or the tools each with its endpoint; nil if it recognizes none. It
// collects them from a value of any shape: objects with a method and a path, texts such as
// "GET /plan", and objects whose names are methods or paths.
func (l Listing) List() (out []Endpoint) {
	add := func(e Endpoint) {
		e.Path = below(e.Path)
		if !slices.ContainsFunc(out, func(o Endpoint) bool { return o.Method == e.Method && o.Path == e.Path }) {
			out = append(out, e)
		}
	}
	var walk func(value jsontext.Value, of Endpoint)
	walk = func(value jsontext.Value, of Endpoint) {
		inside := slices.Collect(upstream.Members(value))
		switch value.Kind() {
		case '"':
			text, _ := wording(value)
			switch m := methodPath.FindStringSubmatch(text); {
			case m != nil:
				of.Method, of.Path = m[1], m[2]
			case of.Path == "" && of.Method != "" && strings.HasPrefix(text, "/"):
				of.Path = text
			case of.Path != "" && of.Method == "" && isMethod(text):
				of.Method = text
			case of.Path != "":
				of.Tool = text
			}
			if of.Path != "" {
				add(of)
			}
		case '{':
			if one, is := endpointIn(inside, of); is {
				add(one)
				return
			}
			for _, m := range inside {
				inner := of
				switch pair := methodPath.FindStringSubmatch(m.Name); {
				case pair != nil:
					inner.Method, inner.Path = pair[1], pair[2]
				case isMethod(m.Name):
					inner.Method = strings.ToUpper(m.Name)
				case strings.HasPrefix(m.Name, "/"):
					inner.Path = m.Name
				}
				walk(m.Value, inner)
			}
		default:
			for _, m := range inside {
				walk(m.Value, of)
			}
		}
	}
	walk(jsontext.Value(l.Raw), Endpoint{})
	return out
}

func isMethod(text string) bool {
	return slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, strings.ToUpper(text))
}

// endpointIn reads an object that describes one endpoint.
func endpointIn(inside []upstream.Member, e Endpoint) (Endpoint, bool) {
	found := false
	for _, m := range inside {
		text, plain := plainText(m.Value)
		switch {
		case plain && m.Name == "method":
			e.Method = strings.ToUpper(text)
		case plain && slices.Contains([]string{"path", "endpoint", "route", "url"}, m.Name):
			if pair := methodPath.FindStringSubmatch(text); pair != nil {
				e.Method, text = pair[1], pair[2]
			}
			e.Path, found = text, strings.Contains(text, "/")
		case plain && slices.Contains([]string{"access", "scope", "level"}, m.Name):
			e.Access = text
		case plain && slices.Contains([]string{"name", "tool"}, m.Name):
			e.Tool = text
		case plain && m.Name == "description":
			e.Does = text
		case slices.Contains([]string{"inputSchema", "input_schema", "parameters"}, m.Name):
			e.Takes = propertiesOf(m.Value)
		}
	}
	return e, found
}

// propertiesOf are the names that a JSON Schema of an object has; nil if it lists none.
func propertiesOf(schema jsontext.Value) []string {
	for m := range upstream.Members(schema) {
		if m.Name == "properties" && m.Value.Kind() == '{' {
			names := []string{}
			for p := range upstream.Members(m.Value) {
				names = append(names, p.Name)
			}
			return names
		}
	}
	return nil
}
