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
	listed = regexp.MustCompile(`(?m)^\| (N\d+) \|`)
	// A test names a trap in its function's name or in the name of a case.
	inFunc = regexp.MustCompile(`^func Test\w*`)
	inCase = regexp.MustCompile(`"[^"]*\bN\d+[^"]*"`)
	id     = regexp.MustCompile(`N\d+`)
)

func TestEveryTrapIsNamedByATest(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "developers", "traps.md"))
	if err != nil {
		t.Fatal(err)
	}
	var traps []string
	for _, m := range listed.FindAllStringSubmatch(string(page), -1) {
		traps = append(traps, m[1])
	}
	if len(traps) < 60 {
		t.Fatalf("docs/developers/traps.md lists %d traps, want at least 60", len(traps))
	}
	tests := map[string][]string{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "traps") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, "_test.go") {
			return collect(path, tests)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, trap := range traps {
		named := tests[trap]
		if len(named) == 0 {
			t.Errorf("%s is named by no test", trap)
		}
		slices.Sort(named)
		t.Logf("%s: %s", trap, strings.Join(slices.Compact(named), ", "))
	}
	for trap := range tests {
		if !slices.Contains(traps, trap) {
			t.Errorf("%v name %s, which docs/developers/traps.md does not list", tests[trap], trap)
		}
	}
}

// collect files every test of a file under the traps that it names.
func collect(path string, tests map[string][]string) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	current := ""
	for line := range strings.Lines(string(body)) {
		if name := inFunc.FindString(line); name != "" {
			current = strings.TrimPrefix(name, "func ")
			for _, trap := range id.FindAllString(name, -1) {
				tests[trap] = append(tests[trap], current)
			}
			continue
		}
		for _, text := range inCase.FindAllString(line, -1) {
			for _, trap := range id.FindAllString(text, -1) {
				tests[trap] = append(tests[trap], current)
			}
		}
	}
	return nil
}
