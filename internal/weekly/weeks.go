package weekly

import (
	"context"
	"fmt"
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// Weeks are the weeks whose mails weren't sent, newest first, as linked from the token's mail
// or an earlier one. db.ErrNotFound when there are none, when the mail is no longer
// stored, or when its reader may not see the store.
func (m *SubscriptionService) Weeks(ctx context.Context, token string) ([]report.Window, error) {
	hash, err := hashOf(token)
	if err != nil {
		return nil, err
	}
	rows, err := m.DB.Queries().LinkedWeeks(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("list the weeks that a mail covers: %w", err)
	}
	if len(rows) == 0 {
		return nil, db.ErrNotFound
	}
	weeks := make([]report.Window, len(rows))
	for i, first := range rows {
		w := Week{first}
		weeks[i] = report.Window{Start: w.First, End: w.Last()}
	}
	return weeks, nil
}

// Week is the mail of one of these weeks as it would be written now, without stores that its
// reader can no longer see. Its pictures are files beside it. db.ErrNotFound as for Weeks.
func (m *SubscriptionService) Week(ctx context.Context, token string, first civil.Date) (weekly.WrittenMail, error) {
	weeks, err := m.Weeks(ctx, token)
	if err != nil {
		return weekly.WrittenMail{}, err
	}
	asked := func(w report.Window) bool { return w.Start == first }
	if m.Composer == nil || !slices.ContainsFunc(weeks, asked) {
		return weekly.WrittenMail{}, db.ErrNotFound
	}
	hash, err := hashOf(token)
	if err != nil {
		return weekly.WrittenMail{}, err
	}
	r, err := m.DB.Queries().LinkedSubscription(ctx, hash)
	if err != nil {
		return weekly.WrittenMail{}, none(err, "find the reader of a mail by its link")
	}
	loc, err := report.Zone(r.Timezone)
	if err != nil {
		return weekly.WrittenMail{}, err
	}
	view := m.Base.JoinPath("mail", token, "weeks", first.String())
	content, err := m.Composer.Compose(ctx, Order{
		StoreID: r.StoreID, PersonID: r.PersonID, Week: Week{first}, Location: loc, Language: r.Language, Now: m.now(), To: r.Address, Slot: slotOf(r.Weekday, r.Hour),
		View: view.String(), Unsubscribe: m.Base.JoinPath("unsubscribe", token).String(),
	})
	if err != nil {
		return weekly.WrittenMail{}, err
	}
	if len(content.Stores) == 0 { // the reader no longer holds any of them
		return weekly.WrittenMail{}, db.ErrNotFound
	}
	out := weekly.WrittenMail{
		Subject: content.Subject, Text: content.Text, Pictures: map[string][]byte{},
		HTML: pictureSource.ReplaceAllString(content.HTML, `src="`+first.String()+`/$1.png"`),
	}
	for _, p := range content.Pictures {
		out.Pictures[p.ID] = p.PNG
	}
	return out, nil
}
