package sandbox

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// upsellFailure is the envelope of every failure of the Upsell Data API; it has no codes.
func upsellFailure(status int, message string) reply {
	return reply{status: status, body: struct {
		Success bool   `json:"success"`
		Message string `json:"message"`
	}{false, message}}
}

// upsellEnvelope wraps every answer with data.
type upsellEnvelope struct {
	Success bool `json:"success"`
	Data    any  `json:"data"`
}

func upsellSuccess(data any) reply {
	return reply{status: http.StatusOK, body: upsellEnvelope{true, data}}
}

// upsellRoutes are the endpoints below the version segment.
var upsellRoutes = map[string]func(*world.Shop, *world.Book, asked) reply{
	"/data/analytics/summary":  windowed(true, summary),
	"/data/analytics/stats":    windowed(true, stats),
	"/data/analytics/top":      windowed(true, top),
	"/data/analytics/coverage": windowed(false, coverage),
	"/data/analytics/lifetime": lifetime,
	"/data/offers":             offerList,
	"/data/offers/by-priority": offersByPriority,
	"/data/offers/count":       offerCount,

	"/data/products/recommendations": recommendations,
}

// asked is a request's input to a route.
type asked struct {
	url.Values
	offer  string // the id in /data/offer/{id}
	moving bool   // rows move during paging, see Moving
	clamp  bool   // a window that is too long is cut, see Config.Clamp
}

// upsellRoute finds the route of a path and the offer id in it.
func upsellRoute(path string) (route func(*world.Shop, *world.Book, asked) reply, offer string, found bool) {
	if route, found = upsellRoutes[path]; found {
		return route, "", true
	}
	below, found := strings.CutPrefix(path, "/data/offer/")
	if !found {
		return nil, "", false
	}
	offer, rest, deeper := strings.Cut(below, "/")
	switch {
	case !deeper:
		return offerSetup, offer, true
	case rest == "stages":
		return offerStages, offer, true
	}
	return nil, "", false
}

// answerUpsell checks token, method and shop, in this order, and only then looks up the route.
func answerUpsell(q *request) reply {
	switch {
	case q.scheme == "":
		return upsellFailure(http.StatusUnauthorized, "Missing credentials")
	case q.cause == Unchecked:
		return upsellFailure(http.StatusUnauthorized, "Unauthorized")
	case q.scheme != "bearer", q.shop == nil, q.cause == Revoked, q.cause == Uninstalled:
		return upsellFailure(http.StatusUnauthorized, "Invalid token")
	case q.Method != http.MethodGet:
		return upsellFailure(http.StatusForbidden, "This token is read-only")
	case q.domain != "" && !strings.EqualFold(q.domain, q.shop.Domain):
		return upsellFailure(http.StatusForbidden, "Token is not authorized for this shop")
	case q.path == "" && q.domain == "":
		return upsellFailure(http.StatusBadRequest, "Missing shop domain")
	case strings.HasPrefix(q.path, "/internal/"):
		return upsellFailure(http.StatusForbidden, "This endpoint requires an internal API key")
	case q.cause == Internal:
		return upsellFailure(http.StatusInternalServerError, "Something went wrong")
	}
	route, offer, found := upsellRoute(q.path)
	if !found {
		return upsellFailure(http.StatusNotFound, "Not found")
	}
	if q.cause == CountFailed && q.path == "/data/offers/count" {
		return reply{status: http.StatusOK, body: upsellEnvelope{false, map[string]int{"total": 0}}}
	}
	return route(q.shop, q.shop.Book(q.at), asked{q.URL.Query(), offer, q.cause == Moving, q.shop.Clamp || q.cause == Clamped})
}
