package mail

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// NewLink makes the secret in a mail's links, which stops such mails: 256 random bits, of
// which only the hash is stored. Only the mail contains it.
func NewLink() (token string, hash []byte) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	sum := sha256.Sum256(secret)
	return base64.RawURLEncoding.EncodeToString(secret), sum[:]
}

// LinkHash is the stored hash of a token; ok is false if the token is malformed.
func LinkHash(token string) (hash []byte, ok bool) {
	secret, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(secret) != sha256.Size {
		return nil, false
	}
	sum := sha256.Sum256(secret)
	return sum[:], true
}
