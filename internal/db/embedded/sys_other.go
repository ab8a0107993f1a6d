//go:build unix && !linux

package embedded

import (
	"math"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// maxSocketPath is the longest path of a unix socket, in bytes.
const maxSocketPath = 103

// tied makes a child that Ctrl-C in the terminal doesn't reach. Nothing here ties its life to this
// process: after a kill -9 the server keeps running until the next start stops it.
func tied(as *account) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: as.credential()}
}

// holders lists the live main server processes for dataDir, identified by their arguments.
func holders(dataDir string) (pids []int, unsure bool) {
	out, err := exec.Command("ps", "-axww", "-o", "pid=,command=").Output()
	if err != nil {
		return nil, true
	}
	for line := range strings.Lines(string(out)) {
		number, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		pid, err := strconv.Atoi(number)
		if err == nil && strings.Contains(command, "postgres") && strings.Contains(command+" ", " -D "+dataDir+" ") {
			pids = append(pids, pid)
		}
	}
	return pids, false
}

// free isn't known here, so it's unlimited.
func free(string) (uint64, error) { return math.MaxUint64, nil }
