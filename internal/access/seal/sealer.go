// Package seal makes secrets, and keeps them: those that come back to us as hashes, those
// that we must read again encrypted. It stores nothing, and doesn't know whose they are.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// MinSecretKey is the shortest secret key that NewSealer accepts, in bytes.
const MinSecretKey = 32

// ErrSealed is in the chain of every error of Open: wrong key, wrong place, or damaged.
var ErrSealed = errors.New("sealed value can't be opened")

// Sealer encrypts upstream tokens, so that neither the database's readers nor its
// backups hold anything usable. aad binds a sealed value to its place (for a
// credential: its store and service), so that it can't be moved to another row.
type Sealer struct {
	current string
	keys    map[string]cipher.AEAD
	budgets [][]byte // the current key's comes first
	device  []byte
	setUp   string
}

// NewSealer derives its keys from secretKey. older are previous secret keys: what they
// sealed can still be opened, but nothing new is sealed with them.
func NewSealer(secretKey string, older ...string) (*Sealer, error) {
	s := &Sealer{keys: map[string]cipher.AEAD{}}
	for i, secret := range append([]string{secretKey}, older...) {
		if len(secret) < MinSecretKey {
			return nil, fmt.Errorf("secret key %d has %d bytes, at least %d are needed", i+1, len(secret), MinSecretKey)
		}
		id, aead, err := sealingKey(secret)
		if err != nil {
			return nil, err
		}
		s.keys[id] = aead
		if i == 0 {
			s.current = id
		}
		budget, err := hkdf.Key(sha256.New, []byte(secret), nil, "storeglass budget key 1", 32)
		if err != nil {
			return nil, err
		}
		s.budgets = append(s.budgets, budget)
	}
	var err error
	if s.device, err = hkdf.Key(sha256.New, []byte(secretKey), nil, "storeglass device key 1", 32); err != nil {
		return nil, err
	}
	s.setUp, err = setUpCode(secretKey)
	return s, err
}

// sealingKey derives a secret's cipher, and a public id for it that reveals nothing.
func sealingKey(secret string) (id string, aead cipher.AEAD, err error) {
	name, err := hkdf.Key(sha256.New, []byte(secret), nil, "storeglass key id 1", 4)
	if err != nil {
		return "", nil, err
	}
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "storeglass sealing key 1", 32)
	if err != nil {
		return "", nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", nil, err
	}
	aead, err = cipher.NewGCMWithRandomNonce(block)
	return hex.EncodeToString(name), aead, err
}

// Seal encrypts plain for the place aad. keyID names the key; store it with the value.
func (s *Sealer) Seal(plain, aad []byte) (sealed []byte, keyID string) {
	return s.keys[s.current].Seal(nil, nil, plain, aad), s.current
}

// Open decrypts what Seal made for the same aad. Errors wrap ErrSealed.
func (s *Sealer) Open(sealed []byte, keyID string, aad []byte) ([]byte, error) {
	aead, ok := s.keys[keyID]
	if !ok {
		return nil, fmt.Errorf("%w: no secret key has the id %q", ErrSealed, keyID)
	}
	plain, err := aead.Open(nil, nil, sealed, aad)
	if err != nil {
		return nil, fmt.Errorf("%w: wrong place or damaged", ErrSealed)
	}
	return plain, nil
}

// Stale reports whether the value should be sealed again with the current key.
func (s *Sealer) Stale(keyID string) bool { return keyID != s.current }

// Opens reports whether one of the keys has that id.
func (s *Sealer) Opens(keyID string) bool { return s.keys[keyID] != nil }

// BudgetKeys are the names that an upstream token's budget may have: by the current key
// first, then by each older one, until it is renamed. They are the same for every store
// and process that uses the token, and nobody can recover the token from one.
func (s *Sealer) BudgetKeys(token string) [][]byte {
	out := make([][]byte, len(s.budgets))
	for i, key := range s.budgets {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(token))
		out[i] = m.Sum(nil)
	}
	return out
}

// DeviceKey signs the tokens of known browsers.
func (s *Sealer) DeviceKey() []byte { return s.device }

// SetUpCode is the code that creates the first account.
func (s *Sealer) SetUpCode() string { return s.setUp }

// setUpCode derives the code: 120 bits, too many to guess.
func setUpCode(secretKey string) (string, error) {
	key, err := hkdf.Key(sha256.New, []byte(secretKey), nil, "storeglass set-up code 1", 15)
	code := base32.StdEncoding.EncodeToString(key)
	return strings.Join([]string{code[:6], code[6:12], code[12:18], code[18:]}, "-"), err
}
