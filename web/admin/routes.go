// Package admin is for people who manage people: people, groups and tags, API tokens, the audit
// log, branding, and what a person has access to.
package admin

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Get("/brand/:file", site.AdmitAll, access.See, s.brandFile),

		site.Get("/people", site.AdmitPerson, access.Manage, s.peoplePage),
		site.Post("/people", site.AdmitPerson, access.Manage, site.Proved("/people/new", s.invite)),
		site.Get("/people/new", site.AdmitPerson, access.Manage, site.Proved("/people/new", s.invitePage)),
		site.Get("/people/:id", site.AdmitPerson, access.Manage, site.ByID(s.personPage)),
		site.Post("/people/:id/role", site.AdmitPerson, access.Manage, s.aboutPerson("role", s.setRole)),
		site.Post("/people/:id/grants", site.AdmitPerson, access.Manage, s.aboutPerson("given", s.giveGrant)),
		site.Post("/people/:id/grants/take", site.AdmitPerson, access.Manage, s.aboutPerson("taken", s.takeGrant)),
		site.Post("/people/:id/disable", site.AdmitPerson, access.Manage, s.aboutPerson("disabled", s.disablePerson)),
		site.Get("/people/:id/reach", site.AdmitPerson, access.Manage, site.ByID(s.reachPage)),
		site.Post("/people/:id/offboard", site.AdmitPerson, access.Manage, site.ByID(s.offboard)),
		site.Post("/people/:id/enable", site.AdmitPerson, access.Manage, s.aboutPerson("enabled", s.enablePerson)),
		site.Post("/people/:id/sessions/end", site.AdmitPerson, access.Manage, s.aboutPerson("ended", s.endSessions)),
		site.Post("/people/:id/second-step/remove", site.AdmitPerson, access.Manage, s.aboutPerson("second-step", s.takeSecondStepOff)),
		site.Post("/people/:id/link", site.AdmitPerson, access.Manage, ofPerson(s.makeLink)),
		site.Post("/people/:id/invitation", site.AdmitPerson, access.Manage, ofPerson(s.reinvite)),
		site.Post("/people/:id/invitation/withdraw", site.AdmitPerson, access.Manage, ofPerson(s.withdrawInvitation)),
		site.Get("/groups", site.AdmitPerson, access.Manage, s.groupsPage),
		site.Post("/groups", site.AdmitPerson, access.Manage, s.makeGroup),
		site.Post("/groups/tags", site.AdmitPerson, access.Manage, s.tagStore),
		site.Get("/groups/:id", site.AdmitPerson, access.Manage, site.ByID(s.groupPage)),
		site.Post("/groups/:id/name", site.AdmitPerson, access.Manage, s.aboutGroup("renamed", s.renameGroup)),
		site.Post("/groups/:id/stores", site.AdmitPerson, access.Manage, s.aboutGroup("put", s.storeIntoGroup)),
		site.Post("/groups/:id/stores/take", site.AdmitPerson, access.Manage, s.aboutGroup("out", s.storeOutOfGroup)),
		site.Post("/groups/:id/delete", site.AdmitPerson, access.Manage, s.aboutGroup("deleted", s.deleteGroup)),
		site.Get("/tokens", site.AdmitPerson, access.Manage, s.tokensPage),
		site.Post("/tokens", site.AdmitPerson, access.Manage, site.Proved("/tokens/new", s.makeToken)),
		site.Get("/tokens/new", site.AdmitPerson, access.Manage, site.Proved("/tokens/new", s.tokenPage)),
		site.Post("/tokens/:id/revoke", site.AdmitPerson, access.Manage, site.ByID(s.revokeToken)),
		site.Get("/audit", site.AdmitPerson, access.Manage, s.auditPage),
		site.Get("/audit.csv", site.AdmitPerson, access.Manage, s.File(site.CSV, "audit-log", s.auditFile)),
		site.Get("/branding", site.AdmitPerson, access.Manage, s.brandingPage),
		site.Post("/branding", site.AdmitPerson, access.Manage, s.saveBranding),
		site.Post(site.BrandingForm, site.AdmitPerson, access.Manage, s.tryBranding),
		site.Post("/branding/own", site.AdmitPerson, access.Manage, s.useOwnBranding),
		site.Post("/branding/discard", site.AdmitPerson, access.Manage, s.discardBranding),
		site.Get("/branding/logo.png", site.AdmitPerson, access.Manage, s.brandingLogo),
		site.Get("/audit.xlsx", site.AdmitPerson, access.Manage, s.File(site.XLSX, "audit-log", s.auditFile)),
	}
}
