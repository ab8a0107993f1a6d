// Package pdf prints HTML as PDF with a Chromium installed on this machine. The printed document can't
// access anything: no network, no scripts, no other files.
package pdf

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// names are the names that Chromium is installed under. The headless shell comes first: it's the same
// browser without a window, and prints with a third of the CPU time and half the memory.
var names = []string{"chromium-headless-shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"}

// ErrNone: no Chromium is installed.
var ErrNone = errors.New("no Chromium is installed")

// patience is how long printing one document may take.
const patience = 30 * time.Second

// Printer prints one document at a time, since each needs its own browser.
type Printer struct {
	path string
	turn chan struct{}
	// patience is how long printing one document may take.
	patience time.Duration
}

// Find finds Chromium at that path or, if it's empty, by its usual names.
func Find(path string) (*Printer, error) {
	tried := names
	if path != "" {
		tried = []string{path}
	}
	for _, name := range tried {
		if found, err := exec.LookPath(name); err == nil {
			return &Printer{path: found, turn: make(chan struct{}, 1), patience: patience}, nil
		}
	}
	if path != "" {
		return nil, fmt.Errorf("%s is no program that can be run", path)
	}
	return nil, ErrNone
}

// Path is the path of the Chromium program.
func (p *Printer) Path() string { return p.path }

// policy limits a document to its own contents.
const policy = `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:">`

// Print prints a document with embedded pictures, on the pages that its style sheet defines.
func (p *Printer) Print(ctx context.Context, html string) ([]byte, error) {
	if !strings.Contains(html, "<head>") {
		return nil, errors.New("print: the document has no head")
	}
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("print: wait for a turn: %w", ctx.Err())
	}
	dir, err := os.MkdirTemp("", "pdf-")
	if err != nil {
		return nil, fmt.Errorf("print: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	document, pdf := filepath.Join(dir, "document.html"), filepath.Join(dir, "document.pdf")
	if err := os.WriteFile(document, []byte(strings.Replace(html, "<head>", policy, 1)), 0o600); err != nil {
		return nil, fmt.Errorf("print: %w", err)
	}
	if err := p.run(ctx, dir, document, pdf); err != nil {
		return nil, err
	}
	printed, err := os.ReadFile(pdf)
	if err != nil || !bytes.HasPrefix(printed, []byte("%PDF-")) {
		return nil, fmt.Errorf("print: %s wrote no PDF", p.path)
	}
	return printed, nil
}

func (p *Printer) run(ctx context.Context, dir, document, pdf string) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	args := []string{
		"--headless", "--disable-gpu", "--disable-dev-shm-usage", "--disable-breakpad", "--disable-extensions", "--disable-sync",
		"--disable-background-networking", "--disable-component-update", "--no-first-run", "--no-default-browser-check",
		// Names don't resolve, and direct addresses go to a proxy that doesn't exist.
		"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:1", "--proxy-bypass-list=<-loopback>",
		"--user-data-dir=" + filepath.Join(dir, "profile"), "--no-pdf-header-footer", "--print-to-pdf=" + pdf,
	}
	if os.Geteuid() == 0 { // its sandbox doesn't work for root
		args = append(args, "--no-sandbox")
	}
	cmd := exec.CommandContext(ctx, p.path, append(args, (&url.URL{Scheme: "file", Path: document}).String())...)
	cmd.Dir = dir
	// Don't pass on our own environment, which contains secrets.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8"}
	var said tail
	cmd.Stderr = &said
	// Its children belong to its process group, so that they can be killed with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel, cmd.WaitDelay = end, time.Second
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	err := cmd.Wait()
	_ = end()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("print: %s did not end: %w", p.path, ctx.Err())
	case err != nil:
		return fmt.Errorf("print: %s: %w: %s", p.path, err, cmp.Or(said.words(), "it said nothing"))
	}
	return nil
}

// tail keeps the end of a program's output.
type tail struct{ last []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.last = append(t.last, b...)
	t.last = t.last[max(0, len(t.last)-500):]
	return len(b), nil
}

func (t *tail) words() string { return strings.Join(strings.Fields(string(t.last)), " ") }
