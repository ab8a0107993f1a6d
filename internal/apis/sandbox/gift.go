package sandbox

import (
	"net/http"
	"strings"
)

// giftCode is a machine-readable failure of the Gift Store API.
type giftCode string

const (
	codeMissingKey        giftCode = "MISSING_KEY"
	codeInvalidKey        giftCode = "INVALID_KEY"
	codeWrongSurface      giftCode = "WRONG_SURFACE"
	codeNoPlan            giftCode = "NO_PLAN"
	codeAppUninstalled    giftCode = "APP_UNINSTALLED"
	codeRateLimit         giftCode = "RATE_LIMIT"
	codeWriteRateLimit    giftCode = "WRITE_RATE_LIMIT"
	codeInsufficientScope giftCode = "INSUFFICIENT_SCOPE"
	codeInvalidInput      giftCode = "INVALID_INPUT"
	codeNotFound          giftCode = "NOT_FOUND"
	codeInternalError     giftCode = "INTERNAL_ERROR"
)

// mcpPrefix begins the keys of the other surface.
const mcpPrefix = "gmcp_"

var giftFailures = map[giftCode]struct {
	status  int
	message string
}{
	codeMissingKey:        {http.StatusUnauthorized, "No Authorization header with a Bearer key arrived."},
	codeInvalidKey:        {http.StatusUnauthorized, "This Store API key is not valid."},
	codeWrongSurface:      {http.StatusUnauthorized, "This is an MCP key; the Store API needs a Store API key."},
	codeNoPlan:            {http.StatusForbidden, "The store is not on a paid plan."},
	codeAppUninstalled:    {http.StatusForbidden, "The app is not installed on this store."},
	codeRateLimit:         {http.StatusTooManyRequests, "More than 60 requests in a minute."},
	codeWriteRateLimit:    {http.StatusTooManyRequests, "More than 20 writes in a minute."},
	codeInsufficientScope: {http.StatusForbidden, "The access level of this key is too low for the request."},
	codeInvalidInput:      {http.StatusBadRequest, "A parameter is wrong."},
	codeNotFound:          {http.StatusNotFound, "There is no such path; see the endpoint list."},
	codeInternalError:     {http.StatusInternalServerError, "Something went wrong; try again."},
}

func giftFailure(code giftCode) reply {
	f := giftFailures[code]
	return reply{f.status, struct {
		Success bool `json:"success"`
		Data    any  `json:"data"`
		Error   any  `json:"error"`
	}{false, nil, struct {
		Code    giftCode `json:"code"`
		Message string   `json:"message"`
	}{code, f.message}}}
}

func giftSuccess(data any) reply {
	return reply{http.StatusOK, struct {
		Success bool `json:"success"`
		Data    any  `json:"data"`
		Error   any  `json:"error"`
	}{true, data, nil}}
}

// giftEndpoint is a row of the endpoint list and its handler.
type giftEndpoint struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	Access  string `json:"access"`
	Does    string `json:"description"`
	handler func(*request, *book) reply
}

// giftEndpoints is both the routing and the list that GET {base} answers, so the list says what is served.
var giftEndpoints = []giftEndpoint{
	{"GET", "/setup-health", "read", "Whether the widget can appear", setupHealth},
	{"GET", "/campaigns", "read", "Campaign summaries", campaignList},
	{"GET", "/analytics", "read", "Revenue, orders, conversion, order value", giftAnalytics},
	{"GET", "/plan", "read", "Plan and usage", planUsage},
}

// answerGift checks key, store and access level, and only then looks for the path. Every key of the sandbox may read only, so every
// other method is refused for its level, never for its path.
func answerGift(q *request) reply {
	switch {
	case q.scheme != "bearer" || q.token == "":
		return giftFailure(codeMissingKey)
	case strings.HasPrefix(q.token, mcpPrefix):
		return giftFailure(codeWrongSurface)
	case q.shop == nil, q.cause == Revoked:
		return giftFailure(codeInvalidKey)
	case q.cause == Uninstalled:
		return giftFailure(codeAppUninstalled)
	case q.cause == NoPlan:
		return giftFailure(codeNoPlan)
	case q.Method != http.MethodGet:
		return giftFailure(codeInsufficientScope)
	case q.cause == Internal:
		return giftFailure(codeInternalError)
	case q.cause == BadInput:
		return giftFailure(codeInvalidInput)
	case q.path == "":
		return giftSuccess(struct {
			Total     int            `json:"total"`
			Endpoints []giftEndpoint `json:"endpoints"`
		}{len(giftEndpoints), giftEndpoints})
	}
	for _, e := range giftEndpoints {
		if e.Path == q.path {
			return e.handler(q, q.shop.book(q.at))
		}
	}
	return giftFailure(codeNotFound)
}
