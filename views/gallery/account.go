package gallery

import (
	"time"

	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// accountPages are the sign-in pages and a person's account.
func accountPages(b components.Base) []Page {
	out := signedOut(b)
	half := signedOut(b)
	half.Reader = &components.Reader{CSRF: "canned"}
	in := plain(b, b.T("account.title"))
	in.Path, in.Tabs = "/account", nil
	day := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	full := account.Page{
		Base: in, Email: "ida.moreau@fernhollow.example", Name: "Ida Moreau", Role: "merchant",
		PasswordSince: day(120), AppSince: day(90), RecoveryLeft: 8,
		Passkeys:   []account.PasskeyLine{{ID: "1", Name: "Ida’s phone", Added: day(40), Used: now.Add(-3 * time.Hour)}, {ID: "2", Name: "Blue key", Added: day(2)}},
		Identities: []account.IdentityLine{{Issuer: "https://login.fernhollow.example", Subject: "248289", Email: "ida@fernhollow.example", Added: day(200), Used: day(3)}},
		Provider:   "Fernhollow",
		Sessions: []account.SessionLine{
			{ID: "7", This: true, Way: "passkey", Address: "203.0.113.7", Agent: "Firefox on Linux", Since: day(1), Seen: now.Add(-time.Minute)},
			{ID: "5", Way: "password and code", Address: "2001:db8:5a1:77:9c1f:aa02:1be4:77d2", Agent: "Safari on iPhone", Since: day(9), Seen: day(2)},
			{ID: "4", Since: day(12), Seen: day(6)},
		},
	}
	bare := full
	bare.PasswordSince, bare.AppSince, bare.Passkeys, bare.Identities, bare.Sessions = time.Time{}, time.Time{}, nil, nil, full.Sessions[:1]
	bare.PasskeysOff = b.T("account.passkeys_off.number", "address", "192.0.2.10")
	bare.AppOff = true
	hostile := full
	hostile.Name, hostile.Notice = evil, b.T("account.done.name")
	hostile.Wrong = form.Wrong{Field: "name", Problem: b.T("account.refused.odd_name")}
	hostile.Passkeys = []account.PasskeyLine{{ID: "1", Name: evil, Added: day(1)}}
	hostile.Sessions = []account.SessionLine{{ID: "1", This: true, Way: evil, Address: evil, Agent: evil, Since: day(1), Seen: day(1)}, {ID: "2", Agent: evil, Since: day(1), Seen: day(1)}}
	ways := account.SignInPage{Base: out, Email: "ida.moreau@fernhollow.example", Problem: b.T("account.problem.sign_in"), Passkeys: true, Provider: "Fernhollow", ProviderHref: "/sign-in/sso"}
	return []Page{
		{"sign-in", "all ways, after a mistake", account.SignIn(ways)},
		{"sign-in-plain", "a password and nothing else", account.SignIn(account.SignInPage{Base: out})},
		{"confirm", "a one-time link before it is used", account.SignInLink(account.SignInLinkPage{Base: out, Token: "canned"})},
		{"link-spent", "a one-time link that works no more", account.SignInLink(account.SignInLinkPage{Base: out, Problem: b.T("account.problem.link")})},
		{"second-step", "a code, a passkey or a recovery code", account.SecondStep(account.SecondStepPage{Base: half, Email: "ida.moreau@fernhollow.example", Codes: true, Passkeys: true, Recovery: true})},
		{"second-step-passkey", "a passkey and no app", account.SecondStep(account.SecondStepPage{Base: half, Email: "ida.moreau@fernhollow.example", Passkeys: true, Recovery: true})},
		{"second-step-limited", "too many codes", account.SecondStep(account.SecondStepPage{Base: half, Email: "ida.moreau@fernhollow.example", Codes: true, Recovery: true, Problem: b.T("problem.too_many.text", "wait", b.T("problem.wait.minutes", "n", 5))})},
		{"confirm-it-is-you", "before what changes who gets in", account.Confirm(account.ConfirmPage{Base: in, Email: "ida.moreau@fernhollow.example", Next: "/account", Password: true, Passkeys: true})},
		{"confirm-at-provider", "once more, at the provider of the single sign-on", account.Confirm(account.ConfirmPage{Base: in, Email: "ida.moreau@fernhollow.example", Next: "/account", Provider: "Fernhollow", ProviderHref: "/account/confirm/sso"})},
		{"confirm-by-link", "nothing but a one-time link", account.Confirm(account.ConfirmPage{Base: in, Email: "ida.moreau@fernhollow.example", Next: "/account"})},
		{"invitation", "someone comes for the first time", account.Invitation(account.InvitationPage{Base: out, Token: "canned", Email: "bo@fernhollow.example", By: "Ida Moreau", Name: "Bo", Until: now.AddDate(0, 0, 3), Provider: "Fernhollow", ProviderHref: "/sign-in/sso"})},
		{"invitation-wrong", "a password that is not taken", account.Invitation(account.InvitationPage{Base: out, Token: "canned", Email: "bo@fernhollow.example", Name: "Bo", Until: now.AddDate(0, 0, 3), Wrong: form.Wrong{Field: "password", Problem: b.T("account.refused.short", "n", 12)}})},
		{"invitation-spent", "an invitation that works no more", account.Invitation(account.InvitationPage{Base: out, Wrong: form.Wrong{Problem: b.T("account.invitation_spent")}})},
		{"set-up", "the first account of an empty installation", account.SetUp(account.SetUpPage{Base: out})},
		{"set-up-wrong", "another code than the server's", account.SetUp(account.SetUpPage{Base: out, Code: "JBSWY3", Email: "ida.moreau@fernhollow.example", Name: "Ida Moreau", Wrong: form.Wrong{Field: "code", Problem: b.T("account.problem.set_up_code")}})},
		{"set-up-over", "an account exists already", account.SetUp(account.SetUpPage{Base: out, Over: true})},
		{"forgotten", "asking for a link", account.Forgotten(account.ForgottenPage{Base: out, Mails: true})},
		{"forgotten-sent", "the same words for everyone", account.Forgotten(account.ForgottenPage{Base: out, Mails: true, Sent: true, Email: "ida.moreau@fernhollow.example"})},
		{"forgotten-no-mail", "no mail server is set", account.Forgotten(account.ForgottenPage{Base: out})},
		{"reset", "a new password by a link", account.Reset(account.ResetPage{Base: out, Token: "canned", Email: "ida.moreau@fernhollow.example"})},
		{"reset-spent", "a link that works no more", account.Reset(account.ResetPage{Base: out, Wrong: form.Wrong{Problem: b.T("account.reset_spent")}})},
		{"account", "everything is set up", account.Show(full)},
		{"account-bare", "came by a link and has nothing else", account.Show(bare)},
		{"account-hostile", "hostile text wherever a person or their browser writes", account.Show(hostile)},
		{"onward", "on to the provider of the single sign-on", account.Onward(account.OnwardPage{Base: in, Provider: "Fernhollow", Href: "https://login.fernhollow.example/auth"})},
		{"password", "changing a password", account.Password(account.PasswordPage{Base: in, Email: "ida.moreau@fernhollow.example", Has: true, Wrong: form.Wrong{Field: "current", Problem: b.T("account.problem.password")}})},
		{"app", "setting an authenticator app up", account.App(account.AppPage{Base: in, Secret: "JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP", Picture: "M0 0h7v7h-7zM14 0h7v7h-7zM0 14h7v7h-7zM9 9h3v3h-3z", Side: 21})},
		{"recovery", "recovery codes, once", account.Recovery(account.RecoveryPage{Base: in, Lead: b.T("account.recovery.second_step_on"), Codes: []string{"k7qd-2m4x-c9vh-3tzn-8wfa-r5je", "p2mx-7kqd-h9vc-4tzn-6wfa-b5jr", "q8dk-3x2m-v9hc-5ntz-7faw-e5rj"}})},
	}
}
