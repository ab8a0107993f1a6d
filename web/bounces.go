package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"

	"github.com/storeglass/storeglass/internal/db"
)

// maxBounce bounds a mail that a mail server hands over: the one that came back may hang
// on it.
const maxBounce = 4 << 20

// bounced takes a mail from the mail server of our sender's address: maybe a report of
// one that came back. What is none is left alone, and answered alike: the server has
// nothing to do about it.
func (s *Server) bounced(c *call) error {
	given, secret := sha256.Sum256([]byte(c.Param("token"))), sha256.Sum256([]byte(s.bounceSecret))
	if s.bounceSecret == "" || subtle.ConstantTimeCompare(given[:], secret[:]) != 1 {
		return db.ErrNotFound
	}
	if err := s.mailroom.Bounced(c.Request().Context(), c.Request().Body); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
