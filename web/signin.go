package web

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views"
)

// SignInLink is the address that signs its opener in once; secret is what
// access.CreateLink returned.
func SignInLink(base *url.URL, secret string) string {
	return base.JoinPath("sign-in", secret).String()
}

// linkSpent are the words for a link that does not sign in, whatever the reason.
const linkSpent = "This link is used up or too old. Ask for a new one: a link signs in once, and only for a short time."

// signIn explains how one signs in.
func (s *Server) signIn(c *call) error {
	next := localPath(c.QueryParam("next"))
	if c.visit.Person.ID != 0 {
		return s.seeOther(c, next)
	}
	return c.page(views.SignIn(views.SignInPage{Base: s.basis(c, "Sign in"), Action: "/sign-in", Next: next}))
}

// signInLink asks whether to sign in and uses nothing up: programs that look
// through mails open links, but they post no forms.
func (s *Server) signInLink(c *call) error {
	secret, next := c.Param("token"), localPath(c.QueryParam("next"))
	page := views.SignInPage{Base: s.basis(c, "Sign in"), Action: "/sign-in", Next: next}
	page.Base.Path = "/sign-in" // the secret stays out of the page's own links
	switch err := s.access.CheckLink(c.Request().Context(), secret); {
	case errors.Is(err, access.ErrLink):
		page.Problem = linkSpent
		return c.pageWithStatus(http.StatusGone, views.SignIn(page))
	case err != nil:
		return err
	}
	page.Token = secret
	return c.pageWithStatus(http.StatusOK, views.SignIn(page))
}

// signInConfirmed spends the link and starts a session.
func (s *Server) signInConfirmed(c *call) error {
	if err := c.Request().ParseForm(); err != nil {
		return err
	}
	form := c.Request().PostForm
	person, err := s.access.UseLink(c.Request().Context(), form.Get("token"))
	if errors.Is(err, access.ErrLink) {
		if err := s.access.Record(c.Request().Context(), access.Event{Action: access.SignInFailed, Subject: "one-time link that is used up, too old or unknown"}); err != nil {
			return err
		}
		return c.pageWithStatus(http.StatusGone, views.SignIn(views.SignInPage{
			Base: s.basis(c, "Sign in"), Action: "/sign-in", Problem: linkSpent,
		}))
	}
	if err != nil {
		return err
	}
	if err := s.startSession(c, person, "one-time link"); err != nil {
		return err
	}
	return s.seeOther(c, localPath(form.Get("next")))
}

// signOut ends the session, here and in the database, and has the browser drop the
// pages that it kept.
func (s *Server) signOut(c *call) error {
	ctx := c.Request().Context()
	if err := s.access.Record(ctx, access.Event{Action: access.SessionEnded}); err != nil {
		return err
	}
	if err := s.sessions.Destroy(ctx); err != nil {
		return err
	}
	c.Response().Header().Set("Clear-Site-Data", `"cache", "storage"`)
	return s.seeOther(c, "/sign-in")
}

// seeOther leads to a page of ours; empty is the first one.
func (s *Server) seeOther(c *call, path string) error {
	if path == "" {
		path = "/"
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Redirect(http.StatusSeeOther, path)
}
