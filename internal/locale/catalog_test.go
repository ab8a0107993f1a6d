package locale

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
)

// entry is a message of one catalog: its plural forms, and the arguments that they name.
type entry struct {
	forms map[string]string
	args  []string
}

var placeholder = regexp.MustCompile(`{{\s*\.(\w+)\s*}}`)

func messages(t *testing.T, l Locale) map[string]entry {
	t.Helper()
	names, err := fs.Glob(catalog, "catalog/"+l.Code()+"/*.toml")
	if err != nil || len(names) == 0 {
		t.Fatal("no catalog for", l.Code(), err)
	}
	all := map[string]entry{}
	for _, name := range names {
		text, err := catalog.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := i18n.ParseMessageFileBytes(text, "x."+l.Code()+".toml", map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, m := range file.Messages {
			if _, twice := all[m.ID]; twice {
				t.Errorf("%s: %s is there twice", name, m.ID)
			}
			forms := map[string]string{"one": m.One, "other": m.Other}
			for form, unused := range map[string]string{"zero": m.Zero, "two": m.Two, "few": m.Few, "many": m.Many} {
				if unused != "" {
					t.Errorf("%s: %s has the form %q, which none of our languages needs", name, m.ID, form)
				}
			}
			if m.Other == "" {
				t.Errorf("%s: %s has no text", name, m.ID)
			}
			args := map[string]bool{}
			for _, text := range forms {
				for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
					args[found[1]] = true
				}
				if rest := placeholder.ReplaceAllString(text, ""); strings.Contains(rest, "{{") || strings.Contains(rest, "}}") {
					t.Errorf("%s: %s has a broken placeholder: %q", name, m.ID, text)
				}
			}
			all[m.ID] = entry{forms, slices.Sorted(maps.Keys(args))}
		}
	}
	return all
}

func TestEveryCatalogHasEveryMessageWithTheSameArguments(t *testing.T) {
	t.Parallel()
	english := messages(t, English)
	for _, l := range All()[1:] {
		other := messages(t, l)
		for id, want := range english {
			got, ok := other[id]
			switch {
			case !ok:
				t.Errorf("%s: %s is missing", l.Code(), id)
			case !slices.Equal(got.args, want.args):
				t.Errorf("%s: %s has the arguments %v, in English %v", l.Code(), id, got.args, want.args)
			case want.forms["one"] != "" && got.forms["one"] == "" && slices.Contains(got.args, "n"):
				t.Errorf("%s: %s has no form for one", l.Code(), id)
			}
		}
		for id := range other {
			if _, ok := english[id]; !ok {
				t.Errorf("%s: %s is in no other catalog", l.Code(), id)
			}
		}
	}
}

