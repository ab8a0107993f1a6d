package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	orphanPatience = 2 * time.Second  // orphaned sessions notice on their own that their server is gone
	leaverPatience = 30 * time.Second // a server that writes out its data
)

// start starts the server. The caller holds the lock. at is the address to reuse, or empty for a new one.
func (c *cluster) start(ctx context.Context, at address) (*process, error) {
	major, err := c.madeBy()
	if err != nil {
		return nil, err
	}
	bin, err := findBinaries(c.opts.BinDirs, c.as, major)
	if err != nil {
		if major > 0 {
			return nil, fmt.Errorf("start PostgreSQL in %s: %w", c.data, err)
		}
		return nil, err
	}
	if err := c.as.mayEnter(c.root, bin.path("postgres")); err != nil {
		return nil, err
	}
	if major == 0 {
		if err := c.initialize(ctx, bin); err != nil {
			return nil, err
		}
		c.made = true
	} else if uid, _, ok := ownerOf(c.data); ok && uid == 0 {
		if err := c.as.giveAll(c.data); err != nil {
			return nil, fmt.Errorf("hand data directory to user %s: %w", c.as.name, err)
		}
	}
	unsure, err := c.awaitLeavers(ctx)
	if err != nil {
		return nil, err
	}
	if at != "" {
		err = c.prepareSocketDir(string(at), bin)
	} else {
		at, err = c.chooseAddress(bin)
	}
	if err != nil {
		return nil, err
	}
	if !unsure {
		if err := c.disownStale(at); err != nil {
			return nil, err
		}
	}
	proc, err := c.launch(ctx, bin, at)
	if err != nil {
		return nil, err
	}
	if err := ensureDatabase(ctx, at); err != nil {
		_ = proc.shutdown(ctx)
		return nil, err
	}
	return proc, nil
}

// awaitLeavers waits until no process works in the data directory anymore: a server whose owner was
// killed, or the sessions of a server that was itself killed. No live process owns either, since the
// caller holds the lock.
func (c *cluster) awaitLeavers(ctx context.Context) (unsure bool, err error) {
	began := time.Now()
	asked := map[int]syscall.Signal{}
	ask := func(pid int, sig syscall.Signal) {
		if asked[pid] != sig {
			asked[pid] = sig
			_ = syscall.Kill(pid, sig)
		}
	}
	for {
		pids, unsure := holders(c.data)
		if len(pids) == 0 {
			return unsure, nil
		}
		p, _ := readPIDFile(c.data)
		waited := time.Since(began)
		switch {
		case slices.Contains(pids, p.pid) && waited < leaverPatience:
			ask(p.pid, syscall.SIGINT)
		case slices.Contains(pids, p.pid):
			ask(p.pid, syscall.SIGQUIT)
		case waited > orphanPatience:
			for _, pid := range pids {
				ask(pid, syscall.SIGQUIT)
			}
		}
		if err := pause(ctx, pollEvery); err != nil {
			return false, fmt.Errorf("wait for the former server in %s (process %v) to end: %w", c.data, pids, err)
		}
	}
}

// disownStale handles the two files that contain a former server's process id: after a crash, that number
// may belong to another process, which the new server would mistake for its rival. A server ignores its
// parent's number, but still checks the shared memory that the file also names to make sure nobody is
// working on the data. So the number is replaced with this process's; only a truncated file is removed.
func (c *cluster) disownStale(at address) error {
	for _, f := range []string{
		filepath.Join(c.data, "postmaster.pid"),
		filepath.Join(string(at), ".s.PGSQL."+strconv.Itoa(socketPort)+".lock"),
	} {
		text, err := os.ReadFile(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read what a former server left behind: %w", err)
		}
		number, rest, complete := strings.Cut(string(text), "\n")
		_, garbled := strconv.Atoi(number)
		if garbled != nil || !complete {
			err = os.Remove(f)
		} else {
			err = os.WriteFile(f, []byte(strconv.Itoa(os.Getpid())+"\n"+rest), 0o600)
		}
		if err != nil {
			return fmt.Errorf("clear what a former server left behind: %w", err)
		}
		c.log.Debug("a killed server left a file behind", "file", f)
	}
	return nil
}

// launch starts the server and returns when it accepts connections.
func (c *cluster) launch(ctx context.Context, bin binaries, at address) (*process, error) {
	proc, err := c.run(bin.path("postgres"), c.serverArgs(at))
	if err != nil {
		return nil, fmt.Errorf("start PostgreSQL in %s: %w", c.data, err)
	}
	proc.addr = at
	for {
		if p, ok := readPIDFile(c.data); ok && p.pid == proc.pid && p.status == "ready" {
			return proc, nil
		}
		select {
		case <-proc.exited:
			return nil, fmt.Errorf("start PostgreSQL in %s: %s; the data were left as they are: fix the cause, restore a backup, or move the directory away to start again",
				c.data, proc.tail.last())
		case <-ctx.Done():
			_ = proc.shutdown(ctx)
			return nil, fmt.Errorf("wait for PostgreSQL in %s to accept connections (it last said %q): %w", c.data, proc.tail.last(), ctx.Err())
		case <-time.After(pollEvery):
		}
	}
}

// serverArgs are settings for a small private server. They are passed at each start, so that a newer
// program brings newer ones.
func (c *cluster) serverArgs(at address) []string {
	settings := map[string]string{
		"shared_buffers":       "128MB",
		"effective_cache_size": "512MB",
		"work_mem":             "8MB",
		"maintenance_work_mem": "64MB",
		"max_connections":      "100",
		"random_page_cost":     "1.1",
		"jit":                  "off", // compiling costs more than it saves for our short statements
		"timezone":             "UTC",
		"log_timezone":         "UTC",
	}
	if c.opts.NoSync {
		// Commits still reach the operating system, so they survive a kill of the server.
		settings["fsync"], settings["full_page_writes"] = "off", "off"
	}
	maps.Copy(settings, c.opts.Settings)
	must := map[string]string{
		"listen_addresses":        "",
		"port":                    strconv.Itoa(socketPort),
		"unix_socket_directories": `"` + strings.ReplaceAll(string(at), `"`, `""`) + `"`,
		"unix_socket_permissions": "0700",
		"logging_collector":       "off",
		"log_destination":         "stderr",
		"log_line_prefix":         "",
	}
	maps.Copy(settings, must)
	args := []string{"-D", c.data}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args
}

// ensureDatabase creates our database on the first start, or after a start that was interrupted between
// creating the cluster and the database.
func ensureDatabase(ctx context.Context, at address) error {
	err := at.ping(ctx, databaseName)
	if pg, ok := errors.AsType[*pgconn.PgError](err); !ok || pg.Code != "3D000" {
		if err != nil {
			return fmt.Errorf("connect to the new PostgreSQL server: %w", err)
		}
		return nil
	}
	conn, err := at.connect(ctx, "postgres")
	if err != nil {
		return fmt.Errorf("connect to the new PostgreSQL server: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "create database "+databaseName); err != nil {
		return fmt.Errorf("make database %s: %w", databaseName, err)
	}
	return nil
}
