package embedded

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// pidFile is what a server writes into postmaster.pid, one value a line. Status is "starting", "ready", "stopping" or "standby".
type pidFile struct {
	pid    int
	addr   address
	status string
}

func readPIDFile(dataDir string) (pidFile, bool) {
	b, err := os.ReadFile(filepath.Join(dataDir, "postmaster.pid"))
	if err != nil {
		return pidFile{}, false
	}
	lines := strings.Split(string(b), "\n")
	line := func(n int) string {
		if n > len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n-1])
	}
	var p pidFile
	if p.pid, err = strconv.Atoi(line(1)); err != nil {
		return pidFile{}, false
	}
	p.addr, p.status = address(line(5)), line(8)
	return p, true
}
