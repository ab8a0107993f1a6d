package truth

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"regexp"
	"sync"
)

// shares are the shares of calls that go wrong, by kind.
type shares struct{ unauthorized, limited, broken, hanging, garbage float64 }

// faults makes calls fail at random.
type faults struct {
	shares
	mu sync.Mutex
	r  *rand.Rand
}

func (f *faults) chance(share float64) bool {
	if share == 0 {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.r == nil {
		f.r = rand.New(rand.NewPCG(11, 5))
	}
	return f.r.Float64() < share
}

// before answers a call in place of the service; it reports whether it did.
func (f *faults) before(w http.ResponseWriter, r *http.Request, service string, refuse func(*refusal)) bool {
	switch {
	case f.chance(f.hanging):
		<-r.Context().Done() // until the client gives up
	case f.chance(f.unauthorized):
		refuse(&refusal{401, "Unauthorized", "INVALID_KEY"})
	case f.chance(f.limited):
		if service == "upsell" {
			w.Header().Set("Retry-After", "1")
		}
		refuse(&refusal{429, "Rate limit exceeded", "RATE_LIMIT"})
	case f.chance(f.broken):
		refuse(&refusal{500, "Something went wrong", "INTERNAL_ERROR"})
	default:
		return false
	}
	return true
}

var firstNumber = regexp.MustCompile(`"(totalUpsoldValue|impressions|revenue|totalRevenue|value|activeCount|total|used|claims)":-?[0-9.]+`)

// spoil breaks a good body sometimes.
func (f *faults) spoil(body []byte, w http.ResponseWriter) []byte {
	if !f.chance(f.garbage) {
		return body
	}
	f.mu.Lock()
	kind := f.r.IntN(6)
	f.mu.Unlock()
	replace := func(with string) []byte {
		at := firstNumber.FindSubmatchIndex(body)
		if at == nil {
			return body[:len(body)/2]
		}
		out := append([]byte{}, body[:at[3]+2]...)
		out = append(out, with...)
		return append(out, body[at[1]:]...)
	}
	switch kind {
	case 0:
		return body[:len(body)*2/3]
	case 1:
		w.Header().Set("Content-Type", "text/html")
		return []byte("<!doctype html><title>Bad gateway</title><p>502")
	case 2:
		return replace("NaN")
	case 3:
		return replace(`{"amount":"many"}`)
	case 4:
		return bytes.Replace(body, []byte(`"success":true`), []byte(`"success":"yes"`), 1)
	}
	return []byte(`{}`)
}
