package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web"
)

type userCommand struct {
	Add     userAdd     `cmd:"" help:"Add a person, who sees nothing until granted a store."`
	List    userList    `cmd:"" help:"List people and the stores they see."`
	Grant   userGrant   `cmd:"" help:"Let a person see a store, or all stores."`
	Revoke  userRevoke  `cmd:"" help:"Take a grant back."`
	Disable userDisable `cmd:"" help:"End a person's sessions and let them sign in no more."`
	Link    userLink    `cmd:"" help:"Print a one-time sign-in link for a person."`
}

// storeChoice is one or several stores, or all.
type storeChoice struct {
	Store     []string `name:"store" placeholder:"SLUG" help:"A store; may be given more than once."`
	AllStores bool     `name:"all-stores" help:"Every store, also those added later."`
}

// slugs returns what was chosen, as the access room takes it.
func (c storeChoice) slugs(must bool) ([]string, error) {
	switch {
	case c.AllStores && len(c.Store) > 0:
		return nil, usagef("--store and --all-stores can't be used together")
	case c.AllStores:
		return []string{access.AllStores}, nil
	case must && len(c.Store) == 0:
		return nil, usagef("say which store: --store SLUG or --all-stores")
	}
	return c.Store, nil
}

// accessError adds what to do to the errors that a person can mend.
func accessError(err error) error {
	switch {
	case errors.Is(err, access.ErrNoPerson):
		return fmt.Errorf("%w: `dashboard user list` lists people", err)
	case errors.Is(err, access.ErrNoStore):
		return fmt.Errorf("%w: `dashboard store list` lists stores", err)
	case errors.Is(err, access.ErrNoToken):
		return fmt.Errorf("%w: `dashboard token list` lists tokens", err)
	case errors.Is(err, access.ErrDisabled):
		return fmt.Errorf("%w: nobody signs in as a disabled person", err)
	}
	return err
}

type userAdd struct {
	Email string `arg:"" help:"Mail address."`
	Name  string `help:"Name shown on pages; default: the address's first part."`
	Role  string `enum:"viewer,agency,merchant,admin" default:"viewer" help:"viewer reads; agency also asks for pulls and shares pages; merchant also connects services; admin may do everything with every store."`
	storeChoice
}

// Run adds the person with the grants, if any.
func (c userAdd) Run(ctx context.Context, p *Program) error {
	slugs, err := c.slugs(false)
	if err != nil {
		return err
	}
	return p.inHouse(ctx, needsNothing, schemaOwn, func(h *house) error {
		for _, slug := range slugs { // before the person: a wrong slug adds nobody
			if err := storeMustExist(ctx, h, slug); err != nil {
				return err
			}
		}
		person, err := h.access.CreatePerson(ctx, c.Email, c.Name, access.Role(c.Role))
		if errors.Is(err, access.ErrTaken) {
			return fmt.Errorf("%s exists already: change grants with `dashboard user grant`", c.Email)
		}
		if err != nil {
			return err
		}
		for _, slug := range slugs {
			if err := h.access.GrantPerson(ctx, person.ID, slug); err != nil {
				return accessError(err)
			}
		}
		p.printf("Added %s (%s), who sees %s.\n", person.Email, person.Role, storesSeen(slugs))
		p.notef("A sign-in link for them: dashboard user link %s\n", person.Email)
		return nil
	})
}

func storesSeen(slugs []string) string {
	switch {
	case len(slugs) == 0:
		return "no store yet"
	case slugs[0] == access.AllStores:
		return "all stores"
	}
	return strings.Join(slugs, ", ")
}

type userList struct{}

// Run lists people by address.
func (userList) Run(ctx context.Context, p *Program) error {
	return p.inHouse(ctx, needsNothing, schemaOwn, func(h *house) error {
		people, err := h.access.People(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(w, "ADDRESS\tNAME\tROLE\tSTORES")
		for _, u := range people {
			stores := storesSeen(u.Stores)
			if u.AllStores {
				stores = "all stores"
			}
			role := string(u.Role)
			if u.Disabled {
				role = "disabled"
			}
			_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", u.Email, u.Name, role, stores)
		}
		return w.Flush()
	})
}

// personArg is the person that a command is about.
type personArg struct {
	Email string `arg:"" help:"Mail address of the person."`
}

func (c personArg) find(ctx context.Context, h *house) (access.Person, error) {
	person, err := h.access.PersonByEmail(ctx, c.Email)
	return person, accessError(err)
}

type userGrant struct {
	personArg
	storeChoice
}

// Run grants; what was granted before stays.
func (c userGrant) Run(ctx context.Context, p *Program) error {
	slugs, err := c.slugs(true)
	if err != nil {
		return err
	}
	return p.inHouse(ctx, needsNothing, schemaOwn, func(h *house) error {
		person, err := c.find(ctx, h)
		if err != nil {
			return err
		}
		for _, slug := range slugs {
			if err := h.access.GrantPerson(ctx, person.ID, slug); err != nil {
				return accessError(err)
			}
		}
		p.printf("%s sees %s.\n", person.Email, storesSeen(slugs))
		return nil
	})
}

type userRevoke struct {
	personArg
	storeChoice
}

// Run takes back grants, and says so when there was none.
func (c userRevoke) Run(ctx context.Context, p *Program) error {
	slugs, err := c.slugs(true)
	if err != nil {
		return err
	}
	return p.inHouse(ctx, needsNothing, schemaOwn, func(h *house) error {
		person, err := c.find(ctx, h)
		if err != nil {
			return err
		}
		for _, slug := range slugs {
			had, err := h.access.RevokePerson(ctx, person.ID, slug)
			switch {
			case err != nil:
				return err
			case had:
				p.printf("%s no longer has the grant for %s.\n", person.Email, storesSeen([]string{slug}))
			default:
				p.printf("%s had no grant for %s.\n", person.Email, storesSeen([]string{slug}))
			}
		}
		return nil
	})
}

type userDisable struct{ personArg }

// Run disables at once, also where the person is signed in.
func (c userDisable) Run(ctx context.Context, p *Program) error {
	return p.inHouse(ctx, needsNothing, schemaOwn, func(h *house) error {
		person, err := c.find(ctx, h)
		if err != nil {
			return err
		}
		if err := h.access.DisablePerson(ctx, person.ID); err != nil {
			return err
		}
		p.printf("%s is disabled and signed out everywhere.\n", person.Email)
		return nil
	})
}

type userLink struct {
	personArg
	For time.Duration `default:"${linkLife}" help:"How long the link works."`
}

// Run prints the link alone on Stdout.
func (c userLink) Run(ctx context.Context, p *Program) error {
	if c.For <= 0 || c.For > 7*24*time.Hour {
		return usagef("--for must lie between a moment and 168h, such as 15m")
	}
	return p.inHouse(ctx, needsNothing, schemaOwn, func(h *house) error {
		person, err := c.find(ctx, h)
		if err != nil {
			return err
		}
		secret, expires, err := h.access.CreateLink(ctx, person, c.For)
		if err != nil {
			return accessError(err)
		}
		p.printf("%s\n", web.SignInLink(h.base(), secret))
		p.notef("It signs in %s once, until %s.\n", person.Email, expires.Local().Format("2 Jan 15:04 MST"))
		return nil
	})
}
