//go:build bench

package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of the kernel's process times.
const tick = 10 * time.Millisecond

// cpuOf is the CPU time of a process and its children so far, including those that have ended.
func cpuOf(parent int) time.Duration {
	all, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	var ticks int64
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		var pid int
		_, _ = fmt.Sscan(string(text), &pid)
		// The name may contain anything; what follows it is numbers.
		rest := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(rest) < 15 {
			continue
		}
		number := func(field int) int64 { // as the manual counts, from 1
			n, _ := strconv.ParseInt(rest[field-3], 10, 64)
			return n
		}
		switch {
		case pid == parent:
			ticks += number(14) + number(15) + number(16) + number(17)
		case int(number(4)) == parent:
			ticks += number(14) + number(15)
		}
	}
	return time.Duration(ticks) * tick
}

// machineTicks is the CPU time used so far by all processors, and the total.
func machineTicks() (busy, all int64) {
	text, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(line)[1:9] { // user, nice, system, idle, iowait, irq, softirq, steal
		n, _ := strconv.ParseInt(field, 10, 64)
		all += n
		if i != 3 && i != 4 {
			busy += n
		}
	}
	return busy, all
}

// watch measures from now on what share of the machine others use: if it is large, figures of
// several processes can't be compared with those of one.
func watch(own ...int) (others func() float64) {
	ours := func() (sum time.Duration) {
		for _, pid := range own {
			sum += cpuOf(pid)
		}
		return sum
	}
	own0 := ours()
	busy0, all0 := machineTicks()
	return func() float64 {
		busy, all := machineTicks()
		return max(0, float64(busy-busy0-int64((ours()-own0)/tick))/float64(max(all-all0, 1)))
	}
}
