package settings

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

const (
	keyBytes    = 32
	keyFileName = "secret.key"
	keyForm     = "write 32 random bytes as base64 or hex, such as `openssl rand -base64 32` prints"
)

// secretKeys are the keys for upstream tokens: the first one encrypts, the others only
// decrypt what they encrypted before.
type secretKeys []string

func (k *secretKeys) UnmarshalText(text []byte) error {
	var keys secretKeys
	for _, word := range strings.FieldsFunc(string(text), listSeparator) {
		key, ok := decodeKey(word)
		if !ok || placeholder(key) {
			return errors.New(keyForm)
		}
		keys = append(keys, string(key))
	}
	if len(keys) == 0 {
		return errors.New(keyForm)
	}
	*k = keys
	return nil
}

func decodeKey(word string) ([]byte, bool) {
	for _, decode := range []func(string) ([]byte, error){
		hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawStdEncoding.DecodeString,
		base64.URLEncoding.DecodeString, base64.RawURLEncoding.DecodeString,
	} {
		if key, err := decode(word); err == nil && len(key) == keyBytes {
			return key, true
		}
	}
	return nil, false
}

// placeholder reports whether a key looks typed rather than random: fewer than one in 10^16
// random 32-byte keys has under 16 different values.
func placeholder(key []byte) bool {
	seen := map[byte]bool{}
	for _, b := range key {
		seen[b] = true
	}
	return len(seen) < 16
}

// readKeyFile reads the key from the file that a setting names.
func (s *Settings) readKeyFile(set map[string]string) []string {
	if s.SecretKeyFile == "" || set["DASHBOARD_SECRET_KEY"] != "" {
		return nil
	}
	if err := s.SecretKey.readFile(s.SecretKeyFile); err != nil {
		return []string{fmt.Sprintf("DASHBOARD_SECRET_KEY_FILE is %q: %s", s.SecretKeyFile, err)}
	}
	return nil
}

func (k *secretKeys) readFile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("write the path of a file that can be read (%w)", upstream.Cause(err))
	}
	if err := k.UnmarshalText(text); err != nil {
		return fmt.Errorf("its content isn't a key: %w", err)
	}
	return nil
}

// Sealer makes the sealer of the settings' keys. With a private server and no key given,
// it reads the key next to the data, which opening the database has created.
func (s *Settings) Sealer() (*seal.Sealer, error) {
	if len(s.SecretKey) == 0 {
		if s.DatabaseURL != "" {
			return nil, errors.New("DASHBOARD_SECRET_KEY is not set: it decrypts the upstream tokens; use the server's key")
		}
		if err := s.SecretKey.readFile(s.OwnKey()); err != nil {
			return nil, wrapKey(s.OwnKey(), err)
		}
	}
	return seal.NewSealer(s.SecretKey[0], s.SecretKey[1:]...)
}

// OwnKey is the path of the key next to a private server's data.
func (s *Settings) OwnKey() string { return filepath.Join(s.DataDir, keyFileName) }

// MakeKey creates the key next to a private server's data if there is none.
func (s *Settings) MakeKey() error { return s.SecretKey.fromDataDir(s.DataDir) }

// fromDataDir reads the generated key, or generates it when there is none. Two
// processes that start at once end up with the same key.
func (k *secretKeys) fromDataDir(dir string) error {
	path := filepath.Join(dir, keyFileName)
	err := k.readFile(path)
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return wrapKey(path, err)
	}
	random := make([]byte, keyBytes)
	rand.Read(random) // never fails: the program ends if the system has no randomness
	fresh, err := os.CreateTemp(dir, keyFileName+".*")
	if err != nil {
		return wrapKey(path, err)
	}
	defer func() { _ = os.Remove(fresh.Name()) }()
	_, err = fresh.WriteString(base64.StdEncoding.EncodeToString(random) + "\n")
	// Sync: a key lost in a power failure would leave tokens that nobody can decrypt.
	err = errors.Join(err, fresh.Sync(), fresh.Close())
	if err != nil {
		return wrapKey(path, err)
	}
	// Link, unlike Rename, never replaces a key that another process has just created.
	if err := os.Link(fresh.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return wrapKey(path, err)
	}
	return wrapKey(path, k.readFile(path))
}

func wrapKey(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("secret key in %s: %w", path, err)
}
