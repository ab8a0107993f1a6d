package web

import "github.com/storeglass/storeglass/internal/access"

// routes are the addresses of this part of the site.
func (s *reportsHandlers) routes() []route {
	table := []route{
		{"GET", "/stores/:slug", admitPerson, access.See, s.overviewPage},
		{"GET", "/stores/:slug/placements", admitPerson, access.See, s.placementsPage},
		{"GET", "/stores/:slug/offers", admitPerson, access.See, s.offersPage},
		{"GET", "/stores/:slug/offers/:id", admitPerson, access.See, s.offerPage},
		{"GET", "/stores/:slug/recommendations", admitPerson, access.Pull, s.recommendPage},
		{"POST", "/stores/:slug/recommendations", admitPerson, access.Pull, s.showRecommendations},
		{"GET", "/stores/:slug/gift", admitPerson, access.See, s.giftPage},
		{"GET", "/stores/:slug/gift/campaigns/:id", admitPerson, access.See, s.giftCampaignPage},
		{"GET", "/stores/:slug/gift/products", admitPerson, access.Pull, s.giftProductsPage},
		{"POST", "/stores/:slug/gift/products", admitPerson, access.Pull, s.checkGiftProducts},
		{"GET", "/stores/:slug/export.zip", admitPerson, access.Share, proved("/stores/:slug/export.zip", s.exportAll)},
		{"GET", "/stores/:slug/replies", admitPerson, access.See, s.replyPage},
	}
	for _, e := range exports {
		table = append(table,
			route{"GET", "/stores/:slug/" + e.path() + ".csv", admitPerson, access.See, s.exportCSV(e)},
			route{"GET", "/stores/:slug/" + e.path() + ".xlsx", admitPerson, access.See, s.exportXLSX(e)},
		)
	}
	return table
}
