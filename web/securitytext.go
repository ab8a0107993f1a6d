package web

import (
	"fmt"
	"net/http"
	"time"

	"github.com/storeglass/storeglass/web/site"
)

// securityLife is how long the contact is valid. RFC 9116 asks for less than a year.
const securityLife = 180 * 24 * time.Hour

// securityText says where to report a vulnerability (RFC 9116), if the operator does.
func (s *Server) securityText(c *site.Call) error {
	if s.Contact == "" {
		return site.ErrNotFound
	}
	expires := c.Now.UTC().Truncate(24 * time.Hour).Add(securityLife)
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.String(http.StatusOK, fmt.Sprintf("Contact: %s\nExpires: %s\nPreferred-Languages: en\nCanonical: %s\n",
		s.Contact, expires.Format(time.RFC3339), s.Base.JoinPath(".well-known/security.txt")))
}

// robots asks every crawler to stay away: everything here is someone's own.
func (s *Server) robots(c *site.Call) error {
	return c.String(http.StatusOK, "User-agent: *\nDisallow: /\n")
}
