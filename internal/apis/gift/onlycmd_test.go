package gift_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// Who may make a writer: the commands that a person types, and the code that builds one from
// the shared transport. No page, worker or sync can change anything at a service.
var mayWrite = map[string][]string{
	"cmd/dashboard/gift/writer.go": {"github.com/storeglass/storeglass/internal/apis/gift"},
	"internal/apis/gift/writer.go": {"github.com/storeglass/storeglass/internal/apis/upstream"},
}

func TestOnlyTheCommandLineMakesAWriter(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	made := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, path)
			if from := writersOf(t, file); len(from) > 0 {
				made[filepath.ToSlash(name)] = from
			}
		}
		return nil
	})
	must.NoError(t, err)
	must.Equal(t, mayWrite, made)
}

// writersOf returns the packages whose writers a file makes, under whatever name it imports
// them.
func writersOf(t *testing.T, file *ast.File) (from []string) {
	t.Helper()
	packages := map[string]string{}
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		if !strings.HasSuffix(path, "/internal/apis/gift") && !strings.HasSuffix(path, "/internal/apis/upstream") {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		must.True(t, name != ".", "a writer could be made without being named")
		packages[name] = path
	}
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != "NewWriter" {
			return true
		}
		if name, ok := selector.X.(*ast.Ident); ok && packages[name.Name] != "" && !slices.Contains(from, packages[name.Name]) {
			from = append(from, packages[name.Name])
		}
		return true
	})
	return from
}
