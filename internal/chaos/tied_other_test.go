//go:build chaos && !linux

package chaos

import "syscall"

func tied() *syscall.SysProcAttr { return nil }
