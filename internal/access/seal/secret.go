package seal

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// NewSecret is 256 random bits as text that is safe in URLs and headers.
func NewSecret() string {
	b := make([]byte, 32)
	rand.Read(b) // never fails: the program ends if the system has no randomness
	return base64.RawURLEncoding.EncodeToString(b)
}

// IsSecret reports whether s has the form that NewSecret gives, so that garbage
// never reaches the database.
func IsSecret(s string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(b) == 32
}

// HashSecret needs no salt and no stretching: a secret already has 256 bits of entropy.
func HashSecret(s string) []byte {
	h := sha256.Sum256([]byte(s))
	return h[:]
}
