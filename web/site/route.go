package site

import (
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
)

// Admits says whom a route answers.
type Admits int

const (
	// AdmitPerson: who is signed in. It comes first, so that a path nobody thought of is closed.
	AdmitPerson Admits = iota
	// AdmitToken: a bearer token of the JSON API, and nothing else.
	AdmitToken
	// AdmitVisitor: anyone; the session is read, because signing in writes it.
	AdmitVisitor
	// AdmitShare: anyone who has a share link that works; nobody is asked who they are.
	AdmitShare
	// AdmitAll: anyone, and nobody is asked who they are.
	AdmitAll
)

// Route is one line of the table. A path with :slug is about one store: its
// handler runs only after the principal's grants were found to hold that store.
type Route struct {
	Method string
	Path   string
	Admits Admits
	// Needs is what a person must have the right to; tokens and visitors have none to show.
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

// Gate decides whether anyone who asks may do this to this store. A store that they don't hold
// is not there, whatever they may do elsewhere.
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
		return ErrNoView // nobody wanted to change anything
	}
	return ErrNoRight
}
