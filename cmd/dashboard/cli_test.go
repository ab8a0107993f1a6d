package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
)

func TestAFullDatabaseServerIsSaidToBeFull(t *testing.T) {
	t.Parallel()
	err := withRemedy(fmt.Errorf("start the job engine: %w", &pgconn.PgError{Severity: "FATAL", Code: "53300", Message: "too many connections"}))
	const want = "start the job engine: FATAL: too many connections (SQLSTATE 53300); the server's connections are used up: let it allow more, or add pool_max_conns=3 to DATABASE_URL"
	if err.Error() != want {
		t.Errorf("says %q, want %q", err, want)
	}
}

func TestAWrongCommandLineIsAnsweredInOneLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ args, want string }{
		"no such command":        {"frobnicate", "unexpected argument frobnicate; see `dashboard --help`"},
		"a mistyped command":     {"stor", "unexpected argument stor, did you mean \"store\"?; see `dashboard --help`"},
		"half a command":         {"migrate", "expected one of \"up\", \"down\", \"status\"; see `dashboard migrate --help`"},
		"no such flag":           {"serve --limit 3", "unknown flag --limit; see `dashboard serve --help`"},
		"no such role":           {"serve --role king", "--role must be one of \"all\",\"web\",\"worker\" but got \"king\"; see `dashboard serve --help`"},
		"a missing flag":         {"sync", "missing flags: --store=S; see `dashboard sync --help`"},
		"two missing flags":      {"store add", "missing flags: --name=N, --slug=S; see `dashboard store add --help`"},
		"a missing argument":     {"store show", "expected \"<slug>\"; see `dashboard store show --help`"},
		"days that are none":     {"sync --store a --backfill x", "--backfill: expected a valid 64 bit int but got \"x\"; see `dashboard sync --help`"},
		"days out of range":      {"sync --store a --backfill=-3", "--backfill -3 is out of range: write 1 to 3660"},
		"history out of range":   {"store set a --history-days 0", "--history-days 0 is out of range: write 1 to 3660"},
		"nothing to set":         {"store set a", "nothing to change: see `dashboard store set --help`"},
		"an empty name":          {"store set a --name=", "--name is empty: write the name shown on pages"},
		"a slug of our own":      {"store add --slug new --name N --upsell-url U", "--slug \"new\" is reserved: choose another"},
		"a slug with a space":    {"store add --slug a! --name N --upsell-url U", "--slug \"a!\" is not a short name: use a-z, 0-9 and dashes, at most 64, such as north-shop"},
		"an unknown time zone":   {"store add --slug a --name N --timezone Mars --upsell-url U", "--timezone \"Mars\" is not a time zone: write an IANA name, such as America/New_York"},
		"this machine's zone":    {"store add --slug a --name N --timezone Local --upsell-url U", "--timezone \"Local\" is not a time zone: write an IANA name, such as America/New_York"},
		"no service":             {"store add --slug a --name N", "no service is given: write --upsell-url, --gift-url or both"},
		"no token":               {"store add --slug a --name N --gift-url U", "no gift token: set STORE_GIFT_TOKEN, or run this in a terminal"},
		"no store to grant":      {"user grant a@example.com", "no store is given: write --store SLUG, --group NAME or --all-stores"},
		"one store and all":      {"token create --name x --store a --all-stores", "--store, --group and --all-stores can't be used together"},
		"a link for ever":        {"user link a@example.com --for 1000h", "--for is out of range: write up to 168h, such as 15m"},
		"a sandbox on no port":   {"sandbox --listen here", "--listen \"here\": write host:port, such as 127.0.0.1:8080, or :8080 for every interface"},
		"a sandbox from no day":  {"sandbox --since yesterday", "--since \"yesterday\" is not a date: write YYYY-MM-DD, such as 2025-07-01"},
		"a sandbox on no path":   {"sandbox --prefix x", "--prefix \"x\" is not a path: write it as /some/path"},
		"a sandbox's odd limit":  {"sandbox --limit=-1", "--limit -1 is below 0: write a number of calls a minute, or 0 for no limit"},
		"a log that is no file":  {"sandbox --log /nowhere/log", "--log \"/nowhere/log\" can't be written: no such file or directory"},
		"a demo without a limit": {"demo --limit 0", "--limit 0 is out of range: write 1 to 100000"},
		"a test to nobody":       {"snapshot send --store a", "a test needs --store and --to"},
		"a test of no store":     {"snapshot send --to a@example.com", "a test needs --store and --to"},
		"a test to no address":   {"snapshot send --store a --to Ada<a@example.com>", "--to \"Ada<a@example.com>\" is not a mail address: write it as ada@example.com"},
		"a test of no week":      {"snapshot send --store a --to a@example.com --week x", "--week \"x\" is not a date: write the week's first day as YYYY-MM-DD"},
		"a test, and one again":  {"snapshot send --again 3 --store a", "--again sends one mail to its reader: leave out --store, --to and --week"},
		"mails in no state":      {"snapshot list --state lost", "--state must be one of \"\",\"waiting\",\"ready\",\"sent\",\"refused\",\"given-up\",\"suppressed\",\"ended\" but got \"lost\"; see `dashboard snapshot list --help`"},
		"a list of no mails":     {"snapshot list --most 0", "--most 0 is out of range: write 1 or more"},
		"a demo on no port":      {"demo --listen 80", "\"80\": write host:port, such as 127.0.0.1:8080, or :8080 for every interface"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused(t, exitUsage, nil, "dashboard: "+c.want+"\n", strings.Fields(c.args)...)
		})
	}
}

