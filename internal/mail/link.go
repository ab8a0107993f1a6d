package mail

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// NewLink makes the secret in a mail's links, which ends such mails: 256 bits at random,
// and only its hash is kept. Nothing but the mail leads to it.
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
