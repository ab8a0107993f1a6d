// Package mails is weekly mails on the site: subscriptions, what was sent, previews, and the
// links that are in mails.
package mails

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Get(site.ConfirmPath+":token", site.AdmitAll, access.See, s.mailing(s.confirmMailPage)),
		site.Post(site.ConfirmPath+":token", site.AdmitAll, access.See, s.mailing(s.confirmMail)),
		site.Get(site.UnsubscribePath+":token", site.AdmitAll, access.See, s.mailing(s.unsubscribePage)),
		site.Post(site.UnsubscribePath+":token", site.AdmitAll, access.See, s.mailing(s.unsubscribe)),
		site.Post(site.BouncePath+":token", site.AdmitAll, access.See, s.mailing(s.takeBounce)),
		site.Get(site.MailPath+":token", site.AdmitAll, access.See, s.mailing(sent(s.mailAsked, showMail))),
		site.Get(site.MailPath+":token/:file", site.AdmitAll, access.See, s.mailing(sent(s.mailAsked, picture))),
		site.Get(site.MailPath+":token/weeks", site.AdmitAll, access.See, s.mailing(s.mailWeeks)),
		site.Get(site.MailPath+":token/weeks/:week", site.AdmitAll, access.See, s.mailing(sent(s.weekAsked, showMail))),
		site.Get(site.MailPath+":token/weeks/:week/:file", site.AdmitAll, access.See, s.mailing(sent(s.weekAsked, picture))),

		site.Get(site.SnapshotsPath, site.AdmitPerson, access.See, s.snapshotsPage),
		site.Post(site.SnapshotsPath, site.AdmitPerson, access.See, s.mailing(s.subscribe)),
		site.Get(site.SnapshotsPath+"/new", site.AdmitPerson, access.See, s.newSubscriptionPage),
		site.Get(site.SnapshotsPath+"/:id", site.AdmitPerson, access.See, s.ofSubscription(s.subscriptionPage)),
		site.Post(site.SnapshotsPath+"/:id", site.AdmitPerson, access.See, s.mailing(s.ofSubscription(s.changeSubscription))),
		site.Post(site.SnapshotsPath+"/:id/end", site.AdmitPerson, access.See, s.mailing(s.ofSubscription(s.endSubscription))),
		site.Post(site.SnapshotsPath+"/:id/ask", site.AdmitPerson, access.Share, s.mailing(s.ofSubscription(s.askAgain))),
		site.Get(deliveriesPath, site.AdmitPerson, access.Share, s.deliveriesPage),
		site.Post(deliveriesPath+"/:id/resend", site.AdmitPerson, access.Share, s.mailing(site.ByID(s.resend))),
		site.Get(suppressedPath, site.AdmitPerson, access.Manage, s.mailing(s.suppressedPage)),
		site.Post(suppressedPath, site.AdmitPerson, access.Manage, s.mailing(s.liftSuppression)),

		site.Get("/stores/:slug/snapshot", site.AdmitPerson, access.See, s.mailing(s.previewPage)),
		site.Get("/stores/:slug/snapshot/mail", site.AdmitPerson, access.See, s.mailing(s.previewMail)),
		site.Post("/stores/:slug/snapshot/test", site.AdmitPerson, access.See, s.mailing(s.sendTest)),
	}
}
