//go:build bench && !linux

package bench

import "time"

// cpuOf is only known on Linux: elsewhere it shows as 0.
func cpuOf(int) time.Duration { return 0 }

// watch is only known on Linux: elsewhere it reports that nobody else uses the machine.
func watch(...int) func() float64 { return func() float64 { return 0 } }
