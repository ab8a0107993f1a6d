package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

// MaxSnoozes is how many snoozes of one person may last at once.
const MaxSnoozes = 200

// ErrTooManySnoozes: as many snoozes of the person last as may.
var ErrTooManySnoozes = errors.New("too many snoozes")

// AlertPrincipal is who looks at alerts: what they hold, and whose snoozes count.
type AlertPrincipal struct {
	Scope  Scope
	Person int64
	// Store is the slug of one store, or empty for all that the scope holds.
	Store string
	Now   time.Time
}

// ListedAlert is an outage as it is shown.
type ListedAlert struct {
	ID                    int64
	Slug, Store, Timezone string
	Rule, Subject         string
	// SeenAt is when it was first seen. OpenedAt is when people were notified, nil while it
	// has not lasted long enough.
	Since, SeenAt time.Time
	// EndedAt is when it ended, or a person called it done, nil while it is open.
	OpenedAt, CalmSince, EndedAt *time.Time
	EndCause                     *string
	// DoneBy is who called it done, AssignedTo who looks after it; empty for nobody.
	DoneBy, AssignedTo string
	AssignedID         *int64
	// Over: it ended, even if someone marked it as done before.
	Over     bool
	Title    locale.Message
	Text     locale.Sentences
	Do       locale.Message
	Effect   locale.Sentences
	Href     string
	Evidence locale.Args
	Snooze   *AlertMuting
	Notices  []sqlc.ShownNoticesRow
}

// Open is what is said of it.
func (l ListedAlert) Open() report.OpenAlert {
	rows, _ := l.Evidence["offers"].(int64)
	return report.OpenAlert{
		ID: l.ID, Rule: l.Rule, Subject: l.Subject, Title: l.Title, Text: l.Text, Do: l.Do, Effect: l.Effect, Since: l.Since, Href: l.Href, Rows: rows, Snoozed: l.Snooze != nil,
	}
}

// AlertMuting is the snooze that keeps an open one back for the person who looks.
type AlertMuting struct {
	ID int64
	// Own: it keeps back the person's own mails only.
	Own bool
	// Wide: it is about more than this outage.
	Wide  bool
	Until *time.Time
}

// openOnes are the open alerts of the principal, for a statement.
func (a AlertPrincipal) openOnes(most int) sqlc.ShownOpenAlertsParams {
	rules, stopping := alerts.Order()
	return sqlc.ShownOpenAlertsParams{
		Now: a.Now, PersonID: a.Person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store, Rules: rules, Stopping: int32(stopping), Most: int32(most),
	}
}

// ended are those that ended in the last week.
func (a AlertPrincipal) ended() sqlc.CountEndedAlertsParams {
	return sqlc.CountEndedAlertsParams{Since: a.Now.Add(-EndedLately), EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store}
}

// EndedLately is how long the inbox counts what ended.
const EndedLately = 7 * 24 * time.Hour

func listedAlert(r sqlc.ShownOpenAlertsRow) ListedAlert {
	l := ListedAlert{
		ID: r.ID, Slug: r.Slug, Store: r.StoreName, Timezone: r.Timezone, Rule: r.Rule, Subject: r.Subject, Since: r.Since, SeenAt: r.SeenAt, OpenedAt: r.OpenedAt,
		CalmSince: r.CalmSince, Title: r.Title, Text: r.Text, Do: r.Todo, Effect: r.Effect, Href: r.Href, Evidence: r.Evidence, AssignedTo: r.AssignedName, AssignedID: r.AssignedTo,
	}
	if r.SnoozeID != 0 {
		l.Snooze = &AlertMuting{ID: r.SnoozeID, Own: r.SnoozePerson != nil, Wide: r.SnoozeStore == nil || r.SnoozeRule == nil || r.SnoozeSubject == nil, Until: r.SnoozeUntil}
	}
	return l
}

