// Package alerts is the inbox: what needs attention in stores, who is assigned, what is snoozed,
// how each person is notified, and the channels that messages go to.
package alerts

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Page(site.AlertsPath, site.AdmitPerson, s.alertsPage),
		site.Get(site.AlertsPath+".csv", site.AdmitPerson, access.See, s.File(site.CSV, "alerts", s.alertsFile)),
		site.Get(site.AlertsPath+".xlsx", site.AdmitPerson, access.See, s.File(site.XLSX, "alerts", s.alertsFile)),
		site.Post(site.AlertsPath+"/snoozes", site.AdmitPerson, access.See, s.snoozeAlert),
		site.Post(site.AlertsPath+"/snoozes/:id/end", site.AdmitPerson, access.See, site.ByID(s.endSnooze)),
		site.Post(site.AlertsPath+"/:id/assign", site.AdmitPerson, access.Share, site.ByID(s.assignAlert)),
		site.Post(site.AlertsPath+"/:id/done", site.AdmitPerson, access.Share, site.ByID(s.endAlert(true))),
		site.Post(site.AlertsPath+"/:id/open", site.AdmitPerson, access.Share, site.ByID(s.endAlert(false))),
		site.Get(alertSettingsPath, site.AdmitPerson, access.See, s.alertSettings),
		site.Post(alertSettingsPath, site.AdmitPerson, access.See, s.saveAlertSettings),
		site.Get(newChannelPath, site.AdmitPerson, access.Share, site.Proved(newChannelPath, s.channeling(s.newChannel))),
		site.Post(channelsPath, site.AdmitPerson, access.Share, site.Proved(newChannelPath, s.channeling(s.addChannel))),
		site.Get(channelsPath+"/:id", site.AdmitPerson, access.Share, site.Proved(channelsPath+"/:id", s.channeling(site.ByID(s.channelPage)))),
		site.Post(channelsPath+"/:id", site.AdmitPerson, access.Share, site.Proved(channelsPath+"/:id", s.channeling(site.ByID(s.changeChannel)))),
		site.Post(channelsPath+"/:id/secret", site.AdmitPerson, access.Share, site.Proved(alertSettingsPath, s.channeling(site.ByID(s.renewChannelSecret)))),
		site.Post(channelsPath+"/:id/test", site.AdmitPerson, access.Share, s.channeling(site.ByID(s.testChannel))),
		site.Post(channelsPath+"/:id/on", site.AdmitPerson, access.Share, s.channeling(site.ByID(s.switchChannel(true)))),
		site.Post(channelsPath+"/:id/off", site.AdmitPerson, access.Share, s.channeling(site.ByID(s.switchChannel(false)))),
		site.Post(channelsPath+"/:id/remove", site.AdmitPerson, access.Share, s.channeling(site.ByID(s.removeChannel))),

		site.Get(site.AlertsPath+"/thresholds", site.AdmitPerson, access.See, s.thresholdsOfStore),

		site.Page("/stores/:slug/alerts", site.AdmitPerson, s.alertsPage),
		site.Get("/stores/:slug/alerts/thresholds", site.AdmitPerson, access.See, s.thresholdsPage),
		site.Post("/stores/:slug/alerts/thresholds", site.AdmitPerson, access.Share, s.setThreshold),
		site.Post("/stores/:slug/alerts/thresholds/:id", site.AdmitPerson, access.Share, site.ByID(s.changeThreshold)),
		site.Post("/stores/:slug/alerts/thresholds/:id/delete", site.AdmitPerson, access.Share, site.ByID(s.deleteThreshold)),
	}
}
