package web

import "github.com/storeglass/storeglass/internal/access"

// routes are the addresses of this part of the site.
func (s *accountHandlers) routes() []route {
	return []route{
		{"GET", "/sign-in", admitVisitor, access.See, s.signIn},
		{"GET", "/sign-in/:token", admitVisitor, access.See, s.signInLink},
		{"POST", "/sign-in", admitVisitor, access.See, s.takeSignIn},
		{"GET", "/sign-in/code", admitVisitor, access.See, s.secondStep},
		{"POST", "/sign-in/code", admitVisitor, access.See, s.takeSecondStep},
		{"POST", "/sign-in/code/passkey", admitVisitor, access.See, s.secondStepByPasskey},
		{"POST", "/sign-in/code/passkey/options", admitVisitor, access.See, s.passkeyOptions},
		{"POST", "/sign-in/passkey", admitVisitor, access.See, s.signInByPasskey},
		{"POST", "/sign-in/passkey/options", admitVisitor, access.See, s.passkeyOptions},
		{"GET", ssoStart, admitVisitor, access.See, s.beginSSO},
		{"GET", ssoCallback, admitVisitor, access.See, s.finishSSO},
		{"GET", "/sign-in/forgotten", admitVisitor, access.See, s.forgottenPage},
		{"POST", "/sign-in/forgotten", admitVisitor, access.See, s.sendReset},
		{"GET", "/sign-in/reset/:token", admitVisitor, access.See, s.resetPage},
		{"POST", "/sign-in/reset", admitVisitor, access.See, s.resetPassword},
		{"GET", "/invitation/:token", admitVisitor, access.See, s.invitationPage},
		{"POST", "/invitation", admitVisitor, access.See, s.acceptInvitation},
		{"GET", "/set-up/:token", admitVisitor, access.See, s.setUpPage},
		{"POST", "/set-up", admitVisitor, access.See, s.makeFirstAccount},
		{"POST", "/sign-out", admitPerson, access.See, s.signOut},

		{"GET", "/account", admitPerson, access.See, s.accountPage},
		{"POST", "/account/name", admitPerson, access.See, s.saveName},
		{"POST", "/account/language", admitPerson, access.See, s.saveLanguage},
		{"GET", "/account/password", admitPerson, access.See, s.passwordPage},
		{"POST", "/account/password", admitPerson, access.See, s.changePassword},
		{"POST", "/account/app/start", admitPerson, access.See, s.startApp},
		{"GET", "/account/app", admitPerson, access.See, s.appPage},
		{"POST", "/account/app", admitPerson, access.See, s.confirmApp},
		{"POST", "/account/app/remove", admitPerson, access.See, s.removeApp},
		{"POST", "/account/recovery", admitPerson, access.See, s.renewRecovery},
		{"GET", "/account/confirm", admitPerson, access.See, s.confirmPage},
		{"POST", "/account/confirm", admitPerson, access.See, s.confirm},
		{"POST", "/account/confirm/passkey", admitPerson, access.See, s.confirmByPasskey},
		{"POST", "/account/confirm/passkey/options", admitPerson, access.See, s.passkeyOptions},
		{"POST", "/account/passkeys/add", admitPerson, access.See, s.addPasskey},
		{"POST", "/account/passkeys/add/options", admitPerson, access.See, s.addPasskeyOptions},
		{"POST", "/account/passkeys/rename", admitPerson, access.See, s.renamePasskey},
		{"POST", "/account/passkeys/remove", admitPerson, access.See, s.removePasskey},
		{"GET", "/account/confirm/sso", admitPerson, access.See, s.confirmBySSO},
		{"POST", "/account/identities/connect", admitPerson, access.See, s.connectSSO},
		{"POST", "/account/identities/remove", admitPerson, access.See, s.removeIdentity},
		{"POST", "/account/sessions/end", admitPerson, access.See, s.endSession},
		{"POST", "/account/sessions/end-others", admitPerson, access.See, s.endOtherSessions},
	}
}
