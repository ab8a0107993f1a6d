package mail

import (
	"bufio"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/url"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

var from = mail.Address{Name: "Störeglass", Address: "reports@example.com"}

// far makes the client believe that the server is on another machine.
func far(s *mailtest.Server) Option {
	return func(o *options) {
		o.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, s.Addr)
		}
	}
}

// withRoots checks the server's certificate against these authorities instead of the machine's.
func withRoots(roots *x509.CertPool) Option { return func(o *options) { o.roots = roots } }

func sender(t *testing.T, address string, choices ...Option) *Sender {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(u, from, choices...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func signedIn(scheme, host string) string {
	u := url.URL{Scheme: scheme, Host: host, User: url.UserPassword(mailtest.User, mailtest.Password)}
	return u.String()
}

var hello = Message{To: "ada@example.com", Language: "de", Subject: "Grüße\r\nBcc: eve@example.com", Text: "Hällo.\n", HTML: "<p>Hällo.</p>"}

func TestMailTravelsEncryptedWithBothBodies(t *testing.T) {
	t.Parallel()
	for scheme, choices := range map[string][]mailtest.Choice{"smtp": {mailtest.Auth}, "smtps": {mailtest.Auth, mailtest.Implicit}} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Start(t, choices...)
			s := sender(t, signedIn(scheme, "mail.example.com"), withRoots(server.Roots), far(server))
			if scheme == "smtps" { // the dialer does TLS itself, so it must reach the server itself
				_, port, _ := net.SplitHostPort(server.Addr)
				s = sender(t, signedIn(scheme, "localhost:"+port), withRoots(server.Roots))
			}
			if err := s.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := s.Send(t.Context(), hello); err != nil {
				t.Fatal(err)
			}
			got := <-server.Got
			if !got.TLS || got.User != mailtest.User || got.From != "reports@example.com" || got.To != "ada@example.com" {
				t.Errorf("%+v", got)
			}
			head, text, html := parts(t, got.Raw)
			if text != "Hällo.\r\n" || html != "<p>Hällo.</p>" {
				t.Errorf("text %q, html %q", text, html)
			}
			subject, err := new(mime.WordDecoder).DecodeHeader(head.Get("Subject"))
			if err != nil || !strings.HasPrefix(subject, "Grüße") || head.Get("Bcc") != "" {
				t.Errorf("subject %q, Bcc %q, %v", subject, head.Get("Bcc"), err)
			}
			for name, want := range map[string]string{"Auto-Submitted": "auto-generated", "Content-Language": "de", "To": "<ada@example.com>"} {
				if head.Get(name) != want {
					t.Errorf("%s is %q", name, head.Get(name))
				}
			}
			for _, name := range []string{"Date", "Message-Id", "From"} {
				if head.Get(name) == "" {
					t.Errorf("no %s", name)
				}
			}
		})
	}
}

func parts(t *testing.T, raw string) (head mail.Header, text, html string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	for r := multipart.NewReader(m.Body, params["boundary"]); ; {
		p, err := r.NextRawPart()
		if err != nil {
			break
		}
		body, err := io.ReadAll(quotedprintable.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, string(body))
	}
	if len(read) != 2 {
		t.Fatalf("%d parts", len(read))
	}
	return m.Header, read[0], read[1]
}

func TestMailAndPasswordNeverTravelInTheClear(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Plain, mailtest.Auth)
	s := sender(t, signedIn("smtp", "mail.example.com"), far(server))
	err := s.Send(t.Context(), hello)
	if err == nil {
		t.Fatal("sent without TLS")
	}
	if !strings.Contains(err.Error(), "STARTTLS") || strings.Contains(err.Error(), mailtest.Password) {
		t.Errorf("said %v", err)
	}
	select {
	case got := <-server.Got:
		t.Errorf("arrived: %+v", got)
	default:
	}
}

func TestUnknownCertificateIsRefused(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	if err := sender(t, "smtp://mail.example.com", far(server), withRoots(x509.NewCertPool())).Check(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a stranger's certificate: %v", err)
	}
	if err := sender(t, "smtp://other.example.com", far(server), withRoots(server.Roots)).Check(t.Context()); err == nil || !strings.Contains(err.Error(), "other.example.com") {
		t.Errorf("another host's certificate: %v", err)
	}
}

