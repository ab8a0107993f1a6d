package mails

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web/site"
)

// takeBounce takes a mail from the mail server for our sender address, which may report a
// bounce. Other mails are ignored and get the same answer, because the server can't do anything
// about them.
func (s *Handlers) takeBounce(c *site.Call) error {
	given, secret := sha256.Sum256([]byte(c.Param("token"))), sha256.Sum256([]byte(s.BounceSecret))
	if s.BounceSecret == "" || subtle.ConstantTimeCompare(given[:], secret[:]) != 1 {
		return db.ErrNotFound
	}
	if err := s.Subscriptions.Bounced(c.Request().Context(), c.Request().Body); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
