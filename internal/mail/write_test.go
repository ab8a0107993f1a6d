package mail

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net"
	netmail "net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

var weekly = Message{
	To: "ada@example.com", Subject: "Your wéek", Text: "Tëxt.\n", HTML: `<img src="cid:trend">`,
	Pictures: []Picture{{"trend", []byte("\x89PNG")}}, ID: "2026-11-09.1@example.com",
	Date:        time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC),
	Unsubscribe: "https://shop.example/unsubscribe/abc",
}

func TestAMailHoldsItsPicturesAndHowToEndIt(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Plain)
	s := sender(t, "smtp://"+server.Addr)
	if err := s.Send(t.Context(), weekly); err != nil {
		t.Fatal(err)
	}
	raw := (<-server.Got).Raw
	for _, line := range []string{
		"Message-ID: <2026-11-09.1@example.com>", "Date: Mon, 16 Nov 2026 08:00:00 +0000",
		"List-Unsubscribe: <https://shop.example/unsubscribe/abc>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
		"Content-ID: <trend>", "multipart/related", "multipart/alternative", base64.StdEncoding.EncodeToString([]byte("\x89PNG")),
	} {
		if !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(raw, "Content-Id", "Content-ID"), "\r\n ", " "), line) {
			t.Errorf("no %q in\n%s", line, raw)
		}
	}
	if strings.Contains(raw, "DKIM-Signature") {
		t.Error("signed, with no key")
	}
	clear := weekly
	clear.Unsubscribe = "http://shop.example/unsubscribe/abc"
	if _, err := s.Write(clear); err == nil {
		t.Error("a link in the clear was taken")
	}
}

func TestASignatureHoldsAndATouchedMailBreaksIt(t *testing.T) {
	t.Parallel()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	server := mailtest.Start(t, mailtest.Plain)
	u := url.URL{Scheme: "smtp", Host: server.Addr}
	s, err := New(&u, from, WithDKIM(DKIM{"example.com", "reports", key}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), weekly); err != nil {
		t.Fatal(err)
	}
	raw := []byte((<-server.Got).Raw)
	verify := func(raw []byte) error {
		t.Helper()
		found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{LookupTXT: func(domain string) ([]string, error) {
			if domain != "reports._domainkey.example.com" {
				t.Errorf("looked for %s", domain)
			}
			return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)}, nil
		}})
		if err != nil || len(found) != 1 {
			t.Fatalf("%d signatures, %v", len(found), err)
		}
		return found[0].Err
	}
	if err := verify(raw); err != nil {
		t.Errorf("as it came: %v", err)
	}
	for _, part := range []string{"unsubscribe/abc", "Your", "One-Click", "=C3=ABxt"} {
		touched := bytes.Replace(raw, []byte(part), []byte("X"+part[1:]), 1)
		if bytes.Equal(touched, raw) {
			t.Fatalf("no %q in the mail", part)
		}
		if verify(touched) == nil {
			t.Errorf("with another %q it still holds", part)
		}
	}
}

func TestAHeaderThatIsAddedOnTopBreaksTheSignature(t *testing.T) {
	t.Parallel()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := Writer{from, DKIM{"example.com", "reports", key}}.Write(weekly)
	if err != nil {
		t.Fatal(err)
	}
	verify := func(raw []byte) error {
		found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) {
			return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		return found[0].Err
	}
	if err := verify(append([]byte("Received: by mx.example.net\r\n"), raw...)); err != nil {
		t.Errorf("with what servers add: %v", err)
	}
	for _, header := range []string{"From: Bank <bank@example.net>", "Subject: Pay now", "To: x@example.net", "Reply-To: x@example.net", "List-Unsubscribe: <https://example.net>"} {
		if verify(append([]byte(header+"\r\n"), raw...)) == nil {
			t.Errorf("with %q on top it still verifies", header)
		}
	}
}