func TestPlainIsForThisMachineOrByChoice(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Plain)
	_, port, _ := net.SplitHostPort(server.Addr)
	for name, s := range map[string]*Sender{
		"this machine": sender(t, "smtp://127.0.0.1:"+port),
		"by choice":    sender(t, "smtp://mail.example.com?tls=off", far(server)),
	} {
		if err := s.Send(t.Context(), Message{To: "ada@example.com", Subject: "s", Text: "t"}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := <-server.Got; got.TLS || !strings.Contains(got.Raw, "text/plain") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestFailuresAreSorted(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Plain)
	s := sender(t, "smtp://"+server.Addr)
	for code, want := range map[int]AnswerKind{451: Later, 550: NoAddress} {
		server.Refuse = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: "no"}
		err := s.Send(t.Context(), Message{To: "ada@example.com", Subject: "s", Text: "t"})
		if a := AnswerOf(err); a.Kind != want {
			t.Errorf("%d: %v", code, a)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := l.Addr().String()
	l.Close()
	if err := sender(t, "smtp://"+nobody).Check(t.Context()); AnswerOf(err).Kind != Away || !strings.Contains(err.Error(), nobody) {
		t.Errorf("nobody listens: %v", err)
	}
	if err := s.Send(t.Context(), Message{To: "ada@example.com\r\nRCPT TO:<eve@example.com>", Subject: "s"}); AnswerOf(err).Kind != Broken {
		t.Errorf("a broken address: %v", err)
	}
}

func TestAnAddressInUnicodeGoesToServersThatTakeIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		choices []mailtest.Choice
		to, got string
		want    AnswerKind
	}{
		"a domain":                  {nil, "ada@münchen.example", "ada@xn--mnchen-3ya.example", Taken},
		"letters before the @":      {nil, "jürgen@example.com", "", Later},
		"the same, if it's offered": {[]mailtest.Choice{mailtest.Unicode}, "jürgen@münchen.example", "jürgen@xn--mnchen-3ya.example", Taken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Start(t, append(c.choices, mailtest.Plain)...)
			err := sender(t, "smtp://"+server.Addr).Send(t.Context(), Message{To: c.to, Subject: "s", Text: "t"})
			if a := AnswerOf(err); a.Kind != c.want || c.want == Later && !strings.Contains(err.Error(), "doesn't offer SMTPUTF8") {
				t.Fatal(err)
			}
			if c.want != Taken {
				return
			}
			if m := <-server.Got; m.To != c.got || !strings.Contains(m.Raw, "\r\nTo: <"+c.got+">\r\n") {
				t.Errorf("to %s: %s", m.To, m.Raw)
			}
		})
	}
}

func TestServersAddressIsCheckedAndItsPasswordNeverShown(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://h", "smtp://", "smtp://u:s3cret@h?tls=maybe", "smtps://u:s3cret@h?tls=off", "smtp://u:s3cret@h?TLS=off", "smtp://u:s3cret@h:0", "smtp://u:s3cret@h:65536"} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(u, from); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestServerThatEchoesWhatItWasToldTellsNoSecret(t *testing.T) {
	t.Parallel()
	const password, link = `pass+word/of?the&"mail<server>=`, "Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9"
	for _, secret := range []string{password, link} {
		traces := upstreamtest.Traces(secret)
		for form, echo := range upstreamtest.Echoes(secret) {
			for _, at := range []string{"220", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "."} {
				for _, code := range []string{"451", "550"} {
					server := saying(t, at, code+" 5.0.0 you said "+echo)
					u := url.URL{Scheme: "smtp", Host: server, User: url.UserPassword("reports", password)}
					s := sender(t, u.String())
					err := s.Send(t.Context(), Message{To: "ada@example.com", Subject: "s", Text: "Here: https://x/invitation/" + link + "\n"})
					if secret == password {
						err = errors.Join(err, s.Check(t.Context()))
					}
					if err == nil {
						t.Fatalf("%s at %s did nothing", code, at)
					}
					if found := upstreamtest.Found(fmt.Sprintf("%v %+v %#v %v", err, err, err, AnswerOf(err).Reason), traces); len(found) > 0 {
						t.Errorf("%s at %s, as %s: %v", code, at, form, err)
					}
					if at == "RCPT" && (AnswerOf(s.Send(t.Context(), Message{To: "ada@example.com", Text: link})).Kind == Later) != (code == "451") {
						t.Errorf("%s at %s, as %s: whether it may pass is lost", code, at, form)
					}
				}
			}
		}
	}
}

// saying is a server that accepts everything up to one command, and answers that with reply.
func saying(t *testing.T, at, reply string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	serve := func(conn net.Conn) {
		defer conn.Close()
		say := func(verb, usual string) bool {
			if verb == at {
				usual = reply
			}
			_, err := io.WriteString(conn, usual+"\r\n")
			return err == nil
		}
		if !say("220", "220 ready") {
			return
		}
		lines := bufio.NewScanner(conn)
		for lines.Scan() {
			verb, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " ")
			switch verb {
			case "EHLO":
				say(verb, "250-here\r\n250 AUTH PLAIN LOGIN")
			case "AUTH":
				say(verb, "235 welcome")
			case "DATA":
				if !say(verb, "354 go on") || at == "DATA" {
					continue
				}
				for lines.Scan() && lines.Text() != "." {
				}
				say(".", "250 taken")
			case "QUIT":
				say(verb, "221 bye")
				return
			default:
				say(verb, "250 fine")
			}
		}
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return l.Addr().String()
}
