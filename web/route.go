package web

import (
	"strings"

	"github.com/storeglass/storeglass/internal/access"
)

// admits says whom a route answers.
type admits int

const (
	// admitPerson: who is signed in. It comes first, so that a path nobody thought of is closed.
	admitPerson admits = iota
	// admitToken: a bearer token of the JSON API, and nothing else.
	admitToken
	// admitVisitor: anybody; the session is read, because signing in writes it.
	admitVisitor
	// admitShare: whoever has a share link that works; nobody is asked who they are.
	admitShare
	// admitAll: anybody, and nobody is asked who they are.
	admitAll
)

// route is one line of the table. A path with :slug is about one store: its
// handler runs only after the asker's grants were found to hold that store.
type route struct {
	method string
	path   string
	admits admits
	// needs is what a person must have the right to; tokens and visitors have none to show.
	needs  access.Right
	handle func(*call) error
}

// gate decides whether whoever asks may do this to this store. A store that they don't hold
// is not there, whatever they may do elsewhere.
func (c *call) gate(r route) error {
	if strings.Contains(r.path, ":slug") {
		store, err := c.visit.Store()
		if err != nil {
			return err
		}
		c.store = store
	}
	switch {
	case r.admits != admitPerson, c.may(r.needs):
		return nil
	case safeMethod(c.Request().Method):
		return errNoView // nobody wanted to change anything
	}
	return errNoRight
}
