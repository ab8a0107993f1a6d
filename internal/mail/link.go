package mail

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
)

// NewLink makes the secret in a mail's links, which ends such mails: 256 bits by chance,
// of which only the hash is kept. Nothing but the mail leads to it.
func NewLink() (token string, hash []byte) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	sum := sha256.Sum256(secret)
	return base64.RawURLEncoding.EncodeToString(secret), sum[:]
}

// LinkHash is what is kept of a token; not ok for what can be none.
func LinkHash(token string) (hash []byte, ok bool) {
	secret, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(secret) != sha256.Size {
		return nil, false
	}
	sum := sha256.Sum256(secret)
	return sum[:], true
}

// LinkSecrets is the secret of the links in a written mail, of which one stands in the
// head and others in the text, maybe on two lines: a server that repeats it must not
// have it kept.
func LinkSecrets(raw []byte) (secrets []string) {
	for _, found := range writtenLink.FindAllSubmatch(bytes.ReplaceAll(raw, []byte("=\r\n"), nil), 2) {
		secrets = append(secrets, string(found[1]))
	}
	return secrets
}

var writtenLink = regexp.MustCompile(`/(?:mail|unsubscribe)/([A-Za-z0-9_-]{43})`)
