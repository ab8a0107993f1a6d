package main

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/db/dbtest"
)

// TestNoHostileAddressIsConnectedToFromTheCommandLine gives `store add` each spelling
// of each host once; package upstream tries all of them.
func TestNoHostileAddressIsConnectedToFromTheCommandLine(t *testing.T) {
	t.Parallel()
	decoy := upstreamtest.NewDecoy(t)
	_, _, store := withStore(t)
	address := dbtest.URL(t)
	database, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	// Nothing is allowed: only the setting would open the way to this machine.
	env := append(tokens(store), "DATABASE_URL="+address, "DASHBOARD_SECRET_KEY="+testKey)
	var addresses []string
	for i, raw := range upstreamtest.HostileAddresses() {
		if i%3 == 0 && !strings.ContainsRune(raw, 0) { // no shell can pass a NUL
			addresses = append(addresses, decoy.At(raw))
		}
	}
	for name, answers := range upstreamtest.HostileNames() {
		if answers == nil { // resolved by this machine itself
			addresses = append(addresses, name)
		}
	}
	add := func(watch *upstreamtest.Watch, i int, raw string, env ...string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		p := &cli.Program{
			Args: []string{"store", "add", "--slug", "acme", "--name", "Acme", "--timezone", "UTC", "--" + []string{"upsell", "gift"}[i%2] + "-url=" + raw},
			Env:  env, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		}
		if code := runCommand(watch.Context(t.Context()), p); code == exitOK {
			t.Errorf("%q was added: %s", raw, stdout.String())
		}
		if said := stdout.String() + stderr.String(); strings.Contains(said, store.UpsellToken) || strings.Contains(said, store.GiftKey) {
			t.Errorf("%q: the token is told: %s", raw, said)
		}
	}
	watch := &upstreamtest.Watch{}
	for i, raw := range addresses {
		add(watch, i, raw, env...)
	}
	if to := watch.Connected(database.Host); len(to) > 0 || decoy.Came() > 0 {
		t.Errorf("connected to %q; %d came to the decoy", to, decoy.Came())
	}
	if len(addresses) < 60 {
		t.Fatalf("only %d addresses", len(addresses))
	}
	t.Logf("%d addresses, 0 connections", len(addresses))

	// Prove that the watch works: when this machine is allowed, it sees the connection.
	awake := &upstreamtest.Watch{}
	add(awake, 0, decoy.At("http://127.0.0.1:PORT"), append(env, "DASHBOARD_UPSTREAM_ALLOW=127.0.0.1")...)
	if len(awake.Connected(database.Host)) == 0 || decoy.Came() == 0 {
		t.Error("a connection that was made was not noted")
	}
}
