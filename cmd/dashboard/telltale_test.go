package main

import (
	"bufio"
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
)

// telltale is a mail server that accepts every other mail. When it rejects one, it repeats
// what it was sent: the password, or the secret of a link.
type telltale struct {
	address string
	// told is called for each secret that came in a mail, and echoed for each rejection.
	told   func(secret string)
	echoed func()

	mu     sync.Mutex
	turn   int
	secret string // the last one that arrived
	taken  []string
	// done is closed when the next connection ends.
	done chan struct{}
	// mails are those that arrived, without the secrets of their links.
	mails strings.Builder
}

func newTelltale(t *testing.T, told func(string), echoed func()) *telltale {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	s := &telltale{address: l.Addr().String(), told: told, echoed: echoed}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return s
}

// links are the secrets of the links in the mails accepted since the last call.
func (s *telltale) links() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.taken
	s.taken = nil
	return taken
}

// served returns a channel that is closed when the next connection ends.
func (s *telltale) served() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = make(chan struct{})
	return s.done
}

// read is the text of the mails since the last call, without the secrets of their links.
func (s *telltale) read() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.mails.String()
	s.mails.Reset()
	return text
}

// stages are where it rejects, one after the other; "" is nowhere.
var stages = []string{"", "AUTH", "", "MAIL", "", "RCPT", "", ".", "", "DATA"}

// serve handles one connection. It hangs up after a mail or a rejection: tests wait for its
// end, and the sender would keep an idle one open for five seconds.
func (s *telltale) serve(conn net.Conn) {
	defer func() {
		_ = conn.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.done != nil {
			close(s.done)
			s.done = nil
		}
	}()
	s.mu.Lock()
	stage := stages[s.turn%len(stages)]
	s.turn++
	turn := s.turn
	s.mu.Unlock()
	say := func(verb, usual string) bool {
		if verb == stage {
			s.mu.Lock()
			echoes := upstreamtest.Echoes(s.secret)
			s.mu.Unlock()
			forms := make([]string, 0, len(echoes))
			for form := range echoes {
				forms = append(forms, form)
			}
			slices.Sort(forms)
			s.echoed()
			usual = []string{"451 ", "554 "}[turn%2] + "5.7.0 you said " + echoes[forms[turn%len(forms)]]
		}
		_, err := io.WriteString(conn, usual+"\r\n")
		return err == nil && verb != stage
	}
	if !say("220", "220 ready") {
		return
	}
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		verb, rest, _ := strings.Cut(lines.Text(), " ")
		switch verb {
		case "EHLO":
			if !say(verb, "250-here\r\n250 AUTH PLAIN") {
				return
			}
		case "AUTH":
			_, credentials, _ := strings.Cut(rest, " ")
			if plain, err := base64.StdEncoding.DecodeString(credentials); err == nil {
				s.keep(string(plain[strings.LastIndexByte(string(plain), 0)+1:]))
			}
			if !say(verb, "235 welcome") {
				return
			}
		case "DATA":
			if !say(verb, "354 go on") {
				return
			}
			var body strings.Builder
			for lines.Scan() && lines.Text() != "." {
				body.WriteString(lines.Text() + "\r\n")
			}
			text, secrets := mailed(body.String())
			for _, secret := range secrets {
				s.keep(secret)
				s.told(secret)
			}
			s.mu.Lock()
			s.mails.WriteString(text + "\n")
			s.mu.Unlock()
			if say(".", "250 taken") {
				s.mu.Lock()
				s.taken = append(s.taken, secrets...)
				s.mu.Unlock()
			}
			return
		case "QUIT":
			say(verb, "221 bye")
			return
		default:
			if !say(verb, "250 fine") {
				return
			}
		}
	}
}

func (s *telltale) keep(secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secret = secret
}

var mailedLink = regexp.MustCompile(`/(?:invitation|reset|sign-in)/([A-Za-z0-9_-]{40,})`)

// mailed is a mail as its reader sees it, without the secrets of its links, and those secrets.
func mailed(mail string) (text string, secrets []string) {
	plain, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(mail)))
	if err != nil { // headers needn't be quoted-printable
		plain = []byte(strings.ReplaceAll(mail, "=\r\n", ""))
	}
	text = string(plain)
	for _, m := range mailedLink.FindAllStringSubmatch(text, -1) {
		if secret, err := url.PathUnescape(m[1]); err == nil {
			secrets = append(secrets, secret)
		}
		text = strings.ReplaceAll(text, m[1], "")
	}
	return text, secrets
}