func TestAskedForHelpGoesToStdoutAndUnaskedToStderr(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{"store add --help": "store add --slug=S --name=N [flags]", "help store add": "store add --slug=S --name=N [flags]", "help": "<command> [flags]"} {
		if o := run(t, nil, strings.Fields(args)...); o.code != exitOK || o.stderr != "" || !strings.HasPrefix(o.stdout, "Usage: dashboard "+want+"\n") {
			t.Errorf("%s: %+v", args, o)
		}
	}
	if o := run(t, nil); o.code != exitUsage || o.stdout != "" || !strings.HasPrefix(o.stderr, "Usage: dashboard <command> [flags]\n") {
		t.Errorf("%+v", o)
	}
	if o := run(t, nil, "--version"); o.code != exitOK || !strings.HasPrefix(o.stdout, "dashboard ") {
		t.Errorf("%+v", o)
	}
}

// fullDisk is an output that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A token is shown only once, so a script must learn that it was lost.
func TestACommandWhoseOutputIsLostFails(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	good(t, env, "migrate", "up")
	var stderr strings.Builder
	p := &cli.Program{Args: []string{"token", "create", "--name", "files", "--all-stores"}, Env: env, Stdout: fullDisk{}, Stderr: &stderr}
	if code := runCommand(t.Context(), p); code != exitFailed || !strings.HasSuffix(stderr.String(), "dashboard: no space left on device\n") {
		t.Errorf("exit %d\n%s", code, &stderr)
	}
}

// With the wrong data directory, an empty list would look as if all stores were gone.
func TestACommandSaysWhichDatabaseIsEmpty(t *testing.T) {
	t.Parallel()
	dir := passable(t)
	for _, want := range []bool{true, false} {
		o := run(t, []string{"DASHBOARD_DATA_DIR=" + dir}, "store", "list")
		if o.code != exitOK || strings.Contains(o.stderr, "Made an empty database in "+dir) != want || !strings.Contains(o.stderr, "There is no store yet in "+dir) {
			t.Errorf("%+v, want it said: %t", o, want)
		}
	}
}

func TestWhatDestroysDataWantsAYes(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	refused(t, exitUsage, env, "dashboard: Removing "+store.Slug+" now deletes its stored history, and the apps can't send all of it again: confirm with --yes\n",
		"store", "remove", "--now", store.Slug)
	if got := good(t, env, "store", "remove", "--now", store.Slug, "--yes"); got != store.Slug+" is deleted.\n" {
		t.Error(got)
	}
	o := run(t, env, "migrate", "down")
	if o.code != exitUsage || !strings.HasSuffix(o.stderr, ".sql drops its tables and everything in them: confirm with --yes\n") {
		t.Errorf("%+v", o)
	}
}

func TestHostileAndVastStoresAreAddedWhenAskedFor(t *testing.T) {
	t.Parallel()
	said := func(flags ...string) string {
		p := start(t, t.TempDir(), nil, append([]string{"sandbox", "--listen", "127.0.0.1:0"}, flags...)...)
		last := "wattle ("
		for _, flag := range flags {
			last = map[string]string{"--vast": "penrose (", "--hostile": "grim ("}[flag]
		}
		p.after(last)
		p.after("--gift-url")
		return p.stdout.String()
	}
	if few := said(); strings.Contains(few, "penrose") || strings.Contains(few, "grim") {
		t.Errorf("unasked:\n%s", few)
	}
	if all := said("--vast", "--hostile"); !strings.Contains(all, "penrose (Penrose Parts, GBP, Europe/London)\n") || !strings.Contains(all, `grim (<b>Grim</b> & "Sons" `) {
		t.Errorf("asked for:\n%s", all)
	} else if strings.ContainsRune(all, '\u202e') {
		t.Error("a store's name turns the terminal's text around")
	}
}

func TestTheTerminalObeysNoText(t *testing.T) {
	t.Parallel()
	if got := cli.Plain("a\x1b[31mred\a\r\u202e\u2066\u0085 b\n\té 👩‍👩‍👧"); got != "a\uFFFD[31mred\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD b\n\té 👩‍👩‍👧" {
		t.Errorf("%q", got)
	}
}
