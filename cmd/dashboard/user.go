package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/settings"
	"github.com/storeglass/storeglass/web/site"
)

type userCommand struct {
	Add     userAdd     `cmd:"" help:"Add a person. They see nothing until you grant a store."`
	List    userList    `cmd:"" help:"List people and the stores they see."`
	Grant   userGrant   `cmd:"" help:"Let a person see a store, the stores of a group, or all stores."`
	Revoke  userRevoke  `cmd:"" help:"Take access to a store away."`
	Role    userRole    `cmd:"" help:"Change a person's role."`
	Disable userDisable `cmd:"" help:"Stop a person from signing in, and end their sessions."`
	Enable  userEnable  `cmd:"" help:"Let a disabled person sign in again."`
	Reach   userReach   `cmd:"" help:"List everything a person can still see or do."`

	Offboard userOffboard `cmd:"" help:"Disable a person and end all their access."`

	Link   userLink   `cmd:"" help:"Print a one-time sign-in link for a person."`
	Invite userInvite `cmd:"" help:"Invite a person and print the invitation link."`

	Password userPassword `cmd:"" help:"Set a person's password, from a prompt or stdin."`
	Factors  userFactors  `cmd:"" name:"reset-factors" help:"Remove the second step of a person who lost their app and passkeys."`
}

// storeChoice is some stores and groups, or all stores.
type storeChoice struct {
	Store     []string `name:"store" placeholder:"SLUG" help:"A store; may be repeated."`
	Group     []string `name:"group" placeholder:"NAME" help:"A group, with the stores it has at any time; may be repeated."`
	AllStores bool     `name:"all-stores" help:"All stores, including later ones."`
}

// check rejects contradictions, and an empty choice if must is set.
func (c storeChoice) check(must bool) error {
	switch {
	case c.AllStores && len(c.Store)+len(c.Group) > 0:
		return cli.Usagef("--store, --group and --all-stores can't be used together")
	case must && !c.AllStores && len(c.Store)+len(c.Group) == 0:
		return cli.Usagef("no store is given: write --store SLUG, --group NAME or --all-stores")
	}
	return nil
}

// chosen are existing stores and groups.
type chosen struct {
	// slugs may be access.AllStores.
	slugs  []string
	groups []access.Group
}

// find looks everything up before anything is changed.
func (c storeChoice) find(ctx context.Context, a *app.App) (chosen, error) {
	found := chosen{slugs: c.Store}
	if c.AllStores {
		found.slugs = []string{access.AllStores}
	}
	for _, slug := range found.slugs {
		if err := storeMustExist(ctx, a, slug); err != nil {
			return chosen{}, err
		}
	}
	for _, name := range c.Group {
		g, err := a.Access.GroupByName(ctx, name)
		if err != nil {
			return chosen{}, err
		}
		found.groups = append(found.groups, g)
	}
	return found, nil
}

func (c chosen) reach() access.Reach {
	r := access.Reach{Stores: c.slugs}
	if len(c.slugs) > 0 && c.slugs[0] == access.AllStores {
		r = access.Reach{AllStores: true}
	}
	for _, g := range c.groups {
		r.Groups = append(r.Groups, g.Name)
	}
	return r
}

func (c chosen) groupIDs() []int64 {
	return db.Each(c.groups, func(g access.Group) int64 { return g.ID })
}

// grant lets a person see the chosen stores and groups.
func (c chosen) grant(ctx context.Context, a *app.App, personID int64) error {
	for _, slug := range c.slugs {
		if err := a.Access.GrantPerson(ctx, personID, slug); err != nil {
			return err
		}
	}
	for _, g := range c.groups {
		if err := a.Access.GrantPersonGroup(ctx, personID, g.ID); err != nil {
			return err
		}
	}
	return nil
}

type userAdd struct {
	Email string `arg:"" help:"Mail address."`
	Name  string `help:"Name shown on pages; default: the first part of the address."`
	Role  string `enum:"viewer,agency,merchant,admin" default:"viewer" help:"viewer reads; agency also updates and shares; merchant also connects services; admin can do everything with every store."`
	Ask   bool   `name:"password-prompt" help:"Ask for their password, at a prompt or from stdin; never an argument."`
	storeChoice
}

// Run adds the person with the grants, if any.
func (c userAdd) Run(ctx context.Context, p *cli.Program) error {
	if err := c.check(false); err != nil {
		return err
	}
	password := ""
	if c.Ask { // before anything is changed
		var err error
		if password, err = p.NewPassword(ctx, access.Person{Email: c.Email, Name: c.Name}); err != nil {
			return err
		}
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		found, err := c.find(ctx, a) // before the person: a wrong slug adds nobody
		if err != nil {
			return err
		}
		person, err := a.Access.CreatePerson(ctx, c.Email, c.Name, access.Role(c.Role))
		if errors.Is(err, fault.Conflict) {
			return fmt.Errorf("%s exists already: change grants with `dashboard user grant`", c.Email)
		}
		if err != nil {
			return err
		}
		if err := found.grant(ctx, a, person.ID); err != nil {
			return err
		}
		if password != "" {
			if err := a.SignIn.SetPassword(ctx, person, password, 0); err != nil {
				return err
			}
		}
		p.Printf("Added %s (%s), who sees %s.\n", person.Email, person.Role, personSees(person.Role, found.reach()))
		if password != "" {
			p.Notef("They sign in with that password at %s\n", a.Base().JoinPath("sign-in"))
		} else {
			p.Notef("A sign-in link for them: dashboard user link %s\n", person.Email)
		}
		return nil
	})
}

