// Package account shows how someone signs in, accepts an invitation, and changes their
// own name, password and second step.
package account

import (
	"strconv"
	"time"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// Page is a person's account page.
type Page struct {
	components.Base
	Email, Name string
	// Role is the role's code.
	Role string
	// Language is the code of the language of the pages; empty means the browser's.
	Language string
	// Notice says what the last action did, Wrong why it failed.
	Notice string
	form.Wrong
	// PasswordSince and AppSince are zero if there is none.
	PasswordSince, AppSince time.Time
	// AppOff says that no app can be added, PasskeysOff why no passkey can; empty if one can.
	AppOff      bool
	PasskeysOff string
	// RecoveryLeft are the recovery codes that have not been used.
	RecoveryLeft int
	Passkeys     []PasskeyLine
	Identities   []IdentityLine
	// Provider is the name of the single sign-on; empty if there is none.
	Provider string
	Sessions []SessionLine
}

// PasskeyLine is a passkey in the list.
type PasskeyLine struct {
	ID    string
	Name  string
	Added time.Time
	// Used is zero if it was never used.
	Used time.Time
}

// IdentityLine is a person's identity at the single sign-on provider.
type IdentityLine struct {
	Issuer, Subject, Email string
	Added, Used            time.Time
}

// OnwardPage leads on to the single sign-on provider.
type OnwardPage struct {
	components.Base
	Provider, Href string
}

// SessionLine is a place where the person is signed in.
type SessionLine struct {
	ID string
	// This marks the session of the current browser.
	This                bool
	Way, Address, Agent string
	Since, Seen         time.Time
}

// PasswordPage sets a password or changes it.
type PasswordPage struct {
	components.Base
	Email string
	// Has says that there is a password, which must be entered.
	Has bool
	form.Wrong
}

// AppPage sets an authenticator app up.
type AppPage struct {
	components.Base
	// Secret is the text to type if the code can't be scanned, in groups of four.
	Secret string
	// Picture is the path of the QR code, on a square of Side modules.
	Picture string
	Side    int
	Problem string
}

// RecoveryPage shows recovery codes, once.
type RecoveryPage struct {
	components.Base
	Codes []string
	// Lead says what was just done.
	Lead string
}

// leastPassword is how long a password has to be; access refuses a shorter one.
const leastPassword = 12

// used is how long ago something was last used, in words.
func (p Page) used(t time.Time) string {
	if t.IsZero() {
		return p.T("account.never_used")
	}
	return p.T("account.last_used", "ago", p.Locale.Age(p.Now, t))
}

// signOutThis is the button's label for screen readers; empty if the browser is unknown.
func (p Page) signOutThis(s SessionLine) string {
	if s.Agent == "" {
		return ""
	}
	return p.T("account.sign_out_this", "agent", components.Agent(p.Locale, s.Agent))
}

func (p Page) others() int {
	n := 0
	for _, s := range p.Sessions {
		if !s.This {
			n++
		}
	}
	return n
}

func (p Page) twoSteps() bool { return !p.AppSince.IsZero() || len(p.Passkeys) > 0 }

func (p AppPage) viewBox() string {
	side := strconv.Itoa(p.Side + 8) // four empty modules around it, as scanners expect
	return "-4 -4 " + side + " " + side
}
