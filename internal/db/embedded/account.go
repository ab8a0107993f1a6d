package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// account is the user that the server runs as; nil means this process's own. PostgreSQL refuses to run as root.
type account struct {
	name     string
	uid, gid int
}

// chooseAccount prefers the user who already owns the data, so that a directory works for both root and
// its user.
func chooseAccount(dataDir string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	if uid, gid, ok := ownerOf(dataDir); ok && uid != 0 {
		name := strconv.Itoa(uid)
		if u, err := user.LookupId(name); err == nil {
			name = u.Username
		}
		return &account{name, uid, gid}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		if err1 == nil && err2 == nil && uid != 0 {
			return &account{name, uid, gid}, nil
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
}

func (a *account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
}

// give makes the account the owner of path.
func (a *account) give(path string) error {
	if a == nil {
		return nil
	}
	return os.Lchown(path, a.uid, a.gid)
}

// giveAll makes the account the owner of everything below path, for example after root made a copy.
func (a *account) giveAll(path string) error {
	if a == nil {
		return nil
	}
	return filepath.WalkDir(path, func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return a.give(p)
	})
}

// mayEnter checks that the account can reach dir, by running a harmless program there, and names the
// first directory that blocks the way. Trying it, instead of reading permission bits, also works with
// access lists.
func (a *account) mayEnter(dir, program string) error {
	if a == nil || a.enter(dir, program) == nil {
		return nil
	}
	if err := a.enter("/", program); err != nil {
		return fmt.Errorf("run %s as user %s: %w", program, a.name, err)
	}
	at := "/"
	for part := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
		at = filepath.Join(at, part)
		if err := a.enter(at, program); err != nil {
			return fmt.Errorf("user %s, as whom PostgreSQL runs, may not enter %s: run chmod o+x on it, or choose another data directory", a.name, at)
		}
	}
	return nil
}

func (a *account) enter(dir, program string) error { return a.version(dir, program).Run() }

// version is a harmless run of one of the server's programs in dir, as the account.
func (a *account) version(dir, program string) *exec.Cmd {
	cmd := exec.Command(program, "--version")
	cmd.Dir, cmd.Env = dir, serverEnv()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential()}
	return cmd
}

func ownerOf(path string) (uid, gid int, ok bool) {
	fi, err := os.Lstat(path)
	if err != nil {
		return 0, 0, false
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(st.Uid), int(st.Gid), true
}

// serverEnv removes the caller's PG… variables and locale for the server's programs.
func serverEnv() []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	for _, name := range []string{"LD_LIBRARY_PATH", "TMPDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}
