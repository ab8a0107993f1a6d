package alert

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

const (
	// mostNotices are told at once; the others follow with the next round.
	mostNotices = 2000
	// channelCampaignDays is how many days before its end channels are told of a campaign.
	channelCampaignDays = 3
)

// decision is what becomes of a notice that waits.
type decision int

const (
	send decision = iota
	hold          // it waits on
	drop          // there is nothing to tell any more, or nobody to tell it
)

// pack makes messages of what waits for the recipient, and leaves what is muted or falls
// into quiet hours. Everything is looked at again: who may see the store, what they want,
// and whether it is still so.
func (a *Alerts) pack(ctx context.Context, q *db.Queries, r recipient) error {
	if r.person != nil {
		return a.packMail(ctx, q, *r.person)
	}
	return a.packMessages(ctx, q, *r.channel)
}

// packMail makes one mail of all that a person is to be told now.
func (a *Alerts) packMail(ctx context.Context, q *db.Queries, person int64) error {
	waiting, err := q.LockNotices(ctx, db.LockNoticesParams{PersonID: &person, Most: mostNotices})
	if err != nil || len(waiting) == 0 {
		return err
	}
	reader, err := q.ReaderOfAlerts(ctx, person)
	if err != nil {
		return err
	}
	mutes, err := q.LiveMutes(ctx, db.LiveMutesParams{Now: a.Now(), PersonID: &person})
	if err != nil {
		return err
	}
	var quiet *hours
	if reader.QuietFrom != nil && reader.QuietTo != nil {
		loc, err := report.Zone(reader.Zone)
		if err != nil {
			loc = time.UTC
		}
		quiet = &hours{int(*reader.QuietFrom), int(*reader.QuietTo), loc}
	}
	s := sorting{now: a.Now(), mutes: mutes, quiet: quiet, campaignDays: int(reader.CampaignDays), noRecoveries: !reader.Recoveries}
	if s.outages, err = toldOutages(ctx, q, db.ToldOutagesParams{PersonID: &person}); err != nil {
		return err
	}
	switch {
	case a.Courier == nil:
		s.never = "No mail server is set up."
	case reader.Suppressed:
		s.never = "Nothing is sent to this address any more: a mail to it came back or was reported as spam."
	case !reader.Mail:
		s.never = "Mails about alerts are switched off."
	}
	ready, err := s.sort(ctx, q, waiting)
	if err != nil {
		return err
	}
	if len(ready) > 0 || slices.ContainsFunc(waiting, func(n db.LockNoticesRow) bool { return n.Opening == "packed" }) {
		// After hours without a mail server there is one mail, about what still matters.
		back, err := q.TakeBackLetters(ctx, db.TakeBackLettersParams{PersonID: person, Now: a.Now()})
		if err != nil {
			return err
		}
		if back > 0 {
			if waiting, err = q.LockNotices(ctx, db.LockNoticesParams{PersonID: &person, Most: mostNotices}); err != nil {
				return err
			}
			if s.outages, err = toldOutages(ctx, q, db.ToldOutagesParams{PersonID: &person}); err != nil {
				return err
			}
			if ready, err = s.sort(ctx, q, waiting); err != nil {
				return err
			}
		}
	}
	if len(ready) == 0 {
		return nil
	}
	told := a.told(ready)
	token, hash := mail.NewLink()
	id := fmt.Sprintf("alert.%s@%s", strings.ToLower(rand.Text()), a.Host)
	m, err := a.write(ctx, told, a.link("/unsubscribe/"+token))
	if err != nil {
		return err
	}
	m.To, m.ID, m.Date = reader.Address, id, a.Now()
	for _, n := range ready {
		if n.Kind == "recovered" && n.OpeningMessage != "" && len(m.References) < 20 {
			m.References = append(m.References, n.OpeningMessage)
		}
	}
	raw, err := a.Courier.Write(m)
	if err != nil {
		return err
	}
	if err := q.LinkAlerts(ctx, db.LinkAlertsParams{Hash: hash, PersonID: person}); err != nil {
		return err
	}
	return a.keep(ctx, q, db.InsertLetterParams{PersonID: &person, MessageID: id, Address: &reader.Address, Body: raw}, ready)
}

