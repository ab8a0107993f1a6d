package embedded

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// maxSocketPath is the longest path of a unix socket, in bytes.
const maxSocketPath = 107

// tied makes a child that shuts down cleanly when this process dies, even by kill -9. Ctrl-C in the
// terminal doesn't reach it, because this process decides when the server stops.
func tied(as *account) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT, Credential: as.credential()}
}

// holders lists the live server processes that work in dataDir. They are identified by their working
// directory, because a process number in a file may be stale or, in a container, belong to something
// else by now. unsure is true if some server process didn't reveal its directory.
func holders(dataDir string) (pids []int, unsure bool) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, true
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || !isServer(pid) {
			continue
		}
		cwd, err := os.Readlink("/proc/" + e.Name() + "/cwd")
		switch {
		case err == nil && cwd == dataDir:
			pids = append(pids, pid)
		case errors.Is(err, fs.ErrPermission):
			// The main process shows its arguments to everyone; its children replace theirs with a title.
			args, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
			if strings.Contains(string(args)+"\x00", "\x00"+dataDir+"\x00") {
				pids = append(pids, pid)
			} else if strings.HasPrefix(string(args), "postgres:") {
				unsure = true
			}
		}
	}
	return pids, unsure
}

func isServer(pid int) bool {
	comm, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	name := strings.TrimSpace(string(comm))
	return err == nil && (name == "postgres" || name == "postmaster")
}

// free is the free space on the disk with dir, in bytes.
func free(dir string) (uint64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return st.Bavail * uint64(st.Bsize), nil
}
