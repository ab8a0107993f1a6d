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

// MaxSnoozes is how many active snoozes one person may have.
const MaxSnoozes = 200

// ErrTooManySnoozes: the person already has the maximum number of active snoozes.
var ErrTooManySnoozes = errors.New("too many snoozes")

// AlertPrincipal is who is looking at alerts: which stores they may see, and whose snoozes apply.
type AlertPrincipal struct {
	Scope  Scope
	Person int64
	// Store is the slug of one store, or empty for all stores in the scope.
	Store string
	Now   time.Time
}

// ListedAlert is an outage as it's shown.
type ListedAlert struct {
	ID                    int64
	Slug, Store, Timezone string
	Rule, Subject         string
	// SeenAt is when it was first seen. OpenedAt is when people were notified; nil if it hasn't lasted
	// long enough yet.
	Since, SeenAt time.Time
	// EndedAt is when it ended or someone marked it as done; nil while it's open.
	OpenedAt, CalmSince, EndedAt *time.Time
	EndCause                     *string
	// DoneBy is who marked it as done, AssignedTo who is looking after it; empty for nobody.
	DoneBy, AssignedTo string
	AssignedID         *int64
	// Over: it has ended, even if someone marked it as done before that.
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

// Open is the alert in the form that pages show.
func (l ListedAlert) Open() report.OpenAlert {
	rows, _ := l.Evidence["offers"].(int64)
	return report.OpenAlert{
		ID: l.ID, Rule: l.Rule, Subject: l.Subject, Title: l.Title, Text: l.Text, Do: l.Do, Effect: l.Effect, Since: l.Since, Href: l.Href, Rows: rows, Snoozed: l.Snooze != nil,
	}
}

// AlertMuting is the snooze that hides an open alert from the person looking.
type AlertMuting struct {
	ID int64
	// Own: it only affects the person's own mails.
	Own bool
	// Wide: it covers more than this outage.
	Wide  bool
	Until *time.Time
}

// openOnes are the parameters for the principal's open alerts.
func (a AlertPrincipal) openOnes(most int) sqlc.ShownOpenAlertsParams {
	rules, stopping := alerts.Order()
	return sqlc.ShownOpenAlertsParams{
		Now: a.Now, PersonID: a.Person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store, Rules: rules, Stopping: int32(stopping), Most: int32(most),
	}
}

// ended are the parameters for those that ended in the last week.
func (a AlertPrincipal) ended() sqlc.CountEndedAlertsParams {
	return sqlc.CountEndedAlertsParams{Since: a.Now.Add(-EndedLately), EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store}
}

// EndedLately is how long the inbox counts ended alerts.
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

// OpenAlerts are the open ones, store by store, most urgent first, and how many ended in the last week.
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

// mostNext is how many open alerts are read to choose the few for a page or mail.
const mostNext = 200

// ForEveryone is the principal for something that several people see, such as a mail about a store: it
// leaves out what is snoozed for everyone.
func (s ScopedStore) ForEveryone(now time.Time) AlertPrincipal {
	return AlertPrincipal{Scope: Scope{stores: []int64{s.id}}, Store: s.Store.Slug, Now: now}
}

// PastAlerts are those that ended, newest end first. If behind is set, they start after that alert;
// empty rules means all.
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

// withNotices adds who was notified of each alert.
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

// PeopleOfStores are the people who may see all the stores with these slugs, by name.
func (d *DB) PeopleOfStores(ctx context.Context, a AlertPrincipal, slugs []string) ([]sqlc.PeopleOfStoresRow, error) {
	rows, err := d.q.PeopleOfStores(ctx, sqlc.PeopleOfStoresParams{Slugs: slugs, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
	return rows, Tried(err, "list who may look after alerts")
}

// AssignAlert assigns an alert to a person, or to nobody; with records that in the same transaction. It
// returns ErrNotFound if the principal or the person can't see such an alert.
func (d *DB) AssignAlert(ctx context.Context, a AlertPrincipal, id int64, person *int64, with func(ctx context.Context, q *sqlc.Queries, of sqlc.AssignAlertRow) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		of, err := q.AssignAlert(ctx, sqlc.AssignAlertParams{ID: id, PersonID: person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
		if err != nil {
			return Absent(err, ErrNotFound, "assign alert")
		}
		return with(ctx, q, of)
	})
}

// EndAlert marks an alert as done on the principal's behalf or, if done is false, as not done; with
// records that in the same transaction. It returns ErrNotFound if they can't see such an alert, or if
// it's over.
func (d *DB) EndAlert(ctx context.Context, a AlertPrincipal, id int64, done bool, with func(ctx context.Context, q *sqlc.Queries, of sqlc.EndAlertRow) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		of, err := q.EndAlert(ctx, sqlc.EndAlertParams{ID: id, Done: done, Now: a.Now, PersonID: a.Person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
		if err != nil {
			return Absent(err, ErrNotFound, "end alert")
		}
		return with(ctx, q, of)
	})
}

// AlertsWatched is when the next check of one of the stores was due. It's far in the past if checks
// have stopped, and zero if there never was one.
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

// Snoozes are the active ones: the person's own, and those for everyone.
func (d *DB) Snoozes(ctx context.Context, a AlertPrincipal) ([]sqlc.ShownSnoozesRow, error) {
	rows, err := d.q.ShownSnoozes(ctx, sqlc.ShownSnoozesParams{Now: a.Now, PersonID: a.Person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store})
	return rows, Tried(err, "list snoozes")
}

// SnoozeReach is how widely a snooze applies.
type SnoozeReach int

const (
	// SnoozeThis: this rule about this subject of this store.
	SnoozeThis SnoozeReach = iota
	// SnoozeRule: the rule in this store.
	SnoozeRule
	// SnoozeRuleEverywhere: the rule in every store, only for the person.
	SnoozeRuleEverywhere
)

// NewSnooze describes a snooze to be made.
type NewSnooze struct {
	Alert int64
	Reach SnoozeReach
	// Everyone: it also applies to other people's mails and to the channels' messages.
	Everyone bool
	// Until is nil for a snooze without an end.
	Until *time.Time
}

// Snooze hides what m describes. with records that in the same transaction, along with the alert. It
// returns ErrNotFound if the person can't see such an alert.
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

// EndSnooze ends one of the person's snoozes, or one for everyone if the person may do that. It returns
// ErrNotFound if there is none.
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
	// Rules are the choices that differ from the rules' defaults.
	Rules map[string]bool
}

// DefaultCampaignDays is how many days before a campaign ends its alert opens by default.
const DefaultCampaignDays = 3

// AlertWishes reads a person's choices, or the defaults if they never made any.
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

// SaveAlertWishes replaces a person's choices.
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
		return Tried(err, "keep how person %d wants alerts", w.PersonID)
	})
}

// AlertChannel is one of the person's own, without its secret. It returns ErrNotFound if it isn't theirs.
func (d *DB) AlertChannel(ctx context.Context, person, id int64) (sqlc.ShownChannelRow, error) {
	row, err := d.q.ShownChannel(ctx, sqlc.ShownChannelParams{ID: id, PersonID: person})
	return row, Absent(err, ErrNotFound, "find channel")
}

// AlertChannels are the person's own, by name, without their secrets.
func (d *DB) AlertChannels(ctx context.Context, person int64) ([]sqlc.OwnChannelsRow, error) {
	rows, err := d.q.OwnChannels(ctx, person)
	return rows, Tried(err, "list channels of person %d", person)
}
