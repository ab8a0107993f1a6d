// Package account is signing in and a person's own account: password, second step, passkeys,
// single sign-on, invitations and the first set-up.
package account

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Get("/sign-in", site.AdmitVisitor, access.See, s.signIn),
		site.Get("/sign-in/:token", site.AdmitVisitor, access.See, s.signInLink),
		site.Post("/sign-in", site.AdmitVisitor, access.See, s.takeSignIn),
		site.Get("/sign-in/code", site.AdmitVisitor, access.See, s.secondStep),
		site.Post("/sign-in/code", site.AdmitVisitor, access.See, s.takeSecondStep),
		site.Post("/sign-in/code/passkey", site.AdmitVisitor, access.See, s.withPasskeys(s.secondStepByPasskey)),
		site.Post("/sign-in/code/passkey/options", site.AdmitVisitor, access.See, s.withPasskeys(s.passkeyOptions)),
		site.Post("/sign-in/passkey", site.AdmitVisitor, access.See, s.withPasskeys(s.signInByPasskey)),
		site.Post("/sign-in/passkey/options", site.AdmitVisitor, access.See, s.withPasskeys(s.passkeyOptions)),
		site.Get(SSOStart, site.AdmitVisitor, access.See, s.beginSSO),
		site.Get(CallbackPath, site.AdmitVisitor, access.See, s.finishSSO),
		site.Get("/sign-in/forgotten", site.AdmitVisitor, access.See, s.forgottenPage),
		site.Post("/sign-in/forgotten", site.AdmitVisitor, access.See, s.sendReset),
		site.Get("/sign-in/reset/:token", site.AdmitVisitor, access.See, s.resetPage),
		site.Post("/sign-in/reset", site.AdmitVisitor, access.See, s.resetPassword),
		site.Get("/invitation/:token", site.AdmitVisitor, access.See, s.invitationPage),
		site.Post("/invitation", site.AdmitVisitor, access.See, s.acceptInvitation),
		site.Get(setUpPath, site.AdmitVisitor, access.See, s.setUpPage),
		site.Get(setUpPath+"/:token", site.AdmitVisitor, access.See, s.setUpPage),
		site.Post(setUpPath, site.AdmitVisitor, access.See, s.makeFirstAccount),
		site.Post("/sign-out", site.AdmitPerson, access.See, s.signOut),

		site.Get("/account", site.AdmitPerson, access.See, s.accountPage),
		site.Post("/account/name", site.AdmitPerson, access.See, s.saveName),
		site.Post("/account/language", site.AdmitPerson, access.See, s.saveLanguage),
		site.Get("/account/password", site.AdmitPerson, access.See, s.passwordPage),
		site.Post("/account/password", site.AdmitPerson, access.See, s.changePassword),
		site.Post("/account/app/start", site.AdmitPerson, access.See, site.Proved("/account", s.startApp)),
		site.Get("/account/app", site.AdmitPerson, access.See, site.Proved("/account/app", s.appPage)),
		site.Post("/account/app", site.AdmitPerson, access.See, site.Proved("/account/app", s.confirmApp)),
		site.Post("/account/app/remove", site.AdmitPerson, access.See, site.Proved("/account", s.removeApp)),
		site.Post("/account/recovery", site.AdmitPerson, access.See, site.Proved("/account", s.renewRecovery)),
		site.Get("/account/confirm", site.AdmitPerson, access.See, s.confirmPage),
		site.Post("/account/confirm", site.AdmitPerson, access.See, s.confirm),
		site.Post("/account/confirm/passkey", site.AdmitPerson, access.See, s.withPasskeys(s.confirmByPasskey)),
		site.Post("/account/confirm/passkey/options", site.AdmitPerson, access.See, s.withPasskeys(s.passkeyOptions)),
		site.Post("/account/passkeys/add", site.AdmitPerson, access.See, s.withPasskeys(site.Proved("/account", s.addPasskey))),
		site.Post("/account/passkeys/add/options", site.AdmitPerson, access.See, s.withPasskeys(site.Proved("/account", s.addPasskeyOptions))),
		site.Post("/account/passkeys/rename", site.AdmitPerson, access.See, site.ByID(s.renamePasskey)),
		site.Post("/account/passkeys/remove", site.AdmitPerson, access.See, site.Proved("/account", site.ByID(s.removePasskey))),
		site.Get("/account/confirm/sso", site.AdmitPerson, access.See, s.confirmBySSO),
		site.Post("/account/identities/connect", site.AdmitPerson, access.See, site.Proved("/account", s.connectSSO)),
		site.Post("/account/identities/remove", site.AdmitPerson, access.See, site.Proved("/account", s.removeIdentity)),
		site.Post("/account/sessions/end", site.AdmitPerson, access.See, site.ByID(s.endSession)),
		site.Post("/account/sessions/end-others", site.AdmitPerson, access.See, s.endOtherSessions),
	}
}
