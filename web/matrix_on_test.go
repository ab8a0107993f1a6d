//go:build !wallsoff

package web

// wallsOff: the program's own checks were taken away.
const wallsOff = false
