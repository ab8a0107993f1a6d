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
	// Subscription is nil for a one-time mail.
	Subscription *int64
	// Now is when the mail is written. It waits for data until Until; the zero time means that
	// it is written at once.
	Now, Until time.Time
	// To is the reader's address, and Slot when they get the mail, in the time zone Location.
	To   string
	Slot *Slot
	// View and Unsubscribe are links for the footer: to the mail in a browser, and to end the
	// subscription; may be empty.
	View, Unsubscribe string
	// PDF: the reader also wants the mail as a PDF.
	PDF bool
	// Earlier are the weeks whose mails couldn't be sent, newest first. This mail links to
	// them, below View.
	Earlier []Week
}

// Content is a composed mail.
type Content struct {
	Mail
	// Complete: all of the week's data is there. A mail without it is written again later,
	// until its patience runs out.
	Complete bool
	// Asked: a service was just asked about the week.
	Asked bool
	// Stores are the ids of the stores shown.
	Stores []int64
	// Unprinted is why the PDF that the reader wants is missing.
	Unprinted error
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
	// patience is how long after its due time a mail waits for its week's data, and lookAgain
	// how often it checks. When a service was just asked, it checks again sooner.
	patience   = 6 * time.Hour
	lookAgain  = 15 * time.Minute
	askedAgain = time.Minute
)
