package alert

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

const (
	// mostNotices go out at once; the rest follow in the next round.
	mostNotices = 2000
	// channelCampaignDays is how many days before a campaign's end channels are notified.
	channelCampaignDays = 3
)

// decision is what happens to a waiting notice.
type decision int

const (
	send decision = iota
	hold          // keeps waiting
	drop          // no longer relevant, or nobody should get it
)

// pack turns waiting notices into messages for the recipient, except those that are snoozed
// or fall into quiet hours. It checks everything again: who may see the store, what they
// want to get, and whether the problem still exists.
func (a *Alerts) pack(ctx context.Context, q *sqlc.Queries, r recipient) error {
	if r.person != nil {
		return a.packMail(ctx, q, *r.person)
	}
	return a.packMessages(ctx, q, *r.channel)
}

// packMail makes one mail of everything due for a person.
func (a *Alerts) packMail(ctx context.Context, q *sqlc.Queries, person int64) error {
	reader, err := q.ReaderOfAlerts(ctx, person)
	if err != nil {
		return err
	}
	s, err := a.sortingFor(ctx, q, person, reader)
	if err != nil {
		return err
	}
	of := sqlc.LockNoticesParams{PersonID: &person}
	waiting, ready, err := s.pick(ctx, q, of)
	if err != nil {
		return err
	}
	if len(ready) > 0 || slices.ContainsFunc(waiting, func(n sqlc.LockNoticesRow) bool { return n.Opening == string(fact.NoticePacked) }) {
		// After hours without a mail server, send one mail about what still matters.
		back, err := q.TakeBackLetters(ctx, sqlc.TakeBackLettersParams{PersonID: person, Now: a.Now(), Reason: locale.M("alert.unsent.combined")})
		if err == nil && back > 0 {
			_, ready, err = s.pick(ctx, q, of)
		}
		if err != nil {
			return err
		}
	}
	if len(ready) == 0 {
		return nil
	}
	l, _ := locale.Of(reader.Language)
	items := a.items(l, ready)
	token := seal.NewSecret() // only the mail contains it
	id := fmt.Sprintf("alert.%s@%s", strings.ToLower(rand.Text()), a.Host)
	m, err := a.write(ctx, l, items, a.link("/unsubscribe/"+token))
	if err != nil {
		return err
	}
	m.To, m.ID, m.Date = reader.Address, id, a.Now()
	for _, n := range ready {
		if n.Kind == fact.NoticeRecovered && n.OpeningMessage != "" && len(m.References) < 20 {
			m.References = append(m.References, n.OpeningMessage)
		}
	}
	raw, err := a.Courier.Write(m)
	if err != nil {
		return err
	}
	if err := q.LinkAlerts(ctx, sqlc.LinkAlertsParams{Hash: seal.HashSecret(token), PersonID: person}); err != nil {
		return err
	}
	return a.keep(ctx, q, sqlc.InsertLetterParams{PersonID: &person, MessageID: id, Address: &reader.Address, Body: raw}, ready)
}