// packMessages makes the messages of a channel: one for each alert, and of all for a
// Slack-compatible one.
func (a *Alerts) packMessages(ctx context.Context, q *db.Queries, channel int64) error {
	waiting, err := q.LockNotices(ctx, db.LockNoticesParams{ChannelID: &channel, Most: mostNotices})
	if err != nil || len(waiting) == 0 {
		return err
	}
	c, err := q.ChannelToTell(ctx, channel)
	if err != nil {
		return err
	}
	mutes, err := q.LiveMutes(ctx, db.LiveMutesParams{Now: a.Now()})
	if err != nil {
		return err
	}
	s := sorting{now: a.Now(), mutes: mutes, campaignDays: channelCampaignDays}
	if s.outages, err = toldOutages(ctx, q, db.ToldOutagesParams{ChannelID: &channel}); err != nil {
		return err
	}
	s.channel = &c
	if c.OffAt != nil {
		s.never = "The channel is switched off."
	}
	ready, err := s.sort(ctx, q, waiting)
	if err != nil || len(ready) == 0 {
		return err
	}
	told := a.told(ready)
	newID := func() string { return "msg_" + rand.Text() }
	if c.Kind == Slack {
		body, err := SlackBody(told)
		if err != nil {
			return err
		}
		return a.keep(ctx, q, db.InsertLetterParams{ChannelID: &channel, MessageID: newID(), Body: body}, ready)
	}
	for i := range ready {
		id := newID()
		body, err := HookBody(id, told[i])
		if err != nil {
			return err
		}
		if err := a.keep(ctx, q, db.InsertLetterParams{ChannelID: &channel, MessageID: id, Body: body}, ready[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// keep keeps a letter with its notices, before anything of it leaves.
func (a *Alerts) keep(ctx context.Context, q *db.Queries, letter db.InsertLetterParams, notices []db.LockNoticesRow) error {
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
	return q.PackNotices(ctx, db.PackNoticesParams{LetterID: &id, Ids: ids, Now: letter.Now})
}

// sorting decides about the notices of one recipient.
type sorting struct {
	now          time.Time
	mutes        []db.LiveMutesRow
	quiet        *hours
	campaignDays int
	noRecoveries bool
	// channel is the one that is told; nil for a person.
	channel *db.AlertChannel
	// never is why nothing is told at all; empty where it is.
	never string
	// outages of services were told already: one message is enough for all stores.
	outages map[string]bool
}

func toldOutages(ctx context.Context, q *db.Queries, of db.ToldOutagesParams) (map[string]bool, error) {
	told, err := q.ToldOutages(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("list outages that were told: %w", err)
	}
	out := map[string]bool{}
	for _, o := range told {
		out[o] = true
	}
	return out, nil
}

// outageOf is the service and host that an alert says to refuse many stores; empty for
// any other.
func outageOf(n db.LockNoticesRow) string {
	var evidence map[string]string
	if n.Rule != alerts.OutageRule || json.Unmarshal(n.Evidence, &evidence) != nil {
		return ""
	}
	return evidence[alerts.OutageOf]
}

// sort writes down what waits on and what is dropped, and returns the others.
func (s sorting) sort(ctx context.Context, q *db.Queries, waiting []db.LockNoticesRow) (ready []db.LockNoticesRow, err error) {
	type fate struct {
		decision
		told string
	}
	others := map[fate][]int64{}
	for _, n := range waiting {
		d, told := s.decide(n)
		if d == send {
			if of := outageOf(n); of != "" && n.Kind == "opened" {
				s.outages[of] = true
			}
			ready = append(ready, n)
			continue
		}
		others[fate{d, told}] = append(others[fate{d, told}], n.ID)
	}
	for f, ids := range others {
		if f.decision == hold {
			err = q.HoldNotices(ctx, db.HoldNoticesParams{Ids: ids, Told: f.told})
		} else {
			err = q.SettleNotices(ctx, db.SettleNoticesParams{State: "dropped", Now: s.now, Told: f.told, Ids: ids})
		}
		if err != nil {
			return nil, err
		}
	}
	return ready, nil
}

func (s sorting) decide(n db.LockNoticesRow) (decision, string) {
	muted, until := s.muted(n)
	switch {
	case s.never != "":
		return drop, s.never
	case n.Removed:
		return drop, "The store was removed."
	case !n.Held:
		return drop, "The store may not be seen any more."
	case s.channel != nil && !hears(*s.channel, n.StoreID, n.Rule):
		return drop, "The channel doesn’t get these alerts any more."
	case n.Kind == "opened" && n.ClosedAt != nil:
		return drop, "It was over before it was told."
	case n.Kind == "recovered" && n.Opening == "packed":
		return hold, "Waits for the message about the outage."
	case n.Kind == "recovered" && n.Opening != "sent":
		return drop, "The outage was not told either."
	case s.noRecoveries && n.Kind == "recovered":
		return drop, "Mails about recoveries are switched off."
	case muted && n.Kind == "recovered":
		return drop, "Muted."
	case muted && until == nil:
		return hold, "Muted."
	case muted:
		return hold, "Muted until " + until.UTC().Format("2 Jan 15:04") + " UTC."
	case n.Kind == "opened" && s.outages[outageOf(n)]:
		return drop, "One message tells of this outage for all stores."
	case n.Kind == "opened" && !s.near(n):
		return hold, fmt.Sprintf("Waits until %s before the end.", locale.English.Days(s.campaignDays))
	case s.quiet != nil && s.quiet.quiet(s.now):
		return hold, "Quiet hours until " + s.quiet.ends() + "."
	}
	return send, ""
}

// hears reports whether a channel is for alerts of that rule in that store.
func hears(c db.AlertChannel, store int64, rule string) bool {
	rules := c.Rules
	if rules == nil {
		rules = usualRules
	}
	return (c.StoreID == nil || *c.StoreID == store) && slices.Contains(rules, rule)
}

// usualRules are the keys of the rules that are on by default.
var usualRules = func() (keys []string) {
	for _, r := range alerts.Rules {
		if r.On {
			keys = append(keys, r.Key)
		}
	}
	return keys
}()

// muted tells until when, if it is said.
func (s sorting) muted(n db.LockNoticesRow) (muted bool, until *time.Time) {
	for _, m := range s.mutes {
		if (m.StoreID == nil || *m.StoreID == n.StoreID) && (m.Rule == nil || *m.Rule == n.Rule) && (m.Subject == nil || *m.Subject == n.Subject) {
			if m.Until == nil {
				return true, nil
			}
			if until == nil || m.Until.After(*until) {
				muted, until = true, m.Until
			}
		}
	}
	return muted, until
}

// near reports whether a campaign ends as soon as its reader wants to know.
func (s sorting) near(n db.LockNoticesRow) bool {
	if n.Rule != "campaign-ending" {
		return true
	}
	var evidence map[string]string
	_ = json.Unmarshal(n.Evidence, &evidence)
	end, err := civil.ParseDate(evidence["ends"])
	loc, zone := report.Zone(n.Timezone)
	if err != nil || zone != nil {
		return true
	}
	return end.DaysSince(report.Today(s.now, loc)) <= s.campaignDays
}

// told is what notices say.
func (a *Alerts) told(notices []db.LockNoticesRow) []Told {
	out := make([]Told, len(notices))
	for i, n := range notices {
		rule, _ := alerts.RuleOf(n.Rule)
		t := Told{
			ID: n.AlertID, Event: Opened, Slug: n.Slug, Store: n.StoreName, Rule: n.Rule, RuleTitle: rule.Title(locale.English), Subject: n.Subject,
			Title: n.Title, Text: n.Text, Since: n.Since, AlertLink: a.link("/alerts?store=" + n.Slug + fmt.Sprintf("#alert-%d", n.AlertID)),
		}
		if n.OpenedAt != nil {
			t.OpenedAt = *n.OpenedAt
		}
		if n.Href != "" {
			t.Page = a.link(n.Href)
		}
		if n.Kind == "recovered" {
			t.Event, t.ClosedAt = Recovered, n.ClosedAt
			var evidence map[string]string
			if json.Unmarshal(n.Evidence, &evidence) == nil && evidence[db.RecoveryTitle] != "" {
				t.Title, t.Text = evidence[db.RecoveryTitle], evidence[db.RecoveryText]
			}
			t.Text = strings.TrimSpace(t.Text + " " + lasted(n))
		}
		out[i] = t
	}
	return out
}

// lasted says when the outage was, on the store's clock.
func lasted(n db.LockNoticesRow) string {
	loc, err := report.Zone(n.Timezone)
	if err != nil || n.OpenedAt == nil || n.ClosedAt == nil {
		return ""
	}
	from, to, form := n.OpenedAt.In(loc), n.ClosedAt.In(loc), "2 Jan 15:04"
	until := form
	if from.YearDay() == to.YearDay() && from.Year() == to.Year() {
		until = "15:04"
	}
	return fmt.Sprintf("It lasted %s, %s – %s %s.", span(to.Sub(from)), from.Format(form), to.Format(until), locale.English.Clock(n.Timezone))
}

// span is how long something lasted, in the largest unit that says it.
func span(d time.Duration) string {
	switch {
	case d < 2*time.Hour:
		return report.Plural(max(1, int64(d.Round(time.Minute)/time.Minute)), "minute", "minutes")
	case d < 48*time.Hour:
		return report.Plural(int64(d.Round(time.Hour)/time.Hour), "hour", "hours")
	}
	return report.Plural(int64(d.Round(24*time.Hour)/(24*time.Hour)), "day", "days")
}

// link is an address of the pages; path may hold a query and a fragment.
func (a *Alerts) link(path string) string {
	if a.Base == nil {
		return ""
	}
	return strings.TrimSuffix(a.Base.String(), "/") + path
}
