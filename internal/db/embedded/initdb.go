package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// accessRules trust everyone who can reach the socket: only the server's user and root.
const accessRules = "local all all trust\n"

// initialize creates a cluster next to its final place and moves it there once complete, so that a
// crash leaves no half-made cluster under the real name. Leftovers of such crashes, which were never
// used, are removed.
func (c *cluster) initialize(ctx context.Context, bin binaries) error {
	leftovers, _ := filepath.Glob(filepath.Join(c.root, "postgres.init-*"))
	for _, dir := range leftovers {
		if err := os.RemoveAll(dir); err != nil {
			c.log.Warn("an unfinished cluster could not be cleared away", "dir", dir, "err", err)
		}
	}
	dir, err := os.MkdirTemp(c.root, "postgres.init-")
	if err != nil {
		return fmt.Errorf("make data directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // finds nothing after the move
	if err := c.as.give(dir); err != nil {
		return fmt.Errorf("hand data directory to user %s: %w", c.as.name, err)
	}
	if err := c.initdb(ctx, bin, dir); err != nil {
		return fmt.Errorf("make a PostgreSQL cluster in %s: %w", c.root, err)
	}
	rules := filepath.Join(dir, "pg_hba.conf")
	if err := os.WriteFile(rules, []byte(accessRules), 0o600); err != nil {
		return fmt.Errorf("write access rules: %w", err)
	}
	// The operator may have created an empty directory in its place; this removes nothing that contains files.
	if err := os.Remove(c.data); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("move new cluster into place: %w", err)
	}
	if err := os.Rename(dir, c.data); err != nil {
		return fmt.Errorf("move new cluster into place: %w", err)
	}
	if c.opts.NoSync {
		return nil
	}
	return syncDir(c.root)
}

// initdb tries locales in decreasing order of portability. All use UTF-8 and sort by code point; only
// the last one doesn't know letters beyond ASCII.
func (c *cluster) initdb(ctx context.Context, bin binaries, dir string) error {
	var err error
	for _, locale := range [][]string{{"--locale=C.UTF-8"}, {"--locale=C", "--lc-ctype=UTF-8"}, {"--locale=C"}} {
		args := append([]string{
			"--pgdata=" + dir, "--username=" + roleName, "--auth=trust", "--encoding=UTF8", "--no-instructions",
		}, locale...)
		if c.opts.NoSync {
			args = append(args, "--no-sync")
		}
		var out string
		if out, err = c.runOnce(ctx, bin.path("initdb"), args); err == nil {
			return nil
		}
		if !strings.Contains(out, "locale") {
			return err
		}
	}
	return err
}

// runOnce runs a program to its end, as the server's user.
func (c *cluster) runOnce(ctx context.Context, program string, args []string) (output string, err error) {
	p, err := c.run(program, args)
	if err != nil {
		return "", fmt.Errorf("run %s: %w", filepath.Base(program), err)
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		_ = p.shutdown(ctx)
		return "", ctx.Err()
	}
	if p.err != nil {
		return p.tail.all(), fmt.Errorf("%s: %s (%w)", filepath.Base(program), p.tail.last(), p.err)
	}
	return p.tail.all(), nil
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
