// Package reports is a store's numbers: overview, placements, offers and gifts as pages and as
// files. The JSON API and share links show the same values.
package reports

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) Routes() []site.Route {
	table := []site.Route{
		site.Page("/stores/:slug", site.AdmitPerson, s.OverviewPage),
		site.Page("/stores/:slug/placements", site.AdmitPerson, s.PlacementsPage),
		site.Page("/stores/:slug/offers", site.AdmitPerson, s.OffersPage),
		site.Page("/stores/:slug/offers/:id", site.AdmitPerson, s.OfferPage),
		site.Post("/stores/:slug/refresh", site.AdmitPerson, access.Pull, s.Refresh),
		site.Get("/stores/:slug/recommendations", site.AdmitPerson, access.Pull, s.recommendPage),
		site.Post("/stores/:slug/recommendations", site.AdmitPerson, access.Pull, s.showRecommendations),
		site.Page("/stores/:slug/gift", site.AdmitPerson, s.GiftPage),
		site.Page("/stores/:slug/gift/campaigns/:id", site.AdmitPerson, s.GiftCampaignPage),
		site.Get("/stores/:slug/gift/products", site.AdmitPerson, access.Pull, s.giftProductsPage),
		site.Post("/stores/:slug/gift/products", site.AdmitPerson, access.Pull, s.checkGiftProducts),
		site.Get("/stores/:slug/export.zip", site.AdmitPerson, access.Share, site.Proved("/stores/:slug/export.zip", s.exportAll)),
		site.Get("/stores/:slug/replies", site.AdmitPerson, access.See, s.replyPage),
	}
	for _, e := range Exports {
		table = append(table,
			site.Get("/stores/:slug/"+e.Path()+".csv", site.AdmitPerson, access.See, s.ExportFile(e, site.CSV)),
			site.Get("/stores/:slug/"+e.Path()+".xlsx", site.AdmitPerson, access.See, s.ExportFile(e, site.XLSX)),
		)
	}
	return table
}
