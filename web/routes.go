package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// admits says whom a route answers.
type admits int

const (
	// admitPerson: who is signed in. It comes first, so that a path nobody thought of is closed.
	admitPerson admits = iota
	// admitToken: a bearer token of the JSON API, and nothing else.
	admitToken
	// admitVisitor: anybody; the session is read, because signing in writes it.
	admitVisitor
	// admitAll: anybody, and nobody is asked who they are.
	admitAll
)

// route is one line of the table. A path with :slug is about one store: its
// handler runs only after the asker's grants were found to hold that store.
type route struct {
	method string
	path   string
	admits admits
	handle func(*call) error
}

// routes is every address there is. GET answers HEAD too.
func (s *Server) routes() []route {
	table := []route{
		{"GET", "/livez", admitAll, s.livez},
		{"GET", "/readyz", admitAll, s.readyz},
		{"GET", "/static/*", admitAll, s.static},

		{"GET", "/sign-in", admitVisitor, s.signIn},
		{"GET", "/sign-in/:token", admitVisitor, s.signInLink},
		{"POST", "/sign-in", admitVisitor, s.signInConfirmed},
		{"POST", "/sign-out", admitPerson, s.signOut},

		{"GET", "/", admitPerson, s.home},
		{"GET", "/gallery", admitPerson, s.gallery},
		{"GET", "/gallery/:name", admitPerson, s.galleryPage},
		{"GET", "/stores/:slug", admitPerson, s.overviewPage},
		{"GET", "/stores/:slug/placements", admitPerson, s.placementsPage},
		{"GET", "/stores/:slug/offers", admitPerson, s.offersPage},
		{"GET", "/stores/:slug/offers/:id", admitPerson, s.offerPage},
		{"GET", "/stores/:slug/gift", admitPerson, s.giftPage},
		{"GET", "/stores/:slug/gift/campaigns/:id", admitPerson, s.giftCampaignPage},
		{"GET", "/stores/:slug/gift/products", admitPerson, s.giftProductsPage},
		{"POST", "/stores/:slug/gift/products", admitPerson, s.giftProductsChecked},
		{"GET", "/stores/:slug/sync", admitPerson, s.syncPage},
		{"POST", "/stores/:slug/sync/pull", admitPerson, s.syncPull},
		{"POST", "/stores/:slug/sync/pause", admitPerson, s.syncPause},
		{"POST", "/stores/:slug/sync/resume", admitPerson, s.syncResume},
		{"GET", "/stores/:slug/replies", admitPerson, s.replyPage},

		{"GET", "/api/v1/openapi.json", admitToken, s.apiDescription},
		{"GET", "/api/v1/stores", admitToken, s.apiStores},
		{"GET", "/api/v1/stores/:slug", admitToken, s.apiStore},
		{"GET", "/api/v1/stores/:slug/summary", admitToken, s.apiSummary},
		{"GET", "/api/v1/stores/:slug/placements", admitToken, s.apiPlacements},
		{"GET", "/api/v1/stores/:slug/top", admitToken, s.apiTop},
		{"GET", "/api/v1/stores/:slug/coverage", admitToken, s.apiCoverage},
		{"GET", "/api/v1/stores/:slug/lifetime", admitToken, s.apiLifetime},
		{"GET", "/api/v1/stores/:slug/history", admitToken, s.apiHistory},
		{"GET", "/api/v1/stores/:slug/offers", admitToken, s.apiOffers},
		{"GET", "/api/v1/stores/:slug/offers/:id", admitToken, s.apiOffer},
		{"GET", "/api/v1/stores/:slug/offers/:id/stages", admitToken, s.apiOfferStages},
		{"GET", "/api/v1/stores/:slug/offers/:id/recommendations", admitToken, s.apiOfferRecommendations},
		{"GET", "/api/v1/stores/:slug/offers/:id/history", admitToken, s.apiOfferHistory},
		{"GET", "/api/v1/stores/:slug/gift/analytics", admitToken, s.apiGiftAnalytics},
		{"GET", "/api/v1/stores/:slug/gift/history", admitToken, s.apiGiftHistory},
		{"GET", "/api/v1/stores/:slug/gift/campaigns", admitToken, s.apiGiftCampaigns},
		{"GET", "/api/v1/stores/:slug/gift/campaigns/:id", admitToken, s.apiGiftCampaign},
		{"GET", "/api/v1/stores/:slug/gift/setup-health", admitToken, s.apiGiftHealth},
		{"GET", "/api/v1/stores/:slug/gift/plan", admitToken, s.apiGiftPlan},
		{"GET", "/api/v1/stores/:slug/sync", admitToken, s.apiSync},
	}
	for _, e := range exports {
		table = append(table,
			route{"GET", "/stores/:slug/" + e.path() + ".csv", admitPerson, s.exportCSV(e)},
			route{"GET", "/stores/:slug/" + e.path() + ".xlsx", admitPerson, s.exportXLSX(e)},
		)
	}
	return table
}

const apiPrefix = "/api/"

func (s *Server) mount(table []route) error {
	for _, r := range table {
		if a, ok := s.admission[r.path]; ok && a != r.admits {
			return fmt.Errorf("web: %s admits two kinds of askers", r.path)
		}
		s.admission[r.path] = r.admits
		handle := func(c echo.Context) error { return r.handle(c.(*call)) }
		if strings.Contains(r.path, ":slug") {
			handle = func(c echo.Context) error { return withStore(c.(*call), r.handle) }
		}
		s.echo.Add(r.method, r.path, handle)
		if r.method == http.MethodGet {
			s.echo.Add(http.MethodHead, r.path, handle)
		}
	}
	return nil
}

// withStore runs the handler on the store in the address, if the visit holds it.
func withStore(c *call, handle func(*call) error) error {
	store, err := c.visit.Store()
	if err != nil {
		return err
	}
	c.store = store
	return handle(c)
}
