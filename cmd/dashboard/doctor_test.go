package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/settings"
)

// patient is a database with a store whose made-up services can be inspected.
func patient(t *testing.T) (env []string, s *sandbox.Server, base string, store sandbox.Store) {
	t.Helper()
	s = sandbox.New(sandbox.Config{Seed: 7})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	env, store = emptyDatabase(t), s.Stores()[0]
	good(t, append(tokens(store), env...), "store", "add", "--slug", store.Slug, "--name", store.Name, "--timezone", store.Timezone,
		"--upsell-url", server.URL+store.UpsellPath, "--gift-url", server.URL+store.GiftPath, "--history-days", "2")
	return env, s, server.URL, store
}

// offersOf is how many offers the service counts now.
func offersOf(t *testing.T, base string, store sandbox.Store) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+store.UpsellPath+"/data/offers/count", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+store.UpsellToken)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var reply struct{ Data struct{ Total int } }
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || reply.Data.Total == 0 {
		t.Fatalf("%+v, %v", reply, err)
	}
	return strconv.Itoa(reply.Data.Total)
}

// asked are the requests that both services got after the first n.
func asked(s *sandbox.Server, since int) string {
	var out []string
	for _, a := range s.Arrivals()[since:] {
		out = append(out, a.Path)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// line is what the doctor says about a subject, with its mark.
func (o outcome) line(of string) string {
	for line := range strings.Lines(o.stdout) {
		if mark, rest, _ := strings.Cut(line, " "+of+" "); len(strings.TrimSpace(mark)) == 2 {
			return strings.TrimSpace(mark) + " " + strings.TrimSpace(rest)
		}
	}
	return "nothing of " + of + " in\n" + o.stdout
}

func says(t *testing.T, o outcome, of, want string) {
	t.Helper()
	if got := o.line(of); got != want {
		t.Errorf("%s:\n got %s\nwant %s", of, got, want)
	}
}

func TestTheDoctorAsksEachServiceByItsCheapestCallAndForItsLists(t *testing.T) {
	t.Parallel()
	env, s, base, store := patient(t)
	offers := offersOf(t, base, store) // the shop's number of offers changes from day to day
	before := len(s.Arrivals())
	o := run(t, env, "doctor")
	if o.code != exitOK {
		t.Errorf("exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	says(t, o, store.Slug+" upsell", "ok "+base+store.UpsellPath+" answers: "+store.Domain+", "+offers+" offers")
	says(t, o, store.Slug+" gift", "ok "+base+store.GiftPath+" answers: "+store.Domain+", plan professional")
	if got, want := asked(s, before), store.GiftPath+" "+store.GiftPath+"/mcp/tools "+store.GiftPath+"/plan "+store.UpsellPath+"/data/offers/count"; got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}

	before = len(s.Arrivals())
	o = run(t, env, "doctor", "--offline")
	says(t, o, store.Slug+" upsell", "ok good, "+base+store.UpsellPath+", not asked")
	if got := asked(s, before); got != "" || o.code != exitOK {
		t.Errorf("offline, exit %d, asked for %s", o.code, got)
	}
}

func TestTheDoctorAsksTheProviderOfTheSingleSignOn(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	provider := httptest.NewServer(mux)
	t.Cleanup(provider.Close)
	env := append(emptyDatabase(t), "DASHBOARD_OIDC_ISSUER="+provider.URL, "DASHBOARD_OIDC_CLIENT_ID=storeglass", "DASHBOARD_OIDC_NAME=Fernhollow", "DASHBOARD_BASE_URL=https://reports.example.com")
	o := run(t, env, "doctor")
	if got := o.line("single sign-on"); o.code == exitOK || !strings.HasPrefix(got, "DO ") || !strings.HasSuffix(got, "check DASHBOARD_OIDC_ISSUER; until then people sign in another way") {
		t.Errorf("exit %d: %s", o.code, got)
	}
	fine := "ok Fernhollow must know https://reports.example.com/sign-in/sso/callback"
	says(t, run(t, env, "doctor", "--offline"), "single sign-on", fine)
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"issuer": %[1]q, "authorization_endpoint": "%[1]s/auth", "token_endpoint": "%[1]s/token", "jwks_uri": "%[1]s/keys"}`, provider.URL)
	})
	says(t, run(t, env, "doctor"), "single sign-on", fine)
}

func TestTheDoctorMakesNoDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	o := run(t, []string{"DASHBOARD_DATA_DIR=" + dir}, "doctor", "--offline")
	says(t, o, "database", "DO DATABASE_URL is not set, and there is no database in "+dir+" yet: set DATABASE_URL or DASHBOARD_DATA_DIR to check another one, or run `dashboard serve`, which makes one there")
	if _, err := os.Stat(dir); o.code != exitFailed || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("exit %d, %v", o.code, err)
	}
}

func TestTheDoctorTriesToPrint(t *testing.T) {
	t.Parallel()
	broken, err := exec.LookPath("false")
	if err != nil {
		t.Fatal(err)
	}
	env := append(emptyDatabase(t), "DASHBOARD_CHROMIUM="+broken)
	says(t, run(t, env, "doctor", "--offline"), "PDF", "ok "+broken+", not tried")
	o := run(t, env, "doctor")
	if got := o.line("PDF"); o.code != exitFailed || !strings.HasPrefix(got, "DO print: "+broken+": exit status 1: ") {
		t.Errorf("exit %d: %s", o.code, got)
	}
}

// The doctor only looks: the worker's next pull decides what to do.
func TestTheDoctorSaysWhatIsWrongAndPausesNothing(t *testing.T) {
	t.Parallel()
	env, s, base, store := patient(t)
	s.Revoke(sandbox.Upsell, store.Slug)
	s.Break(sandbox.Gift, store.Slug, sandbox.Fault{Status: 404})
	o := run(t, env, "doctor")
	says(t, o, store.Slug+" upsell", "DO the upsell service at "+base+store.UpsellPath+": The upsell token was refused. Check that the app is installed and, in its settings under Developer Tools, that the token wasn’t revoked. Then connect the store again. The app said: “Invalid token.”")
	if got := o.line(store.Slug + " gift"); o.code != exitFailed || !strings.HasPrefix(got, "DO the gift service at "+base+store.GiftPath+" does not answer (404") {
		t.Errorf("exit %d, %s", o.code, got)
	}
	if got := good(t, env, "store", "list"); !strings.Contains(got, "upsell good, gift good") {
		t.Errorf("\n%s", got)
	}
}

// A refusal often passes by itself, so for a while nobody has anything to do.
func TestTheDoctorWaitsWithTheWorkerForARefusalToPass(t *testing.T) {
	t.Parallel()
	env, s, _, store := patient(t)
	s.Revoke(sandbox.Upsell, store.Slug)
	run(t, env, "sync", "--store", store.Slug)
	o := run(t, env, "doctor", "--offline")
	if got := o.line(store.Slug + " upsell"); o.code != exitOK || !strings.HasPrefix(got, "ok The upsell token was refused at ") || !strings.HasSuffix(got, " UTC and continues as soon as it is accepted.") {
		t.Errorf("exit %d: %s", o.code, got)
	}
}

func TestTheDoctorDoesNotAskWhereTheWorkerWouldNot(t *testing.T) {
	t.Parallel()
	env, s, base, store := patient(t)
	before := len(s.Arrivals())
	o := run(t, env[:2], "doctor") // without the setting that allows addresses on this machine
	if got := o.line(store.Slug + " upsell"); !strings.HasPrefix(got, "DO ") || !strings.Contains(got, "DASHBOARD_UPSTREAM_ALLOW") {
		t.Error(got)
	}
	good(t, env, "store", "pause", store.Slug)
	if got := run(t, env, "doctor").line(store.Slug + " gift"); !strings.HasPrefix(got, "ok paused by hand since ") {
		t.Error(got)
	}
	if got := asked(s, before); got != "" {
		t.Errorf("%s asked for %s", base, got)
	}
}

func TestTheDoctorTakesItsCallsFromTheBudget_N5(t *testing.T) {
	t.Parallel()
	env, s, _, store := patient(t)
	env = append(slices.Clone(env), "DASHBOARD_RATE_LIMIT=3") // connecting used some of them
	for range 4 {
		run(t, env, "doctor")
	}
	before := len(s.Arrivals())
	o := run(t, env, "doctor")
	if got := o.line(store.Slug + " upsell"); o.code != exitOK || !strings.HasPrefix(got, "ok good, not asked: no call is left until ") || !strings.HasSuffix(got, " UTC") {
		t.Errorf("exit %d, %s", o.code, got)
	}
	if got := asked(s, before); got != "" {
		t.Errorf("asked for %s", got)
	}
}

func TestTheDoctorSaysWhetherTheWallsBetweenStoresStand(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	good(t, env, "migrate", "up")
	o := run(t, env, "doctor", "--offline")
	says(t, o, "walls", "ok row-level security keeps stores apart")
	sql(t, env, `alter table summaries disable row level security`)
	o = run(t, env, "doctor", "--offline")
	says(t, o, "walls", "DO the table summaries has no row-level security. Was a dump restored before its roles were there? Then restore it again, into an empty database, now that they are. Take no step of the schema back: that would delete what is stored")
	if o.code == exitOK {
		t.Error("exit 0")
	}
}

// sql runs a statement on the environment's database, as its owner.
func sql(t *testing.T, env []string, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), settings.Present(env)["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
