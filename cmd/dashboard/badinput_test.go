package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// closedPort is an address where nothing listens. It stays reserved, so that no parallel
// test starts to listen there.
func closedPort(t *testing.T) string {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	at, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", at.(*syscall.SockaddrInet4).Port)
}

func TestAnUnknownStoreIsNamed(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	for _, args := range []string{
		"sync --store acme", "store show acme", "store set acme --name A", "store pause acme", "store resume acme", "store remove acme --yes",
	} {
		refused(t, exitFailed, env, "dashboard: there is no store \"acme\": `dashboard store list` lists them\n", strings.Fields(args)...)
	}
	refused(t, exitFailed, env, "dashboard: there is no store \"acme\": `dashboard store list` lists them\n",
		"token", "create", "--name", "x", "--store", "acme")
	refused(t, exitFailed, env, "dashboard: there is no store \"acme\": `dashboard store list` lists them\n",
		"user", "add", "a@example.com", "--store", "acme")
	if got := good(t, env, "user", "list"); strings.Contains(got, "a@example.com") {
		t.Error("a person was added although the store to grant is not there")
	}
}

func TestAServiceThatCannotBeConnectedSaysWhyAndSavesNothing(t *testing.T) {
	t.Parallel()
	base, store := world(t)
	upsell, gift := base+store.UpsellPath, base+store.GiftPath
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(broken.Close)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }))
	t.Cleanup(page.Close)
	newer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"success": true, "data": {"total": "a dozen"}}`))
	}))
	t.Cleanup(newer.Close)
	half := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"success": false, "message": "Missing shop domain"}`))
	}))
	t.Cleanup(half.Close)
	down := closedPort(t)
	for name, c := range map[string]struct {
		env        []string
		args, want string
	}{
		"a wrong upsell token": {
			env: []string{"STORE_UPSELL_TOKEN=nobody"}, args: "--upsell-url " + upsell,
			want: "the upsell service at " + upsell + ": The upsell token was refused. Check that the app is installed and, in its settings under Developer Tools, that the token wasn’t revoked. Then connect the store again. The app said: “Invalid token.”",
		},
		"a wrong gift key": {
			env: []string{"STORE_GIFT_TOKEN=nobody"}, args: "--gift-url " + gift,
			want: "the gift service at " + gift + ": The gift key was refused. Create a new key in the app’s settings, under Store API, and connect the store again. The app said: “This Store API key is not valid.”",
		},
		"a service that is down": {
			env: tokens(store), args: "--upsell-url http://" + down + "/v1",
			want: "the upsell service at http://" + down + "/v1 can't be reached (connection refused): check the address, or try again later",
		},
		"a service that fails": {
			env: tokens(store), args: "--gift-url " + broken.URL,
			want: "the gift service at " + broken.URL + " returned an error (502): try again later",
		},
		"a page instead of a service": {
			env: tokens(store), args: "--upsell-url " + page.URL,
			want: "the upsell service at " + page.URL + " gave an answer that isn't from this service (200: reply breaks the contract: it is not valid JSON): check the address",
		},
		"a reply that differs from the documents": {
			env: tokens(store), args: "--upsell-url " + newer.URL,
			want: "the upsell service at " + newer.URL + " gave an answer that doesn't match its documentation (200: reply breaks the contract at /data/total: expected a number, got a string): the address is right; try again later, or ask the app's support",
		},
		"a wrong path": {
			env: tokens(store), args: "--upsell-url " + base + "/upsell/v2",
			want: "the upsell service at " + base + "/upsell/v2 does not answer (404): check that the address is complete, up to the version",
		},
		"half an address": {
			env: tokens(store), args: "--upsell-url " + half.URL,
			want: "the upsell service at " + half.URL + " refuses the call (400: Missing shop domain): check that the address is complete, with every part that the service names, and up to the version",
		},
		"a private address": {
			env: tokens(store), args: "--upsell-url https://10.1.2.3/v1",
			want: "upstream address 10.1.2.3 is not public: allow it with DASHBOARD_UPSTREAM_ALLOW=10.1.2.3",
		},
		"a public address without https": {
			env: tokens(store), args: "--upsell-url http://shop.example/v1",
			want: "upstream address http://shop.example is not https: use https, or allow it with DASHBOARD_UPSTREAM_ALLOW=shop.example",
		},
		"no address at all": {
			env: tokens(store), args: "--gift-url shop",
			want: "upstream address \"shop\" is no address: give it in full, such as https://shop.example/api/v1",
		},
		"one good service and one bad": {
			env: append(tokens(store), "STORE_GIFT_TOKEN=nobody"), args: "--upsell-url " + upsell + " --gift-url " + gift,
			want: "the gift service at " + gift + ": The gift key was refused. Create a new key in the app’s settings, under Store API, and connect the store again. The app said: “This Store API key is not valid.”",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := append(emptyDatabase(t), c.env...)
			args := append([]string{"store", "add", "--slug", "acme", "--name", "Acme", "--timezone", "Europe/Berlin"}, strings.Fields(c.args)...)
			refused(t, exitFailed, env, "dashboard: "+c.want+"\n", args...)
			if o := run(t, env, "store", "list"); o.stdout != "" {
				t.Errorf("something was saved: %s", o.stdout)
			}
		})
	}
}

