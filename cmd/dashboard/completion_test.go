package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompletionOffersWhatCanFollow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		words []string
		want  string
	}{
		"commands":                     {[]string{"s"}, "serve store sync share snapshot secrets sandbox"},
		"subcommands":                  {[]string{"store", "re"}, "resume remove restore"},
		"a flag":                       {[]string{"store", "add", "--sl"}, "--slug"},
		"a flag after an argument":     {[]string{"store", "show", "north", "--he"}, "--help"},
		"a flag's values":              {[]string{"serve", "--role", ""}, "all web worker"},
		"a flag's values, behind =":    {[]string{"serve", "--role=w"}, "--role=web --role=worker"},
		"a flag's values, as in bash":  {[]string{"serve", "--role", "=", "w"}, "--role=web --role=worker"},
		"a value of one's own":         {[]string{"sync", "--store", ""}, ""},
		"no command after an argument": {[]string{"store", "show", "north", ""}, ""},
		"no command that is hidden":    {[]string{"completion", ""}, "bash zsh fish"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for line := range strings.Lines(good(t, nil, append([]string{"completion", "words", "--"}, c.words...)...)) {
				word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
				got = append(got, word)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q can become %q, want %q", c.words, got, c.want)
			}
		})
	}
}

func TestEveryShellCompletes(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "dashboard")); err != nil {
		t.Fatal(err)
	}
	// Each script prints what its shell would insert after `dashboard serve --role w`.
	for shell, script := range map[string]string{
		"bash": `source <(dashboard completion bash); COMP_WORDS=(dashboard serve --role w) COMP_CWORD=3; _dashboard; printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh": `compdef() {}; _describe() { print -l -- "${found[@]%%:*}" }; source <(dashboard completion zsh)
			words=(dashboard serve --role w) CURRENT=4; _dashboard`,
		"fish": `dashboard completion fish | source; complete -C 'dashboard serve --role w'`,
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(shell); err != nil {
				t.Skipf("no %s on the PATH", shell)
			}
			home := t.TempDir()
			cmd := exec.CommandContext(t.Context(), shell, "-c", script)
			cmd.Env = []string{asProgram + "=1", fmt.Sprintf("PATH=%s:%s", bin, os.Getenv("PATH")), "HOME=" + home}
			out, err := cmd.CombinedOutput()
			if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != "web worker" {
				t.Errorf("%s: %v", got, err)
			}
		})
	}
}
