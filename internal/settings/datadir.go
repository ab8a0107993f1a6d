package settings

import (
	"fmt"
	"os"
	"path/filepath"
)

// PostgreSQL doesn't run as root, and its user can't enter root's home. So for root, the
// data is where system services keep theirs.
const (
	rootDataDir = "/var/lib/storeglass"
	rootDemoDir = "/var/lib/storeglass/demo"
	demoDirName = ".data"
)

// defaultDataDir is where the data is by default: the XDG data home, or for root a
// directory that the server's user can enter.
func defaultDataDir(set map[string]string) string {
	if os.Geteuid() == 0 {
		return rootDataDir
	}
	if home := set["XDG_DATA_HOME"]; filepath.IsAbs(home) {
		return filepath.Join(home, "storeglass")
	}
	if home := set["HOME"]; filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", "storeglass")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("storeglass-%d", os.Geteuid()))
}

// DemoDataDir is .data in dir. If we run as root and the server's user can't reach that, it
// is a system directory, and why says so.
func DemoDataDir(dir string) (path, why string) {
	path = filepath.Join(dir, demoDirName)
	if os.Geteuid() != 0 {
		return path, ""
	}
	barred := firstBarred(dir)
	if barred == "" {
		return path, ""
	}
	return rootDemoDir, fmt.Sprintf("The data goes to %s: PostgreSQL does not run as root, and its user may not enter %s.", rootDemoDir, barred)
}

// firstBarred returns the first directory on the path to dir that other users can't enter.
func firstBarred(dir string) string {
	var chain []string
	for d := dir; ; d = filepath.Dir(d) {
		chain = append(chain, d)
		if d == filepath.Dir(d) {
			break
		}
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if fi, err := os.Stat(chain[i]); err == nil && fi.Mode().Perm()&0o001 == 0 {
			return chain[i]
		}
	}
	return ""
}
