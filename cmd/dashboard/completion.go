package main

import (
	"embed"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
)

// completionCommand prints the scripts in completion/. They ask the program itself what can
// follow, so they never go out of date. The libraries that do this for kong were last
// released in 2022 and 2023, so we wrote these few lines ourselves.
type completionCommand struct {
	Bash  completionScript `cmd:"" help:"Print the script for bash. Add this line to ~/.bashrc: source <(dashboard completion bash)"`
	Zsh   completionScript `cmd:"" help:"Print the script for zsh. Add this line to ~/.zshrc, after compinit: source <(dashboard completion zsh)"`
	Fish  completionScript `cmd:"" help:"Print the script for fish. Run once: dashboard completion fish > ~/.config/fish/completions/dashboard.fish"`
	Words completeWords    `cmd:"" hidden:"" help:"List what can follow; the scripts call it."`
}

//go:embed completion
var scripts embed.FS

type completionScript struct{}

// Run prints the script of the shell that the command is named after.
func (completionScript) Run(p *cli.Program, k *kong.Context) error {
	script, err := scripts.ReadFile("completion/dashboard." + k.Selected().Name)
	p.Printf("%s", script)
	return err
}

type completeWords struct {
	Words []string `arg:"" optional:""`
}

// Run prints one word per line, followed by a tab and its help if there is any. It prints
// nothing where a file name or free text belongs.
func (c completeWords) Run(p *cli.Program, k *kong.Kong) error {
	for _, w := range completions(k.Model.Node, c.Words) {
		p.Printf("%s\n", w)
	}
	return nil
}

// completions lists what the last word can become after those before it.
func completions(node *kong.Node, words []string) []string {
	words = joinEquals(words)
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	node, waiting, positionals := reached(node, words[:len(words)-1])
	var found []string
	add := func(word, help string) {
		if strings.HasPrefix(word, last) {
			if help != "" {
				word += "\t" + help
			}
			found = append(found, word)
		}
	}
	name, _, assigned := strings.Cut(last, "=")
	switch {
	case waiting != nil:
		for _, value := range choices(waiting.Value) {
			add(value, "")
		}
	case assigned && strings.HasPrefix(last, "--"):
		if f := flagNamed(node, name); f != nil {
			for _, value := range choices(f.Value) {
				add(name+"="+value, "")
			}
		}
	case strings.HasPrefix(last, "-"):
		for _, group := range node.AllFlags(true) {
			for _, f := range group {
				add("--"+f.Name, f.Help)
			}
		}
	default:
		for _, child := range node.Children {
			if !child.Hidden {
				add(child.Name, child.Help)
			}
		}
		if positionals < len(node.Positional) {
			for _, value := range choices(node.Positional[positionals]) {
				add(value, "")
			}
		}
	}
	return found
}

// reached is the command that the words lead to, the flag whose value comes next, if any, and how many
// arguments of the command came before.
func reached(node *kong.Node, words []string) (at *kong.Node, waiting *kong.Flag, positionals int) {
	for _, w := range words {
		switch child := childNamed(node, w); {
		case waiting != nil:
			waiting = nil
		case strings.HasPrefix(w, "-"):
			if f := flagNamed(node, w); f != nil && !f.IsBool() {
				waiting = f
			}
		case child != nil:
			node, positionals = child, 0
		default:
			positionals++
		}
	}
	return node, waiting, positionals
}

// joinEquals undoes what bash does: it passes --role=web as three words.
func joinEquals(words []string) []string {
	var joined []string
	for i, w := range words {
		before := len(joined) - 1
		switch {
		case w == "=" && before >= 0 && strings.HasPrefix(joined[before], "--"):
			joined[before] += "="
		case i > 0 && words[i-1] == "=" && before >= 0 && strings.HasSuffix(joined[before], "="):
			joined[before] += w
		default:
			joined = append(joined, w)
		}
	}
	return joined
}

func childNamed(node *kong.Node, name string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == name && !c.Hidden {
			return c
		}
	}
	return nil
}

// flagNamed finds --name among the flags of a command and its parents.
func flagNamed(node *kong.Node, word string) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			if word == "--"+f.Name {
				return f
			}
		}
	}
	return nil
}

// choices are the values that a flag or an argument accepts, if it lists them.
func choices(v *kong.Value) []string {
	return slices.DeleteFunc(v.EnumSlice(), func(s string) bool { return s == "" })
}
