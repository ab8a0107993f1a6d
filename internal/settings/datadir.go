package settings

import (
	"fmt"
	"os"
	"path/filepath"
)

// Root's home bars other users, and PostgreSQL does not run as root: as root the
// data lie where services keep theirs.
const (
	rootDataDir = "/var/lib/storeglass"
	rootDemoDir = "/var/lib/storeglass/demo"
	demoDirName = ".data"
)

// defaultDataDir is where data lie when nobody says: the XDG data home, or for
// root a directory that the server's user may enter.
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

// DemoDataDir is .data below dir. Where root's server user could not get there,
// it is a directory of the system, and why says so.
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

// firstBarred returns the first directory on the way to dir that others may not pass.
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
