package weekly

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// Editor writes mails from stored data. What a store's readers share is read and drawn
// once. The zero Editor isn't usable.
type Editor struct {
	// DB doesn't check grants: the caller has checked that the reader may get the mail.
	DB *db.DB
	// Asker has the services asked about a week before its mail is written; nil asks nobody.
	Asker Asker
	// Base is the address of the pages.
	Base *url.URL
	// Printer makes PDFs; nil if it can't, which the mails then say.
	Printer *pdf.Printer
	Log     *slog.Logger

	mu   sync.Mutex
	kept []*edition // the newest comes last
}

// making bounds reading and drawing an edition.
const making = time.Minute

// mostEditions is enough for what several jobs need at once: mails go out store by store.
const mostEditions = 16

// edition is the mail of a store's week, for all its readers in one language.
type edition struct {
	key  editionKey
	once sync.Once
	made *drawn
	err  error
}

// editionKey is what an edition depends on. A mail says how long ago things were, so it
// is made again every hour even if nothing changed.
type editionKey struct {
	store           int64
	revision, brand int64
	week            Week
	language        string
	hour, until     time.Time
	// account: its readers have accounts, so it includes private notes.
	account bool
}

// Compose implements [Composer].
func (e *Editor) Compose(ctx context.Context, o Order) (Content, error) {
	made, err := e.edition(ctx, o)
	if err != nil {
		return Content{}, err
	}
	changed, err := e.changed(ctx, o)
	if err != nil {
		return Content{}, err
	}
	frame := e.frame(o, made.Locale, made.Frame, changed)
	var files []mail.File
	var unprinted error
	if o.PDF {
		var file mail.File
		if file, unprinted = e.print(ctx, made); unprinted == nil {
			files = []mail.File{file}
		}
		frame.Unprinted = unprinted != nil
	}
	m, err := made.write(frame)
	m.Files = files
	return Content{m, made.Complete, made.Asked, made.stores, unprinted}, err
}

// print never holds up a mail: without its PDF it says the same.
func (e *Editor) print(ctx context.Context, made *drawn) (mail.File, error) {
	if e.Printer == nil {
		return mail.File{}, pdf.ErrNone
	}
	file, err := made.printed(ctx, e.Printer)
	if err != nil && e.Log != nil {
		e.Log.Error("a weekly mail goes without its PDF", "file", file.Name, "error", err)
	}
	return file, err
}

// edition returns an edition from the cache, or makes it. Jobs that need the same edition
// wait for the first of them.
func (e *Editor) edition(ctx context.Context, o Order) (*drawn, error) {
	if o.StoreID == nil {
		return e.digest(ctx, o)
	}
	s, err := e.DB.Queries().StoreOfMail(ctx, *o.StoreID)
	if err != nil {
		return nil, fmt.Errorf("find the store of a mail: %w", err)
	}
	found := e.keep(editionKey{*o.StoreID, s.Revision, s.BrandingRevision, o.Week, o.Language, o.Now.Truncate(time.Hour), o.Until, o.PersonID != nil})
	found.once.Do(func() {
		// Other readers need it too, so it doesn't end with this reader's context.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), making)
		defer cancel()
		// This error stays if making the edition panics.
		found.err = fmt.Errorf("the mail of %s could not be made", s.Slug)
		found.made, found.err = e.make(ctx, s.Slug, o)
	})
	if found.err != nil {
		e.drop(found)
	}
	return found.made, found.err
}

func (e *Editor) keep(key editionKey) *edition {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, known := range e.kept {
		if known.key == key {
			return known
		}
	}
	if len(e.kept) == mostEditions {
		e.kept = slices.Delete(e.kept, 0, 1)
	}
	e.kept = append(e.kept, &edition{key: key})
	return e.kept[len(e.kept)-1]
}

func (e *Editor) drop(gone *edition) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kept = slices.DeleteFunc(e.kept, func(each *edition) bool { return each == gone })
}