// storesSeen says what someone's grants cover.
func storesSeen(r access.Reach) string {
	words := slices.Clone(r.Stores)
	for _, name := range r.Groups {
		words = append(words, "group "+name)
	}
	switch {
	case r.AllStores:
		return "all stores"
	case len(words) == 0:
		return "no store yet"
	}
	return strings.Join(words, ", ")
}

// personSees says what a person sees: an admin needs no grant.
func personSees(role access.Role, r access.Reach) string {
	r.AllStores = r.AllStores || role == access.Admin
	return storesSeen(r)
}

type userList struct{}

// Run lists people by address.
func (userList) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	people, err := a.Access.Roster(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(people, func(x, y access.Member) int { return cmp.Compare(strings.ToLower(x.Email), strings.ToLower(y.Email)) })
	w := p.Table("ADDRESS", "NAME", "ROLE", "STORES")
	for _, u := range people {
		role := string(u.Role)
		if u.Disabled {
			role = "disabled"
		}
		w.Row(u.Email, u.Name, role, personSees(u.Role, u.Reach))
	}
	return w.Flush()
}

// personArg is the person that a command works on.
type personArg struct {
	Email string `arg:"" help:"Mail address of the person."`
}

func (c personArg) find(ctx context.Context, a *app.App) (access.Person, error) {
	return a.Access.PersonByEmail(ctx, c.Email)
}

// change changes the person and prints that it is done: "%s" is their address.
func (c personArg) change(ctx context.Context, p *cli.Program, a *app.App, said string, do func(access.Person) error) error {
	person, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	if err := do(person); err != nil {
		return err
	}
	p.Printf(said, person.Email)
	return nil
}

// personStores is a person with the stores and groups to grant or revoke.
type personStores struct {
	personArg
	storeChoice
}

// with looks everything up before anything is changed.
func (c personStores) with(ctx context.Context, p *cli.Program, do func(*app.App, access.Person, chosen) error) error {
	if err := c.check(true); err != nil {
		return err
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		person, err := c.personArg.find(ctx, a)
		if err != nil {
			return err
		}
		found, err := c.storeChoice.find(ctx, a)
		if err != nil {
			return err
		}
		return do(a, person, found)
	})
}

type userGrant struct{ personStores }

// Run grants; earlier grants stay.
func (c userGrant) Run(ctx context.Context, p *cli.Program) error {
	return c.with(ctx, p, func(a *app.App, person access.Person, found chosen) error {
		if err := found.grant(ctx, a, person.ID); err != nil {
			return err
		}
		p.Printf("%s sees %s.\n", person.Email, storesSeen(found.reach()))
		return nil
	})
}

type userRevoke struct{ personStores }

// Run revokes grants, and says so if there were none.
func (c userRevoke) Run(ctx context.Context, p *cli.Program) error {
	return c.with(ctx, p, func(a *app.App, person access.Person, found chosen) error {
		said := func(had bool, what access.Reach) {
			words := "%s had no grant for %s.\n"
			if had {
				words = "%s no longer has the grant for %s.\n"
			}
			p.Printf(words, person.Email, storesSeen(what))
		}
		for _, slug := range found.slugs {
			had, err := a.Access.RevokePerson(ctx, person.ID, slug)
			if err != nil {
				return err
			}
			said(had, chosen{slugs: []string{slug}}.reach())
		}
		for _, g := range found.groups {
			had, err := a.Access.RevokePersonGroup(ctx, person.ID, g.ID)
			if err != nil {
				return err
			}
			said(had, access.Reach{Groups: []string{g.Name}})
		}
		return nil
	})
}

type userRole struct {
	personArg
	Role string `arg:"" enum:"viewer,agency,merchant,admin" help:"viewer, agency, merchant or admin."`
}

// Run changes the role, from the person's next request on.
func (c userRole) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	return c.change(ctx, p, a, "%s is "+c.Role+" now.\n", func(u access.Person) error { return a.Access.SetRole(ctx, u.ID, access.Role(c.Role)) })
}

type userEnable struct{ personArg }

// Run lets the person sign in again, with the grants they had.
func (c userEnable) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	return c.change(ctx, p, a, "%s may sign in again.\n", func(u access.Person) error { return a.Access.EnablePerson(ctx, u.ID) })
}

type userDisable struct{ personArg }

// Run disables the person at once, even where they are signed in.
func (c userDisable) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	return c.change(ctx, p, a, "%s is disabled and signed out everywhere.\n", func(u access.Person) error { return a.Access.DisablePerson(ctx, u.ID) })
}

type userLink struct {
	personArg
	For time.Duration `default:"${linkLife}" help:"How long the link works."`
}

// Run prints only the link on Stdout.
func (c userLink) Run(ctx context.Context, p *cli.Program) error {
	if c.For <= 0 || c.For > 7*24*time.Hour {
		return cli.Usagef("--for is out of range: write up to 168h, such as 15m")
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		person, err := c.find(ctx, a)
		if err != nil {
			return err
		}
		secret, expires, err := a.SignIn.CreateLink(ctx, person, c.For)
		if err != nil {
			return err
		}
		p.Printf("%s\n", site.SignInLink(a.Base(), secret))
		p.Notef("It signs in %s once, until %s.\n", person.Email, expires.Local().Format("2 Jan 15:04 MST"))
		return nil
	})
}
