package web

import "github.com/storeglass/storeglass/internal/access"

// routes are the addresses of this part of the site.
func (s *apiHandlers) routes() []route {
	return []route{
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
}