func TestTwoTokensOfTwoStoresAreRefused(t *testing.T) {
	t.Parallel()
	s := sandbox.New(sandbox.Config{Seed: 7})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	one, two := s.Stores()[0], s.Stores()[1]
	env := append(emptyDatabase(t), "STORE_UPSELL_TOKEN="+one.UpsellToken, "STORE_GIFT_TOKEN="+two.GiftKey)
	refused(t, exitFailed, env, "dashboard: the two tokens belong to two stores, "+one.Domain+" and "+two.Domain+": give two tokens of one store\n",
		"store", "add", "--slug", "acme", "--name", "Acme", "--upsell-url", server.URL+one.UpsellPath, "--gift-url", server.URL+two.GiftPath)
}

func TestADatabaseThatCannotBeUsedSaysWhy(t *testing.T) {
	t.Parallel()
	down := closedPort(t)
	host, port, _ := net.SplitHostPort(down)
	refused(t, exitFailed, []string{"DATABASE_URL=postgres://me:hunter2@" + down + "/shop"},
		"dashboard: reach database \"shop\" at "+host+":"+port+" as \"me\": connect: connection refused: check that the server runs and that DATABASE_URL is right\n",
		"store", "list")

	env := emptyDatabase(t)
	good(t, env, "migrate", "down", "--yes")
	refused(t, exitFailed, env, "dashboard: the database lacks 1 step of this program's schema: run `dashboard migrate up`\n", "store", "list")
	if got := good(t, env, "migrate", "up"); got != "1 step applied; the schema is up to date.\n" {
		t.Error(got)
	}
	good(t, env, "store", "list")
}

func TestAnOlderProgramShowsANewerSchemaAndChangesNothing(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	sql(t, env, `insert into goose_db_version (version_id, is_applied) values (9999, true)`)
	if got := good(t, env, "migrate", "status"); !strings.Contains(got, "storeglass  9999  (a newer version's)") {
		t.Errorf("\n%s", got)
	}
	newer := "dashboard: this database's schema is newer than this version of Storeglass: run the newer version, or restore the backup from before the upgrade\n"
	for _, command := range []string{"migrate up", "migrate down", "store list"} {
		refused(t, exitFailed, env, newer, strings.Fields(command)...)
	}
}

func TestASealedTokenWithoutItsKeySaysSo(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	refused(t, exitUsage, []string{env[0]}, "dashboard: DASHBOARD_SECRET_KEY is not set: with DATABASE_URL you have to set the key that encrypts upstream tokens; make one with `openssl rand -base64 32`, and keep it as safe as the database\n",
		"sync", "--store", store.Slug)
	other := append(env, "DASHBOARD_SECRET_KEY=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	o := run(t, other, "doctor")
	if o.code != exitFailed || !strings.Contains(o.stdout, "DO   "+store.Slug+" upsell") || !strings.Contains(o.stdout, "its token was encrypted with another secret key") {
		t.Errorf("%+v", o)
	}
}
