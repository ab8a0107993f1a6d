// Package mailtest runs a real SMTP server that keeps what it is given. It is for tests only.
package mailtest

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// User and Password are those that the server takes.
const (
	User     = "reports"
	Password = "p@ss/word of the mail server"
)

// Mail is what arrived.
type Mail struct {
	From, To string
	// Raw is the mail as it was sent, headers and all.
	Raw string
	// TLS and User are how it came.
	TLS  bool
	User string
}

// Server is a mail server on this machine.
type Server struct {
	// Addr is host:port.
	Addr string
	// Roots are what a client trusts that knows the server's certificate, which is
	// for localhost and mail.example.com.
	Roots *x509.CertPool
	// Got receives each mail.
	Got chan Mail
	// Refuse is said to the person who sends a mail, if set before.
	Refuse *smtp.SMTPError
	// AtReader and AtMail, if set before, answer for a recipient and for a mail that has
	// come in; an error that is not SMTP's breaks the connection.
	AtReader func(to string) error
	AtMail   func(Mail) error
}

// Choice changes how a server speaks.
type Choice func(*settings)

type settings struct{ plain, implicit, auth, unicode bool }

// Plain offers no STARTTLS.
func Plain(s *settings) { s.plain = true }

// Implicit speaks TLS from the start.
func Implicit(s *settings) { s.implicit = true }

// Auth takes mails from who signs in.
func Auth(s *settings) { s.auth = true }

// Unicode offers SMTPUTF8.
func Unicode(s *settings) { s.unicode = true }

// Start runs a server until the test ends.
func Start(t testing.TB, choices ...Choice) *Server {
	t.Helper()
	var c settings
	for _, choose := range choices {
		choose(&c)
	}
	cert, roots := certificate(t)
	s := &Server{Roots: roots, Got: make(chan Mail, 100)}
	srv := smtp.NewServer(smtp.BackendFunc(func(conn *smtp.Conn) (smtp.Session, error) {
		return &session{server: s, conn: conn, auth: c.auth}, nil
	}))
	srv.Domain, srv.AllowInsecureAuth, srv.EnableSMTPUTF8 = "localhost", c.plain, c.unicode
	srv.ErrorLog = nobody{}
	if !c.plain && !c.implicit {
		srv.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Addr = l.Addr().String()
	if c.implicit {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}})
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l)
	}()
	t.Cleanup(func() {
		_ = srv.Close()
		<-done
	})
	return s
}

type nobody struct{}

func (nobody) Printf(string, ...any) {}
func (nobody) Println(...any)        {}

type session struct {
	server *Server
	conn   *smtp.Conn
	auth   bool
	user   string
	mail   Mail
}

var errSignIn = &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "sign in first"}

func (s *session) AuthMechanisms() []string {
	if !s.auth {
		return nil
	}
	return []string{sasl.Plain}
}

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != User || password != Password {
			return errors.New("not a user here")
		}
		s.user = user
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.auth && s.user == "" {
		return errSignIn
	}
	_, secure := s.conn.TLSConnectionState()
	s.mail = Mail{From: from, TLS: secure, User: s.user}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.Refuse != nil {
		return s.server.Refuse
	}
	s.mail.To = to
	if s.server.AtReader == nil {
		return nil
	}
	return s.orBreak(s.server.AtReader(to))
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	s.mail.Raw = string(raw)
	if err == nil && s.server.AtMail != nil {
		if err := s.server.AtMail(s.mail); err != nil {
			return s.orBreak(err)
		}
	}
	if err == nil {
		s.server.Got <- s.mail
	}
	return err
}

// orBreak breaks the connection over what is no answer.
func (s *session) orBreak(err error) error {
	if said, ok := errors.AsType[*smtp.SMTPError](err); err != nil && (!ok || said == nil) {
		_ = s.conn.Conn().Close()
	}
	return err
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

func certificate(t testing.TB) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	who := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a mail server of a test"},
		DNSNames: []string{"localhost", "mail.example.com"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, who, who, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

// DKIMKey makes a key that signs mails, in a file; record is what is published of it.
func DKIMKey(t *testing.T) (path, record string) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "dkim.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)
}
