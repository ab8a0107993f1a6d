package browsertest

import (
	"encoding/json"
	"os"
	"testing"
)

// LoadAxe adds axe, which looks for what keeps people with a disability from using a page, to every
// page that the tab shows from now on.
func (tab *Tab) LoadAxe(t testing.TB) {
	t.Helper()
	script, err := os.ReadFile("../node_modules/axe-core/axe.min.js") // beside views and web
	if err != nil {
		t.Fatal("axe-core is not installed: run npm ci")
	}
	tab.Before(t, string(script))
}

// Colors are axe's rules about them, which are costly, and which alone another appearance can break.
var Colors = []string{"color-contrast", "link-in-text-block"}

// Violations are what axe finds in a page opened after LoadAxe, a line each: within the document or the
// elements of a JavaScript expression, of some rules or of all but Colors.
func (tab *Tab) Violations(t testing.TB, within string, rules ...string) string {
	t.Helper()
	options := map[string]any{"preload": false, "resultTypes": []string{"violations"}}
	if len(rules) > 0 {
		options["runOnly"] = rules
	} else {
		each := map[string]any{}
		for _, rule := range Colors {
			each[rule] = map[string]bool{"enabled": false}
		}
		options["rules"] = each
	}
	said, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	return Eval[string](t, tab, `(() => {
		const within = `+within+`;
		return within.length === 0 ? "" : axe.run(within, `+string(said)+`).then((r) => r.violations.map((v) => v.id + ": " + v.help + "\n  " + v.nodes.map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join("\n  ")).join("\n"));
	})()`)
}
