package settings

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheDemosDataLieWhereTheServersUserCanGo(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "storeglass-demo-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, why := DemoDataDir(dir); got != filepath.Join(dir, ".data") || why != "" {
		t.Errorf("%s, %q", got, why)
	}
	barred := filepath.Join(dir, "private", "checkout")
	if err := os.MkdirAll(barred, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(barred), 0o700); err != nil {
		t.Fatal(err)
	}
	got, why := DemoDataDir(barred)
	if os.Geteuid() != 0 { // then the server runs as the same user
		if got != filepath.Join(barred, ".data") || why != "" {
			t.Errorf("%s, %q", got, why)
		}
		return
	}
	want := "The data goes to /var/lib/storeglass/demo: PostgreSQL does not run as root, and its user may not enter " + filepath.Dir(barred) + "."
	if got != rootDemoDir || why != want {
		t.Errorf("%s, %q", got, why)
	}
}
