package truth

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/golang-sql/civil"
)

// rawNumber is a number as it is written in JSON.
type rawNumber string

func (n rawNumber) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// object is a JSON object.
type object map[string]any

// refusal is an answer other than 200.
type refusal struct {
	status  int
	message string
	code    string // of the gift service
}

func (r *refusal) Error() string { return r.message }

// reading is how a service handles what its document leaves open.
type reading struct {
	// keeps is how many days before today it still answers; 0 means all.
	keeps int
	// refuses: a window that is too long or too old is refused; otherwise it is cut to
	// what can be answered.
	refuses bool
	// topMax is the most rows of a ranking.
	topMax int
	// cacheFor is how long the gift service repeats an answer; 0 means never.
	cacheFor time.Duration
	// todayAlone: the gift window of one day with today is today alone.
	todayAlone bool
}

// server serves both services of some shops over HTTP.
type server struct {
	clock *clock
	limit int
	mu    sync.Mutex
	shops map[string]*hosted
	// faults are what goes wrong; nil means nothing.
	faults *faults
	// onCall is called after each answered call, with what was asked.
	onCall func(service, path string)
}

// hosted is a shop and what its two tokens may still do.
type hosted struct {
	*shop
	reading  reading
	tokens   map[string]string // by service
	arrivals map[string][]time.Time
	worst    map[string]int
	refused  map[string]int // too many calls, by service
	calls    map[string]int
	cache    map[int]cachedGift
}

func newServer(c *clock, limit int) *server {
	return &server{clock: c, limit: limit, shops: map[string]*hosted{}}
}

func (s *server) add(shop *shop, r reading) *hosted {
	h := &hosted{
		shop: shop, reading: r, tokens: map[string]string{}, arrivals: map[string][]time.Time{}, worst: map[string]int{},
		refused: map[string]int{}, calls: map[string]int{}, cache: map[int]cachedGift{},
	}
	if h.reading.topMax == 0 {
		h.reading.topMax = 100
	}
	for _, service := range []string{"upsell", "gift"} {
		h.tokens[service] = service + "-token-of-" + shop.slug
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shops[shop.slug] = h
	return h
}

// renew revokes a token and gives another one.
func (s *server) renew(slug, service string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.shops[slug]
	h.tokens[service] += "-renewed"
	return h.tokens[service]
}

// called is how many calls a service of a shop has had.
func (s *server) called(slug, service string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shops[slug].calls[service]
}

// arrive counts a call and reports how many the minute can still take; below zero is too many.
// Calls are counted by the machine's time, as they are sent.
func (s *server) arrive(h *hosted, service string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	minute := h.arrivals[service]
	for len(minute) > 0 && now.Sub(minute[0]) >= time.Minute {
		minute = minute[1:]
	}
	minute = append(minute, now)
	h.arrivals[service] = minute
	h.calls[service]++
	h.worst[service] = max(h.worst[service], len(minute))
	if len(minute) > s.limit {
		h.refused[service]++
	}
	return s.limit - len(minute)
}

// ServeHTTP answers /{slug}/{service}/v1/...
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	slug, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	service, path, _ := strings.Cut(rest, "/v1/")
	s.mu.Lock()
	h := s.shops[slug]
	s.mu.Unlock()
	if h == nil || service != "upsell" && service != "gift" {
		http.NotFound(w, r)
		return
	}
	s.clock.add(step)
	left := s.arrive(h, service)
	w.Header().Set("X-RateLimit-Limit", strconv.Itoa(s.limit))
	w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(max(left, 0)))
	w.Header().Set("Content-Type", "application/json")
	if left < 0 {
		w.Header().Set("Retry-After", "5")
		s.refuse(w, service, &refusal{429, "Rate limit exceeded", "RATE_LIMIT"})
		return
	}
	if s.faults != nil && s.faults.before(w, r, service, func(f *refusal) { s.refuse(w, service, f) }) {
		return
	}
	data, err := s.answer(h, service, "/"+path, r)
	if err != nil {
		s.refuse(w, service, err)
		return
	}
	envelope := object{"success": true, "data": data}
	if service == "gift" {
		envelope["error"] = nil
	}
	body, e := json.Marshal(envelope)
	if e != nil {
		panic(e)
	}
	if s.faults != nil {
		body = s.faults.spoil(body, w)
	}
	_, _ = w.Write(body)
	if s.onCall != nil {
		s.onCall(service, "/"+path)
	}
}

func (s *server) answer(h *hosted, service, path string, r *http.Request) (any, *refusal) {
	s.mu.Lock()
	token := h.tokens[service]
	s.mu.Unlock()
	said := r.Header.Get("Authorization")
	switch {
	case said == "":
		return nil, &refusal{401, "Missing credentials", "MISSING_KEY"}
	case said != "Bearer "+token:
		return nil, &refusal{401, "Invalid token", "INVALID_KEY"}
	case r.Method != http.MethodGet:
		return nil, &refusal{403, "This token is read-only", "INSUFFICIENT_SCOPE"}
	case service == "gift":
		return h.gift(path, r.URL.Query())
	}
	return h.upsell(path, r.URL.Query())
}

func (s *server) refuse(w http.ResponseWriter, service string, f *refusal) {
	w.WriteHeader(f.status)
	body := object{"success": false, "message": f.message}
	if service == "gift" {
		body = object{"success": false, "data": nil, "error": object{"code": f.code, "message": f.message}}
	}
	_ = json.NewEncoder(w).Encode(body)
}

// asked reads start and end, by default the last 30 days, and returns the window of the answer.
func (h *hosted) asked(start, end string, longest int) (window, string, *refusal) {
	today := h.today()
	w, source := ending(today, 30), "default"
	if start != "" || end != "" {
		source = "merchant"
		var err1, err2 error
		w.start, err1 = civil.ParseDate(start)
		w.end, err2 = civil.ParseDate(end)
		if err1 != nil || err2 != nil || w.end.Before(w.start) {
			return w, "", &refusal{status: 422, message: "start and end must be dates in order"}
		}
	}
	if longest > 0 && w.days() > longest {
		if h.reading.refuses {
			return w, "", &refusal{status: 422, message: fmt.Sprintf("at most %d days", longest)}
		}
		w.start = w.end.AddDays(1 - longest)
	}
	if oldest := today.AddDays(-h.reading.keeps); h.reading.keeps > 0 && w.start.Before(oldest) {
		if h.reading.refuses {
			return w, "", &refusal{status: 422, message: "the start date is too far in the past"}
		}
		w = window{latest(w.start, oldest), latest(w.end, oldest)}
	}
	return w, source, nil
}
