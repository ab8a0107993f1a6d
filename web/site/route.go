package site

import (
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
)

// Admits says who may use a route.
type Admits int

const (
	// AdmitPerson: signed-in people. It is the zero value, so that a forgotten path is closed.
	AdmitPerson Admits = iota
	// AdmitToken: a bearer token of the JSON API, and nothing else.
	AdmitToken
	// AdmitVisitor: anyone; the session is read, because signing in changes it.
	AdmitVisitor
	// AdmitShare: anyone who has a share link that works; readers aren't identified.
	AdmitShare
	// AdmitAll: anyone, without identifying them.
	AdmitAll
)

// Route is one line of the table. A path with :slug is about one store: its handler runs only
// if the principal's grants include that store.
type Route struct {
	Method string
	Path   string
	Admits Admits
	// Needs is the right that a person must have; tokens and visitors have no rights.
	Needs  access.Right
	Handle func(*Call) error
	// Live: the page follows its stores while it is open.
	Live bool
}

// Page is the route of a page that follows its stores while it is open.
func Page(path string, a Admits, handle func(*Call) error) Route {
	return Route{Method: http.MethodGet, Path: path, Admits: a, Needs: access.See, Handle: handle, Live: true}
}

// Get is the route of a page or a file.
func Get(path string, a Admits, needs access.Right, handle func(*Call) error) Route {
	return Route{Method: http.MethodGet, Path: path, Admits: a, Needs: needs, Handle: handle}
}

// Post is the route of an action.
func Post(path string, a Admits, needs access.Right, handle func(*Call) error) Route {
	return Route{Method: http.MethodPost, Path: path, Admits: a, Needs: needs, Handle: handle}
}

// Gate decides whether the reader may do this to this store. For them, a store that they have
// no access to doesn't exist, whatever they may do elsewhere.
func (c *Call) Gate(r Route) error {
	if strings.Contains(r.Path, ":slug") {
		store, err := c.Visit.Store()
		if err != nil {
			return err
		}
		c.Store = store
	}
	switch {
	case r.Admits != AdmitPerson, c.May(r.Needs):
		return nil
	case SafeMethod(c.Request().Method):
		return ErrNoView // nothing was going to be changed
	}
	return ErrNoRight
}
