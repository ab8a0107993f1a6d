package sandbox

import (
	"net/http"
	"slices"
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

// The two kinds of key of the gift app, by prefix; each surface refuses the other's.
const (
	storeKeyPrefix = "gsk_"
	mcpPrefix      = "gmcp_"
)

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

func giftFailure(code giftCode) reply { return giftRefusal(code, giftFailures[code].message) }

// giftEnvelope wraps every answer.
type giftEnvelope struct {
	Success bool `json:"success"`
	Data    any  `json:"data"`
	Error   any  `json:"error"`
}

func giftRefusal(code giftCode, message string) reply {
	return reply{status: giftFailures[code].status, body: giftEnvelope{Error: struct {
		Code    giftCode `json:"code"`
		Message string   `json:"message"`
	}{code, message}}}
}

// invalid refuses a parameter, which the message names.
func invalid(parameter, says string) reply { return giftRefusal(codeInvalidInput, parameter+": "+says) }

func giftSuccess(data any) reply {
	return reply{status: http.StatusOK, body: giftEnvelope{Success: true, Data: data}}
}

// answerGift checks key, store and access level, in this order, and only then looks up the path: a key with too
// little access never learns whether a path exists.
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
	case !q.may.covers(needed(q.Method, q.path)):
		return giftFailure(codeInsufficientScope)
	case q.cause == Internal:
		return giftFailure(codeInternalError)
	case q.cause == BadInput:
		return giftFailure(codeInvalidInput)
	case q.Method == http.MethodGet && q.path == "":
		return endpointList()
	case q.Method == http.MethodGet && q.path == "/mcp/tools":
		return toolList()
	}
	for _, e := range giftEndpoints {
		if named, fits := e.fits(q.Method, q.path); fits {
			q.named = named
			return e.handler(q, q.shop.Book(q.at))
		}
	}
	return giftFailure(codeNotFound)
}

// covers reports whether an access level includes another.
func (a Access) covers(other Access) bool {
	return slices.Index(levels, a) >= slices.Index(levels, other)
}

// needed is the access level that a request needs: its method decides and, among writes, the end of its
// path.
func needed(method, path string) Access {
	switch {
	case method == http.MethodGet:
		return Read
	case method == http.MethodDelete, strings.HasSuffix(path, "/deletion-preview"), strings.HasSuffix(path, "/delete"):
		return Delete
	}
	return Write
}
