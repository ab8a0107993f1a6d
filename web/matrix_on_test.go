//go:build !wallsoff

package web_test

// wallsOff: the program's own checks were taken away.
const wallsOff = false
