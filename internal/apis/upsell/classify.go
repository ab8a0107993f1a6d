package upsell

import (
	"net/http"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// refusal is the failure envelope. There are no codes, and the message may be reworded: it is
// shown to people but never decides anything.
type refusal struct {
	Message upstream.Text `json:"message"`
}

// classify reads a refusal by its status alone.
//
// 401: missing, unknown, revoked and "could not be checked" differ only in the message, so
// there is one retry, and a second 401 pauses the store (N37).
//
// 403: we only send GET and call no internal route, so what is left is a token of another
// store. It can't be told apart from the other causes without reading the message; none of them
// goes away by itself, so every 403 pauses (N39).
//
// A 2xx with success: false is a broken reply (N7).
func classify(r upstream.Reply) upstream.Verdict {
	said, _ := upstream.Decode[refusal](r.Body)
	verdict := upstream.Verdict{Message: string(said.Message)}
	switch r.Status {
	case http.StatusUnauthorized:
		verdict.Kind, verdict.Once = upstream.Pause, true
	case http.StatusForbidden:
		verdict.Kind = upstream.Pause
	}
	return verdict
}