// packMessages makes a channel's messages: one for each alert, or a single one for
// Slack-compatible channels.
func (a *Alerts) packMessages(ctx context.Context, q *sqlc.Queries, channel int64) error {
	c, err := q.ChannelToTell(ctx, channel)
	if err != nil {
		return err
	}
	snoozes, err := q.LiveSnoozes(ctx, sqlc.LiveSnoozesParams{Now: a.Now()})
	if err != nil {
		return err
	}
	s := sorting{now: a.Now(), snoozes: snoozes, campaignDays: channelCampaignDays, channel: &c.AlertChannel}
	if c.AlertChannel.OffAt != nil {
		s.never = locale.M("alert.unsent.channel_off")
	}
	_, ready, err := s.pick(ctx, q, sqlc.LockNoticesParams{ChannelID: &channel})
	if err != nil || len(ready) == 0 {
		return err
	}
	newID := func() string { return "msg_" + rand.Text() }
	if c.AlertChannel.Kind == fact.Slack {
		l, _ := locale.Of(c.Language)
		body, err := SlackBody(l, a.items(l, ready))
		if err != nil {
			return err
		}
		return a.keep(ctx, q, sqlc.InsertLetterParams{ChannelID: &channel, MessageID: newID(), Body: body}, ready)
	}
	items := a.items(locale.English, ready) // programs get English; the fields identify the alert
	for i := range ready {
		id := newID()
		body, err := HookBody(id, items[i])
		if err != nil {
			return err
		}
		if err := a.keep(ctx, q, sqlc.InsertLetterParams{ChannelID: &channel, MessageID: id, Body: body}, ready[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// keep stores a message with its notices, before any of it is sent.
func (a *Alerts) keep(ctx context.Context, q *sqlc.Queries, letter sqlc.InsertLetterParams, notices []sqlc.LockNoticesRow) error {
	letter.Now = a.Now()
	letter.StoreID = &notices[0].StoreID
	ids := make([]int64, len(notices))
	for i, n := range notices {
		ids[i] = n.ID
		if n.StoreID != notices[0].StoreID {
			letter.StoreID = nil
		}
	}
	id, err := q.InsertLetter(ctx, letter)
	if err != nil {
		return err
	}
	return q.PackNotices(ctx, sqlc.PackNoticesParams{LetterID: &id, Ids: ids, Now: letter.Now})
}

// sorting decides about one recipient's notices.
type sorting struct {
	now          time.Time
	snoozes      []sqlc.LiveSnoozesRow
	quiet        *hours
	campaignDays int
	noRecoveries bool
	// channel is the recipient; nil for a person.
	channel *sqlc.AlertChannel
	// never is why the recipient gets nothing; the zero Message if they do.
	never locale.Message
	// outages are those already announced: one message covers all stores.
	outages map[string]bool
}

// sortingFor is how a person wants to get alerts, if at all.
func (a *Alerts) sortingFor(ctx context.Context, q *sqlc.Queries, person int64, reader sqlc.ReaderOfAlertsRow) (s sorting, err error) {
	s = sorting{now: a.Now(), campaignDays: int(reader.CampaignDays), noRecoveries: !reader.Recoveries}
	if reader.QuietFrom != nil && reader.QuietTo != nil {
		s.quiet = &hours{int(*reader.QuietFrom), int(*reader.QuietTo), report.Clock(reader.Zone)}
	}
	switch {
	case a.Courier == nil:
		s.never = locale.M("alert.unsent.no_server")
	case reader.Suppressed:
		s.never = locale.M("alert.unsent.suppressed")
	case !reader.Mail:
		s.never = locale.M("alert.unsent.mails_off")
	}
	s.snoozes, err = q.LiveSnoozes(ctx, sqlc.LiveSnoozesParams{Now: s.now, PersonID: &person})
	return s, err
}

// pick reads the notices that wait for the recipient, and returns also those of them that are due.
func (s *sorting) pick(ctx context.Context, q *sqlc.Queries, of sqlc.LockNoticesParams) (waiting, ready []sqlc.LockNoticesRow, err error) {
	of.Most = mostNotices
	if waiting, err = q.LockNotices(ctx, of); err != nil || len(waiting) == 0 {
		return nil, nil, err
	}
	if s.outages, err = notifiedOutages(ctx, q, sqlc.NotifiedOutagesParams{PersonID: of.PersonID, ChannelID: of.ChannelID}); err != nil {
		return nil, nil, err
	}
	ready, err = s.sort(ctx, q, waiting)
	return waiting, ready, err
}

func notifiedOutages(ctx context.Context, q *sqlc.Queries, of sqlc.NotifiedOutagesParams) (map[string]bool, error) {
	announced, err := q.NotifiedOutages(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("list outages that were announced: %w", err)
	}
	out := map[string]bool{}
	for _, o := range announced {
		out[o] = true
	}
	return out, nil
}

// outageOf is the service and host of an alert about a service that refuses many stores;
// empty for any other alert.
func outageOf(n sqlc.LockNoticesRow) string {
	if n.Rule != alerts.OutageRule {
		return ""
	}
	return n.Evidence.In(locale.English, alerts.OutageOf)
}

// sort records which notices are held or dropped, and returns the rest.
func (s sorting) sort(ctx context.Context, q *sqlc.Queries, waiting []sqlc.LockNoticesRow) (ready []sqlc.LockNoticesRow, err error) {
	type fate struct {
		decision
		why string
	}
	others, reasons := map[fate][]int64{}, map[string]locale.Message{}
	for _, n := range waiting {
		d, reason := s.decide(n)
		if d == send {
			if of := outageOf(n); of != "" && n.Kind == fact.NoticeOpened {
				s.outages[of] = true
			}
			ready = append(ready, n)
			continue
		}
		f := fate{d, reason.In(locale.English)}
		others[f], reasons[f.why] = append(others[f], n.ID), reason
	}
	for f, ids := range others {
		if f.decision == hold {
			err = q.HoldNotices(ctx, sqlc.HoldNoticesParams{Ids: ids, Reason: reasons[f.why]})
		} else {
			err = q.SettleNotices(ctx, sqlc.SettleNoticesParams{State: fact.NoticeDropped, Now: s.now, Reason: reasons[f.why], Ids: ids})
		}
		if err != nil {
			return nil, err
		}
	}
	return ready, nil
}

func (s sorting) decide(n sqlc.LockNoticesRow) (decision, locale.Message) {
	snoozed, until := s.snoozed(n)
	switch {
	case s.never.ID != "":
		return drop, s.never
	case n.Removed:
		return drop, locale.M("alert.unsent.removed")
	case !n.Held:
		return drop, locale.M("alert.unsent.no_access")
	case s.channel != nil && !hears(*s.channel, n.StoreID, n.Rule):
		return drop, locale.M("alert.unsent.not_chosen")
	case n.Kind == fact.NoticeOpened && n.EndedAt != nil:
		return drop, locale.M("alert.unsent.over")
	case n.Kind == fact.NoticeRecovered && n.Opening == string(fact.NoticePacked):
		return hold, locale.M("alert.unsent.opening_waits")
	case n.Kind == fact.NoticeRecovered && n.Opening != string(fact.NoticeSent):
		return drop, locale.M("alert.unsent.opening_unsent")
	case s.noRecoveries && n.Kind == fact.NoticeRecovered:
		return drop, locale.M("alert.unsent.recoveries_off")
	case snoozed && n.Kind == fact.NoticeRecovered:
		return drop, locale.M("alert.unsent.snoozed")
	case snoozed && until == nil:
		return hold, locale.M("alert.unsent.snoozed")
	case snoozed:
		return hold, locale.M("alert.unsent.snoozed_until", "at", locale.Moment{At: *until, Zone: "UTC"})
	case n.Kind == fact.NoticeOpened && s.outages[outageOf(n)]:
		return drop, locale.M("alert.unsent.once")
	case n.Kind == fact.NoticeOpened && !s.near(n):
		return hold, locale.M("alert.unsent.too_early", "n", s.campaignDays)
	case s.quiet != nil && s.quiet.quiet(s.now):
		return hold, locale.M("alert.unsent.quiet", "time", locale.Clock{Minutes: s.quiet.to})
	}
	return send, locale.Message{}
}

// hears reports whether a channel gets alerts of that rule about that store.
func hears(c sqlc.AlertChannel, store int64, rule string) bool {
	rules := c.Rules
	if rules == nil {
		rules = alerts.UsualRules()
	}
	return (c.StoreID == nil || *c.StoreID == store) && slices.Contains(rules, rule)
}

// snoozed reports whether a notice is snoozed; until is nil for indefinitely.
func (s sorting) snoozed(n sqlc.LockNoticesRow) (snoozed bool, until *time.Time) {
	for _, m := range s.snoozes {
		if (m.StoreID == nil || *m.StoreID == n.StoreID) && (m.Rule == nil || *m.Rule == n.Rule) && (m.Subject == nil || *m.Subject == n.Subject) {
			if m.Until == nil {
				return true, nil
			}
			if until == nil || m.Until.After(*until) {
				snoozed, until = true, m.Until
			}
		}
	}
	return snoozed, until
}

// near reports whether a campaign ends within the number of days its reader chose.
func (s sorting) near(n sqlc.LockNoticesRow) bool {
	if n.Rule != "campaign-ending" {
		return true
	}
	end, ok := n.Evidence["ends"].(locale.Day)
	loc, err := report.Zone(n.Timezone)
	if !ok || err != nil {
		return true
	}
	return end.Date.DaysSince(report.Today(s.now, loc)) <= s.campaignDays
}

// items are the contents of notices, in the language l.
func (a *Alerts) items(l locale.Locale, notices []sqlc.LockNoticesRow) []Item {
	out := make([]Item, len(notices))
	for i, n := range notices {
		rule, _ := alerts.RuleOf(n.Rule)
		t := Item{
			ID: n.AlertID, Event: Opened, Slug: n.Slug, Store: n.StoreName, Rule: n.Rule, RuleTitle: rule.Title(l), Subject: n.Subject, Since: n.Since, OpenedAt: db.OrZero(n.OpenedAt), AlertLink: a.link("/alerts?store=" + n.Slug + fmt.Sprintf("#alert-%d", n.AlertID)),
		}
		rows, _ := n.Evidence["offers"].(int64)
		open := report.OpenAlert{Rule: n.Rule, Title: n.Title, Text: n.Text, Href: n.Href, Rows: rows}
		t.Title, t.Text = open.Say(l)
		t.Action = open.Action(l)
		if n.Href != "" {
			t.Page = a.link(n.Href)
		}
		if n.Kind == fact.NoticeRecovered {
			t.Event, t.ClosedAt, t.Action = Recovered, n.EndedAt, ""
			if n.EndTitle.ID != "" {
				t.Title, t.Text = report.OpenAlert{Rule: n.Rule, Title: n.EndTitle, Text: n.EndText}.Say(l)
			}
			t.Text = strings.TrimSpace(t.Text + " " + lasted(l, n))
		}
		out[i] = t
	}
	return out
}

// lasted says when the outage was, in the store's time zone.
func lasted(l locale.Locale, n sqlc.LockNoticesRow) string {
	loc, err := report.Zone(n.Timezone)
	if err != nil || n.OpenedAt == nil || n.EndedAt == nil {
		return ""
	}
	from, to := n.OpenedAt.In(loc), n.EndedAt.In(loc)
	until := locale.Moment{At: to, Zone: n.Timezone}.In(l)
	if civil.DateOf(from) == civil.DateOf(to) {
		until = l.Time(to)
	}
	return l.T("alert.lasted", "span", span(l, to.Sub(from)), "from", locale.Moment{At: from, Zone: n.Timezone}, "to", until, "clock", l.Clock(n.Timezone))
}

// span says how long something lasted, in the largest fitting unit.
func span(l locale.Locale, d time.Duration) string {
	switch {
	case d < 2*time.Hour:
		return l.T("alerts.lasted.minutes", "n", max(1, int64(d.Round(time.Minute)/time.Minute)))
	case d < 48*time.Hour:
		return l.T("alerts.lasted.hours", "n", int64(d.Round(time.Hour)/time.Hour))
	}
	return l.Days(int(d.Round(24*time.Hour) / (24 * time.Hour)))
}

// link is the address of a page; path may hold a query and a fragment.
func (a *Alerts) link(path string) string {
	if a.Base == nil {
		return ""
	}
	return strings.TrimSuffix(a.Base.String(), "/") + path
}
