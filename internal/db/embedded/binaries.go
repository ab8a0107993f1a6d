package embedded

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// binaries is a directory with the programs initdb and postgres of one major version.
type binaries struct {
	dir   string
	major int
}

func (b binaries) path(program string) string { return filepath.Join(b.dir, program) }

// installed are the directories where packages install server programs.
var installed = []string{
	"/usr/lib/postgresql/*/bin", // Debian
	"/usr/pgsql-*/bin",          // Red Hat
	"/usr/libexec/postgresql*",  // Alpine
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/opt/homebrew/opt/postgresql/bin",
	"/usr/local/opt/postgresql/bin",
	"/usr/local/pgsql/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// findBinaries returns programs of the major version want or, if want is 0, those in PATH, otherwise
// the newest installed.
func findBinaries(override []string, as *account, want int) (binaries, error) {
	var found []binaries
	if override != nil {
		found = probe(override, as)
	} else {
		found = probe(filepath.SplitList(os.Getenv("PATH")), as)
		var packaged []string
		for _, pattern := range installed {
			dirs, _ := filepath.Glob(pattern)
			packaged = append(packaged, dirs...)
		}
		rest := probe(packaged, as)
		slices.SortStableFunc(rest, func(a, b binaries) int { return b.major - a.major })
		found = append(found, rest...)
	}
	var majors []string
	for _, b := range found {
		if b.major == want || want == 0 && b.major >= oldestMajor {
			return b, nil
		}
		if m := strconv.Itoa(b.major); !slices.Contains(majors, m) {
			majors = append(majors, m)
		}
	}
	switch {
	case want == 0 && len(found) == 0:
		return binaries{}, fmt.Errorf("%w: install PostgreSQL %d or newer (Debian: apt install postgresql; macOS: brew install postgresql@17), or set DATABASE_URL",
			ErrNoBinaries, oldestMajor)
	case want == 0:
		return binaries{}, fmt.Errorf("%w: PostgreSQL %s is too old, install %d or newer, or set DATABASE_URL",
			ErrNoBinaries, strings.Join(majors, ", "), oldestMajor)
	case len(found) == 0:
		majors = []string{"none"}
	}
	return binaries{}, fmt.Errorf("%w for these data: they were made by PostgreSQL %d, installed is %s; install PostgreSQL %d (Debian: apt install postgresql-%d; macOS: brew install postgresql@%d)",
		ErrNoBinaries, want, strings.Join(majors, ", "), want, want, want)
}

// probe returns the directories that contain both programs, if the account may run them. Relative
// directories are skipped: what runs must not depend on the caller's working directory.
func probe(dirs []string, as *account) []binaries {
	var found []binaries
	for _, dir := range dirs {
		b := binaries{dir: dir}
		if !filepath.IsAbs(dir) || !executable(b.path("initdb")) || !executable(b.path("postgres")) {
			continue
		}
		if b.major = majorOf(b.path("postgres"), as); b.major > 0 {
			found = append(found, b)
		}
	}
	return found
}

func executable(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0
}

var versionWords = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// majorOf asks the program for its version, as the account that will run it; 0 means that it can't be used.
func majorOf(program string, as *account) int {
	out, err := as.version("/", program).Output()
	m := versionWords.FindSubmatch(out)
	if err != nil || m == nil {
		return 0
	}
	major, _ := strconv.Atoi(string(m[1]))
	return major
}
