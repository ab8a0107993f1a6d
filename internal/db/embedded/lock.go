package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// fileLock is held by the process that owns a data directory. The kernel releases it when the process
// dies, however it dies.
type fileLock struct{ f *os.File }

// tryLock returns nil without an error when another process, or another Server of this one, holds the lock.
func tryLock(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("write to the data directory: %w: choose another with DASHBOARD_DATA_DIR, or set DATABASE_URL", err)
	}
	// A file created by root must not lock out the directory's own user later.
	if os.Geteuid() == 0 {
		if uid, gid, ok := ownerOf(filepath.Dir(path)); ok {
			_ = f.Chown(uid, gid)
		}
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return &fileLock{f}, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, fmt.Errorf("lock %s: %w (is it on a network file system?)", path, err)
}

func (l *fileLock) release() { _ = l.f.Close() }