// alike are the messages that are legitimately the same in a language as in English.
var alike = map[Locale][]string{
	German: {
		"unit.month.4",
		"unit.month.8",
		"unit.month.9",
		"unit.month.11",
		"invite.name",
		"people.details",
		"people.person",
		"people.tab.branding",
		"audit.group.branding",
		"alerts.channel_form.name",
		"alerts.snoozes.in_store",
		"account.name",
		"account.passkey",
		"account.passkeys",
		"common.optional",
		"connect.name",
		"connect.shop",
		"connect.token.upsell",
		"gift.campaigns.code",
		"gift.field.code",
		"gift.field.identifier",
		"gift.field.name",
		"gift.field.status",
		"gift.products.status",
		"gift.widgets.title",
		"offers.filter.name",
		"offers.filter.status",
		"offers.offer.in_currency",
		"offers.sort.name",
		"offers.trigger_kind.tag",
		"stores.asks.currency",
		"stores.filter.name",
		"sync.pull.gift_widget",
		"sync.pull.gift_widgets",
		"sync.service.upsell",
		"sync.title",
		"tab.sync",
	},
	French: {
		"age.short.minutes",
		"notes.title",
		"notes.form",
		"audit.group.note",
		"chart.note",
		"invite.form",
		"life.minutes",
		"person.invitation",
		"reach.link.invitation",
		"alerts.evidence.cause",
		"alerts.lasted.minutes",
		"alerts.notifications",
		"account.invitation",
		"change.points",
		"common.status.active",
		"connect.area.europe",
		"gift.campaign.code",
		"gift.campaign.configuration",
		"gift.campaigns.code",
		"gift.field.code",
		"gift.field.collections",
		"gift.field.type",
		"gift.products.stock",
		"gift.widgets.premium",
		"gift.widgets.title",
		"nav.pages",
		"offers.trigger.condition",
		"offers.trigger_kind.collection",
		"offers.trigger_kind.tag",
		"problem.wait.minutes",
		"removal.action",
		"stores.wall.total",
		"sync.pull.gift_widget",
		"sync.pull.gift_widgets",
		"sync.said.page",
		"sync.said.page_of",
		"sync.service.upsell",
		"way.step.code",
		"way.step.invitation",
	},
	Spanish: {
		"age.short.minutes",
		"connect.area.asia",
		"connect.area.australia",
		"connect.token.upsell",
		"gift.field.identifier",
		"gift.plan.named",
		"gift.setting.no",
		"gift.widgets.premium",
		"gift.widgets.title",
		"stores.wall.total",
		"sync.pull.gift_plan",
		"sync.pull.gift_widget",
		"sync.pull.gift_widgets",
		"sync.service.upsell",
	},
}

var wordy = regexp.MustCompile(`\pL{2}`)

func TestNoMessageIsLeftInEnglish(t *testing.T) {
	t.Parallel()
	english := messages(t, English)
	for _, l := range All()[1:] {
		for id, m := range messages(t, l) {
			if !wordy.MatchString(placeholder.ReplaceAllString(m.forms["other"], "")) {
				continue // such as "{{.day}}, {{.time}}"
			}
			if maps.Equal(m.forms, english[id].forms) != slices.Contains(alike[l], id) {
				t.Errorf("%s: %s is %q, as in English: %v", l.Code(), id, m.forms["other"], !slices.Contains(alike[l], id))
			}
		}
	}
}

// French puts a non-breaking space before these signs, and inside its quotes.
var frenchSpace = regexp.MustCompile(`[^\x{a0}]:([^/\d]|$)|[^\x{202f}][;?!]|«[^\x{a0}]|[^\x{a0}]»`)

func TestMessagesAreSetAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	for _, l := range All() {
		for id, m := range messages(t, l) {
			for _, text := range m.forms {
				switch {
				case strings.Contains(text, "  "), strings.TrimRight(text, " ") != text && id != "unit.colon" && id != "unit.semicolon":
					t.Errorf("%s: %s has a space too many: %q", l.Code(), id, text)
				case l == French && frenchSpace.MatchString(text):
					t.Errorf("fr: %s lacks a space that doesn’t break: %q", id, text)
				case l != English && strings.Contains(text, "'"):
					t.Errorf("%s: %s has a straight apostrophe: %q", l.Code(), id, text)
				}
			}
		}
	}
}

// service matches the word for the two apps that only developers use.
var service = map[Locale]*regexp.Regexp{
	English: regexp.MustCompile(`(?i)\bservices?\b`),
	German:  regexp.MustCompile(`\bDienst(e|en|es)?\b`),
	French:  regexp.MustCompile(`(?i)\bservices?\b`),
	Spanish: regexp.MustCompile(`(?i)\bservicios?\b`),
}

func TestPeopleReadOfTheAppsAndNotOfServices(t *testing.T) {
	t.Parallel()
	for _, l := range All() {
		for id, m := range messages(t, l) {
			for _, text := range m.forms {
				if service[l].MatchString(placeholder.ReplaceAllString(text, "")) {
					t.Errorf("%s: %s says service instead of app: %q", l.Code(), id, text)
				}
			}
		}
	}
}

