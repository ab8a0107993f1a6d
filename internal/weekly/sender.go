package weekly

import (
	"context"
	"log/slog"
	"net/url"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
)

// Order is a mail to be written.
type Order struct {
	// StoreID is nil for the mail about all stores that the person holds.
	StoreID, PersonID *int64
	Week              Week
	Location          *time.Location
	Language          string
	// Subscription is nil for a mail that someone asked for once.
	Subscription *int64
	// Now is the moment that it is written at. A mail waits for data until Until; the zero
	// time is for one that is written at once.
	Now, Until time.Time
	// To is the reader's address, and Slot when they get it, on the clock of Location.
	To   string
	Slot *Slot
	// View and Unsubscribe are the addresses, for the mail's foot, of the mail in a
	// browser, and where its reader can end the subscription; empty where there are none.
	View, Unsubscribe string
	// PDF: the reader wants the mail as a file, too.
	PDF bool
	// Earlier are the weeks whose mails could not be sent, newest first: this one links to
	// them, below View.
	Earlier []Week
}

// Content is what a mail says.
type Content struct {
	Mail
	// Complete: the week's data are all there. One that isn't is written again later,
	// until its patience is over.
	Complete bool
	// Asked: a service was asked about the week a moment ago.
	Asked bool
	// Stores are the ids of those that it shows.
	Stores []int64
}

// Composer writes mails.
type Composer interface {
	Compose(context.Context, Order) (Content, error)
}

// Sender sends mails to their readers. Any number of processes may use the same database at
// once.
type Sender struct {
	DB       *db.DB
	Composer Composer
	Courier  *mail.Courier
	// Base is the address of the pages.
	Base *url.URL
	// Host follows the @ in message ids.
	Host string
	Now  func() time.Time
	Log  *slog.Logger
}

const (
	// patience is how long after its hour a mail waits for the data of its week, and
	// lookAgain how often it looks. An answer that was asked for comes sooner.
	patience   = 6 * time.Hour
	lookAgain  = 15 * time.Minute
	askedAgain = time.Minute
)