func TestAMailNamesItsSenderAndItsList(t *testing.T) {
	t.Parallel()
	m := Message{To: "ada@example.com", Subject: "x", Text: "x", FromName: "Northwind", List: "alerts", Manage: "http://localhost/alerts/settings"}
	raw, err := Writer{From: from}.Write(m)
	if err != nil {
		t.Fatal(err)
	}
	head, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	for name, want := range map[string]string{
		"From": `"Northwind" <` + from.Address + ">", "List-Id": "<alerts." + domain + ">", "List-Unsubscribe": "<" + m.Manage + ">", "List-Unsubscribe-Post": "",
	} {
		if got := head.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if id := head.Header.Get("Message-Id"); !strings.HasSuffix(id, "@"+domain+">") {
		t.Errorf("Message-ID: %s", id)
	}
}

// A server that stores the mail but answers late would otherwise get it twice.
func TestTheAnswerToAWholeMailIsWaitedForLonger(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Plain)
	s := sender(t, "smtp://"+server.Addr)
	if s.within != Within || s.taking != 10*time.Minute {
		t.Errorf("waits %s and %s", s.within, s.taking)
	}
	s.within = 300 * time.Millisecond
	release := make(chan struct{})
	server.AtMail = func(mailtest.Mail) error {
		<-release
		return nil
	}
	time.AfterFunc(2*s.within, func() { close(release) })
	c, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Send(t.Context(), "ada@example.com", []byte("Subject: x\r\n\r\nx\r\n")); err != nil {
		t.Error(err)
	}
}

func TestWaitingForAnAnswerEndsWithTheContext(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Plain)
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	server.AtMail = func(mailtest.Mail) error {
		cancel()
		<-release
		return nil
	}
	c, err := sender(t, "smtp://"+server.Addr).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(ctx, "ada@example.com", []byte("Subject: x\r\n\r\nx\r\n")); err == nil {
		t.Error("it was taken")
	}
}

func TestTheRecordThatIsNamedVerifiesWhatIsSigned(t *testing.T) {
	t.Parallel()
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	strong, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edwards, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	inPEM := func(kind string, der []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	}
	pkcs8 := func(key any) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		return inPEM("PRIVATE KEY", der, err)
	}
	for name, text := range map[string][]byte{
		"rsa": pkcs8(strong), "rsa of old": inPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(strong), nil), "ed25519": pkcs8(edwards),
	} {
		key, err := ParseDKIMKey(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d := DKIM{"example.com", "reports", key}
		record, err := d.Record()
		if err != nil {
			t.Fatal(err)
		}
		published := func(record string) func(string) ([]string, error) {
			return func(name string) ([]string, error) {
				if name != "reports._domainkey.example.com" || name != d.Name() {
					t.Errorf("looked for %s", name)
				}
				return []string{record}, nil
			}
		}
		if err := d.Check(published(record)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := d.Check(published("v=DKIM1; k=rsa; p=")); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%s, revoked: %v", name, err)
		}
		if err := d.Check(func(string) ([]string, error) { return nil, &net.DNSError{IsNotFound: true} }); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%s, not published: %v", name, err)
		}
	}
	for name, text := range map[string][]byte{
		"a weak key": pkcs8(weak), "a key that signs no mail": pkcs8(curve), "no PEM": []byte("key"), "torn": inPEM("PRIVATE KEY", []byte("x"), nil),
		"a public key": inPEM("PUBLIC KEY", edwards.Public().(ed25519.PublicKey), nil),
	} {
		if _, err := ParseDKIMKey(text); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestManyMailsGoOverOneConnection(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	c, err := sender(t, "smtp://mail.example.com", withRoots(server.Roots), far(server)).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	raw, err := c.sender.Write(weekly)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := c.Send(t.Context(), "ada@example.com", raw); err != nil {
			t.Fatal(err)
		}
		if got := <-server.Got; got.Raw != string(raw) || !got.TLS {
			t.Errorf("came as %q", got.Raw)
		}
	}
}