// use is one place in the source that names a message.
type use struct {
	place string
	// id is complete or, with prefix set, what it begins with; end is then what it ends with.
	id, end string
	prefix  bool
	// args are its arguments' names; nil if the source passes them on.
	args []string
}

// templated is a message that a mail template uses: {{.Say.T "weekly.number" "n" .Number}}.
var (
	templated    = regexp.MustCompile(`\.T "([^"]+)"((?: "\w+" [.$\w]+)*)`)
	templatedArg = regexp.MustCompile(` "(\w+)" [.$\w]+`)
)

func uses(t *testing.T) (all []use) {
	t.Helper()
	root := filepath.Join("..", "..")
	for _, room := range []string{"cmd", "internal", "views", "web"} {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, d os.DirEntry, err error) error {
			if strings.HasSuffix(path, ".tmpl") {
				text, err := os.ReadFile(path)
				for _, found := range templated.FindAllStringSubmatch(string(text), -1) {
					u := use{place: path, id: found[1], args: []string{}}
					for _, arg := range templatedArg.FindAllStringSubmatch(found[2], -1) {
						u.args = append(u.args, arg[1])
					}
					all = append(all, u)
				}
				return err
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if u, ok := useOf(call); ok {
					u.place = files.Position(call.Pos()).String()
					all = append(all, u)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// useOf recognizes l.T("id", …), locale.T(ctx, "id", …), locale.M("id", …), c.Done("prefix.") and
// fault.New(kind, field, "id", …).
func useOf(call *ast.CallExpr) (u use, ok bool) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return u, false
	}
	args := call.Args
	x, _ := f.X.(*ast.Ident)
	switch of := x != nil && f.Sel.Name == "New" && x.Name == "fault"; {
	case of:
		args = args[2:]
	case f.Sel.Name == "Done" && len(args) == 1:
		u.id, _, _, ok = literal(args[0])
		return use{id: u.id, prefix: true}, ok
	case f.Sel.Name != "T" && f.Sel.Name != "M":
		return u, false
	case x != nil && x.Name == "locale" && f.Sel.Name == "T":
		args = args[1:]
	}
	if len(args) == 0 {
		return u, false
	}
	u.id, u.end, u.prefix, ok = literal(args[0])
	if !ok || !strings.Contains(u.id, ".") {
		return u, false
	}
	if call.Ellipsis != token.NoPos {
		return u, true
	}
	u.args = []string{}
	for i := 1; i < len(args); i += 2 {
		name, _, _, _ := literal(args[i])
		u.args = append(u.args, name)
	}
	slices.Sort(u.args)
	return u, true
}

// literal is a string or, with prefix set, the beginning and end of a string built at run time.
func literal(e ast.Expr) (text, end string, prefix, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, "", false, err == nil
	case *ast.BinaryExpr:
		text, _, _, ok := literal(e.X)
		end, _, _, _ := literal(e.Y)
		return text, end, true, ok
	}
	return "", "", false, false
}

func TestTheSourceNamesMessagesOfTheCatalogWithTheirArguments(t *testing.T) {
	t.Parallel()
	english := messages(t, English)
	named := map[string]bool{}
	for _, u := range uses(t) {
		var ids []string
		for id := range english {
			if id == u.id || u.prefix && strings.HasPrefix(id, u.id) && strings.HasSuffix(id, u.end) {
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			t.Errorf("%s: the catalogs have no message %s", u.place, u.id)
		}
		for _, id := range ids {
			named[id] = true
			for _, arg := range english[id].args {
				if u.args != nil && !slices.Contains(u.args, arg) {
					t.Errorf("%s: %s needs the argument %s", u.place, id, arg)
				}
			}
			for _, arg := range u.args {
				// n may select a plural form without appearing in the text.
				if !u.prefix && arg != "n" && !slices.Contains(english[id].args, arg) {
					t.Errorf("%s: %s does not say the argument %s", u.place, id, arg)
				}
			}
		}
	}
	for id := range english {
		if !named[id] {
			t.Errorf("no source names the message %s: remove it from the catalogs", id)
		}
	}
}
