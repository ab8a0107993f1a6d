package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// MaxMutes is how many mutes of one person may last at once.
const MaxMutes = 200

// ErrTooManyMutes: as many mutes of the person last as may.
var ErrTooManyMutes = errors.New("too many mutes")

// AlertPrincipal is who looks at alerts: what they hold, and whose mutes count.
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
	Since, SeenAt                 time.Time
	OpenedAt, CalmSince, ClosedAt *time.Time
	EndCause                      *string
	Title                         locale.Message
	Text                          locale.Sentences
	Href                          string
	Evidence                      locale.Args
	Mute                          *AlertMuting
	Notices                       []ShownNoticesRow
}

// Open is what is said of it.
func (l ListedAlert) Open() report.OpenAlert {
	return report.OpenAlert{Rule: l.Rule, Subject: l.Subject, Title: l.Title, Text: l.Text, Href: l.Href, Muted: l.Mute != nil}
}

// AlertMuting is the mute that keeps an open one back for the person who looks.
type AlertMuting struct {
	ID int64
	// Own: it keeps back the person's own mails only.
	Own bool
	// Wide: it is about more than this outage.
	Wide  bool
	Until *time.Time
}

// OpenAlerts are the open ones, the newest first; rule may be empty.
func (d *DB) OpenAlerts(ctx context.Context, a AlertPrincipal, rule string, most int) ([]ListedAlert, error) {
	rows, err := d.q.ShownOpenAlerts(ctx, ShownOpenAlertsParams{
		Now: a.Now, PersonID: a.Person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store, Rule: rule, Most: int32(most),
	})
	if err != nil {
		return nil, fmt.Errorf("list open alerts: %w", err)
	}
	out := Each(rows, func(r ShownOpenAlertsRow) ListedAlert {
		l := ListedAlert{
			ID: r.ID, Slug: r.Slug, Store: r.StoreName, Timezone: r.Timezone, Rule: r.Rule, Subject: r.Subject, Since: r.Since, SeenAt: r.SeenAt, OpenedAt: r.OpenedAt,
			CalmSince: r.CalmSince, Title: r.Title, Text: r.Text, Href: r.Href, Evidence: r.Evidence,
		}
		if r.MuteID != 0 {
			l.Mute = &AlertMuting{ID: r.MuteID, Own: r.MutePerson != nil, Wide: r.MuteStore == nil || r.MuteRule == nil || r.MuteSubject == nil, Until: r.MuteUntil}
		}
		return l
	})
	return out, d.withNotices(ctx, a.Scope, out)
}

// AlertsOf are the open alerts of a store, as a mail to several people shows them: muted
// are those that are muted for everybody.
func (d *DB) AlertsOf(ctx context.Context, s ScopedStore, now time.Time) ([]report.OpenAlert, error) {
	open, err := d.OpenAlerts(ctx, AlertPrincipal{Scope: Scope{stores: []int64{s.id}}, Store: s.Store.Slug, Now: now}, "", mostMailed)
	return Each(open, ListedAlert.Open), err
}

// mostMailed is how many open alerts a mail chooses its few from.
const mostMailed = 200

// PastAlerts are those that ended, the newest end first, behind one of them if behind is set.
func (d *DB) PastAlerts(ctx context.Context, a AlertPrincipal, rule string, behind time.Time, behindID int64, most int) ([]ListedAlert, error) {
	p := ShownPastAlertsParams{EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store, Rule: rule, BehindID: behindID, Most: int32(most)}
	if !behind.IsZero() {
		p.Behind = &behind
	}
	rows, err := d.q.ShownPastAlerts(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("list past alerts: %w", err)
	}
	out := Each(rows, func(r ShownPastAlertsRow) ListedAlert {
		return ListedAlert{
			ID: r.ID, Slug: r.Slug, Store: r.StoreName, Timezone: r.Timezone, Rule: r.Rule, Subject: r.Subject, Since: r.Since, SeenAt: r.SeenAt, OpenedAt: r.OpenedAt,
			ClosedAt: r.ClosedAt, EndCause: r.EndCause, Title: r.Title, Text: r.Text, Href: r.Href, Evidence: r.Evidence,
		}
	})
	return out, d.withNotices(ctx, a.Scope, out)
}

