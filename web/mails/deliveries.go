package mails

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/mails"
	"github.com/storeglass/storeglass/web/site"
)

const (
	deliveriesPath = site.SnapshotsPath + "/sent"
	suppressedPath = site.SnapshotsPath + "/suppressed"
	// deliveriesPage is how many mails a page of the log has.
	mostDeliveries = 50
)

// mailStates are the states of a mail, with the words and the sign for each.
func mailStates(l locale.Locale) []mails.MailState {
	states := []mails.MailState{
		{Value: fact.MailWaiting, Sign: "waiting"}, {Value: fact.MailReady, Sign: "scheduled"}, {Value: fact.MailSent, Sign: "active"}, {Value: fact.MailRefused, Sign: "person"},
		{Value: fact.MailGivenUp, Sign: "person"}, {Value: fact.MailSuppressed, Sign: "off"}, {Value: fact.MailEnded, Sign: "expired"}, {Value: fact.MailFolded, Sign: "active"},
	}
	for i, s := range states {
		states[i].Words = l.T("mails.delivery." + strings.ReplaceAll(string(s.Value), " ", "_"))
	}
	return states
}

// deliveriesPage lists what happened to each mail.
func (s *Handlers) deliveriesPage(c *site.Call) error {
	notice := ""
	if c.QueryParam("done") == "resent" {
		notice = c.T("mails.sent.resent")
	}
	return s.showDeliveries(c, http.StatusOK, notice, "")
}

func (s *Handlers) showDeliveries(c *site.Call, status int, notice, problem string) error {
	page := mails.DeliveriesPage{
		Base: s.mailsBase(c, c.T("mails.tab.sent")), Slug: storeAsked(c), Stores: c.Visit.Stores, States: mailStates(c.Locale()), Notice: notice, Problem: problem, Mails: s.Mail != nil,
	}
	if state := c.QueryParam("state"); slices.ContainsFunc(page.States, func(m mails.MailState) bool { return string(m.Value) == state }) {
		page.State = state
	}
	q := components.Query("store", page.Slug, "state", page.State)
	p := sqlc.ListDeliveriesParams{PersonID: c.Visit.Person.ID, Slug: page.Slug, State: page.State, BeforeAt: endOfTime, Most: mostDeliveries + 1}
	if before := c.QueryParam("before"); before != "" {
		last, ok := site.ParseAfter(before)
		if !ok {
			return s.SeeOther(c, components.WithQuery(deliveriesPath, q))
		}
		p.BeforeAt, p.BeforeID = last.At, last.ID
		page.NewestHref = components.WithQuery(deliveriesPath, q)
	}
	rows, err := s.DB.Deliveries(c.Request().Context(), c.Visit.Scope, p)
	if err != nil {
		return err
	}
	if len(rows) > mostDeliveries {
		rows = rows[:mostDeliveries]
		last := rows[mostDeliveries-1]
		q.Set("before", site.After(last.DueAt, last.ID))
		page.OlderHref = components.WithQuery(deliveriesPath, q)
	}
	for _, r := range rows {
		page.Rows = append(page.Rows, deliveryRow(c.Locale(), r))
	}
	return c.PageWithStatus(status, mails.Deliveries(page))
}

// endOfTime is later than every mail.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

func deliveryRow(l locale.Locale, r sqlc.ListDeliveriesRow) mails.DeliveryRow {
	loc := report.Clock(r.Timezone)
	clock := func(t time.Time) string {
		t = t.In(loc)
		return l.T("common.stamp", "day", l.DayYear(civil.DateOf(t)), "time", l.Time(t))
	}
	first := r.Week
	row := mails.DeliveryRow{
		Store: r.StoreName, Reader: r.Address, Week: l.Dates(first, first.AddDays(6)), Subject: r.Subject,
		Due: clock(r.DueAt), Clock: l.Clock(r.Timezone), Reason: r.Reason.In(l), Tries: int64(r.Tries),
	}
	state := r.State
	if r.CarrierWeek != nil { // the later mail decides what happens to it
		state = fact.MailFolded
	}
	for _, m := range mailStates(l) {
		if m.Value == state {
			row.State = m
		}
	}
	switch state {
	case fact.MailFolded:
		later := *r.CarrierWeek
		row.At = l.T("mails.sent.with", "week", l.Dates(later, later.AddDays(6)))
		if r.CarrierSentAt != nil {
			row.At = l.T("mails.sent.with_at", "week", l.Dates(later, later.AddDays(6)), "time", clock(*r.CarrierSentAt))
		}
	case fact.MailSent:
		row.At = l.T("mails.sent.at", "time", clock(*r.SentAt))
	case fact.MailWaiting, fact.MailReady:
		row.At = l.T("mails.sent.next", "time", clock(r.NextAt))
	}
	if r.State != fact.MailWaiting && r.State != fact.MailReady && r.State != fact.MailEnded && !r.SubscriptionEnded {
		row.Action = deliveriesPath + "/" + strconv.FormatInt(r.ID, 10) + "/resend"
	}
	return row
}

// resend has a mail rewritten and sent.
func (s *Handlers) resend(c *site.Call, id int64) error {
	err := s.Subscriptions.Resend(c.Request().Context(), c.Visit.Person.ID, id)
	if refused, ok := errors.AsType[*stores.Refusal](err); ok {
		return s.showDeliveries(c, http.StatusUnprocessableEntity, "", refused.First())
	}
	return s.Then(c, err, deliveriesPath+"?done=resent")
}

// suppressedPage lists the addresses that no mail is sent to.
func (s *Handlers) suppressedPage(c *site.Call) error {
	list, err := s.Subscriptions.Suppressions(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	page := mails.SuppressedPage{Base: s.mailsBase(c, c.T("mails.blocked.title")), Action: suppressedPath, Rows: list}
	if c.QueryParam("done") == "lifted" {
		page.Notice = c.T("mails.blocked.freed")
	}
	return c.PageWithStatus(http.StatusOK, mails.Suppressed(page))
}

// liftSuppression allows mail to an address again.
func (s *Handlers) liftSuppression(c *site.Call) error {
	err := s.Subscriptions.LiftSuppression(c.Request().Context(), c.Visit.Person.ID, c.Form().Get("address"))
	return s.Then(c, err, suppressedPath+"?done=lifted")
}
