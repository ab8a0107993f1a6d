package mail

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/emersion/go-msgauth/dkim"
)

// DKIM says how mails are signed; the zero value doesn't sign them.
type DKIM struct {
	Domain, Selector string
	Key              crypto.Signer
}

// WithDKIM signs every mail.
func WithDKIM(d DKIM) Option { return func(o *options) { o.sign = d } }

// ParseDKIMKey reads a private key in PEM: RSA with at least 2048 bits, or Ed25519.
func ParseDKIMKey(text []byte) (crypto.Signer, error) {
	const write = "write a private key in PEM, as `openssl genrsa 2048` makes one"
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New(write)
	}
	var key any
	var err error
	switch block.Type {
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	default:
		return nil, fmt.Errorf("it holds a %s: %s", strings.ToLower(block.Type), write)
	}
	if err != nil {
		return nil, errors.New(write) // the cause may contain parts of the key
	}
	switch key := key.(type) {
	case *rsa.PrivateKey:
		if key.N.BitLen() < 2048 {
			return nil, fmt.Errorf("the key has %d bits, and receivers trust none below 2048: %s", key.N.BitLen(), write)
		}
		return key, nil
	case ed25519.PrivateKey:
		return key, nil
	}
	return nil, errors.New("this kind of key signs no mail: " + write)
}

// Name is the DNS name of the key's public half.
func (d DKIM) Name() string { return d.Selector + "._domainkey." + d.Domain }

// Record is the TXT record to publish there.
func (d DKIM) Record() (string, error) {
	if key, ok := d.Key.Public().(ed25519.PublicKey); ok {
		return "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(key), nil
	}
	public, err := x509.MarshalPKIXPublicKey(d.Key.Public())
	if err != nil {
		return "", fmt.Errorf("public half of the key: %w", err)
	}
	return "v=DKIM1; k=rsa; p=" + base64.StdEncoding.EncodeToString(public), nil
}

// RFC 8058 requires the last two to be signed. Each header is signed once more than it
// occurs. A copy added on the way then breaks the signature.
var signedHeaders = slices.Repeat([]string{
	"From", "Reply-To", "To", "Cc", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Content-Type", "MIME-Version",
	"List-Id", "List-Unsubscribe", "List-Unsubscribe-Post",
}, 2)

func (d DKIM) options() *dkim.SignOptions {
	return &dkim.SignOptions{
		Domain: d.Domain, Selector: d.Selector, Signer: d.Key, HeaderKeys: signedHeaders,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	}
}

func (d DKIM) sign(mail io.Reader) ([]byte, error) {
	var signed bytes.Buffer
	if err := dkim.Sign(&signed, mail, d.options()); err != nil {
		return nil, fmt.Errorf("sign mail for %s: %w", d.Domain, err)
	}
	return signed.Bytes(), nil
}

// ErrNoRecord is for a key whose public half isn't published, so that receivers treat its
// signatures as forged.
var ErrNoRecord = errors.New("the public half of the key is not published")

// Check signs a mail and verifies it as a receiver would, with the DNS records lookup finds.
func (d DKIM) Check(lookup func(name string) ([]string, error)) error {
	raw, err := d.sign(strings.NewReader("From: <check@" + d.Domain + ">\r\nSubject: check\r\n\r\ncheck\r\n"))
	if err != nil {
		return err
	}
	found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{LookupTXT: lookup})
	if err == nil && len(found) != 1 {
		err = errors.New("there is none")
	}
	switch {
	case err != nil:
		return fmt.Errorf("verify a signature: %w", err)
	case found[0].Err == nil:
		return nil
	case dkim.IsTempFail(found[0].Err):
		return found[0].Err
	}
	return fmt.Errorf("%w: %w", ErrNoRecord, found[0].Err)
}
