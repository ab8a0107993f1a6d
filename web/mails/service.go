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

// SubscriptionService does what pages may not do themselves with weekly mails: it makes and ends
// subscriptions, asks addresses for confirmation, shows mails and sends them. Like the worker it
// isn't limited by grants, so each method for a person checks again whether they may, and
// otherwise returns db.ErrNotFound. Methods that take the secret of a link in a mail work for
// anyone who has it, and return db.ErrNotFound for other secrets. A *stores.Refusal is for the
// person who asked. The context says who is recorded.
type SubscriptionService interface {
	// Subscribe makes a subscription: for the person at once, or for an address that first gets
	// a mail asking for confirmation.
	Subscribe(ctx context.Context, person int64, form weekly.Form) (id int64, err error)
	// Change changes when and how a mail comes, End ends it, and AskAgain asks an address that
	// hasn't answered.
	Change(ctx context.Context, person, id int64, form weekly.Form) error
	End(ctx context.Context, person, id int64) error
	AskAgain(ctx context.Context, person, id int64) error

	// Preview is the mail of a store's week as it would be written now: of the week with the
	// given day, or of the last full week. SendTest sends it to the person.
	Preview(ctx context.Context, person int64, slug string, day civil.Date, language string) (weekly.WrittenMail, error)
	SendTest(ctx context.Context, person int64, slug string, day civil.Date, language string) error
	// Resend rewrites a mail and sends it again.
	Resend(ctx context.Context, person, delivery int64) error
	// Suppressions are the addresses that no mail is sent to, for anyone who manages people;
	// LiftSuppression frees one.
	Suppressions(ctx context.Context, person int64) ([]weekly.Suppression, error)
	LiftSuppression(ctx context.Context, person int64, address string) error

	// Asked is what an address was asked to confirm; Confirm confirms it.
	Asked(ctx context.Context, token string) (weekly.Offer, error)
	Confirm(ctx context.Context, token string) error
	// Linked is the subscription that a mail belongs to; Unsubscribe ends it.
	Linked(ctx context.Context, token string) (weekly.Offer, error)
	Unsubscribe(ctx context.Context, token string) error
	// Prints reports whether mails are available as PDF, too.
	Prints() bool
	// Mail is a mail as it was sent.
	Mail(ctx context.Context, token string) (weekly.WrittenMail, error)
	// Weeks are the earlier weeks that a mail covers, newest first; Week is the mail of one.
	Weeks(ctx context.Context, token string) ([]report.Window, error)
	Week(ctx context.Context, token string, first civil.Date) (weekly.WrittenMail, error)

	// Bounced takes a mail that may report a bounce. Any other mail isn't an error.
	Bounced(ctx context.Context, raw io.Reader) error
}

// errNoSubscriptions is for a server that can't reach the mails.
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
