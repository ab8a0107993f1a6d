package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/fault"
)

type groupCommand struct {
	Add    groupAdd    `cmd:"" help:"Create a group, with or without stores."`
	List   groupList   `cmd:"" help:"List groups, their stores and who can see them."`
	Rename groupRename `cmd:"" help:"Rename a group."`
	Remove groupRemove `cmd:"" help:"Delete a group and access through it; its stores stay."`
	Store  groupStores `cmd:"" help:"Add stores to a group, or remove them."`
}

// groupArg is the group that a command works on.
type groupArg struct {
	Group string `arg:"" placeholder:"GROUP" help:"The group's name."`
}

func (c groupArg) find(ctx context.Context, a *app.App) (access.Group, error) {
	return a.Access.GroupByName(ctx, c.Group)
}

// groupError adds what to do to errors of creating and renaming groups.
func groupError(name string, err error) error {
	if errors.Is(err, fault.Conflict) {
		return fmt.Errorf("a group named %q exists: choose another name", name)
	}
	return err
}

type groupAdd struct {
	Name  string   `arg:"" help:"The group's name."`
	Store []string `name:"store" placeholder:"SLUG" help:"A store to add; may be repeated."`
}

// Run creates the group; if one of the stores doesn't exist, it creates nothing.
func (c groupAdd) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	for _, slug := range c.Store {
		if err := storeMustExist(ctx, a, slug); err != nil {
			return err
		}
	}
	g, err := a.Access.AddGroup(ctx, c.Name)
	if err != nil {
		return groupError(c.Name, err)
	}
	for _, slug := range c.Store {
		if err := a.Access.AddStoreToGroup(ctx, g.ID, slug); err != nil {
			return err
		}
	}
	p.Printf("Made the group %s with %s.\n", g.Name, words.Count(len(c.Store), "store"))
	return nil
}

type groupList struct{}

// Run lists groups by name.
func (groupList) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	groups, err := a.Access.Groups(ctx)
	if err != nil {
		return err
	}
	if len(groups) == 0 {
		p.Notef("There is no group yet: make one with `dashboard group add`.\n")
		return nil
	}
	w := p.Table("GROUP", "STORES", "PEOPLE", "TOKENS")
	for _, g := range groups {
		w.Row(g.Name, strings.Join(g.Stores, ", "), strings.Join(g.PersonNames, ", "), strings.Join(g.Tokens, ", "))
	}
	return w.Flush()
}

type groupRename struct {
	groupArg
	Name string `arg:"" help:"The new name."`
}

// Run renames the group; grants aren't affected.
func (c groupRename) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	g, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	if err := a.Access.RenameGroup(ctx, g.ID, c.Name); err != nil {
		return groupError(c.Name, err)
	}
	p.Printf("The group %s is called %s now.\n", g.Name, strings.TrimSpace(c.Name))
	return nil
}

type groupRemove struct {
	groupArg
	cli.Consent
}

// Run says who would lose access to what, asks, and deletes.
func (c groupRemove) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	g, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	losses, err := a.Access.GroupLosses(ctx, g.ID)
	if err != nil {
		return err
	}
	for _, l := range losses {
		who := l.Name
		if l.Token {
			who = "the token " + who
		}
		p.Notef("%s", cli.Plain(fmt.Sprintf("%s loses %s.\n", who, strings.Join(l.Stores, ", "))))
	}
	what := fmt.Sprintf("Deleting the group %s takes its stores from %s", g.Name, words.Count(len(losses), "holder"))
	if err := c.Ask(ctx, p, what, "yes"); err != nil {
		return err
	}
	if err := a.Access.RemoveGroup(ctx, g.ID); err != nil {
		return err
	}
	p.Printf("The group %s is deleted; its stores stay.\n", g.Name)
	return nil
}

type groupStores struct {
	Add    groupStoreAdd    `cmd:"" help:"Add stores to a group. People with access to the group see them at once."`
	Remove groupStoreRemove `cmd:"" help:"Remove stores from a group."`
}

type groupStoreAdd struct {
	groupArg
	Store []string `arg:"" placeholder:"SLUG" help:"The stores."`
}

// Run adds all of the stores, or none.
func (c groupStoreAdd) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	g, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	for _, slug := range c.Store {
		if err := storeMustExist(ctx, a, slug); err != nil {
			return err
		}
	}
	for _, slug := range c.Store {
		if err := a.Access.AddStoreToGroup(ctx, g.ID, slug); err != nil {
			return err
		}
	}
	p.Printf("The group %s holds %s.\n", g.Name, strings.Join(c.Store, ", "))
	return nil
}

type groupStoreRemove struct {
	groupArg
	Store []string `arg:"" placeholder:"SLUG" help:"The stores."`
}

// Run removes the stores, and says which weren't in the group.
func (c groupStoreRemove) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	g, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	for _, slug := range c.Store {
		had, err := a.Access.TakeStoreFromGroup(ctx, g.ID, slug)
		switch {
		case err != nil:
			return err
		case had:
			p.Printf("The group %s no longer holds %s.\n", g.Name, slug)
		default:
			p.Printf("The group %s did not hold %s.\n", g.Name, slug)
		}
	}
	return nil
}
