package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDemosDataLieWhereTheServersUserCanGo(t *testing.T) {
	t.Parallel()
	dir := passable(t)
	if got, why := demoDataDir(dir); got != filepath.Join(dir, ".data") || why != "" {
		t.Errorf("%s, %q", got, why)
	}
	barred := filepath.Join(dir, "private", "checkout")
	if err := os.MkdirAll(barred, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(barred), 0o700); err != nil {
		t.Fatal(err)
	}
	got, why := demoDataDir(barred)
	if os.Geteuid() != 0 { // the server runs as the same user
		if got != filepath.Join(barred, ".data") || why != "" {
			t.Errorf("%s, %q", got, why)
		}
		return
	}
	want := "The data go to /var/lib/storeglass/demo: PostgreSQL does not run as root, and its user may not enter " + filepath.Dir(barred) + "."
	if got != rootDemoDir || why != want {
		t.Errorf("%s, %q", got, why)
	}
}

func TestATakenPortMovesTheDemoOnlyWhereNobodyAskedForIt(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	at := taken.Addr().String()
	if _, err := listenNear("pages", "--listen", at, false); err == nil || !strings.HasSuffix(err.Error(), " is in use by another program: stop it, or choose another address with --listen") {
		t.Errorf("%v", err)
	}
	moved, err := listenNear("pages", "--listen", at, true)
	if err != nil {
		t.Fatal(err)
	}
	defer moved.Close()
	if moved.Addr().String() == at {
		t.Error("two listeners on one port")
	}
}
