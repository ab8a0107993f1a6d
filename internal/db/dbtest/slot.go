package dbtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/storeglass/storeglass/internal/db/embedded"
)

const slots = 64

// startSlot starts the server of the first directory that no other test process uses. Its lock lasts as
// long as this process, so a crash releases it; the server also ends with the process.
func startSlot(ctx context.Context) (url string, err error) {
	root, err := slotRoot()
	if err != nil {
		return "", err
	}
	for n := range slots {
		dir := filepath.Join(root, strconv.Itoa(n))
		free, err := claim(dir + ".lock")
		if err != nil {
			return "", err
		}
		if !free {
			continue
		}
		if err := forgetFormerBoot(dir); err != nil {
			return "", err
		}
		o := embedded.Options{DataDir: dir, NoSync: true, Settings: map[string]string{
			"max_connections": "300", "shared_buffers": "64MB", "min_wal_size": "32MB", "max_wal_size": "128MB",
		}}
		s, err := embedded.Start(ctx, o)
		if err != nil && !errors.Is(err, embedded.ErrNoBinaries) {
			// Files written without syncing may be damaged, or belong to a PostgreSQL that is no longer
			// installed. They can be thrown away.
			if rmErr := os.RemoveAll(filepath.Join(dir, "postgres")); rmErr != nil {
				return "", errors.Join(err, rmErr)
			}
			s, err = embedded.Start(ctx, o)
		}
		if err != nil {
			return "", err
		}
		return s.URL(), nil
	}
	return "", fmt.Errorf("all %d test servers in %s are in use", slots, root)
}

// slotRoot is a directory private to this user, except that root lets the server's user pass through.
// It is in memory if there is enough, since creating and dropping databases is mostly file work; TMPDIR
// overrides this.
func slotRoot() (string, error) {
	place := os.TempDir()
	if memory := roomyMemory(); memory != "" && os.Getenv("TMPDIR") == "" {
		place = memory
	}
	root := filepath.Join(place, "storeglass-test-"+strconv.Itoa(os.Geteuid()))
	perm := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		perm = 0o711
	}
	if err := os.Mkdir(root, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("make directory of test servers: %w", err)
	}
	fi, err := os.Lstat(root)
	if err != nil {
		return "", fmt.Errorf("make directory of test servers: %w", err)
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); !ok || !fi.IsDir() || int(st.Uid) != os.Geteuid() {
		return "", fmt.Errorf("directory of test servers: %s belongs to someone else", root)
	}
	return root, nil
}

// held keeps the claimed file open; the kernel closes it with the process.
//
//nolint:unused // read by nobody on purpose: only the reference counts
var held *os.File

func claim(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return false, fmt.Errorf("claim test server: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return false, nil
		}
		return false, fmt.Errorf("claim test server: %w", err)
	}
	held = f
	return true, nil
}

// forgetFormerBoot removes the files of a slot last used before the machine booted: they may not have
// reached the disk. If the system doesn't identify boots, they stay.
func forgetFormerBoot(dir string) error {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return nil
	}
	note := dir + ".boot"
	if last, err := os.ReadFile(note); err == nil && strings.TrimSpace(string(last)) == strings.TrimSpace(string(id)) {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("clear test server of a former boot: %w", err)
	}
	return os.WriteFile(note, id, 0o600)
}
