package gift

import (
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// The documented error codes.
const (
	MissingKey        = "MISSING_KEY"
	InvalidKey        = "INVALID_KEY"
	WrongSurface      = "WRONG_SURFACE"
	NoPlan            = "NO_PLAN"
	AppUninstalled    = "APP_UNINSTALLED"
	RateLimit         = "RATE_LIMIT"
	WriteRateLimit    = "WRITE_RATE_LIMIT"
	InsufficientScope = "INSUFFICIENT_SCOPE"
	InvalidInput      = "INVALID_INPUT"
	NotFound          = "NOT_FOUND"
	InternalError     = "INTERNAL_ERROR"
)

// kinds says what each code means. After NO_PLAN and APP_UNINSTALLED, later calls get
// INVALID_KEY, so a pause must keep the first cause (N40, N41).
var kinds = map[string]upstream.Kind{
	MissingKey:        upstream.Pause,
	InvalidKey:        upstream.Pause,
	WrongSurface:      upstream.Pause,
	NoPlan:            upstream.Pause,
	AppUninstalled:    upstream.Pause,
	InsufficientScope: upstream.Pause,
	RateLimit:         upstream.Wait,
	WriteRateLimit:    upstream.Wait,
	InvalidInput:      upstream.OurFault,
	NotFound:          upstream.OurFault,
	InternalError:     upstream.Retry,
}

type refusal struct {
	Error struct {
		Code    string        `json:"code"`
		Message upstream.Text `json:"message"`
	} `json:"error"`
}

// classify reads a refusal by error.code, which is stable; if the code is missing or unknown,
// the status decides. The service documents no Retry-After: a 429 waits 61 s, or longer if the
// reply asks for it (N42). The write limit is separate from the limit on all calls: GET still
// works.
func classify(r upstream.Reply) upstream.Verdict {
	said, _ := upstream.Decode[refusal](r.Body)
	return upstream.Verdict{
		Kind: kinds[said.Error.Code], Code: said.Error.Code, Message: string(said.Error.Message),
		AtLeast: upstream.DefaultWait, Apart: said.Error.Code == WriteRateLimit,
	}
}
