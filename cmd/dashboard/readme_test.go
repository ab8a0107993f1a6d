package main

import (
	"io/fs"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/settings"
)

func TestTheDocumentsListTheSettingsAsTheyAre(t *testing.T) {
	t.Parallel()
	text := repo(t, "docs/operators/settings.md")
	var want strings.Builder
	for field := range reflect.TypeFor[settings.Settings]().Fields() {
		value := field.Tag.Get("envDefault")
		switch {
		case value != "":
			value = " `" + value + "`"
		case field.Name == "DataDir":
			value = " see below"
		}
		want.WriteString("| `" + field.Tag.Get("env") + "` |" + value + " | " + field.Tag.Get("help") + " |\n")
	}
	if !strings.Contains(text, "|---|---|---|\n"+want.String()+"\n") {
		t.Errorf("docs/operators/settings.md should have this table of settings:\n%s", want.String())
	}
}

func TestTheDocumentsListTheCommandsAsTheyAre(t *testing.T) {
	t.Parallel()
	parser, err := newParser(&cli.Program{})
	if err != nil {
		t.Fatal(err)
	}
	text := repo(t, "docs/operators/commands.md")
	for _, command := range parser.Model.Children {
		row := "| `dashboard " + command.Name
		if names := subcommands(command); names != "" {
			row += " " + names
		}
		if !strings.Contains(text, "\n"+row) {
			t.Errorf("docs/operators/commands.md has no row that begins with %s", row)
		}
	}
}

func TestTheDocumentsUseFlagsThatExist(t *testing.T) {
	t.Parallel()
	parser, err := newParser(&cli.Program{})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range documents(t) {
		for _, flag := range regexp.MustCompile("dashboard ([a-z]+)[^|\n`]*?(--[a-z-]+)").FindAllStringSubmatch(text, -1) {
			if command := find(parser.Model.Node, flag[1]); command == nil || !hasFlag(command, flag[2][2:]) {
				t.Errorf("%s uses %s, which `dashboard %s` does not have", name, flag[2], flag[1])
			}
		}
	}
}

func subcommands(n *kong.Node) string {
	var names []string
	for _, c := range n.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, `\|`)
}

func find(n *kong.Node, name string) *kong.Node {
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func hasFlag(n *kong.Node, name string) bool {
	if name == "help" {
		return true
	}
	for _, f := range n.Flags {
		if f.Name == name {
			return true
		}
	}
	for _, c := range n.Children {
		if hasFlag(c, name) {
			return true
		}
	}
	return false
}

func TestTheDocumentsNameTargetsAndFilesThatExist(t *testing.T) {
	t.Parallel()
	makefile, all := repo(t, "Makefile"), documents(t)
	target := regexp.MustCompile("(?m)(?:`|^)make ([a-z]+)")
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	for name, text := range all {
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s: there is no target %s", name, m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, anchor := path.Join(path.Dir(name), m[1]), m[2]
			if m[1] == "" {
				to = name
			}
			if !strings.HasSuffix(to, ".md") {
				repo(t, to)
			} else if page, is := all[to]; !is {
				t.Errorf("%s links to %s, which there is not", name, to)
			} else if anchor != "" && !slices.Contains(anchors(page), anchor) {
				t.Errorf("%s links to #%s, which %s does not have", name, anchor, to)
			}
		}
		for _, foreign := range []string{"/work/", "../shared", "/root/"} {
			if strings.Contains(text, foreign) {
				t.Errorf("%s names %s, which exists on no other machine", name, foreign)
			}
		}
	}
}

func TestEveryDocumentIsInTheIndex(t *testing.T) {
	t.Parallel()
	index := repo(t, "docs/README.md")
	for name := range documents(t) {
		if inside, is := strings.CutPrefix(name, "docs/"); is && inside != "README.md" && !strings.Contains(index, "]("+inside+")") {
			t.Errorf("docs/README.md does not link to %s", inside)
		}
	}
}

func TestTheDocumentsAreInPlainEnglish(t *testing.T) {
	t.Parallel()
	archaic := regexp.MustCompile(`(?i)\b(whoever|whom|by chance|mend(s|ed)?|anew|somebody|everybody|is to be had)\b`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`]*`") // code may contain such words
	for name, text := range documents(t) {
		for _, word := range archaic.FindAllString(code.ReplaceAllString(text, ""), -1) {
			t.Errorf("%s says %q: use a word of today", name, word)
		}
	}
}

// documents are the Markdown pages in the root and in docs, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	root := os.DirFS("../..")
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			all[name] = repo(t, name)
		}
	}
	return all
}

// anchors are the names that GitHub gives to a page's headings.
func anchors(page string) []string {
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		name := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}
