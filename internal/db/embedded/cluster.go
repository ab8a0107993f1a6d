package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// cluster is one data directory, whether its server runs or not.
type cluster struct {
	root string // the caller's DataDir: absolute, without symbolic links
	data string // the server's own directory below it
	as   *account
	opts Options
	log  *slog.Logger
	made bool // by this process
}

// dataOf is the server's own directory below a data directory.
func dataOf(dataDir string) string { return filepath.Join(dataDir, "postgres") }

func (c *cluster) lockPath() string { return filepath.Join(c.root, "postgres.lock") }

func newCluster(o Options) (*cluster, error) {
	if o.DataDir == "" {
		return nil, errors.New("start PostgreSQL: no data directory given")
	}
	root, err := filepath.Abs(o.DataDir)
	if err != nil {
		return nil, fmt.Errorf("find data directory: %w", err)
	}
	perm := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		perm = 0o711 // the server's user must be able to pass through, but not list it
	}
	if err := os.MkdirAll(root, perm); err != nil {
		return nil, fmt.Errorf("make data directory: %w: choose another with DASHBOARD_DATA_DIR, or set DATABASE_URL", err)
	}
	// Servers report their directory without symbolic links; comparisons need the same form.
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("find data directory: %w", err)
	}
	c := &cluster{root: root, data: dataOf(root), opts: o, log: o.Log}
	if c.as, err = chooseAccount(c.data); err != nil {
		return nil, err
	}
	if uid, _, ok := ownerOf(c.data); ok && os.Geteuid() != 0 && uid != os.Geteuid() {
		return nil, fmt.Errorf("data directory %s belongs to user id %d: run as that user or as root, or choose another data directory", c.data, uid)
	}
	return c, nil
}

// madeBy is the major version that created the data, 0 if there is none yet. If the directory contains
// something else, that's an error, since we must not change it.
func (c *cluster) madeBy() (int, error) {
	entries, err := os.ReadDir(c.data)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read data directory: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(c.data, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s is not a PostgreSQL data directory (it has files but no PG_VERSION): move it away or choose another data directory; nothing was changed", c.data)
	}
	if err != nil {
		return 0, fmt.Errorf("read data directory: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || major <= 0 {
		return 0, fmt.Errorf("%s is damaged (PG_VERSION says %q): restore a backup, or move it away to start again; nothing was changed", c.data, strings.TrimSpace(string(text)))
	}
	return major, nil
}

// Empty reports whether dataDir holds no database yet, so that Start would make one.
func Empty(dataDir string) bool {
	c := cluster{data: dataOf(dataDir)}
	major, err := c.madeBy()
	return err == nil && major == 0
}

// accepting returns where the directory's server listens, if it's ready and answers.
func (c *cluster) accepting(ctx context.Context) (address, int, bool) {
	p, ok := readPIDFile(c.data)
	if !ok || p.status != "ready" {
		return "", 0, false
	}
	if err := p.addr.ping(ctx, databaseName); err != nil {
		return "", 0, false
	}
	return p.addr, p.pid, true
}
