// Package api is the JSON API: the values that the pages show, as JSON, read only.
package api

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Get("/api/v1/openapi.json", site.AdmitToken, access.See, s.apiDescription),
		site.Get("/api/v1/stores", site.AdmitToken, access.See, s.apiStores),
		site.Get("/api/v1/stores/:slug", site.AdmitToken, access.See, s.apiStore),
		site.Get("/api/v1/stores/:slug/summary", site.AdmitToken, access.See, s.apiSummary),
		site.Get("/api/v1/stores/:slug/answer", site.AdmitToken, access.See, s.apiAnswer),
		site.Get("/api/v1/stores/:slug/placements", site.AdmitToken, access.See, s.apiPlacements),
		site.Get("/api/v1/stores/:slug/top", site.AdmitToken, access.See, s.apiTop),
		site.Get("/api/v1/stores/:slug/coverage", site.AdmitToken, access.See, s.apiCoverage),
		site.Get("/api/v1/stores/:slug/lifetime", site.AdmitToken, access.See, s.apiLifetime),
		site.Get("/api/v1/stores/:slug/goal", site.AdmitToken, access.See, s.apiGoal),
		site.Get("/api/v1/stores/:slug/history", site.AdmitToken, access.See, s.apiHistory),
		site.Get("/api/v1/stores/:slug/notes", site.AdmitToken, access.See, s.apiNotes),
		site.Get("/api/v1/stores/:slug/offers", site.AdmitToken, access.See, s.apiOffers),
		site.Get("/api/v1/stores/:slug/offers/:id", site.AdmitToken, access.See, s.apiOffer),
		site.Get("/api/v1/stores/:slug/offers/:id/stages", site.AdmitToken, access.See, s.apiOfferStages),
		site.Get("/api/v1/stores/:slug/offers/:id/recommendations", site.AdmitToken, access.See, s.apiOfferRecommendations),
		site.Get("/api/v1/stores/:slug/offers/:id/history", site.AdmitToken, access.See, s.apiOfferHistory),
		site.Get("/api/v1/stores/:slug/recommendations", site.AdmitToken, access.See, s.apiRecommendations),
		site.Get("/api/v1/stores/:slug/gift/analytics", site.AdmitToken, access.See, s.apiGiftAnalytics),
		site.Get("/api/v1/stores/:slug/gift/history", site.AdmitToken, access.See, s.apiGiftHistory),
		site.Get("/api/v1/stores/:slug/gift/campaigns", site.AdmitToken, access.See, s.apiGiftCampaigns),
		site.Get("/api/v1/stores/:slug/gift/campaigns/:id", site.AdmitToken, access.See, s.apiGiftCampaign),
		site.Get("/api/v1/stores/:slug/gift/setup-health", site.AdmitToken, access.See, s.apiGiftHealth),
		site.Get("/api/v1/stores/:slug/gift/plan", site.AdmitToken, access.See, s.apiGiftPlan),
		site.Get("/api/v1/stores/:slug/gift/widgets", site.AdmitToken, access.See, s.apiGiftWidgets),
		site.Get("/api/v1/stores/:slug/gift/settings", site.AdmitToken, access.See, s.apiGiftSettings),
		site.Get("/api/v1/stores/:slug/gift/translations", site.AdmitToken, access.See, s.apiGiftTranslations),
		site.Get("/api/v1/stores/:slug/gift/products", site.AdmitToken, access.See, s.apiGiftProducts),
		site.Get("/api/v1/stores/:slug/sync", site.AdmitToken, access.See, s.apiSync),
	}
}
