// Package sandbox serves both upstream services, the Upsell Data API and the Gift Store API, over HTTP from one
// made-up shop world.
//
// The world is a pure function of (seed, store, day). Every answer is computed from the same orders, so summary,
// stats, top, coverage, lifetime, lists, counts and gift analytics agree as the two documents say. Today moves with
// the clock and covers the part of the day that has passed; a past day keeps its value (unless Config.LateOrders says
// otherwise). Changes made through the gift service's writing endpoints are kept in memory and affect shoppers from
// the next minute on.
//
// Where the gift document leaves something open, a store answers in one of two shapes. Its position and the seed
// decide which one, so that no client comes to rely on one reading.
//
// It calls nothing, keeps nothing on disk, and is only reached over HTTP.
package sandbox

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// Service names one of the two upstream services.
type Service string

const (
	Upsell Service = "upsell"
	Gift   Service = "gift"
)

// Config is the world to serve.
type Config = world.Config

// Store is one made-up store and its credentials. Base addresses are <server>+UpsellPath and <server>+GiftPath.
type Store struct {
	Slug, Name, Domain, Timezone, Currency string
	UpsellToken                            string
	GiftKey, GiftWriteKey, GiftDeleteKey   string // by access level; GiftKey may read, until Allow says otherwise
	MCPKey                                 string // for the gift app's other surface, which isn't served here
	UpsellPath, GiftPath                   string
}

// Server is an http.Handler with both services of every store.
type Server struct {
	cfg      Config
	shops    []*world.Shop
	keys     *keyring
	limit    *limiter
	faults   *faultBoard
	arrivals *arrivalLog
}

// New makes the world. It costs next to nothing: a store's days are computed at its first request.
func New(cfg Config) *Server {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Prefix = strings.TrimRight(cfg.Prefix, "/")
	if cfg.Since == (civil.Date{}) {
		cfg.Since = world.DefaultSince(cfg.Now())
	}
	s := &Server{
		cfg:      cfg,
		limit:    newLimiter(cfg.Limit),
		faults:   &faultBoard{queue: map[faultKey][]*Fault{}},
		arrivals: &arrivalLog{w: cfg.Log},
	}
	for n, plan := range world.ShopPlans(cfg) {
		s.shops = append(s.shops, world.NewShop(cfg, n, plan))
	}
	s.keys = newKeyring(s.shops)
	return s
}

// Stores lists the stores in a fixed order: USD, EUR, JPY, the one without offers, then the vast and the hostile one
// if configured.
func (s *Server) Stores() []Store {
	out := make([]Store, len(s.shops))
	for i, sh := range s.shops {
		out[i] = s.store(sh)
	}
	return out
}

func (s *Server) store(sh *world.Shop) Store {
	s.keys.mu.RLock()
	defer s.keys.mu.RUnlock()
	c := s.keys.current[sh]
	return Store{
		Slug: sh.Slug, Name: sh.Name, Domain: sh.Domain, Timezone: sh.Zone, Currency: sh.Currency,
		UpsellToken: c.upsellToken, GiftKey: c.giftKeys[Read], GiftWriteKey: c.giftKeys[Write], GiftDeleteKey: c.giftKeys[Delete],
		MCPKey:     mcpPrefix + world.MadeUp(sh.Seed, 40, sh.Slug, "mcp key"),
		UpsellPath: s.cfg.Prefix + "/upsell/v1", GiftPath: s.cfg.Prefix + "/gift/v1",
	}
}

// reply is an answer before it is written.
type reply struct {
	status int
	body   any
	most   int // bytes after which it is cut off; 0 means never
}

// ServeHTTP counts the request, then resolves its token, then answers: the order in both documents.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := s.cfg.Now()
	svc, path, domain, ok := s.split(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	token, scheme := bearer(r)
	opened := s.keys.opens(svc, token)
	sh := opened.shop
	tally := s.limit.take(string(svc)+" "+token, at)
	if svc == Upsell {
		w.Header().Set("X-RateLimit-Limit", strconv.Itoa(tally.limit))
		w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(tally.remaining))
	}
	var (
		ans   reply
		fault Fault
	)
	q := request{Request: r, at: at, shop: sh, may: opened.may, path: path, domain: domain, token: token, scheme: scheme}
	switch {
	case tally.refused:
		ans = refuse(svc, w.Header(), tally.wait)
	case svc == Gift && r.Method != http.MethodGet && s.limit.takeWrite(token, at):
		ans = giftFailure(codeWriteRateLimit)
	default:
		fault = s.faults.next(svc, sh, path)
		q.cause = fault.Cause
		if svc == Gift && sh != nil {
			if why := s.keys.admit(token, at); why != "" {
				q.cause = why
			}
		}
		switch {
		case q.cause == Limited:
			w.Header().Set("X-RateLimit-Remaining", "0")
			ans = refuse(svc, w.Header(), minute/2)
		case svc == Upsell:
			ans = answerUpsell(&q)
		default:
			ans = answerGift(&q)
		}
	}
	body, err := json.Marshal(ans.body)
	if err != nil {
		panic(err) // only a bug in the sandbox can cause this
	}
	if ans.most > 0 {
		body = body[:min(len(body), ans.most)]
	}
	status := fault.status(ans.status)
	s.arrivals.add(Arrival{
		At: at, Service: svc, Store: sh.SlugOrNone(), Token: token, Method: r.Method, Path: r.URL.RequestURI(), Status: status,
	})
	fault.write(w, r, status, body)
}

// request is one arrival with what we know before answering it.
type request struct {
	*http.Request
	at            time.Time
	shop          *world.Shop // nil if no store has the token
	may           Access      // gift: what the key may do
	named         string      // gift: the value of {id} or {type} in the path
	path          string      // below the version segment, e.g. /data/analytics/summary
	domain        string      // from a /shop/<domain>/ segment, or empty
	token, scheme string
	cause         Cause
}

// split extracts the service, the endpoint and the shop segment from a path. It isn't documented where
// /shop/<domain>/ goes, so it may be on either side of the version.
func (s *Server) split(path string) (svc Service, endpoint, domain string, ok bool) {
	rest, ok := strings.CutPrefix(path, s.cfg.Prefix)
	if !ok {
		return "", "", "", false
	}
	for _, svc = range []Service{Upsell, Gift} {
		below, found := strings.CutPrefix(rest, "/"+string(svc)+"/")
		if !found {
			continue
		}
		below, before := cutShop("/" + below)
		below, found = strings.CutPrefix(below, "/v1")
		if !found || (below != "" && below[0] != '/') {
			return "", "", "", false
		}
		below, after := cutShop(below)
		return svc, strings.TrimRight(below, "/"), before + after, true
	}
	return "", "", "", false
}

// cutShop takes a leading /shop/<domain> off a path.
func cutShop(path string) (rest, domain string) {
	below, found := strings.CutPrefix(path, "/shop/")
	if !found {
		return path, ""
	}
	domain, rest, found = strings.Cut(below, "/")
	if !found {
		return "", domain
	}
	return "/" + rest, domain
}

// bearer splits the Authorization header; the scheme is empty when no header arrived.
func bearer(r *http.Request) (token, scheme string) {
	scheme, token, _ = strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.ToLower(scheme)
}

// refuse is the 429 of a service: the upsell service says when to come back, the gift service
// doesn't.
func refuse(svc Service, h http.Header, wait time.Duration) reply {
	if svc == Gift {
		return giftFailure(codeRateLimit)
	}
	h.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	return upsellFailure(http.StatusTooManyRequests, "Rate limit exceeded")
}
