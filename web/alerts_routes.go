package web

import "github.com/storeglass/storeglass/internal/access"

// routes are the addresses of this part of the site.
func (s *alertsHandlers) routes() []route {
	return []route{
		{"GET", alertsPath, admitPerson, access.See, s.alertsPage},
		{"GET", alertsPath + ".csv", admitPerson, access.See, s.alertsFile(".csv", csvType, table.csv)},
		{"GET", alertsPath + ".xlsx", admitPerson, access.See, s.alertsFile(".xlsx", xlsxType, table.xlsx)},
		{"POST", alertsPath + "/mutes", admitPerson, access.See, s.muteAlert},
		{"POST", alertsPath + "/mutes/:id/end", admitPerson, access.See, s.endMute},
		{"GET", alertSettingsPath, admitPerson, access.See, s.alertSettings},
		{"POST", alertSettingsPath, admitPerson, access.See, s.saveAlertSettings},
		{"GET", newChannelPath, admitPerson, access.Share, proved(newChannelPath, s.channeling(s.newChannel))},
		{"POST", channelsPath, admitPerson, access.Share, proved(newChannelPath, s.channeling(s.addChannel))},
		{"GET", channelsPath + "/:id", admitPerson, access.Share, proved(channelsPath+"/:id", s.channeling(s.channelPage))},
		{"POST", channelsPath + "/:id", admitPerson, access.Share, proved(channelsPath+"/:id", s.channeling(s.changeChannel))},
		{"POST", channelsPath + "/:id/secret", admitPerson, access.Share, proved(alertSettingsPath, s.channeling(s.renewChannelSecret))},
		{"POST", channelsPath + "/:id/test", admitPerson, access.Share, s.channeling(s.testChannel)},
		{"POST", channelsPath + "/:id/on", admitPerson, access.Share, s.channeling(s.switchChannel(true))},
		{"POST", channelsPath + "/:id/off", admitPerson, access.Share, s.channeling(s.switchChannel(false))},
		{"POST", channelsPath + "/:id/remove", admitPerson, access.Share, s.channeling(s.removeChannel)},

		{"GET", "/stores/:slug/alerts", admitPerson, access.See, s.alertsPage},
	}
}
