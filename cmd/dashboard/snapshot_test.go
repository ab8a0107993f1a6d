package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAPreviewIsWrittenAndNotSent(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	execute(t, env, `insert into stores (slug, name, timezone, history_days) values ('acme', 'Acme', 'UTC', 90)`)
	dir := filepath.Join(t.TempDir(), "new")
	printed := good(t, env, "snapshot", "preview", "--store", "acme", "--week", "2026-01-05", "--out", dir)
	for _, name := range []string{"mail.html", "mail.txt", "mail.eml", "logo.png"} {
		body, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(body) == 0 || !strings.Contains(printed, filepath.Join(dir, name)+"\n") {
			t.Errorf("%s: %d bytes, %v; printed %q", name, len(body), err, printed)
		}
		if name == "mail.txt" && !strings.Contains(string(body), "There are no upsell numbers in the week of 5 – 11 Jan 2026 yet.") {
			t.Errorf("the text is %q", body)
		}
	}
}

func TestAPreviewSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	execute(t, env, `insert into stores (slug, name, timezone, history_days) values ('acme', 'Acme', 'UTC', 90)`)
	refused(t, exitUsage, env, "dashboard: --week \"monday\" is no day: write the week's first day as YYYY-MM-DD\n", "snapshot", "preview", "--store", "acme", "--week", "monday")
	refused(t, exitUsage, env, "dashboard: --week \"2026-02-30\" is no day: write the week's first day as YYYY-MM-DD\n", "snapshot", "preview", "--store", "acme", "--week", "2026-02-30")
	refused(t, exitUsage, env, "dashboard: --week 2999-01-01: that week is not over before 2999-01-08\n", "snapshot", "preview", "--store", "acme", "--week", "2999-01-01")
	refused(t, exitFailed, env, "dashboard: there is no store \"nowhere\": `dashboard store list` lists them\n", "snapshot", "preview", "--store", "nowhere")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, exitFailed, env, "dashboard: make --out: mkdir "+file+": not a directory\n", "snapshot", "preview", "--store", "acme", "--week", "2026-01-05", "--out", file)
}
