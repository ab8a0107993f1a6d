package embedded

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// socketPort is only part of the socket's name: every cluster has its own directory.
const socketPort = 5432

// address is where a server listens: the directory of its socket.
type address string

func (a address) url(database string) string {
	// In a database URL's host a plus is a plus, as in the rest of a path.
	host := strings.ReplaceAll(url.QueryEscape(string(a)), "+", "%20")
	u := url.URL{Scheme: "postgres", User: url.User(roleName), Path: "/" + database, RawQuery: "host=" + host + "&port=" + strconv.Itoa(socketPort)}
	return u.String()
}

func (a address) connect(ctx context.Context, database string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return pgx.Connect(ctx, a.url(database))
}

func (a address) ping(ctx context.Context, database string) error {
	conn, err := a.connect(ctx, database)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// chooseAddress prefers a directory next to the data. If that path is too long or can't hold sockets,
// it uses a short one among temporary files.
func (c *cluster) chooseAddress(bin binaries) (address, error) {
	sum := sha256.Sum256([]byte(c.data))
	short := fmt.Sprintf("storeglass-%d-%s", c.uid(), hex.EncodeToString(sum[:6]))
	var err error
	for _, dir := range []string{
		filepath.Join(c.root, "run"),
		filepath.Join(os.TempDir(), short),
		filepath.Join("/tmp", short),
	} {
		if err = c.prepareSocketDir(dir, bin); err == nil {
			return address(dir), nil
		}
		c.log.Debug("no socket there", "dir", dir, "err", err)
	}
	return "", fmt.Errorf("find a folder for PostgreSQL's socket: %w", err)
}

func (c *cluster) uid() int {
	if c.as != nil {
		return c.as.uid
	}
	return os.Geteuid()
}

// prepareSocketDir creates dir, private to the server's user, and checks that a socket can be created
// in it. A directory that someone else created first is refused, since its owner could put another
// server's socket there.
func (c *cluster) prepareSocketDir(dir string, bin binaries) error {
	socket := filepath.Join(dir, ".s.PGSQL."+strconv.Itoa(socketPort))
	if len(socket) > maxSocketPath || strings.Contains(dir, ",") {
		return fmt.Errorf("path of socket is too long, or has a comma: %s", socket)
	}
	switch err := os.Mkdir(dir, 0o700); {
	case err == nil:
		if err := c.as.give(dir); err != nil {
			return err
		}
	case !os.IsExist(err):
		return err
	}
	fi, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	uid, _, _ := ownerOf(dir)
	if !fi.IsDir() || fi.Mode().Perm()&0o077 != 0 || uid != c.uid() && uid != os.Geteuid() {
		return fmt.Errorf("%s is not a private directory of the server's user", dir)
	}
	if err := c.as.give(dir); err != nil {
		return err
	}
	if err := c.as.mayEnter(dir, bin.path("postgres")); err != nil {
		return err
	}
	probe := filepath.Join(dir, ".s.PGSQL.test")
	_ = os.Remove(probe)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: probe, Net: "unix"})
	if err != nil {
		return err
	}
	return l.Close() // also removes the socket
}
