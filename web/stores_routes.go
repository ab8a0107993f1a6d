package web

import "github.com/storeglass/storeglass/internal/access"

// routes are the addresses of this part of the site.
func (s *storesHandlers) routes() []route {
	return []route{
		{"GET", "/", admitPerson, access.See, s.home},
		{"GET", "/stores.csv", admitPerson, access.See, s.storesFile(".csv", csvType, table.csv)},
		{"GET", "/stores.xlsx", admitPerson, access.See, s.storesFile(".xlsx", xlsxType, table.xlsx)},
		{"GET", wallPath, admitPerson, access.See, s.wall},
		{"GET", "/views", admitPerson, access.See, s.viewsPage},
		{"POST", "/views", admitPerson, access.See, s.saveView},
		{"POST", "/views/:id/rename", admitPerson, access.See, s.renameView},
		{"POST", "/views/:id/opens", admitPerson, access.See, s.openWithView},
		{"POST", "/views/:id/delete", admitPerson, access.See, s.deleteView},

		{"GET", newStorePath, admitPerson, access.Connect, s.keeping(s.newStore)},
		{"POST", newStorePath, admitPerson, access.Connect, s.keeping(s.checkNewStore)},
		{"GET", newStorePath + "/:pending", admitPerson, access.Connect, s.keeping(s.foundStorePage)},
		{"POST", newStorePath + "/:pending", admitPerson, access.Connect, s.keeping(s.saveNewStore)},
		{"POST", checkStoresPath, admitPerson, access.Connect, s.keeping(s.checkStores)},
		{"GET", removedPath, admitPerson, access.Connect, s.keeping(s.removedStores)},
		{"POST", removedPath, admitPerson, access.Connect, proved(removedPath, s.keeping(s.restoreStore))},
		{"GET", "/stores/:slug/sync", admitPerson, access.See, s.syncPage},
		{"POST", "/stores/:slug/sync/pull", admitPerson, access.Pull, s.pullNow},
		{"POST", "/stores/:slug/sync/pause", admitPerson, access.Connect, s.pauseStore},
		{"POST", "/stores/:slug/sync/resume", admitPerson, access.Connect, s.resumeStore},
		{"GET", "/stores/:slug/settings", admitPerson, access.Share, s.settings},
		{"POST", "/stores/:slug/settings", admitPerson, access.Connect, s.keeping(s.saveSettings)},
		{"GET", "/stores/:slug/settings/remove", admitPerson, access.Connect, proved("/stores/:slug/settings/remove", s.keeping(s.removeStorePage))},
		{"POST", "/stores/:slug/settings/remove", admitPerson, access.Connect, proved("/stores/:slug/settings/remove", s.keeping(s.removeStore))},
		{"GET", "/stores/:slug/settings/:service", admitPerson, access.Connect, proved("/stores/:slug/settings/:service", s.keeping(s.serviceSettings))},
		{"POST", "/stores/:slug/settings/:service", admitPerson, access.Connect, proved("/stores/:slug/settings/:service", s.keeping(s.connectService))},
		{"POST", "/stores/:slug/settings/:service/check", admitPerson, access.Connect, s.keeping(s.checkService)},
		{"GET", "/stores/:slug/settings/:service/disconnect", admitPerson, access.Connect, proved("/stores/:slug/settings/:service/disconnect", s.keeping(s.disconnectPage))},
		{"POST", "/stores/:slug/settings/:service/disconnect", admitPerson, access.Connect, proved("/stores/:slug/settings/:service/disconnect", s.keeping(s.disconnectService))},
	}
}