// withNotices adds who was notified of each.
func (d *DB) withNotices(ctx context.Context, scope Scope, alerts []ListedAlert) error {
	if len(alerts) == 0 {
		return nil
	}
	at := make(map[int64]*ListedAlert, len(alerts))
	for i := range alerts {
		at[alerts[i].ID] = &alerts[i]
	}
	rows, err := d.q.ShownNotices(ctx, ShownNoticesParams{
		AlertIds: Each(alerts, func(l ListedAlert) int64 { return l.ID }), EveryStore: scope.every, StoreIds: scope.stores,
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

// AlertsWatched is when one of the stores was to be looked at next: long ago where
// nobody looks any more, and the zero time where nobody ever did.
func (d *DB) AlertsWatched(ctx context.Context, a AlertPrincipal) (time.Time, error) {
	at, err := d.q.AlertsWatched(ctx, AlertsWatchedParams{EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store})
	if err != nil {
		return time.Time{}, fmt.Errorf("read when stores are looked at: %w", err)
	}
	if at.Unix() == 0 {
		at = time.Time{}
	}
	return at, nil
}

// Mutes are those that last: the person's, and those for everybody.
func (d *DB) Mutes(ctx context.Context, a AlertPrincipal) ([]ShownMutesRow, error) {
	rows, err := d.q.ShownMutes(ctx, ShownMutesParams{Now: a.Now, PersonID: a.Person, EveryStore: a.Scope.every, StoreIds: a.Scope.stores, Slug: a.Store})
	if err != nil {
		return nil, fmt.Errorf("list mutes: %w", err)
	}
	return rows, nil
}

// MuteReach is how much of what an alert is about a mute holds back.
type MuteReach int

const (
	// MuteThis: this rule about this subject of this store.
	MuteThis MuteReach = iota
	// MuteRule: the rule in this store.
	MuteRule
	// MuteRuleEverywhere: the rule in every store, for oneself only.
	MuteRuleEverywhere
)

// NewMute is what is to be held back.
type NewMute struct {
	Alert int64
	Reach MuteReach
	// Everybody: also other people's mails, and the channels' messages.
	Everybody bool
	// Until may be nil: without an end.
	Until *time.Time
}

// Mute holds back what the mute says. with tells of it in the same transaction, by
// the alert. ErrNotFound when the person holds no such alert.
func (d *DB) Mute(ctx context.Context, a AlertPrincipal, m NewMute, with func(ctx context.Context, q *Queries, of ShownAlertRow) error) error {
	if m.Everybody && m.Reach == MuteRuleEverywhere {
		return errors.New("mute: nobody mutes a rule in every store for everybody")
	}
	return d.InTx(ctx, func(q *Queries) error {
		of, err := q.ShownAlert(ctx, ShownAlertParams{ID: m.Alert, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
		if err != nil {
			return Absent(err, ErrNotFound, "find alert")
		}
		n, err := q.CountMutesBy(ctx, CountMutesByParams{CreatedBy: a.Person, Now: a.Now})
		if err != nil {
			return fmt.Errorf("count mutes: %w", err)
		}
		if n >= MaxMutes {
			return ErrTooManyMutes
		}
		p := InsertMuteParams{StoreID: &of.StoreID, Rule: &of.Rule, Subject: &of.Subject, Until: m.Until, CreatedBy: &a.Person, CreatedAt: a.Now}
		if m.Reach >= MuteRule {
			p.Subject = nil
		}
		if m.Reach == MuteRuleEverywhere {
			p.StoreID = nil
		}
		if !m.Everybody {
			p.PersonID = &a.Person
		}
		if _, err := q.InsertMute(ctx, p); err != nil {
			return fmt.Errorf("mute: %w", err)
		}
		return with(ctx, q, of)
	})
}

// EndMute ends a mute of the person's, or one for everybody if the person may end
// those. ErrNotFound when there is none such.
func (d *DB) EndMute(ctx context.Context, a AlertPrincipal, id int64, everybody bool, with func(ctx context.Context, q *Queries, of EndMuteRow) error) error {
	return d.InTx(ctx, func(q *Queries) error {
		of, err := q.EndMute(ctx, EndMuteParams{Now: a.Now, ID: id, PersonID: a.Person, Everybody: everybody, EveryStore: a.Scope.every, StoreIds: a.Scope.stores})
		if err != nil {
			return Absent(err, ErrNotFound, "end mute")
		}
		return with(ctx, q, of)
	})
}

// AlertWishes are how a person wants to be notified by mail.
type AlertWishes struct {
	AlertSetting
	// Rules are the answers that differ from the rules' own.
	Rules map[string]bool
}

// DefaultCampaignDays is how many days before its end a campaign is announced where
// nobody says otherwise.
const DefaultCampaignDays = 3

// AlertWishes reads them; who never said anything has the defaults.
func (d *DB) AlertWishes(ctx context.Context, person int64) (AlertWishes, error) {
	w := AlertWishes{AlertSetting: AlertSetting{PersonID: person, Mail: true, CampaignDays: DefaultCampaignDays, Recoveries: true}, Rules: map[string]bool{}}
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
	return d.InTx(ctx, func(q *Queries) error {
		err := q.SaveAlertSettings(ctx, SaveAlertSettingsParams{
			PersonID: w.PersonID, Mail: w.Mail, QuietFrom: w.QuietFrom, QuietTo: w.QuietTo, Zone: cmp.Or(w.Zone, "UTC"), CampaignDays: w.CampaignDays, Recoveries: w.Recoveries,
		})
		if err == nil {
			err = q.ClearAlertPreferences(ctx, w.PersonID)
		}
		for rule, mail := range w.Rules {
			if err == nil {
				err = q.InsertAlertPreference(ctx, InsertAlertPreferenceParams{PersonID: w.PersonID, Rule: rule, Mail: mail})
			}
		}
		if err != nil {
			return fmt.Errorf("keep how person %d wants alerts: %w", w.PersonID, err)
		}
		return nil
	})
}

// AlertChannel is one of the person's own, without what is secret. ErrNotFound when it is not.
func (d *DB) AlertChannel(ctx context.Context, person, id int64) (ShownChannelRow, error) {
	row, err := d.q.ShownChannel(ctx, ShownChannelParams{ID: id, PersonID: person})
	if err != nil {
		return row, Absent(err, ErrNotFound, "find channel")
	}
	return row, nil
}

// AlertChannels are the person's own, by name, without what is secret.
func (d *DB) AlertChannels(ctx context.Context, person int64) ([]OwnChannelsRow, error) {
	rows, err := d.q.OwnChannels(ctx, person)
	if err != nil {
		return nil, fmt.Errorf("list channels of person %d: %w", person, err)
	}
	return rows, nil
}