func (e *Editor) make(ctx context.Context, slug string, o Order) (*drawn, error) {
	l, _ := locale.Of(o.Language)
	store, err := e.DB.StoreUnasked(ctx, slug)
	if err != nil {
		return nil, err
	}
	week, err := e.readWeek(ctx, store, o, l)
	if err != nil {
		return nil, err
	}
	live := e.Base.JoinPath("stores", slug)
	live.RawQuery = week.Choice.Query().Encode()
	return e.draw(ctx, week, live, []int64{*o.StoreID})
}

// digest is the mail about all stores that its reader may see now, so it isn't shared.
func (e *Editor) digest(ctx context.Context, o Order) (*drawn, error) {
	l, _ := locale.Of(o.Language)
	week, shown, err := ReadDigest(ctx, e.DB, *o.PersonID, o.Week.First, o.Now, o.Until, l)
	if err != nil {
		return nil, err
	}
	live, query := e.Base.JoinPath("/"), weekly.DigestQuery(o.Week.First)
	query.All = false
	live.RawQuery = query.Values().Encode()
	made, err := e.draw(ctx, week, live, shown)
	if err != nil {
		return nil, err
	}
	made.clock = o.Location.String()
	return made, nil
}

func (e *Editor) draw(ctx context.Context, week weekly.Week, live *url.URL, stores []int64) (*drawn, error) {
	kept, err := e.DB.Branding(ctx)
	if err != nil {
		return nil, err
	}
	brand, err := BrandOf(kept)
	if err != nil {
		return nil, err
	}
	made, err := draw(week, Frame{Brand: brand, Live: live.String(), Home: strings.TrimSuffix(e.Base.String(), "/")})
	if err != nil {
		return nil, err
	}
	made.stores = stores
	return made, nil
}

// changed are the days in this reader's last mail whose values have changed since.
func (e *Editor) changed(ctx context.Context, o Order) (days []report.ChangedDay, err error) {
	if o.Subscription == nil {
		return nil, nil
	}
	rows, err := e.DB.Queries().ChangedSinceLastMail(ctx, *o.Subscription)
	if err != nil {
		return nil, fmt.Errorf("what changed since the last mail: %w", err)
	}
	for _, r := range rows {
		days = append(days, report.ChangedDay{
			Day: r.Day, Was: r.Was, WasCurrency: r.WasCurrency, Is: r.TotalUpsoldValue, IsCurrency: r.Currency,
		})
	}
	return days, nil
}

// mostNamed is how many earlier weeks a mail lists; the rest are on the list's page.
const mostNamed = 4

func earlierOf(o Order, l locale.Locale) (e Earlier) {
	n := len(o.Earlier)
	if n == 0 {
		return e
	}
	e.Words = l.T("weekly.earlier_reports", "n", n)
	list := o.View + "/weeks"
	for i, w := range o.Earlier {
		if i == mostNamed {
			e.All = &WeekLink{l.T("weekly.all_reports", "n", n), list}
			break
		}
		e.Weeks = append(e.Weeks, WeekLink{l.DatesNear(w.First, w.Last(), o.Week.Last()), list + "/" + w.First.String()})
	}
	return e
}

// frame adds what is specific to this reader.
func (e *Editor) frame(o Order, l locale.Locale, f Frame, changed []report.ChangedDay) Frame {
	f.Changed, f.View, f.Stop, f.Earlier = changed, o.View, o.Unsubscribe, earlierOf(o, l)
	if o.PersonID != nil {
		f.Change = e.Base.JoinPath("snapshots").String()
	}
	switch {
	case o.To == "":
		f.Sent = l.T("weekly.preview")
	case o.Slot == nil:
		f.Sent = l.T("weekly.test", "address", o.To)
	default:
		f.Sent = l.T("weekly.sent."+strings.ToLower(o.Slot.Weekday.String()), "address", o.To,
			"hour", l.Time(time.Date(2000, 1, 1, o.Slot.Hour, 0, 0, 0, time.UTC)), "clock", l.Clock(o.Location.String()))
	}
	return f
}
