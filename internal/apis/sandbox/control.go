package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// Order is an instruction for one service of one store.
type Order struct {
	Store   string  `json:"store"`
	Service Service `json:"service"`
	// Do is one of Deeds.
	Do string `json:"do"`
	// Path and Times are a Fault's; other deeds have neither.
	Path  string `json:"path,omitempty"`
	Times int    `json:"times,omitempty"`
}

// deeds last until another undoes them: only reinstall and renew bring tokens back, as new ones.
var deeds = map[string]func(*Server, Order){
	"revoke":       func(s *Server, o Order) { s.Revoke(o.Service, o.Store) },
	"renew":        func(s *Server, o Order) { s.Renew(o.Service, o.Store) },
	"uninstall":    func(s *Server, o Order) { s.Uninstall(o.Store) },
	"reinstall":    func(s *Server, o Order) { s.Reinstall(o.Store) },
	"lapse-plan":   func(s *Server, o Order) { s.LapsePlan(o.Store) },
	"restore-plan": func(s *Server, o Order) { s.RestorePlan(o.Store) },
	"clear":        func(s *Server, o Order) { s.Clear(o.Service, o.Store) },
}

// faultsNamed are faults of one service or of both, until cleared.
var faultsNamed = map[string]struct {
	only Service // empty means both
	Fault
}{
	"unknown-token":        {"", Fault{Cause: Revoked}},
	"unchecked-token":      {Upsell, Fault{Cause: Unchecked}},
	"limited":              {"", Fault{Cause: Limited}},
	"internal":             {"", Fault{Cause: Internal}},
	"slow":                 {"", Fault{Delay: 5 * time.Second}},
	"lost":                 {"", Fault{Drop: true}},
	"unreadable":           {"", Fault{Body: "<html>", ContentType: "text/html"}},
	"count-failed":         {Upsell, Fault{Path: "/data/offers/count", Cause: CountFailed}},
	"moving-rows":          {Upsell, Fault{Path: "/data/offers", Cause: Moving}},
	"clamped-windows":      {Upsell, Fault{Path: "/data/analytics", Cause: Clamped}},
	"many-handles-refused": {Gift, Fault{Path: "/products", Cause: ManyHandles}},
	"bad-input":            {Gift, Fault{Cause: BadInput}},
	"theme-away":           {Gift, Fault{Path: "/setup-health", Cause: ThemeAway}},
	"campaigns-away":       {Gift, Fault{Path: "/setup-health", Cause: CampaignsAway}},
	"issues-away":          {Gift, Fault{Path: "/setup-health", Cause: IssuesAway}},
}

// Deeds are the names of everything that Do can do.
func Deeds() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(deeds)), maps.Keys(faultsNamed))
	slices.Sort(names)
	return names
}

// Do does what an order says, or returns what is wrong with it.
func (s *Server) Do(o Order) error {
	known := func(sh *world.Shop) bool { return sh.Slug == o.Store }
	if !slices.ContainsFunc(s.shops, known) {
		return fmt.Errorf("there is no store %q", o.Store)
	}
	if o.Service != Upsell && o.Service != Gift {
		return fmt.Errorf("there is no service %q: it is upsell or gift", o.Service)
	}
	if do, is := deeds[o.Do]; is {
		if o.Path != "" || o.Times != 0 {
			return fmt.Errorf("%s takes neither a path nor a number of times", o.Do)
		}
		do(s, o)
		return nil
	}
	f, is := faultsNamed[o.Do]
	switch {
	case !is:
		return fmt.Errorf("nothing is called %q: it is one of %s", o.Do, strings.Join(Deeds(), ", "))
	case f.only != "" && f.only != o.Service:
		return fmt.Errorf("%s is of the %s service only", o.Do, f.only)
	case o.Times < 0, o.Path != "" && !strings.HasPrefix(o.Path, "/"):
		return errors.New("a path begins with /, and times is not below 0")
	}
	f.Path, f.Times = cmp.Or(o.Path, f.Path), o.Times
	s.Break(o.Service, o.Store, f.Fault)
	return nil
}

// Control takes orders while the sandbox runs: GET lists the stores with their tokens and the deeds, POST takes one
// Order and returns its store. It doesn't authenticate anyone, so it has its own address.
func (s *Server) Control() http.Handler {
	answer := func(w http.ResponseWriter, status int, v any) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	refuse := func(w http.ResponseWriter, status int, err error) {
		answer(w, status, map[string]string{"error": err.Error()})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/":
			refuse(w, http.StatusNotFound, errors.New("everything is at /"))
		case r.Method == http.MethodGet:
			answer(w, http.StatusOK, struct {
				Do     []string `json:"do"`
				Stores []Store  `json:"stores"`
			}{Deeds(), s.Stores()})
		case r.Method == http.MethodPost && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"): // a browser's form can't send JSON
			refuse(w, http.StatusUnsupportedMediaType, errors.New("send JSON, with Content-Type: application/json"))
		case r.Method == http.MethodPost:
			var o Order
			d := json.NewDecoder(io.LimitReader(r.Body, bodyMax))
			d.DisallowUnknownFields()
			err := d.Decode(&o)
			if err == nil {
				err = s.Do(o)
			}
			if err != nil {
				refuse(w, http.StatusBadRequest, err)
				return
			}
			answer(w, http.StatusOK, s.store(s.shop(o.Store)))
		default:
			refuse(w, http.StatusMethodNotAllowed, errors.New("GET and POST only"))
		}
	})
}
