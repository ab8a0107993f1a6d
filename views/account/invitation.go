package account

import (
	"time"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// InvitationPage lets an invited person create their account.
type InvitationPage struct {
	components.Base
	// Token is the invitation's secret; empty when it no longer works.
	Token string
	// Email is whom it is for, By who invited; By may be empty.
	Email, By string
	Name      string
	Until     time.Time
	// Wrong is about the form or the link.
	form.Wrong
	// Provider is the name of the single sign-on, ProviderHref its address; empty if there is
	// none.
	Provider, ProviderHref string
}

// SetUpPage takes the first account of an installation.
type SetUpPage struct {
	components.Base
	// Over says that an account exists already.
	Over              bool
	Code, Email, Name string
	form.Wrong
}

// ForgottenPage asks for the address of the person who has forgotten their password.
type ForgottenPage struct {
	components.Base
	Email   string
	Problem string
	// Sent says that the form was posted; the page doesn't reveal the outcome.
	Sent bool
	// Mails says that mails can be sent.
	Mails bool
}

// ResetPage takes a new password by a link.
type ResetPage struct {
	components.Base
	// Token is the link's secret; empty when it no longer works.
	Token string
	Email string
	form.Wrong
}