// OpenAlerts are the open ones, store by store, the most urgent first, and how many ended
// in the last week.
func (d *DB) OpenAlerts(ctx context.Context, a AlertPrincipal, most int) (open []ListedAlert, ended int64, err error) {
	err = d.read(ctx, func(b *Batch) {
		askEach(b, &open, (*sqlc.Queries).ShownOpenAlerts, a.openOnes(most), listedAlert)
		ask(b, &ended, (*sqlc.Queries).CountEndedAlerts, a.ended())
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list open alerts: %w", err)
	}
	return open, ended, d.withNotices(ctx, a.Scope, open)
}

func nextToDo(r sqlc.ShownOpenAlertsRow) report.OpenAlert { return listedAlert(r).Open() }

// mostNext is how many open alerts a page or mail chooses its few from.
const mostNext = 200

// ForEveryone is the principal of what several people see of a store, such as a mail: it
// lacks what is snoozed for everyone.
func (s ScopedStore) ForEveryone(now time.Time) AlertPrincipal {
	return AlertPrincipal{Scope: Scope{stores: []int64{s.id}}, Store: s.Store.Slug, Now: now}
}

// PastAlerts are those that ended, the newest end first, behind one of them if behind is set;
// rules may be empty for all.
func (d *DB) PastAlerts(ctx context.Context, a AlertPrincipal, rules []string, behind time.Time, behindID int64, most int) ([]ListedAlert, error) {
	p := sqlc.ShownPastAlertsParams{EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store, Rules: append([]string{}, rules...), BehindID: behindID, Most: int32(most)}
	if !behind.IsZero() {
		p.Behind = &behind
	}
	rows, err := d.q.ShownPastAlerts(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("list past alerts: %w", err)
	}
	out := Each(rows, func(r sqlc.ShownPastAlertsRow) ListedAlert {
		return ListedAlert{
			ID: r.ID, Slug: r.Slug, Store: r.StoreName, Timezone: r.Timezone, Rule: r.Rule, Subject: r.Subject, Since: r.Since, SeenAt: r.SeenAt, OpenedAt: r.OpenedAt,
			EndedAt: r.EndedAt, EndCause: r.EndCause, Title: r.Title, Text: r.Text, Do: r.Todo, Effect: r.Effect, Href: r.Href, Evidence: r.Evidence, DoneBy: r.DoneName, Over: r.ClosedAt != nil,
		}
	})
	return out, d.withNotices(ctx, a.Scope, out)
}

// withNotices adds who was notified of each.
func (d *DB) withNotices(ctx context.Context, scope Scope, listed []ListedAlert) error {
	if len(listed) == 0 {
		return nil
	}
	at := make(map[int64]*ListedAlert, len(listed))
	for i := range listed {
		at[listed[i].ID] = &listed[i]
	}
	rows, err := d.q.ShownNotices(ctx, sqlc.ShownNoticesParams{
		AlertIds: Each(listed, func(l ListedAlert) int64 { return l.ID }), EveryStore: scope.every, StoreIds: scope.stores,
	})
	if err != nil {
		return fmt.Errorf("list who was notified of alerts: %w", err)
	}
	for _, r := range rows {
		l := at[r.AlertID]
		l.Notices = append(l.Notices, r)
	}
	return nil
}

// PeopleOfStores are those who hold each of the stores with these slugs, by name.
func (d *DB) PeopleOfStores(ctx context.Context, a AlertPrincipal, slugs []string) ([]sqlc.PeopleOfStoresRow, error) {
	rows, err := d.q.PeopleOfStores(ctx, sqlc.PeopleOfStoresParams{Slugs: slugs, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
	if err != nil {
		return nil, fmt.Errorf("list who may look after alerts: %w", err)
	}
	return rows, nil
}

// AssignAlert has a person look after an alert, or nobody; with records it in the same
// transaction. ErrNotFound when the principal holds no such alert, or the person doesn't.
func (d *DB) AssignAlert(ctx context.Context, a AlertPrincipal, id int64, person *int64, with func(ctx context.Context, q *sqlc.Queries, of sqlc.AssignAlertRow) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		of, err := q.AssignAlert(ctx, sqlc.AssignAlertParams{ID: id, PersonID: person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
		if err != nil {
			return Absent(err, ErrNotFound, "assign alert")
		}
		return with(ctx, q, of)
	})
}

// EndAlert notes that the principal says it is done, or with done false that it isn't; with
// records it in the same transaction. ErrNotFound when they hold no such alert, or it is over.
func (d *DB) EndAlert(ctx context.Context, a AlertPrincipal, id int64, done bool, with func(ctx context.Context, q *sqlc.Queries, of sqlc.EndAlertRow) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) (err error) {
		var of sqlc.EndAlertRow
		if done {
			of, err = q.EndAlert(ctx, sqlc.EndAlertParams{ID: id, Now: a.Now, PersonID: a.Person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
		} else {
			var again sqlc.OpenAlertAgainRow
			again, err = q.OpenAlertAgain(ctx, sqlc.OpenAlertAgainParams{ID: id, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
			of = sqlc.EndAlertRow(again)
		}
		if err != nil {
			return Absent(err, ErrNotFound, "end alert")
		}
		return with(ctx, q, of)
	})
}

// AlertsWatched is when one of the stores was to be looked at next: long ago where
// nobody looks any more, and the zero time where nobody ever did.
func (d *DB) AlertsWatched(ctx context.Context, a AlertPrincipal) (time.Time, error) {
	at, err := d.q.AlertsWatched(ctx, sqlc.AlertsWatchedParams{EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store})
	if err != nil {
		return time.Time{}, fmt.Errorf("read when stores are looked at: %w", err)
	}
	if at.Unix() == 0 {
		at = time.Time{}
	}
	return at, nil
}

// Snoozes are those that last: the person's, and those for everyone.
func (d *DB) Snoozes(ctx context.Context, a AlertPrincipal) ([]sqlc.ShownSnoozesRow, error) {
	rows, err := d.q.ShownSnoozes(ctx, sqlc.ShownSnoozesParams{Now: a.Now, PersonID: a.Person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store})
	if err != nil {
		return nil, fmt.Errorf("list snoozes: %w", err)
	}
	return rows, nil
}

// SnoozeReach is how much of what an alert is about a snooze holds back.
type SnoozeReach int

const (
	// SnoozeThis: this rule about this subject of this store.
	SnoozeThis SnoozeReach = iota
	// SnoozeRule: the rule in this store.
	SnoozeRule
	// SnoozeRuleEverywhere: the rule in every store, for oneself only.
	SnoozeRuleEverywhere
)

// NewSnooze is what is to be held back.
type NewSnooze struct {
	Alert int64
	Reach SnoozeReach
	// Everyone: also other people's mails, and the channels' messages.
	Everyone bool
	// Until may be nil: without an end.
	Until *time.Time
}

// Snooze holds back what the snooze says. with records it in the same transaction, by
// the alert. ErrNotFound when the person holds no such alert.
func (d *DB) Snooze(ctx context.Context, a AlertPrincipal, m NewSnooze, with func(ctx context.Context, q *sqlc.Queries, of sqlc.ShownAlertRow) error) error {
	if m.Everyone && m.Reach == SnoozeRuleEverywhere {
		return errors.New("snooze: nobody snoozes a rule in every store for everyone")
	}
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		of, err := q.ShownAlert(ctx, sqlc.ShownAlertParams{ID: m.Alert, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
		if err != nil {
			return Absent(err, ErrNotFound, "find alert")
		}
		n, err := q.CountSnoozesBy(ctx, sqlc.CountSnoozesByParams{CreatedBy: a.Person, Now: a.Now})
		if err != nil {
			return fmt.Errorf("count snoozes: %w", err)
		}
		if n >= MaxSnoozes {
			return ErrTooManySnoozes
		}
		p := sqlc.InsertSnoozeParams{StoreID: &of.StoreID, Rule: &of.Rule, Subject: &of.Subject, Until: m.Until, CreatedBy: &a.Person, CreatedAt: a.Now}
		if m.Reach >= SnoozeRule {
			p.Subject = nil
		}
		if m.Reach == SnoozeRuleEverywhere {
			p.StoreID = nil
		}
		if !m.Everyone {
			p.PersonID = &a.Person
		}
		if _, err := q.InsertSnooze(ctx, p); err != nil {
			return fmt.Errorf("snooze: %w", err)
		}
		return with(ctx, q, of)
	})
}

// EndSnooze ends a snooze of the person's, or one for everyone if the person may end
// those. ErrNotFound when there is none such.
func (d *DB) EndSnooze(ctx context.Context, a AlertPrincipal, id int64, everyone bool, with func(ctx context.Context, q *sqlc.Queries, of sqlc.EndSnoozeRow) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		of, err := q.EndSnooze(ctx, sqlc.EndSnoozeParams{Now: a.Now, ID: id, PersonID: a.Person, Everyone: everyone, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
		if err != nil {
			return Absent(err, ErrNotFound, "end snooze")
		}
		return with(ctx, q, of)
	})
}

// AlertWishes are how a person wants to be notified by mail.
type AlertWishes struct {
	sqlc.AlertSetting
	// Rules are the answers that differ from the rules' own.
	Rules map[string]bool
}

// DefaultCampaignDays is how many days before its end a campaign is announced where
// nobody says otherwise.
const DefaultCampaignDays = 3

// AlertWishes reads them; who never said anything has the defaults.
func (d *DB) AlertWishes(ctx context.Context, person int64) (AlertWishes, error) {
	w := AlertWishes{AlertSetting: sqlc.AlertSetting{PersonID: person, Mail: true, CampaignDays: DefaultCampaignDays, Recoveries: true}, Rules: map[string]bool{}}
	set, err := d.q.AlertSettings(ctx, person)
	if err == nil {
		w.AlertSetting = set
	} else if !errors.Is(err, pgx.ErrNoRows) {
		return w, fmt.Errorf("read how person %d wants alerts: %w", person, err)
	}
	rules, err := d.q.AlertPreferences(ctx, person)
	if err != nil {
		return w, fmt.Errorf("read which alerts person %d wants: %w", person, err)
	}
	for _, r := range rules {
		w.Rules[r.Rule] = r.Mail
	}
	return w, nil
}

// SaveAlertWishes keeps them in place of those before.
func (d *DB) SaveAlertWishes(ctx context.Context, w AlertWishes) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		err := q.SaveAlertSettings(ctx, sqlc.SaveAlertSettingsParams{
			PersonID: w.PersonID, Mail: w.Mail, QuietFrom: w.QuietFrom, QuietTo: w.QuietTo, Zone: cmp.Or(w.Zone, "UTC"), CampaignDays: w.CampaignDays, Recoveries: w.Recoveries,
		})
		if err == nil {
			err = q.ClearAlertPreferences(ctx, w.PersonID)
		}
		for rule, mail := range w.Rules {
			if err == nil {
				err = q.InsertAlertPreference(ctx, sqlc.InsertAlertPreferenceParams{PersonID: w.PersonID, Rule: rule, Mail: mail})
			}
		}
		if err != nil {
			return fmt.Errorf("keep how person %d wants alerts: %w", w.PersonID, err)
		}
		return nil
	})
}

// AlertChannel is one of the person's own, without what is secret. ErrNotFound when it is not.
func (d *DB) AlertChannel(ctx context.Context, person, id int64) (sqlc.ShownChannelRow, error) {
	row, err := d.q.ShownChannel(ctx, sqlc.ShownChannelParams{ID: id, PersonID: person})
	if err != nil {
		return row, Absent(err, ErrNotFound, "find channel")
	}
	return row, nil
}

// AlertChannels are the person's own, by name, without what is secret.
func (d *DB) AlertChannels(ctx context.Context, person int64) ([]sqlc.OwnChannelsRow, error) {
	rows, err := d.q.OwnChannels(ctx, person)
	if err != nil {
		return nil, fmt.Errorf("list channels of person %d: %w", person, err)
	}
	return rows, nil
}
