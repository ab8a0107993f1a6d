package site

import (
	"net/url"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
)

// InvitationLink is the address of an invitation; secret is what
// signin.InvitePerson returned.
func InvitationLink(base *url.URL, secret string) string {
	return base.JoinPath("invitation", secret).String()
}

// InvitationMail is the mail with an invitation to our site; by may be empty. It is in the
// inviter's language, since the invited person's is unknown.
func InvitationMail(l locale.Locale, base *url.URL, called string, p access.Person, by, secret string, expires time.Time) Mail {
	who := l.T("mail_account.invited", "product", called, "host", base.Host)
	if by != "" {
		who = l.T("mail_account.invited_by", "by", locale.Name(by), "product", called, "host", base.Host)
	}
	return Mail{
		To: p.Email, Subject: l.T("mail_account.invitation_subject", "product", called),
		Text: MailText(
			l.T("mail_account.hello", "name", p.Name), who, InvitationLink(base, secret),
			l.T("mail_account.invited_else", "until", components.UTCMoment(l, expires)),
		),
	}
}

// SetUpLink is the address where the first person of an installation makes their account.
func SetUpLink(base *url.URL, code string) string { return base.JoinPath("set-up", code).String() }

// ShareLink is the address of a share link; secret is what sharing.Links.Create returned.
func ShareLink(base *url.URL, secret string) string { return base.JoinPath("share", secret).String() }

// SignInLink is the address that signs its opener in once; secret is what
// signin.CreateLink returned.
func SignInLink(base *url.URL, secret string) string {
	return base.JoinPath("sign-in", secret).String()
}
