package weekly

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// Preview is the mail of a store's week as it would be written now, with its pictures
// inside the HTML: for the week that contains day, or the last complete one. A
// *stores.Refusal is meant for the person.
func (m *SubscriptionService) Preview(ctx context.Context, person int64, slug string, day civil.Date, language string) (weekly.WrittenMail, error) {
	p, err := access.Allowed(ctx, m.DB, person, access.See)
	if err != nil {
		return weekly.WrittenMail{}, err
	}
	week, content, err := m.compose(ctx, p, slug, day, language, "")
	if err != nil {
		return weekly.WrittenMail{}, err
	}
	pictures := map[string][]byte{}
	for _, p := range content.Pictures {
		pictures[p.ID] = p.PNG
	}
	within := pictureSource.ReplaceAllStringFunc(content.HTML, func(source string) string {
		id := pictureSource.FindStringSubmatch(source)[1]
		return `src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(pictures[id]) + `"`
	})
	return weekly.WrittenMail{
		Week: report.Window{Start: week.First, End: week.Last()}, Subject: content.Subject, HTML: within, Text: content.Text, Complete: content.Complete,
	}, nil
}

// SendTest sends the Preview mail to the person who asks, and nobody else.
func (m *SubscriptionService) SendTest(ctx context.Context, person int64, slug string, day civil.Date, language string) error {
	p, err := access.Allowed(ctx, m.DB, person, access.See)
	if err != nil {
		return err
	}
	if m.Sender == nil {
		return noServer(ctx)
	}
	if err := m.taking(ctx, person); err != nil {
		return err
	}
	week, content, err := m.compose(ctx, p, slug, day, language, p.Email)
	if err != nil {
		return err
	}
	if err := m.send(ctx, content.Message(p.Email)); err != nil {
		return err
	}
	return m.Audit.Record(ctx, audit.Event{Action: audit.ReportSent, Store: slug, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.test"), locale.M("audit.detail.week", "day", locale.Day{Date: week.First, Year: true})}})
}

// compose writes a mail that nobody subscribed to. to is empty for a preview.
func (m *SubscriptionService) compose(ctx context.Context, p sqlc.Person, slug string, day civil.Date, language, to string) (Week, Content, error) {
	store, row, err := access.HeldStore(ctx, m.DB, m.Pages, p.ID, slug)
	if err != nil {
		return Week{}, Content{}, err
	}
	begins := time.Weekday(m.weekBegins() % 7)
	today := report.Today(m.now(), store.Location())
	week := LastWeek(begins, today)
	if asked := (Week{onOrAfter(day.AddDays(-6), begins)}); !day.IsZero() && asked.First.Before(week.First) {
		week = asked
	}
	content, err := m.Composer.Compose(ctx, Order{StoreID: &row.ID, PersonID: &p.ID, Week: week, Location: store.Location(), Language: language, Now: m.now(), To: to})
	return week, content, err
}
