package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upsell"
)

// sources is the text of all Go files and migrations of a folder: only tests, or all but
// tests.
func sources(t *testing.T, folder string, tests bool) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".sql" || strings.HasSuffix(path, "_test.go") != tests {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// methods are the clients' methods, as the tables name them.
func methods() (names []string) {
	for name, of := range map[string]reflect.Type{
		"upsell.Client": reflect.TypeFor[*upsell.Client](), "gift.Client": reflect.TypeFor[*gift.Client](), "gift.Writer": reflect.TypeFor[*gift.Writer](),
	} {
		for m := range of.Methods() {
			names = append(names, name+"."+m.Name)
		}
	}
	return names
}

var upsellPaths = []string{
	"/data/analytics/summary", "/data/analytics/stats", "/data/analytics/top", "/data/analytics/coverage", "/data/analytics/lifetime",
	"/data/offers", "/data/offers/by-priority", "/data/offers/count", "/data/offer/{id}", "/data/offer/{id}/stages", "/data/products/recommendations",
}

func TestTheTableOfEndpointsIsWholeAndTrue(t *testing.T) {
	t.Parallel()
	want := []string{"GET /", "GET /mcp/tools"}
	for _, path := range upsellPaths {
		want = append(want, "GET "+path)
	}
	for _, e := range gift.Known() {
		want = append(want, e.Method+" "+e.Path)
	}
	if len(want) != 37+2 {
		t.Fatalf("%d endpoints are known, want 37 and the two lists", len(want))
	}
	parser, err := newParser(&cli.Program{})
	if err != nil {
		t.Fatal(err)
	}
	sandbox, syncing, program, schema := sources(t, "internal/apis/sandbox", false), sources(t, "internal/sync", false), sources(t, "cmd/dashboard", false), sources(t, "migrations", false)
	routes, tests := sources(t, "web", false), sources(t, "internal", true)+sources(t, "web", true)+sources(t, "cmd", true)
	here := methods()
	// For each column of names, how to prove that one exists.
	proofs := []func(name string) bool{
		func(name string) bool { return regexp.MustCompile(`\nfunc ` + name + `\(`).MatchString(sandbox) },
		func(name string) bool { return slices.Contains(here, name) },
		func(name string) bool {
			if words, is := strings.CutPrefix(name, "dashboard "); is {
				node := parser.Model.Node
				for _, word := range strings.Fields(words) {
					child := find(node, word)
					if child == nil { // an argument
						return word != "" && strings.Contains(program, `"`+word+`"`)
					}
					node = child
				}
				return true
			}
			if method, is := strings.CutPrefix(name, "Syncer."); is {
				return strings.Contains(syncing, "func (s *Syncer) "+method+"(") && strings.Contains(routes, ".Products."+method+"(")
			}
			return strings.Contains(syncing, "{kind: "+name+",")
		},
		func(name string) bool { return strings.Contains(schema, "create table "+name+" (") },
		func(name string) bool {
			return regexp.MustCompile(`site\.(Get|Page)\("` + regexp.QuoteMeta(name) + `",`).MatchString(routes)
		},
		func(name string) bool { return strings.Contains(tests, "\nfunc "+name+"(t ") },
	}
	code := regexp.MustCompile("`([^`]+)`")
	var got, named []string
	for line := range strings.Lines(repo(t, "docs/developers/endpoints.md")) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		endpoint := strings.Trim(strings.TrimSpace(cells[0]), "`")
		got = append(got, endpoint)
		if len(cells) != 1+len(proofs) {
			t.Errorf("%s has %d cells", endpoint, len(cells))
			continue
		}
		for i, proof := range proofs {
			text := strings.TrimSpace(cells[1+i])
			names := code.FindAllStringSubmatch(text, -1)
			if len(names) == 0 && len(strings.Fields(text)) < 4 {
				t.Errorf("%s, column %d: %q names nothing and gives no reason", endpoint, i+1, text)
			}
			for _, name := range names {
				if !proof(name[1]) {
					t.Errorf("%s, column %d: there is no %s", endpoint, i+1, name[1])
				}
				if i == 1 {
					named = append(named, name[1])
				}
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the tables have\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, name := range here {
		if !slices.Contains(named, name) {
			t.Errorf("%s is in no row", name)
		}
	}
}

// The table says who calls each client method; this test checks that something really
// does.
func TestEveryEndpointsMethodIsCalledByTheProgram(t *testing.T) {
	t.Parallel()
	callers := sources(t, "internal/sync", false) + sources(t, "cmd/dashboard", false)
	for _, name := range methods() {
		method := name[strings.LastIndexByte(name, '.')+1:]
		if !strings.Contains(callers, "."+method+"(ctx") && !strings.Contains(callers, "(*"+strings.Replace(name, "."+method, ")."+method, 1)) {
			t.Errorf("nothing calls %s", name)
		}
	}
}
