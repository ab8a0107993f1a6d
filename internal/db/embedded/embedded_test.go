package embedded

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestDataOutliveARestart(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, dir)
	remember(t, s.URL(), "first")
	url := s.URL()
	stop(t, s)
	if _, err := remembered(url); err == nil {
		t.Error("the server still answers after Stop")
	}
	s = start(t, dir)
	if s.URL() != url {
		t.Errorf("address changed from %s to %s", url, s.URL())
	}
	if s.Attached() || s.PID() == 0 {
		t.Errorf("attached %v, pid %d; want an own server", s.Attached(), s.PID())
	}
	wantRemembered(t, s.URL(), "first")
}

func TestSessionsRunInUTF8AndUTC(t *testing.T) {
	t.Parallel()
	s := start(t, dataDir(t))
	for setting, want := range map[string]string{"server_encoding": "UTF8", "timezone": "UTC", "listen_addresses": "", "jit": "off"} {
		conn, err := sessionOf(s.URL())
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := conn.QueryRow(t.Context(), "select current_setting($1)", setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", setting, got, err, want)
		}
		_ = conn.Close(context.Background())
	}
}

func TestASecondProcessAttaches(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, dir)
	h := startHelper(t, dir)
	if !h.Attached || h.PID != s.PID() || h.URL != s.URL() {
		t.Errorf("second process got %+v, want attached to %d at %s", h.helperReport, s.PID(), s.URL())
	}
	h.stop(t)
	remember(t, s.URL(), "still here")
}

func TestAnAttachedProcessTakesOverWhenTheOwnerLeaves(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*helper){
		"in good order": func(h *helper) { h.stop(t) },
		"by kill -9":    func(h *helper) { h.kill() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := dataDir(t)
			owner := startHelper(t, dir)
			s := start(t, dir)
			if !s.Attached() {
				t.Fatal("not attached")
			}
			remember(t, s.URL(), "kept")
			leave(owner)
			eventually(t, "this process owns the server", func() bool { return !s.Attached() })
			if s.PID() == owner.PID {
				t.Error("the former owner's server is still there")
			}
			wantRemembered(t, s.URL(), "kept")
		})
	}
}

func TestTwoSimultaneousStartsShareOneServer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	type result struct {
		s   *Server
		err error
	}
	results := make(chan result)
	const n = 4
	for range n {
		go func() {
			s, err := Start(context.Background(), Options{DataDir: dir, NoSync: true})
			results <- result{s, err}
		}()
	}
	owners, pids := 0, map[int]bool{}
	var all []*Server
	for range n {
		r := <-results
		if r.err != nil {
			t.Error(r.err)
			continue
		}
		all = append(all, r.s)
		pids[r.s.PID()] = true
		if !r.s.Attached() {
			owners++
		}
	}
	if owners != 1 || len(pids) != 1 {
		t.Errorf("%d owners and servers %v, want one of each", owners, pids)
	}
	for _, s := range all { // the attached ones first, so that they don't take over
		if s.Attached() {
			stop(t, s)
		}
	}
	for _, s := range all {
		stop(t, s)
	}
}

func TestKilledAppTakesItsServerAlong(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	h := startHelper(t, dir)
	remember(t, h.URL, "before the kill")
	h.kill()
	s := start(t, dir)
	if s.Attached() || s.PID() == h.PID {
		t.Error("the next start uses the server of the killed process")
	}
	wantRemembered(t, s.URL(), "before the kill")
}

func TestKilledServerIsStartedAgain(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, dir)
	remember(t, s.URL(), "before the kill")
	pid := s.PID()
	killServer(t, pid)
	eventually(t, "another server runs", func() bool { p := s.PID(); return p != 0 && p != pid })
	wantRemembered(t, s.URL(), "before the kill")
}

func TestBothKilledThenStartedAgain(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	h := startHelper(t, dir)
	remember(t, h.URL, "before the kill")
	// An open session outlives its server for a moment, and must not block the next one.
	conn, err := sessionOf(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	_ = h.cmd.Process.Signal(syscall.SIGSTOP) // so that the app can't restart it
	killServer(t, h.PID)
	h.kill()
	s := start(t, dir)
	wantRemembered(t, s.URL(), "before the kill")
}

func TestAServerThatKeepsDyingIsGivenUp(t *testing.T) {
	t.Parallel()
	s := start(t, dataDir(t))
	last := 0
	for range restartLimit + 1 {
		eventually(t, "the server runs again", func() bool { p := s.PID(); return p != 0 && p != last })
		last = s.PID()
		killServer(t, last)
	}
	<-s.Done()
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "ended 6 times within a minute") {
		t.Errorf("error is %v", err)
	}
	s.stopOnce.Do(func() { close(s.stop) }) // its error is expected here
	s.set(0, nil)
	s = start(t, s.c.root)
	remember(t, s.URL(), "works again")
}

