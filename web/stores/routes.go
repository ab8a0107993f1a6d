// Package stores is the list of stores with its saved views, the wall, connecting a store, its
// settings, the Sync page and its removal.
package stores

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Page("/", site.AdmitPerson, s.home),
		site.Get("/stores.csv", site.AdmitPerson, access.See, s.File(site.CSV, "stores", s.storesFile)),
		site.Get("/stores.xlsx", site.AdmitPerson, access.See, s.File(site.XLSX, "stores", s.storesFile)),
		site.Page(site.WallPath, site.AdmitPerson, s.wall),
		site.Get("/views", site.AdmitPerson, access.See, s.viewsPage),
		site.Post("/views", site.AdmitPerson, access.See, s.saveView),
		site.Post("/views/:id/rename", site.AdmitPerson, access.See, site.ByID(s.renameView)),
		site.Post("/views/:id/opens", site.AdmitPerson, access.See, site.ByID(s.openWithView)),
		site.Post("/views/:id/delete", site.AdmitPerson, access.See, site.ByID(s.deleteView)),

		site.Get(site.NewStorePath, site.AdmitPerson, access.Connect, s.withAdmin(s.newStore)),
		site.Post(site.NewStorePath, site.AdmitPerson, access.Connect, s.withAdmin(s.checkNewStore)),
		site.Get(site.NewStorePath+"/:pending", site.AdmitPerson, access.Connect, s.withAdmin(s.foundStorePage)),
		site.Post(site.NewStorePath+"/:pending", site.AdmitPerson, access.Connect, s.withAdmin(s.saveNewStore)),
		site.Post(madeUpPath, site.AdmitPerson, access.Manage, s.withAdmin(s.addMadeUp)),
		site.Post(removeMadeUpPath, site.AdmitPerson, access.Manage, s.withAdmin(s.removeMadeUp)),
		site.Post(checkStoresPath, site.AdmitPerson, access.Connect, s.withAdmin(s.checkStores)),
		site.Get(site.RemovedPath, site.AdmitPerson, access.Connect, s.withAdmin(s.removedStores)),
		site.Post(site.RemovedPath, site.AdmitPerson, access.Connect, site.Proved(site.RemovedPath, s.withAdmin(s.restoreStore))),
		site.Page("/stores/:slug/sync", site.AdmitPerson, s.syncPage),
		site.Post("/stores/:slug/sync/pause", site.AdmitPerson, access.Connect, s.pauseStore),
		site.Post("/stores/:slug/sync/resume", site.AdmitPerson, access.Connect, s.resumeStore),
		site.Get("/stores/:slug/settings", site.AdmitPerson, access.Share, s.settings),
		site.Post("/stores/:slug/settings", site.AdmitPerson, access.Connect, s.withAdmin(s.saveSettings)),
		site.Post("/stores/:slug/settings/goal", site.AdmitPerson, access.Connect, s.saveGoal),
		site.Get("/stores/:slug/settings/remove", site.AdmitPerson, access.Connect, site.Proved("/stores/:slug/settings/remove", s.withAdmin(s.removeStorePage))),
		site.Post("/stores/:slug/settings/remove", site.AdmitPerson, access.Connect, site.Proved("/stores/:slug/settings/remove", s.withAdmin(s.removeStore))),
		site.Get("/stores/:slug/settings/:service", site.AdmitPerson, access.Connect, site.Proved("/stores/:slug/settings/:service", s.withAdmin(s.serviceSettings))),
		site.Post("/stores/:slug/settings/:service", site.AdmitPerson, access.Connect, site.Proved("/stores/:slug/settings/:service", s.withAdmin(s.connectService))),
		site.Post("/stores/:slug/settings/:service/check", site.AdmitPerson, access.Connect, s.withAdmin(s.checkService)),
		site.Get("/stores/:slug/settings/:service/disconnect", site.AdmitPerson, access.Connect, site.Proved("/stores/:slug/settings/:service/disconnect", s.withAdmin(s.disconnectPage))),
		site.Post("/stores/:slug/settings/:service/disconnect", site.AdmitPerson, access.Connect, site.Proved("/stores/:slug/settings/:service/disconnect", s.withAdmin(s.disconnectService))),
	}
}
