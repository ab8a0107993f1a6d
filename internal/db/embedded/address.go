package embedded

import (
	"context"
	"crypto/rand"
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

// socketPort is only a part of the socket's name: every cluster has a folder of its own.
const socketPort = 5432

// address is where a server listens: in socketDir, or, if that is empty, on a loopback port with a password.
type address struct {
	socketDir string
	port      int
	password  string
}

func (a address) url(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(roleName), Path: "/" + database}
	if a.socketDir != "" {
		// In a database address a plus is a plus, as in the rest of a path.
		host := strings.ReplaceAll(url.QueryEscape(a.socketDir), "+", "%20")
		u.RawQuery = "host=" + host + "&port=" + strconv.Itoa(a.port)
		return u.String()
	}
	u.User = url.UserPassword(roleName, a.password)
	u.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(a.port))
	u.RawQuery = "sslmode=disable"
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

// chooseAddress prefers a folder beside the data; where that path is too long, a short one among temporary files; and where no
// socket can be made at all, a free loopback port.
func (c *cluster) chooseAddress(bin binaries) (address, error) {
	if !c.opts.noSockets {
		sum := sha256.Sum256([]byte(c.data))
		short := fmt.Sprintf("storeglass-%d-%s", c.uid(), hex.EncodeToString(sum[:6]))
		for _, dir := range []string{
			filepath.Join(c.root, "run"),
			filepath.Join(os.TempDir(), short),
			filepath.Join("/tmp", short),
		} {
			err := c.prepareSocketDir(dir, bin)
			if err == nil {
				return address{socketDir: dir, port: socketPort}, nil
			}
			c.log.Debug("no socket there", "dir", dir, "err", err)
		}
	}
	return c.loopback()
}

func (c *cluster) uid() int {
	if c.as != nil {
		return c.as.uid
	}
	return os.Geteuid()
}

// prepareSocketDir makes dir, private to the server's user, and proves that a socket can be made in it. A folder that someone else
// has made first is refused, since the owner of the folder could put another server's socket there.
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
	return l.Close() // removes the socket too
}

// loopback chooses a free port and a password that only this user, and root, can read.
func (c *cluster) loopback() (address, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return address{}, fmt.Errorf("find a way to listen for PostgreSQL: neither socket nor loopback port: %w", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		return address{}, err
	}
	password := rand.Text()
	if err := os.WriteFile(c.passwordPath(), []byte(password+"\n"), 0o600); err != nil {
		return address{}, fmt.Errorf("keep password of PostgreSQL: %w", err)
	}
	if uid, gid, ok := ownerOf(c.root); ok && os.Geteuid() == 0 {
		_ = os.Chown(c.passwordPath(), uid, gid)
	}
	return address{port: port, password: password}, nil
}
