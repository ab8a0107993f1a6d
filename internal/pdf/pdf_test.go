package pdf

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	pdfreader "github.com/ledongthuc/pdf"
)

// printer uses Chromium, or a script in its place.
func printer(t *testing.T, script string) *Printer {
	t.Helper()
	path := ""
	if script != "" {
		path = filepath.Join(t.TempDir(), "chromium")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Find(path)
	if err != nil {
		t.Fatal("install chromium (apt-get install chromium) to run the tests of what is printed: ", err)
	}
	return p
}

// text is the text on a PDF's pages, without spaces.
func text(t *testing.T, printed []byte) (pages int, words string) {
	t.Helper()
	r, err := pdfreader.NewReader(bytes.NewReader(printed), int64(len(printed)))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := r.GetPlainText()
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	return r.NumPage(), strings.Join(strings.Fields(string(all)), "")
}

const document = `<!doctype html><html><head><meta charset="utf-8"><title>x</title><style>@page{size:A4}p{break-before:page}</style></head><body>Übersicht 1.234,56 €<p>2nd</p></body></html>`

func TestADocumentIsPrintedAsText(t *testing.T) {
	t.Parallel()
	printed, err := printer(t, "").Print(t.Context(), document)
	if err != nil {
		t.Fatal(err)
	}
	if pages, words := text(t, printed); pages != 2 || words != "Übersicht1.234,56€2nd" {
		t.Errorf("%d pages say %q", pages, words)
	}
}

func TestWhatIsPrintedReachesNothingAndRunsNothing(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	secret := filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	hostile := strings.Replace(document, "<body>", `<body><img src="`+server.URL+`/a.png"><iframe src="`+server.URL+`"></iframe><iframe src="file://`+secret+`"></iframe>`+
		`<link rel="stylesheet" href="`+server.URL+`/a.css"><script>document.body.textContent = "script"; fetch("`+server.URL+`")</script>`, 1)
	// If the document immediately navigates away, it may be gone before it is printed.
	away := strings.Replace(hostile, "<body>", `<body><meta http-equiv="refresh" content="0;url=`+server.URL+`">`, 1)
	for _, html := range []string{hostile, away} {
		printed, err := printer(t, "").Print(t.Context(), html)
		if html == away && err != nil {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, words := text(t, printed); !strings.Contains(words, "Übersicht") || strings.Contains(words, "secret") || strings.Contains(words, "script") {
			t.Errorf("it says %q", words)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func TestABrowserThatHangsIsEndedWithItsChildren(t *testing.T) {
	t.Parallel()
	alive := filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	p := printer(t, "sleep 1000 > "+alive+" &\nsleep 1000\n")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := p.Print(ctx, document)
		done <- err
	}()
	held, err := os.Open(alive) // opens once the child holds the other end
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Close() }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the answer is %v", err)
	}
	if _, err := io.ReadAll(held); err != nil { // ends once nobody holds it
		t.Error(err)
	}
}

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	p := printer(t, "sleep 1000\n")
	p.patience = time.Millisecond
	if _, err := p.Print(t.Context(), document); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the answer is %v", err)
	}
}

func TestOneIsPrintedAtATime(t *testing.T) {
	t.Parallel()
	lock := filepath.Join(t.TempDir(), "lock")
	p := printer(t, "mkdir "+lock+" || exit 7\n"+`for each; do case $each in --print-to-pdf=*) echo %PDF-1.7 > "${each#--print-to-pdf=}";; esac; done`+"\nrmdir "+lock+"\n")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := p.Print(t.Context(), document); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestABrowserThatFailsIsQuoted(t *testing.T) {
	t.Parallel()
	_, err := printer(t, "echo no display >&2; exit 3\n").Print(t.Context(), document)
	if err == nil || !strings.Contains(err.Error(), "exit status 3: no display") {
		t.Errorf("the answer is %v", err)
	}
	if _, err := printer(t, "exit 0\n").Print(t.Context(), document); err == nil || !strings.Contains(err.Error(), "wrote no PDF") {
		t.Errorf("the answer is %v", err)
	}
}

func TestABrowserSeesNoSettingsOfOurs(t *testing.T) {
	t.Setenv("DASHBOARD_SECRET_KEY", "told")
	_, err := printer(t, "echo \"key: $DASHBOARD_SECRET_KEY.\" >&2; exit 3\n").Print(t.Context(), document)
	if err == nil || !strings.Contains(err.Error(), "key: .") {
		t.Errorf("the answer is %v", err)
	}
}

func TestWhatIsNotThereIsSaid(t *testing.T) {
	t.Parallel()
	if _, err := Find("/nowhere/chromium"); err == nil || err.Error() != "/nowhere/chromium is no program that can be run" {
		t.Errorf("the answer is %v", err)
	}
}
