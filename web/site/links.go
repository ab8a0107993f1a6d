package site

import (
	"fmt"
	"net/url"
	"time"

	"github.com/storeglass/storeglass/internal/access"
)

// InvitationLink is the address of an invitation; secret is what
// access.InvitePerson returned.
func InvitationLink(base *url.URL, secret string) string {
	return base.JoinPath("invitation", secret).String()
}

// InvitationMail is the mail that brings an invitation to what pages call us; by may
// be empty.
func InvitationMail(base *url.URL, called string, p access.Person, by, secret string, expires time.Time) Mail {
	who := "You are invited"
	if by != "" {
		who = by + " invites you"
	}
	return Mail{
		To: p.Email, Subject: "Your invitation to " + called,
		Text: fmt.Sprintf("Hello %s,\n\n%s to %s at %s. Accept the invitation:\n\n%s\n\nThe link works once, until %s. If you don't know what this is about, do nothing.\n",
			p.Name, who, called, base.Host, InvitationLink(base, secret), expires.UTC().Format("2 January 2006, 15:04 UTC")),
	}
}

// SetUpLink is the address where the first person of an installation makes their account.
func SetUpLink(base *url.URL, secret string) string { return base.JoinPath("set-up", secret).String() }

// ShareLink is the address of a share link; secret is what access.CreateShare returned.
func ShareLink(base *url.URL, secret string) string { return base.JoinPath("share", secret).String() }

// SignInLink is the address that signs its opener in once; secret is what
// access.CreateLink returned.
func SignInLink(base *url.URL, secret string) string {
	return base.JoinPath("sign-in", secret).String()
}
