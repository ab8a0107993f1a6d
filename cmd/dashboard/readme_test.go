package main

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/storeglass/storeglass/internal/settings"
)

func TestTheReadmeListsTheSettingsAsTheyAre(t *testing.T) {
	t.Parallel()
	text := repo(t, "README.md")
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
		t.Errorf("README.md should have this table of settings:\n%s", want.String())
	}
}

func TestTheReadmeListsTheCommandsAsTheyAre(t *testing.T) {
	t.Parallel()
	parser, err := (&Program{}).parser()
	if err != nil {
		t.Fatal(err)
	}
	text := repo(t, "README.md")
	for _, command := range parser.Model.Children {
		row := "| `dashboard " + command.Name
		if names := subcommands(command); names != "" {
			row += " " + names
		}
		if !strings.Contains(text, "\n"+row) {
			t.Errorf("README.md has no row that begins with %s", row)
		}
	}
	for _, flag := range regexp.MustCompile(`dashboard ([a-z]+)[^|\n]*?(--[a-z-]+)`).FindAllStringSubmatch(text, -1) {
		if command := find(parser.Model.Node, flag[1]); command == nil || !hasFlag(command, flag[2][2:]) {
			t.Errorf("README.md uses %s, which `dashboard %s` does not have", flag[2], flag[1])
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
	makefile := repo(t, "Makefile")
	for _, name := range []string{"README.md", "docs/architecture.md", "docs/sync.md", "docs/numbers.md"} {
		text := repo(t, name)
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z]+)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s: there is no target %s", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`\]\(([a-z./]+)\)`).FindAllStringSubmatch(text, -1) {
			path := m[1]
			if strings.HasPrefix(name, "docs/") {
				path = "docs/" + path
			}
			repo(t, path)
		}
		for _, foreign := range []string{"/work/", "../shared", "/root/"} {
			if strings.Contains(text, foreign) {
				t.Errorf("%s names %s, which exists on no other machine", name, foreign)
			}
		}
	}
}
