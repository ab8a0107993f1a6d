package web

import "github.com/storeglass/storeglass/internal/access"

// routes are the addresses of this part of the site.
func (s *mailsHandlers) routes() []route {
	return []route{
		{"GET", confirmPath + ":token", admitAll, access.See, s.mailing(s.confirmMailPage)},
		{"POST", confirmPath + ":token", admitAll, access.See, s.mailing(s.confirmMail)},
		{"GET", unsubscribePath + ":token", admitAll, access.See, s.mailing(s.unsubscribePage)},
		{"POST", unsubscribePath + ":token", admitAll, access.See, s.mailing(s.unsubscribe)},
		{"POST", bouncePath + ":token", admitAll, access.See, s.mailing(s.takeBounce)},
		{"GET", mailPath + ":token", admitAll, access.See, s.mailing(s.mailPage)},
		{"GET", mailPath + ":token/:file", admitAll, access.See, s.mailing(s.mailPicture)},
		{"GET", mailPath + ":token/weeks", admitAll, access.See, s.mailing(s.mailWeeks)},
		{"GET", mailPath + ":token/weeks/:week", admitAll, access.See, s.mailing(s.mailWeek)},
		{"GET", mailPath + ":token/weeks/:week/:file", admitAll, access.See, s.mailing(s.mailWeekPicture)},

		{"GET", snapshotsPath, admitPerson, access.See, s.snapshotsPage},
		{"POST", snapshotsPath, admitPerson, access.See, s.mailing(s.subscribe)},
		{"GET", snapshotsPath + "/new", admitPerson, access.See, s.newSubscriptionPage},
		{"GET", snapshotsPath + "/:id", admitPerson, access.See, s.subscriptionPage},
		{"POST", snapshotsPath + "/:id", admitPerson, access.See, s.mailing(s.changeSubscription)},
		{"POST", snapshotsPath + "/:id/end", admitPerson, access.See, s.mailing(s.endSubscription)},
		{"POST", snapshotsPath + "/:id/ask", admitPerson, access.Share, s.mailing(s.askAgain)},
		{"GET", deliveriesPath, admitPerson, access.Share, s.deliveriesPage},
		{"POST", deliveriesPath + "/:id/resend", admitPerson, access.Share, s.mailing(s.resend)},
		{"GET", suppressedPath, admitPerson, access.Manage, s.mailing(s.suppressedPage)},
		{"POST", suppressedPath, admitPerson, access.Manage, s.mailing(s.liftSuppression)},

		{"GET", "/stores/:slug/snapshot", admitPerson, access.See, s.mailing(s.previewPage)},
		{"GET", "/stores/:slug/snapshot/mail", admitPerson, access.See, s.mailing(s.previewMail)},
		{"POST", "/stores/:slug/snapshot/test", admitPerson, access.See, s.mailing(s.sendTest)},
	}
}
