package web

import "github.com/storeglass/storeglass/internal/access"

// routes are the addresses of this part of the site.
func (s *adminHandlers) routes() []route {
	return []route{
		{"GET", "/brand/:file", admitAll, access.See, s.brandFile},

		{"GET", "/people", admitPerson, access.Manage, s.peoplePage},
		{"POST", "/people", admitPerson, access.Manage, s.invite},
		{"GET", "/people/new", admitPerson, access.Manage, s.invitePage},
		{"GET", "/people/:id", admitPerson, access.Manage, s.personPage},
		{"POST", "/people/:id/role", admitPerson, access.Manage, s.aboutPerson("role", s.setRole)},
		{"POST", "/people/:id/grants", admitPerson, access.Manage, s.aboutPerson("given", s.giveGrant)},
		{"POST", "/people/:id/grants/take", admitPerson, access.Manage, s.aboutPerson("taken", s.takeGrant)},
		{"POST", "/people/:id/disable", admitPerson, access.Manage, s.aboutPerson("disabled", s.disablePerson)},
		{"GET", "/people/:id/reach", admitPerson, access.Manage, s.reachPage},
		{"POST", "/people/:id/offboard", admitPerson, access.Manage, s.offboard},
		{"POST", "/people/:id/enable", admitPerson, access.Manage, s.aboutPerson("enabled", s.enablePerson)},
		{"POST", "/people/:id/sessions/end", admitPerson, access.Manage, s.aboutPerson("ended", s.endSessions)},
		{"POST", "/people/:id/second-step/remove", admitPerson, access.Manage, s.aboutPerson("second-step", s.takeSecondStepOff)},
		{"POST", "/people/:id/link", admitPerson, access.Manage, s.makeLink},
		{"POST", "/people/:id/invitation", admitPerson, access.Manage, s.reinvite},
		{"POST", "/people/:id/invitation/withdraw", admitPerson, access.Manage, s.withdrawInvitation},
		{"GET", "/groups", admitPerson, access.Manage, s.groupsPage},
		{"POST", "/groups", admitPerson, access.Manage, s.makeGroup},
		{"POST", "/groups/tags", admitPerson, access.Manage, s.tagStore},
		{"GET", "/groups/:id", admitPerson, access.Manage, s.groupPage},
		{"POST", "/groups/:id/name", admitPerson, access.Manage, s.aboutGroup("renamed", s.renameGroup)},
		{"POST", "/groups/:id/stores", admitPerson, access.Manage, s.aboutGroup("put", s.storeIntoGroup)},
		{"POST", "/groups/:id/stores/take", admitPerson, access.Manage, s.aboutGroup("out", s.storeOutOfGroup)},
		{"POST", "/groups/:id/delete", admitPerson, access.Manage, s.aboutGroup("deleted", s.deleteGroup)},
		{"GET", "/tokens", admitPerson, access.Manage, s.tokensPage},
		{"POST", "/tokens", admitPerson, access.Manage, s.makeToken},
		{"GET", "/tokens/new", admitPerson, access.Manage, s.tokenPage},
		{"POST", "/tokens/:id/revoke", admitPerson, access.Manage, s.revokeToken},
		{"GET", "/audit", admitPerson, access.Manage, s.auditPage},
		{"GET", "/audit.csv", admitPerson, access.Manage, s.auditFile(".csv", csvType, table.csv)},
		{"GET", "/branding", admitPerson, access.Manage, s.brandingPage},
		{"POST", "/branding", admitPerson, access.Manage, s.saveBranding},
		{"POST", brandingForm, admitPerson, access.Manage, s.tryBranding},
		{"POST", "/branding/own", admitPerson, access.Manage, s.useOwnBranding},
		{"POST", "/branding/discard", admitPerson, access.Manage, s.discardBranding},
		{"GET", "/branding/logo.png", admitPerson, access.Manage, s.brandingLogo},
		{"GET", "/audit.xlsx", admitPerson, access.Manage, s.auditFile(".xlsx", xlsxType, table.xlsx)},
	}
}
