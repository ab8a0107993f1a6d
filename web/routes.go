package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
)

// admits says whom a route answers.
type admits int

const (
	// admitPerson: who is signed in. It comes first, so that a path nobody thought of is closed.
	admitPerson admits = iota
	// admitToken: a bearer token of the JSON API, and nothing else.
	admitToken
	// admitVisitor: anybody; the session is read, because signing in writes it.
	admitVisitor
	// admitShare: whoever has a share link that works; nobody is asked who they are.
	admitShare
	// admitAll: anybody, and nobody is asked who they are.
	admitAll
)

// route is one line of the table. A path with :slug is about one store: its
// handler runs only after the asker's grants were found to hold that store.
type route struct {
	method string
	path   string
	admits admits
	// needs is what a person must have the right to; tokens and visitors have none to show.
	needs  access.Right
	handle func(*call) error
}

// routes is every address there is. GET answers HEAD too.
func (s *Server) routes() []route {
	table := []route{
		{"GET", "/livez", admitAll, access.See, s.livez},
		{"GET", "/readyz", admitAll, access.See, s.readyz},
		{"GET", "/static/*", admitAll, access.See, s.static},
		{"GET", "/brand/:file", admitAll, access.See, s.brandFile},
		{"GET", "/robots.txt", admitAll, access.See, s.robots},
		{"GET", "/.well-known/security.txt", admitAll, access.See, s.securityText},

		{"GET", "/sign-in", admitVisitor, access.See, s.signIn},
		{"GET", "/sign-in/:token", admitVisitor, access.See, s.signInLink},
		{"POST", "/sign-in", admitVisitor, access.See, s.signInPosted},
		{"GET", "/sign-in/code", admitVisitor, access.See, s.secondStep},
		{"POST", "/sign-in/code", admitVisitor, access.See, s.secondStepPosted},
		{"POST", "/sign-in/code/passkey", admitVisitor, access.See, s.secondStepByPasskey},
		{"POST", "/sign-in/code/passkey/options", admitVisitor, access.See, s.passkeyOptions},
		{"POST", "/sign-in/passkey", admitVisitor, access.See, s.signInByPasskey},
		{"POST", "/sign-in/passkey/options", admitVisitor, access.See, s.passkeyOptions},
		{"GET", ssoStart, admitVisitor, access.See, s.ssoBegin},
		{"GET", ssoCallback, admitVisitor, access.See, s.ssoReturned},
		{"GET", "/sign-in/forgotten", admitVisitor, access.See, s.forgottenPage},
		{"POST", "/sign-in/forgotten", admitVisitor, access.See, s.forgottenPosted},
		{"GET", "/sign-in/reset/:token", admitVisitor, access.See, s.resetPage},
		{"POST", "/sign-in/reset", admitVisitor, access.See, s.resetPosted},
		{"GET", "/invitation/:token", admitVisitor, access.See, s.invitationPage},
		{"POST", "/invitation", admitVisitor, access.See, s.invitationAccepted},
		{"GET", "/set-up/:token", admitVisitor, access.See, s.setUpPage},
		{"POST", "/set-up", admitVisitor, access.See, s.setUpPosted},
		{"POST", "/sign-out", admitPerson, access.See, s.signOut},

		{"GET", "/account", admitPerson, access.See, s.accountPage},
		{"POST", "/account/name", admitPerson, access.See, s.accountName},
		{"POST", "/account/language", admitPerson, access.See, s.accountLanguage},
		{"GET", "/account/password", admitPerson, access.See, s.passwordPage},
		{"POST", "/account/password", admitPerson, access.See, s.passwordChanged},
		{"POST", "/account/app/start", admitPerson, access.See, s.appStart},
		{"GET", "/account/app", admitPerson, access.See, s.appPage},
		{"POST", "/account/app", admitPerson, access.See, s.appConfirmed},
		{"POST", "/account/app/remove", admitPerson, access.See, s.appRemove},
		{"POST", "/account/recovery", admitPerson, access.See, s.recoveryMade},
		{"GET", "/account/confirm", admitPerson, access.See, s.confirmPage},
		{"POST", "/account/confirm", admitPerson, access.See, s.confirmed},
		{"POST", "/account/confirm/passkey", admitPerson, access.See, s.confirmedByPasskey},
		{"POST", "/account/confirm/passkey/options", admitPerson, access.See, s.passkeyOptions},
		{"POST", "/account/passkeys/add", admitPerson, access.See, s.passkeyAdded},
		{"POST", "/account/passkeys/add/options", admitPerson, access.See, s.passkeyAddOptions},
		{"POST", "/account/passkeys/rename", admitPerson, access.See, s.passkeyRenamed},
		{"POST", "/account/passkeys/remove", admitPerson, access.See, s.passkeyRemoved},
		{"GET", "/account/confirm/sso", admitPerson, access.See, s.ssoConfirm},
		{"POST", "/account/identities/connect", admitPerson, access.See, s.ssoConnect},
		{"POST", "/account/identities/remove", admitPerson, access.See, s.identityRemoved},
		{"POST", "/account/sessions/end", admitPerson, access.See, s.sessionEnd},
		{"POST", "/account/sessions/end-others", admitPerson, access.See, s.sessionEndOthers},

		{"GET", confirmPath + ":token", admitAll, access.See, s.mailing(s.confirmMailPage)},
		{"POST", confirmPath + ":token", admitAll, access.See, s.mailing(s.mailConfirmed)},
		{"GET", unsubscribePath + ":token", admitAll, access.See, s.mailing(s.unsubscribePage)},
		{"POST", unsubscribePath + ":token", admitAll, access.See, s.mailing(s.unsubscribed)},
		{"POST", bouncePath + ":token", admitAll, access.See, s.mailing(s.bounced)},
		{"GET", mailPath + ":token", admitAll, access.See, s.mailing(s.mailView)},
		{"GET", mailPath + ":token/:file", admitAll, access.See, s.mailing(s.mailPicture)},
		{"GET", mailPath + ":token/weeks", admitAll, access.See, s.mailing(s.mailWeeks)},
		{"GET", mailPath + ":token/weeks/:week", admitAll, access.See, s.mailing(s.mailWeek)},
		{"GET", mailPath + ":token/weeks/:week/:file", admitAll, access.See, s.mailing(s.mailWeekPicture)},

		{"GET", snapshotsPath, admitPerson, access.See, s.snapshotsPage},
		{"POST", snapshotsPath, admitPerson, access.See, s.mailing(s.subscribed)},
		{"GET", snapshotsPath + "/new", admitPerson, access.See, s.newSubscriptionPage},
		{"GET", snapshotsPath + "/:id", admitPerson, access.See, s.subscriptionPage},
		{"POST", snapshotsPath + "/:id", admitPerson, access.See, s.mailing(s.subscriptionChanged)},
		{"POST", snapshotsPath + "/:id/end", admitPerson, access.See, s.mailing(s.subscriptionEnded)},
		{"POST", snapshotsPath + "/:id/ask", admitPerson, access.Share, s.mailing(s.subscriptionAsked)},
		{"GET", deliveriesPath, admitPerson, access.Share, s.deliveriesPage},
		{"POST", deliveriesPath + "/:id/resend", admitPerson, access.Share, s.mailing(s.resent)},
		{"GET", suppressedPath, admitPerson, access.Manage, s.mailing(s.suppressedPage)},
		{"POST", suppressedPath, admitPerson, access.Manage, s.mailing(s.suppressionLifted)},

		{"GET", "/", admitPerson, access.See, s.home},
		{"GET", "/stores.csv", admitPerson, access.See, s.storesFile(".csv", csvType, table.csv)},
		{"GET", "/stores.xlsx", admitPerson, access.See, s.storesFile(".xlsx", xlsxType, table.xlsx)},
		{"GET", wallPath, admitPerson, access.See, s.wall},
		{"GET", "/views", admitPerson, access.See, s.viewsPage},
		{"POST", "/views", admitPerson, access.See, s.viewSaved},
		{"POST", "/views/:id/rename", admitPerson, access.See, s.viewRenamed},
		{"POST", "/views/:id/opens", admitPerson, access.See, s.viewOpens},
		{"POST", "/views/:id/delete", admitPerson, access.See, s.viewDeleted},

		{"GET", alertsPath, admitPerson, access.See, s.alertsPage},
		{"GET", alertsPath + ".csv", admitPerson, access.See, s.alertsFile(".csv", csvType, table.csv)},
		{"GET", alertsPath + ".xlsx", admitPerson, access.See, s.alertsFile(".xlsx", xlsxType, table.xlsx)},
		{"POST", alertsPath + "/mutes", admitPerson, access.See, s.alertMuted},
		{"POST", alertsPath + "/mutes/:id/end", admitPerson, access.See, s.muteEnded},
		{"GET", alertSettingsPath, admitPerson, access.See, s.alertSettings},
		{"POST", alertSettingsPath, admitPerson, access.See, s.alertSettingsSaved},
		{"GET", newChannelPath, admitPerson, access.Share, proved(newChannelPath, s.channeling(s.newChannel))},
		{"POST", channelsPath, admitPerson, access.Share, proved(newChannelPath, s.channeling(s.channelAdded))},
		{"GET", channelsPath + "/:id", admitPerson, access.Share, proved(channelsPath+"/:id", s.channeling(s.channelPage))},
		{"POST", channelsPath + "/:id", admitPerson, access.Share, proved(channelsPath+"/:id", s.channeling(s.channelChanged))},
		{"POST", channelsPath + "/:id/secret", admitPerson, access.Share, proved(alertSettingsPath, s.channeling(s.channelSecretMade))},
		{"POST", channelsPath + "/:id/test", admitPerson, access.Share, s.channeling(s.channelTested)},
		{"POST", channelsPath + "/:id/on", admitPerson, access.Share, s.channeling(s.channelSwitched(true))},
		{"POST", channelsPath + "/:id/off", admitPerson, access.Share, s.channeling(s.channelSwitched(false))},
		{"POST", channelsPath + "/:id/remove", admitPerson, access.Share, s.channeling(s.channelRemoved)},

		{"GET", "/people", admitPerson, access.Manage, s.peoplePage},
		{"POST", "/people", admitPerson, access.Manage, s.invited},
		{"GET", "/people/new", admitPerson, access.Manage, s.invitePage},
		{"GET", "/people/:id", admitPerson, access.Manage, s.personPage},
		{"POST", "/people/:id/role", admitPerson, access.Manage, s.aboutPerson("role", s.setRole)},
		{"POST", "/people/:id/grants", admitPerson, access.Manage, s.aboutPerson("given", s.giveGrant)},
		{"POST", "/people/:id/grants/take", admitPerson, access.Manage, s.aboutPerson("taken", s.takeGrant)},
		{"POST", "/people/:id/disable", admitPerson, access.Manage, s.aboutPerson("disabled", s.disablePerson)},
		{"GET", "/people/:id/reach", admitPerson, access.Manage, s.reachPage},
		{"POST", "/people/:id/offboard", admitPerson, access.Manage, s.offboarded},
		{"POST", "/people/:id/enable", admitPerson, access.Manage, s.aboutPerson("enabled", s.enablePerson)},
		{"POST", "/people/:id/sessions/end", admitPerson, access.Manage, s.aboutPerson("ended", s.endSessions)},
		{"POST", "/people/:id/second-step/remove", admitPerson, access.Manage, s.aboutPerson("second-step", s.takeSecondStepOff)},
		{"POST", "/people/:id/link", admitPerson, access.Manage, s.makeLink},
		{"POST", "/people/:id/invitation", admitPerson, access.Manage, s.reinvited},
		{"POST", "/people/:id/invitation/withdraw", admitPerson, access.Manage, s.withdrawn},
		{"GET", "/groups", admitPerson, access.Manage, s.groupsPage},
		{"POST", "/groups", admitPerson, access.Manage, s.groupMade},
		{"POST", "/groups/tags", admitPerson, access.Manage, s.storeTagged},
		{"GET", "/groups/:id", admitPerson, access.Manage, s.groupPage},
		{"POST", "/groups/:id/name", admitPerson, access.Manage, s.aboutGroup("renamed", s.renameGroup)},
		{"POST", "/groups/:id/stores", admitPerson, access.Manage, s.aboutGroup("put", s.storeIntoGroup)},
		{"POST", "/groups/:id/stores/take", admitPerson, access.Manage, s.aboutGroup("out", s.storeOutOfGroup)},
		{"POST", "/groups/:id/delete", admitPerson, access.Manage, s.aboutGroup("deleted", s.deleteGroup)},
		{"GET", "/tokens", admitPerson, access.Manage, s.tokensPage},
		{"POST", "/tokens", admitPerson, access.Manage, s.tokenMade},
		{"GET", "/tokens/new", admitPerson, access.Manage, s.tokenPage},
		{"POST", "/tokens/:id/revoke", admitPerson, access.Manage, s.tokenRevoked},
		{"GET", "/audit", admitPerson, access.Manage, s.auditPage},
		{"GET", "/audit.csv", admitPerson, access.Manage, s.auditFile(".csv", csvType, table.csv)},
		{"GET", "/branding", admitPerson, access.Manage, s.brandingPage},
		{"POST", "/branding", admitPerson, access.Manage, s.brandingSaved},
		{"POST", brandingForm, admitPerson, access.Manage, s.brandingTried},
		{"POST", "/branding/own", admitPerson, access.Manage, s.brandingOwn},
		{"POST", "/branding/discard", admitPerson, access.Manage, s.brandingDiscarded},
		{"GET", "/branding/logo.png", admitPerson, access.Manage, s.brandingLogo},
		{"GET", "/audit.xlsx", admitPerson, access.Manage, s.auditFile(".xlsx", xlsxType, table.xlsx)},

		{"GET", newStorePath, admitPerson, access.Connect, s.keeping(s.newStore)},
		{"POST", newStorePath, admitPerson, access.Connect, s.keeping(s.newStoreChecked)},
		{"GET", newStorePath + "/:pending", admitPerson, access.Connect, s.keeping(s.foundStore)},
		{"POST", newStorePath + "/:pending", admitPerson, access.Connect, s.keeping(s.newStoreSaved)},
		{"POST", checkStoresPath, admitPerson, access.Connect, s.keeping(s.storesChecked)},
		{"GET", removedPath, admitPerson, access.Connect, s.keeping(s.removedStores)},
		{"POST", removedPath, admitPerson, access.Connect, proved(removedPath, s.keeping(s.storeRestored))},
		{"GET", "/stores/:slug", admitPerson, access.See, s.overviewPage},
		{"GET", "/stores/:slug/placements", admitPerson, access.See, s.placementsPage},
		{"GET", "/stores/:slug/offers", admitPerson, access.See, s.offersPage},
		{"GET", "/stores/:slug/offers/:id", admitPerson, access.See, s.offerPage},
		{"GET", "/stores/:slug/recommendations", admitPerson, access.Pull, s.recommendPage},
		{"POST", "/stores/:slug/recommendations", admitPerson, access.Pull, s.recommended},
		{"GET", "/stores/:slug/gift", admitPerson, access.See, s.giftPage},
		{"GET", "/stores/:slug/gift/campaigns/:id", admitPerson, access.See, s.giftCampaignPage},
		{"GET", "/stores/:slug/gift/products", admitPerson, access.Pull, s.giftProductsPage},
		{"POST", "/stores/:slug/gift/products", admitPerson, access.Pull, s.giftProductsChecked},
		{"GET", "/stores/:slug/alerts", admitPerson, access.See, s.alertsPage},
		{"GET", "/stores/:slug/sync", admitPerson, access.See, s.syncPage},
		{"POST", "/stores/:slug/sync/pull", admitPerson, access.Pull, s.syncPull},
		{"POST", "/stores/:slug/sync/pause", admitPerson, access.Connect, s.syncPause},
		{"POST", "/stores/:slug/sync/resume", admitPerson, access.Connect, s.syncResume},
		{"GET", "/stores/:slug/export.zip", admitPerson, access.Share, proved("/stores/:slug/export.zip", s.exportAll)},
		{"GET", "/stores/:slug/settings", admitPerson, access.Share, s.settings},
		{"POST", "/stores/:slug/settings", admitPerson, access.Connect, s.keeping(s.settingsSaved)},
		{"GET", "/stores/:slug/settings/remove", admitPerson, access.Connect, proved("/stores/:slug/settings/remove", s.keeping(s.storeRemove))},
		{"POST", "/stores/:slug/settings/remove", admitPerson, access.Connect, proved("/stores/:slug/settings/remove", s.keeping(s.storeRemoved))},
		{"GET", "/stores/:slug/settings/:service", admitPerson, access.Connect, proved("/stores/:slug/settings/:service", s.keeping(s.serviceSettings))},
		{"POST", "/stores/:slug/settings/:service", admitPerson, access.Connect, proved("/stores/:slug/settings/:service", s.keeping(s.serviceConnected))},
		{"POST", "/stores/:slug/settings/:service/check", admitPerson, access.Connect, s.keeping(s.serviceChecked)},
		{"GET", "/stores/:slug/settings/:service/disconnect", admitPerson, access.Connect, proved("/stores/:slug/settings/:service/disconnect", s.keeping(s.serviceDisconnect))},
		{"POST", "/stores/:slug/settings/:service/disconnect", admitPerson, access.Connect, proved("/stores/:slug/settings/:service/disconnect", s.keeping(s.serviceDisconnected))},
		{"GET", "/stores/:slug/shares", admitPerson, access.Share, s.sharesPage},
		{"GET", "/stores/:slug/shares/new", admitPerson, access.Share, proved("/stores/:slug/shares/new", s.sharePage)},
		{"POST", "/stores/:slug/shares", admitPerson, access.Share, proved("/stores/:slug/shares/new", s.shareMade)},
		{"POST", "/stores/:slug/shares/:id/revoke", admitPerson, access.Share, s.shareRevoked},
		{"GET", "/stores/:slug/snapshot", admitPerson, access.See, s.mailing(s.previewPage)},
		{"GET", "/stores/:slug/snapshot/mail", admitPerson, access.See, s.mailing(s.previewMail)},
		{"POST", "/stores/:slug/snapshot/test", admitPerson, access.See, s.mailing(s.testSent)},
		{"GET", "/stores/:slug/replies", admitPerson, access.See, s.replyPage},

		{"GET", "/api/v1/openapi.json", admitToken, access.See, s.apiDescription},
		{"GET", "/api/v1/stores", admitToken, access.See, s.apiStores},
		{"GET", "/api/v1/stores/:slug", admitToken, access.See, s.apiStore},
		{"GET", "/api/v1/stores/:slug/summary", admitToken, access.See, s.apiSummary},
		{"GET", "/api/v1/stores/:slug/placements", admitToken, access.See, s.apiPlacements},
		{"GET", "/api/v1/stores/:slug/top", admitToken, access.See, s.apiTop},
		{"GET", "/api/v1/stores/:slug/coverage", admitToken, access.See, s.apiCoverage},
		{"GET", "/api/v1/stores/:slug/lifetime", admitToken, access.See, s.apiLifetime},
		{"GET", "/api/v1/stores/:slug/history", admitToken, access.See, s.apiHistory},
		{"GET", "/api/v1/stores/:slug/offers", admitToken, access.See, s.apiOffers},
		{"GET", "/api/v1/stores/:slug/offers/:id", admitToken, access.See, s.apiOffer},
		{"GET", "/api/v1/stores/:slug/offers/:id/stages", admitToken, access.See, s.apiOfferStages},
		{"GET", "/api/v1/stores/:slug/offers/:id/recommendations", admitToken, access.See, s.apiOfferRecommendations},
		{"GET", "/api/v1/stores/:slug/offers/:id/history", admitToken, access.See, s.apiOfferHistory},
		{"GET", "/api/v1/stores/:slug/recommendations", admitToken, access.See, s.apiRecommendations},
		{"GET", "/api/v1/stores/:slug/gift/analytics", admitToken, access.See, s.apiGiftAnalytics},
		{"GET", "/api/v1/stores/:slug/gift/history", admitToken, access.See, s.apiGiftHistory},
		{"GET", "/api/v1/stores/:slug/gift/campaigns", admitToken, access.See, s.apiGiftCampaigns},
		{"GET", "/api/v1/stores/:slug/gift/campaigns/:id", admitToken, access.See, s.apiGiftCampaign},
		{"GET", "/api/v1/stores/:slug/gift/setup-health", admitToken, access.See, s.apiGiftHealth},
		{"GET", "/api/v1/stores/:slug/gift/plan", admitToken, access.See, s.apiGiftPlan},
		{"GET", "/api/v1/stores/:slug/gift/widgets", admitToken, access.See, s.apiGiftWidgets},
		{"GET", "/api/v1/stores/:slug/gift/settings", admitToken, access.See, s.apiGiftSettings},
		{"GET", "/api/v1/stores/:slug/gift/translations", admitToken, access.See, s.apiGiftTranslations},
		{"GET", "/api/v1/stores/:slug/gift/products", admitToken, access.See, s.apiGiftProducts},
		{"GET", "/api/v1/stores/:slug/sync", admitToken, access.See, s.apiSync},
	}
	if s.withGallery {
		table = append(table,
			route{"GET", "/gallery", admitPerson, access.See, s.gallery},
			route{"GET", "/gallery/:name", admitPerson, access.See, s.galleryPage},
		)
	}
	table = append(table, s.shareRoutes()...)
	for _, e := range exports {
		table = append(table,
			route{"GET", "/stores/:slug/" + e.path() + ".csv", admitPerson, access.See, s.exportCSV(e)},
			route{"GET", "/stores/:slug/" + e.path() + ".xlsx", admitPerson, access.See, s.exportXLSX(e)},
		)
	}
	return table
}

