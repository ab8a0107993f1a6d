package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/settings"
	"github.com/storeglass/storeglass/web/site"
)

type userInvite struct {
	Email string        `arg:"" help:"Mail address."`
	Name  string        `help:"Name shown on pages until they choose one; default: the first part of the address."`
	Role  string        `enum:"viewer,agency,merchant,admin" default:"viewer" help:"As in user add."`
	For   time.Duration `default:"${invitationLife}" help:"How long the invitation works: 30m to 168h."`
	Mail  bool          `help:"Also send it by mail; needs DASHBOARD_SMTP_URL."`
	storeChoice
}

// Run prints only the link on Stdout. Someone who was invited before and hasn't accepted gets
// a new link that replaces the old one.
func (c userInvite) Run(ctx context.Context, p *cli.Program) error {
	if err := c.check(false); err != nil {
		return err
	}
	if c.For < signin.MinInvitation || c.For > signin.MaxInvitation {
		return cli.Usagef("--for is out of range: write 30m to 168h, such as 72h")
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		mails, err := a.Mailer()
		if err != nil {
			return err
		}
		if c.Mail && mails == nil {
			return cli.Usagef("--mail needs a mail server: set DASHBOARD_SMTP_URL and DASHBOARD_MAIL_FROM")
		}
		found, err := c.find(ctx, a)
		if err != nil {
			return err
		}
		person, secret, expires, err := a.SignIn.InvitePerson(ctx, signin.Invite{
			Email: c.Email, Name: c.Name, Role: access.Role(c.Role), Stores: found.slugs, Groups: found.groupIDs(), For: c.For,
		})
		before := errors.Is(err, fault.Conflict)
		if before {
			person, secret, expires, err = c.again(ctx, a)
		}
		if err != nil {
			return err
		}
		p.Printf("%s\n", site.InvitationLink(a.Base(), secret))
		p.Notef("%s can use it once, until %s.\n", person.Email, expires.Local().Format("2 Jan 15:04 MST"))
		if before {
			m, err := a.Access.Member(ctx, person.ID)
			if err != nil {
				return err
			}
			p.Notef("They were added before and stay %s (%s), who sees %s: change that with `dashboard user role` and `dashboard user grant`.\n", m.Name, m.Role, personSees(m.Role, m.Reach))
		}
		if !c.Mail {
			return nil
		}
		brand, err := a.DB.Branding(ctx)
		if err != nil {
			return err
		}
		if err := mails.Send(ctx, site.InvitationMail(locale.English, a.Base(), cmp.Or(brand.Name, "Storeglass"), person, "", secret, expires)); err != nil {
			return fmt.Errorf("the invitation exists but could not be mailed: %w; pass the link on", err)
		}
		p.Notef("It is on its way by mail.\n")
		return nil
	})
}

// again invites someone who was invited before and hasn't accepted.
func (c userInvite) again(ctx context.Context, a *app.App) (access.Person, string, time.Time, error) {
	person, err := a.Access.PersonByEmail(ctx, c.Email)
	if err != nil {
		return access.Person{}, "", time.Time{}, err
	}
	secret, expires, err := a.SignIn.ReinvitePerson(ctx, person.ID, c.For)
	if errors.Is(err, fault.Conflict) && !person.Disabled {
		err = fmt.Errorf("%s has an account already: `dashboard user link` makes a link that signs them in", person.Email)
	}
	return person, secret, expires, err
}

type userPassword struct{ personArg }

// Run sets the password, which ends all of the person's sessions and links.
func (c userPassword) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	return c.change(ctx, p, a, "%s has a new password and is signed out everywhere.\n", func(u access.Person) error {
		if u.Disabled {
			return fault.New(fault.Conflict, "", "person.problem.disabled")
		}
		password, err := p.NewPassword(ctx, u)
		if err != nil {
			return err
		}
		return a.SignIn.SetPassword(ctx, u, password, 0)
	})
}

type userFactors struct{ personArg }

func (c userFactors) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	return c.change(ctx, p, a, "%s no longer has two-factor authentication and is signed out everywhere.\n", func(u access.Person) error {
		err := a.SignIn.ResetFactors(ctx, u)
		if errors.Is(err, fault.NotFound) {
			return fmt.Errorf("%s has no two-factor authentication", u.Email)
		}
		return err
	})
}