func TestStaleFilesOfAFormerServerDoNotBlockTheNext(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := start(t, dir)
	remember(t, s.URL(), "kept")
	pidPath := filepath.Join(dir, "postgres", "postmaster.pid")
	socketLock := filepath.Join(string(s.addr), ".s.PGSQL.5432.lock")
	stale, err := os.ReadFile(pidPath)
	if err != nil {
		t.Fatal(err)
	}
	as := s.c.as
	stop(t, s)

	// Its number may now belong to a live process of the same user.
	other := exec.Command("sleep", "600")
	other.Dir = "/"
	other.SysProcAttr = &syscall.SysProcAttr{Credential: as.credential()}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Process.Kill(); _ = other.Wait() })
	_, rest, _ := strings.Cut(string(stale), "\n")
	for _, content := range []string{strconv.Itoa(other.Process.Pid) + "\n" + rest, string(stale), "", "12"} {
		for _, path := range []string{pidPath, socketLock} {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := as.give(path); err != nil {
				t.Fatal(err)
			}
		}
		s = start(t, dir)
		wantRemembered(t, s.URL(), "kept")
		stop(t, s)
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the innocent process is gone: %v", err)
	}
}

func TestUnfinishedInitialisationIsBegunAnew(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	half := filepath.Join(dir, "postgres.init-half")
	if err := os.Mkdir(half, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(half, "PG_VERSION"), []byte("15\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir)
	remember(t, s.URL(), "works")
	if _, err := os.Stat(half); !os.IsNotExist(err) {
		t.Errorf("the leftover is still there: %v", err)
	}
}

func TestAnAppKilledAtAnyMomentOfItsFirstStartLeavesAUsableDirectory(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	for _, until := range []string{"postgres.lock", "postgres.init-*/PG_VERSION", "postgres.init-*/base/1", "postgres/PG_VERSION", "postgres/postmaster.pid"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), helperEnv+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, until, func() bool {
			found, _ := filepath.Glob(filepath.Join(dir, until))
			return len(found) > 0
		})
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	s := start(t, dir)
	remember(t, s.URL(), "works")
}

func TestLongPathsGetASocketElsewhere(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	long := filepath.Join(dir, strings.Repeat("long", 30))
	s := start(t, long)
	t.Cleanup(func() { _ = os.RemoveAll(string(s.addr)) })
	remember(t, s.URL(), "works")
	if strings.HasPrefix(string(s.addr), dir) || string(s.addr) == "" {
		t.Errorf("socket is in %q", string(s.addr))
	}
	if h := startHelper(t, long); !h.Attached || h.URL != s.URL() {
		t.Errorf("second process got %+v, want attached to %s", h.helperReport, s.URL())
	} else {
		h.stop(t)
	}
}

func TestOddPathsWork(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "a,b", `a"b'`, "ü%20?#&"} {
		s := start(t, filepath.Join(dataDir(t), name))
		remember(t, s.URL(), "works")
		if !strings.HasPrefix(string(s.addr), "/tmp/sg-") {
			_ = os.RemoveAll(string(s.addr))
		}
		stop(t, s)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	put := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.MkdirAll(filepath.Join(dir, "postgres"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "postgres", name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := func(t *testing.T, dir string) {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		prepare func(*testing.T, string)
		bins    []string
		want    string
		is      error
	}{
		"no directory":         {prepare: file, want: "choose another with DASHBOARD_DATA_DIR, or set DATABASE_URL"},
		"no programs":          {bins: []string{"/nowhere"}, want: "install PostgreSQL 15 or newer", is: ErrNoBinaries},
		"no such programs":     {prepare: put("PG_VERSION", "9\n"), want: "made by PostgreSQL 9, installed is", is: ErrNoBinaries},
		"not a data directory": {prepare: put("diary.txt", "dear"), want: "has files but no PG_VERSION"},
		"damaged version":      {prepare: put("PG_VERSION", "\x00\x00"), want: "is damaged"},
		"damaged data":         {prepare: put("PG_VERSION", "15\n"), want: "the data were left as they are"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := dataDir(t)
			if c.prepare != nil {
				c.prepare(t, dir)
			}
			_, err := Start(t.Context(), Options{DataDir: dir, BinDirs: c.bins})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error is %v\nwant one line with %q", err, c.want)
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error is not %v", c.is)
			}
			t.Log(err)
		})
	}
}

func TestAnEmptyDirectoryDecidesAsWhomTheServerRuns(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root runs the server as another user")
	}
	dir := dataDir(t)
	const uid = 65534
	if err := os.Mkdir(filepath.Join(dir, "postgres"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(dir, "postgres"), uid, uid); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir)
	remember(t, s.URL(), "works")
	if got, _, _ := ownerOf(filepath.Join(dir, "postgres", "PG_VERSION")); got != uid {
		t.Errorf("the data belong to user id %d, want %d", got, uid)
	}
}

func TestADirectoryThatBarsTheServersUserIsNamed(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root runs the server as another user")
	}
	shut := filepath.Join(dataDir(t), "shut")
	if err := os.Mkdir(shut, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Options{DataDir: filepath.Join(shut, "below")})
	if err == nil || !strings.Contains(err.Error(), "may not enter "+shut+":") {
		t.Errorf("error is %v", err)
	}
}