const apiPrefix = "/api/"

func (s *Server) mount(table []route) error {
	for _, r := range table {
		if a, ok := s.admission[r.path]; ok && a != r.admits {
			return fmt.Errorf("web: %s admits two kinds of askers", r.path)
		}
		s.admission[r.path] = r.admits
		r.handle = gated(r.handle)
		handle := func(c echo.Context) error { return r.handle(c.(*call)) }
		if strings.Contains(r.path, ":slug") {
			handle = func(c echo.Context) error { return withStore(c.(*call), r) }
		} else if r.admits == admitPerson {
			handle = func(c echo.Context) error { return withRight(c.(*call), r) }
		}
		s.echo.Add(r.method, r.path, handle)
		if r.method == http.MethodGet {
			s.echo.Add(http.MethodHead, r.path, handle)
		}
	}
	return nil
}

// withStore runs the handler on the store in the address, if the visit holds it.
// A store that it does not hold is not there, whatever the asker may do elsewhere.
func withStore(c *call, r route) error {
	store, err := c.visit.Store()
	if err != nil {
		return err
	}
	c.store = store
	if r.admits != admitPerson {
		return r.handle(c)
	}
	return withRight(c, r)
}

// withRight runs the handler if the person's role has the right that the route needs.
func withRight(c *call, r route) error {
	if !c.may(r.needs) {
		if m := c.Request().Method; m == http.MethodGet || m == http.MethodHead {
			return errNoView // nobody wanted to change anything
		}
		return errNoRight
	}
	return r.handle(c)
}
