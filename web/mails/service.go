package mails

import (
	"context"
	"io"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/web/site"
)

// SubscriptionService does with weekly mails what pages may not do themselves: it makes and ends
// subscriptions, asks addresses, shows mails and sends them. It is above grants,
// like the worker; so each method that is for a person looks again whether they may:
// db.ErrNotFound when not. Those that take the secret of a link in a mail are for
// anyone who has it, and answer db.ErrNotFound to every other. A *stores.Refusal is for the
// person who asked. Who did it is recorded from the context.
type SubscriptionService interface {
	// Subscribe makes a subscription: the person's own, at once, or one of an address
	// that is asked by mail whether it wants it.
	Subscribe(ctx context.Context, person int64, form weekly.Form) (id int64, err error)
	// Change changes when and how a mail comes, End ends it, and AskAgain asks an address
	// that has not answered.
	Change(ctx context.Context, person, id int64, form weekly.Form) error
	End(ctx context.Context, person, id int64) error
	AskAgain(ctx context.Context, person, id int64) error

	// Preview is the mail of a store's week as it would be written at this moment: of the
	// week that the day is in, or of the last that is over. SendTest sends it to the person.
	Preview(ctx context.Context, person int64, slug string, day civil.Date, language string) (weekly.WrittenMail, error)
	SendTest(ctx context.Context, person int64, slug string, day civil.Date, language string) error
	// Resend has a mail written again, and sent again.
	Resend(ctx context.Context, person, delivery int64) error
	// Suppressions are the addresses that nothing is sent to, for anyone who manages people;
	// LiftSuppression frees one.
	Suppressions(ctx context.Context, person int64) ([]weekly.Suppression, error)
	LiftSuppression(ctx context.Context, person int64, address string) error

	// Asked is what an address was asked, Confirm its yes.
	Asked(ctx context.Context, token string) (weekly.Offer, error)
	Confirm(ctx context.Context, token string) error
	// Linked is the subscription that a mail belongs to, Unsubscribe its end.
	Linked(ctx context.Context, token string) (weekly.Offer, error)
	Unsubscribe(ctx context.Context, token string) error
	// Prints reports whether mails can be had as PDF, too.
	Prints() bool
	// Mail is a mail as it was sent.
	Mail(ctx context.Context, token string) (weekly.WrittenMail, error)
	// Weeks are the earlier weeks that it covers, newest first; Week is the mail of one.
	Weeks(ctx context.Context, token string) ([]report.Window, error)
	Week(ctx context.Context, token string, first civil.Date) (weekly.WrittenMail, error)

	// Bounced takes a mail that may report of one that came back. Any other is no error.
	Bounced(ctx context.Context, raw io.Reader) error
}

// errNoSubscriptions is for a server that has no way to the mails.
var errNoSubscriptions = site.NewProblem(fault.Unavailable, "no_mails").Leading("stores", "/")

// mailing runs a handler that needs the SubscriptionService.
func (s *Handlers) mailing(handle func(*site.Call) error) func(*site.Call) error {
	return func(c *site.Call) error {
		if s.Subscriptions == nil {
			return errNoSubscriptions
		}
		return handle(c)
	}
}
