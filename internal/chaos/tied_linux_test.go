//go:build chaos

package chaos

import "syscall"

// tied makes a child die with this process.
func tied() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
