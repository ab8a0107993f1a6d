package signin

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/seal"
)

// DeviceToken is kept by a browser in which the person with this address signed in.
// Attempts from that browser have a limit of their own, so that strangers can't lock
// the owner out. The token admits nobody. Empty without a secret key.
func (s *Service) DeviceToken(email string) string {
	if s.sealer == nil {
		return ""
	}
	nonce := seal.NewSecret()
	return nonce + "." + s.deviceMAC(nonce, email)
}

// DeviceKnows reports whether the token is already this address's.
func (s *Service) DeviceKnows(token, email string) bool {
	nonce, mac, ok := strings.Cut(token, ".")
	if !ok || s.sealer == nil || !seal.IsSecret(nonce) {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(mac), []byte(s.deviceMAC(nonce, email))) == 1
}

func (s *Service) deviceMAC(nonce, email string) string {
	m := hmac.New(sha256.New, s.sealer.DeviceKey())
	m.Write([]byte(nonce + "\x00" + access.FoldAddress(email)))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

func hashOf(secret string) string {
	return base64.RawURLEncoding.EncodeToString(seal.HashSecret(secret))
}
