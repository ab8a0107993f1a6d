package account

import (
	"github.com/storeglass/storeglass/views/components"
)

// SignInPage offers the ways to sign in.
type SignInPage struct {
	components.Base
	// Email is what was typed before; may be empty.
	Email string
	// Next is where to go afterwards, a path of ours; may be empty.
	Next string
	// Problem says why the last try failed, Notice what went well; both may be empty.
	Problem, Notice string
	// Passkeys says that passkeys are offered.
	Passkeys bool
	// Provider is the name of the single sign-on, ProviderHref its address; empty if there is
	// none.
	Provider, ProviderHref string
}

// SignInLinkPage asks to confirm a one-time link: the link itself only shows the form, and
// posting it signs in, so that mail scanners, which follow links, don't use them up.
type SignInLinkPage struct {
	components.Base
	// Token is the one-time token of the link; empty when it no longer works.
	Token string
	// Next is where to go afterwards, a path of ours; may be empty.
	Next string
	// Problem says why it no longer works.
	Problem string
}

// SecondStepPage asks for the second factor.
type SecondStepPage struct {
	components.Base
	// Email is the account's address.
	Email string
	// Codes of an authenticator app, passkeys and recovery codes are accepted.
	Codes, Passkeys, Recovery bool
	Problem                   string
}

// ConfirmPage asks a signed-in person to confirm their identity.
type ConfirmPage struct {
	components.Base
	Email string
	// Next is where they came from, a path of ours.
	Next    string
	Problem string
	// Password and Passkeys are ways that this person has.
	Password, Passkeys bool
	// Provider is the name of the single sign-on that they have used, ProviderHref its address;
	// empty if there is none.
	Provider, ProviderHref string
}
