package traps

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	requirement = regexp.MustCompile(`^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \| (.+) \|$`)
	testName    = regexp.MustCompile("`(Test\\w+)`")
	testFunc    = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	heading     = regexp.MustCompile(`(?m)^## (.+)$`)
)

// states are the states of a requirement; the value says whether a test must prove it.
var states = map[string]bool{"yes": true, "partly": true, "no": false, "operator": false, "n/a": false}

func TestEveryRequirementOfTheStandardHasOneRow(t *testing.T) {
	t.Parallel()
	page := read(t, "docs", "operators", "asvs.md")
	documented := read(t, "docs", "operators", "security.md")
	list, err := os.ReadFile(filepath.Join("testdata", "asvs-5.0.0.txt"))
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{}
	for line := range strings.Lines(string(list)) {
		if number, level, ok := strings.Cut(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(line, "#") {
			wanted[number] = level
		}
	}
	if len(wanted) != 253 {
		t.Fatalf("the list has %d requirements, want 253", len(wanted))
	}
	tests := testNames(t)
	counts := map[string]int{}
	for line := range strings.Lines(page) {
		m := requirement.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			if strings.HasPrefix(line, "| ") && regexp.MustCompile(`^\| \d+\.`).MatchString(line) {
				t.Errorf("no whole row: %s", line)
			}
			continue
		}
		number, level, state, how := m[1], m[2], m[4], m[5]
		if wanted[number] != level {
			t.Errorf("%s: level %s, want %q; or the row is a second one", number, level, wanted[number])
		}
		delete(wanted, number)
		counts[state]++
		shown, known := states[state]
		if !known {
			t.Errorf("%s: %q is no state", number, state)
		}
		named := testName.FindAllStringSubmatch(how, -1)
		if section, ok := strings.CutPrefix(how, "documented: "); ok { // what the standard requires in writing
			if !slices.ContainsFunc(heading.FindAllStringSubmatch(documented, -1), func(h []string) bool { return strings.HasPrefix(section, h[1]) }) {
				t.Errorf("%s: there is no section %q", number, section)
			}
		} else if shown && len(named) == 0 && !strings.HasPrefix(how, "by construction: ") && !strings.HasPrefix(how, "documented here: ") {
			t.Errorf("%s: nothing shows it: %s", number, how)
		}
		for _, name := range named {
			if !slices.Contains(tests, name[1]) {
				t.Errorf("%s names %s, which there is not", number, name[1])
			}
		}
	}
	for number := range wanted {
		t.Errorf("%s has no row", number)
	}
	t.Logf("%v", counts)
}

func TestEveryTestThatTheDocumentsNameExists(t *testing.T) {
	t.Parallel()
	tests := testNames(t)
	pages, err := fs.Glob(os.DirFS(filepath.Join("..", "..")), "docs/*/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		for _, name := range testName.FindAllStringSubmatch(read(t, page), -1) {
			if !slices.Contains(tests, name[1]) {
				t.Errorf("%s names %s, which there is not", page, name[1])
			}
		}
	}
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// testNames are all tests of the module.
func testNames(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
