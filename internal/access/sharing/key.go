package sharing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// KeyLife is how long a reader isn't asked again for a link's password.
const KeyLife = 12 * time.Hour

// key is what a browser keeps after the right password: the expiry, and a code over it
// that can be made only with the stored hash. The hash has its own salt, so the code is
// useless for other links and after the password changes.
func (s Link) key(until time.Time) string {
	end := binary.BigEndian.AppendUint64(nil, uint64(until.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(end, s.code(end)...))
}

func (s Link) code(end []byte) []byte {
	m := hmac.New(sha256.New, []byte(s.hash))
	m.Write([]byte("storeglass share\x00"))
	m.Write(binary.BigEndian.AppendUint64(nil, uint64(s.ID)))
	m.Write(end)
	return m.Sum(nil)
}

// Unlocks reports whether the key opens the link now. A link without a password needs no
// key.
func (s Link) Unlocks(key string, now time.Time) bool {
	if !s.HasPassword() {
		return true
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(key)
	if err != nil || len(b) != 8+sha256.Size {
		return false
	}
	end := b[:8]
	return hmac.Equal(b[8:], s.code(end)) && now.Unix() < int64(binary.BigEndian.Uint64(end))
}
