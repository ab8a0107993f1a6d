package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views"
	"github.com/storeglass/storeglass/views/components"
)

const (
	alertsPath        = "/alerts"
	alertSettingsPath = "/alerts/settings"
)

const (
	// alertsOpen is the open alerts of a page at most, alertPageSize the past ones.
	alertsOpen    = 200
	alertPageSize = 50
	// alertFileSize is the past ones of a file.
	alertFileSize = 20_000
	// unwatchedAfter is for how long the next look at a store may be due.
	unwatchedAfter = 30 * time.Minute
)

// alertsTab is the header's tab, with the number of open alerts that are not muted.
func (s *Server) alertsTab(c *call) views.Tab {
	t := views.Tab{Label: "Alerts", Href: alertsPath, Current: strings.HasPrefix(c.Path(), alertsPath)}
	if c.store.Slug != "" {
		t.Href, t.Current = storePath(c.store.Slug)+alertsPath, c.Path() == "/stores/:slug"+alertsPath
	}
	n, err := s.db.CountAlerts(c.Request().Context(), c.alertAsker())
	if err != nil { // a page without the number is better than none
		s.log.WarnContext(c.Request().Context(), "open alerts can't be counted", "error", err)
	}
	t.Count = n
	return t
}

// alertAsker is who asks for alerts, of the store in the address if there is one.
func (c *call) alertAsker() db.AlertAsker {
	return db.AlertAsker{Scope: c.visit.Scope, Person: c.visit.Person.ID, Store: c.store.Slug, Now: c.now}
}

// aboutAlerts is the basis of the pages about alerts of all stores.
func (s *Server) aboutAlerts(c *call, title string) views.Base {
	b := s.basis(c, title)
	b.Sub = []views.Tab{
		{Label: "Alerts", Href: alertsPath, Current: c.Path() == alertsPath || strings.HasPrefix(c.Path(), alertsPath+"/mutes")},
		{Label: "How you are told", Href: alertSettingsPath, Current: strings.HasPrefix(c.Path(), alertSettingsPath)},
	}
	return b
}

// alertQuery is the filter as the address has it; the problem is for its asker.
func (c *call) alertQuery() (f views.AlertFilter, a db.AlertAsker, problem string) {
	a = c.alertAsker()
	f = views.AlertFilter{Store: c.QueryParam("store"), Rule: c.QueryParam("rule"), State: c.QueryParam("state")}
	if c.store.Slug != "" {
		f.Store = c.store.Slug
	}
	switch {
	case f.Store != "" && !slugForm.MatchString(f.Store):
		f.Store, problem = "", "There is no such store: choose from the list."
	case f.Rule != "" && !knownRule(f.Rule):
		f.Rule, problem = "", "There are no alerts of this kind: choose from the list."
	case !slices.Contains([]string{"", views.AlertsOpen, views.AlertsRecovered, views.AlertsMuted}, f.State):
		f.State, problem = "", "Alerts are open, over, or muted: choose from the list."
	}
	a.Store = f.Store
	return f, a, problem
}

func knownRule(key string) bool {
	_, ok := report.AlertRuleOf(key)
	return ok
}

// alertValues are the filter for an address; the store of a store's own page is in its path.
func (c *call) alertValues(f views.AlertFilter) url.Values {
	v := url.Values{}
	for name, text := range map[string]string{"rule": f.Rule, "state": f.State} {
		if text != "" {
			v.Set(name, text)
		}
	}
	if f.Store != "" && c.store.Slug == "" {
		v.Set("store", f.Store)
	}
	return v
}

var alertNotices = map[string]string{
	"muted":   "Muted. It stays on this page, and nothing is told of it until the mute ends.",
	"unmuted": "Unmuted. What is still wrong is told as before.",
}

// alertsPage lists alerts of all stores, or of the one in the address.
func (s *Server) alertsPage(c *call) error {
	return s.showAlerts(c, http.StatusOK, alertNotices[c.QueryParam("done")], "")
}

func (s *Server) showAlerts(c *call, status int, notice, problem string) error {
	ctx := c.Request().Context()
	f, asker, wrong := c.alertQuery()
	page := views.AlertsPage{Filter: f, Notice: notice, Problem: problem, SettingsHref: alertSettingsPath}
	if wrong != "" {
		page.Problem, status = wrong, http.StatusBadRequest
	}
	if c.store.Slug != "" {
		page.Base = s.basis(c, "Alerts")
	} else {
		page.Base = s.aboutAlerts(c, "Alerts")
		page.Path = alertsPath
		for _, store := range c.visit.Stores {
			page.Stores = append(page.Stores, views.Choice{Value: store.Slug, Label: store.Name})
		}
	}
	for _, r := range report.AlertRules {
		page.Rules = append(page.Rules, views.Choice{Value: r.Key, Label: r.Title})
	}
	var behind db.ListedAlert
	if after := c.QueryParam("after"); after != "" {
		var ok bool
		if behind, ok = parseBehind(after); !ok {
			return s.seeOther(c, addressWith(page.Path, c.alertValues(f)))
		}
		page.NewestHref = addressWith(page.Path, c.alertValues(f))
	}
	next, err := s.db.AlertsWatched(ctx, asker)
	if err != nil {
		return err
	}
	page.Unwatched = c.unwatched(next)
	if f.State != views.AlertsRecovered && page.NewestHref == "" {
		if err := s.openAlertRows(c, asker, f, &page); err != nil {
			return err
		}
	}
	if f.State == "" || f.State == views.AlertsRecovered {
		if err := s.pastAlertRows(c, asker, f, behind, &page); err != nil {
			return err
		}
	}
	mutes, err := s.db.Mutes(ctx, asker)
	if err != nil {
		return err
	}
	for _, m := range mutes {
		page.Mutes = append(page.Mutes, c.muteRow(m))
	}
	page.Known = len(page.Open) > 0 || len(page.Past) > 0 || f.Any(page.Base)
	v := c.alertValues(f)
	if f.Store != "" {
		v.Set("store", f.Store)
	}
	page.Exports = components.Exports{Path: alertsPath, Query: v.Encode()}
	return c.pageWithStatus(status, views.Alerts(page))
}

// unwatched says why nobody looks at the stores; empty while somebody does.
func (c *call) unwatched(next time.Time) string {
	switch {
	case len(c.visit.Stores) == 0:
		return ""
	case next.IsZero():
		return "no store was looked at yet. The worker does that: is it running?"
	case c.now.Sub(next) > unwatchedAfter:
		return "the last look was to be at " + next.UTC().Format("15:04 MST on 2 Jan 2006") + ". The worker does that: is it running?"
	}
	return ""
}

func (s *Server) openAlertRows(c *call, a db.AlertAsker, f views.AlertFilter, page *views.AlertsPage) error {
	open, err := s.db.OpenAlerts(c.Request().Context(), a, f.Rule, alertsOpen)
	if err != nil {
		return err
	}
	var muted []views.AlertRow
	for _, l := range open {
		switch {
		case l.Mute != nil:
			muted = append(muted, c.alertRow(l))
		case f.State != views.AlertsMuted:
			page.Open = append(page.Open, c.alertRow(l))
		}
	}
	page.Open = append(page.Open, muted...)
	return nil
}

func (s *Server) pastAlertRows(c *call, a db.AlertAsker, f views.AlertFilter, behind db.ListedAlert, page *views.AlertsPage) error {
	var from time.Time
	if behind.ClosedAt != nil {
		from = *behind.ClosedAt
	}
	past, err := s.db.PastAlerts(c.Request().Context(), a, f.Rule, from, behind.ID, alertPageSize+1)
	if err != nil {
		return err
	}
	if len(past) > alertPageSize {
		past = past[:alertPageSize]
		v := c.alertValues(f)
		v.Set("after", behindWords(past[alertPageSize-1]))
		page.OlderHref = addressWith(page.Path, v)
	}
	for _, l := range past {
		page.Past = append(page.Past, c.pastAlertRow(l))
	}
	return nil
}

// A page of history goes on behind an alert, as one of the audit log does behind a record.
func behindWords(l db.ListedAlert) string {
	return strconv.FormatInt(l.ClosedAt.UnixMicro(), 10) + "-" + strconv.FormatInt(l.ID, 10)
}

func parseBehind(text string) (l db.ListedAlert, ok bool) {
	r, ok := parseAfter(text)
	return db.ListedAlert{ID: r.ID, ClosedAt: &r.At}, ok
}

// alertKinds are the signs of the rules; what is not here is an error.
var alertKinds = map[string]string{
	"placement-off": "off", "campaign-ending": "warning", "rate-fell": "warning", "value-fell": "warning", "drift": "warning", "plan": "warning",
}

// alertActions are the words of the links to what says more of an alert, by rule.
var alertActions = map[string]string{
	"credential": "See the pulls", "plan": "See the gift plan", "embed-off": "See the gift set-up", "placement-off": "See its offers",
	"campaign-ending": "Open the campaign", "gift-stuck": "See the gift set-up", "rate-fell": "See the days", "value-fell": "See the days",
	"sync-stale": "See the pulls", "drift": "See the pulls",
}

// evidenceWords name what rules go by; what is not here says nothing to people.
var evidenceWords = []struct{ key, words string }{
	{"day", "Day"}, {"figure", "Was"}, {"lowest", "Lowest of those before"}, {"highest", "Highest of those before"}, {"days", "Days compared"},
	{"deviation", "Robust deviations"}, {"reported", "Reported"}, {"stitched", "Sum of the days"}, {"ends", "Ends"}, {"code", "Named by the service as"}, {"cause", "Cause"},
}

func (c *call) alertRow(l db.ListedAlert) views.AlertRow {
	loc := clockOf(l.Timezone)
	r := views.AlertRow{
		ID: strconv.FormatInt(l.ID, 10), Kind: "error", State: "Open", Store: l.Store, StoreHref: storePath(l.Slug), Rule: ruleTitle(l.Rule),
		Title: l.Title, Text: l.Text, Since: l.Since.In(loc).Format("2 Jan 2006, 15:04") + ", " + report.Age(c.now, l.Since),
		Told: c.toldLines(l, loc),
	}
	if kind := alertKinds[l.Rule]; kind != "" {
		r.Kind = kind
	}
	r.Action, r.Href = c.mends(l)
	r.Evidence = evidence(l.Evidence)
	if l.CalmSince != nil {
		r.Kind, r.State = "good", "Seems over, being watched"
	}
	if m := l.Mute; m != nil {
		r.Kind, r.State = "info", "Muted"
		r.Muted = "Muted " + map[bool]string{true: "for you", false: "for everybody"}[m.Own] + untilWords(m.Until, loc) + "."
		if m.Wide {
			r.Muted = strings.TrimSuffix(r.Muted, ".") + ", with all of its kind."
		}
		if m.Own || c.may(access.Share) {
			r.UnmuteAction = alertsPath + "/mutes/" + strconv.FormatInt(m.ID, 10) + "/end"
		}
		return r
	}
	r.Reaches = c.reaches(l)
	return r
}

func clockOf(zone string) *time.Location {
	loc, err := report.Zone(zone)
	if err != nil {
		return time.UTC
	}
	return loc
}

func ruleTitle(key string) string {
	if r, ok := report.AlertRuleOf(key); ok {
		return r.Title
	}
	return key
}

func untilWords(until *time.Time, loc *time.Location) string {
	if until == nil {
		return " for good"
	}
	return " until " + until.In(loc).Format("2 Jan 2006, 15:04")
}

// mends leads to where the alert is mended, or where one sees more of it.
func (c *call) mends(l db.ListedAlert) (action, href string) {
	if l.Rule == "credential" && c.server.mayKeep(c) {
		switch l.Subject {
		case "upsell", "gift":
			return "Check the token", settingsPath(l.Slug) + "/" + l.Subject
		}
	}
	if href = localPath(l.Href); href == "" {
		return "", ""
	}
	if action = alertActions[l.Rule]; action == "" {
		action = "See more"
	}
	return action, href
}

func evidence(stored []byte) (out [][2]string) {
	var of map[string]any
	if json.Unmarshal(stored, &of) != nil {
		return nil
	}
	for _, e := range evidenceWords {
		if text, ok := of[e.key].(string); ok && text != "" {
			if day, err := civil.ParseDate(text); err == nil {
				text = report.DayYear(day)
			}
			out = append(out, [2]string{e.words, text})
		}
	}
	return out
}

// Ways to mute, as forms send them.
const (
	muteThisMine  = "this-mine"
	muteThisAll   = "this-all"
	muteRuleMine  = "rule-mine"
	muteRuleAll   = "rule-all"
	muteEveryMine = "everywhere-mine"
)

var muteReaches = map[string]db.NewMute{
	muteThisMine:  {Reach: db.MuteThis},
	muteThisAll:   {Reach: db.MuteThis, Everybody: true},
	muteRuleMine:  {Reach: db.MuteRule},
	muteRuleAll:   {Reach: db.MuteRule, Everybody: true},
	muteEveryMine: {Reach: db.MuteRuleEverywhere},
}

// reaches are the ways in which the person may mute the alert.
func (c *call) reaches(l db.ListedAlert) []views.Choice {
	rule := "all of “" + ruleTitle(l.Rule) + "”"
	out := []views.Choice{{Value: muteThisMine, Label: "this, for me"}}
	if c.may(access.Share) {
		out = append(out, views.Choice{Value: muteThisAll, Label: "this, for everybody and every channel"})
	}
	out = append(out, views.Choice{Value: muteRuleMine, Label: rule + " in this store, for me"})
	if c.may(access.Share) {
		out = append(out, views.Choice{Value: muteRuleAll, Label: rule + " in this store, for everybody and every channel"})
	}
	return append(out, views.Choice{Value: muteEveryMine, Label: rule + " in every store, for me"})
}

// toldLines say who was told of an alert, who waits, and who could not be told.
func (c *call) toldLines(l db.ListedAlert, loc *time.Location) []string {
	var told, waits, failed []string
	others := 0
	for _, n := range l.Notices {
		if n.Kind != "opened" {
			continue
		}
		who := c.noticeWho(n)
		if who == "" {
			if n.State == "sent" {
				others++
			}
			continue
		}
		switch at := n.At.In(loc).Format("2 Jan, 15:04"); n.State {
		case "sent":
			told = append(told, who+" on "+at)
		case "waiting", "packed":
			waits = append(waits, who+because(n.Told))
		case "failed":
			failed = append(failed, who+because(n.Told))
		}
	}
	var lines []string
	if others > 0 {
		told = append(told, report.Plural(int64(others), "other reader", "other readers"))
	}
	if len(told) > 0 {
		lines = append(lines, "Told: "+strings.Join(told, "; ")+".")
	}
	if len(waits) > 0 {
		lines = append(lines, "Not told yet: "+strings.Join(waits, "; ")+".")
	}
	if len(failed) > 0 {
		lines = append(lines, "Could not be told: "+strings.Join(failed, "; ")+".")
	}
	switch {
	case len(lines) > 0:
	case len(l.Notices) > 0:
		lines = append(lines, "You were not told of it.")
	default:
		lines = append(lines, "Nobody is told: nobody who sees this store wants to be.")
	}
	return lines
}

// noticeWho names who is told; other people are named to those alone who may share
// pages with them.
func (c *call) noticeWho(n db.ShownNoticesRow) string {
	switch {
	case n.PersonID != nil && *n.PersonID == c.visit.Person.ID:
		return "you by mail"
	case !c.may(access.Share):
		return ""
	case n.PersonID != nil:
		return n.PersonName + " by mail"
	}
	return "channel " + n.ChannelName
}

func because(told string) string {
	if told == "" {
		return ""
	}
	return " (" + strings.TrimSuffix(told, ".") + ")"
}

func (c *call) pastAlertRow(l db.ListedAlert) views.PastAlertRow {
	loc := clockOf(l.Timezone)
	r := views.PastAlertRow{
		ID: strconv.FormatInt(l.ID, 10), Sign: "active", State: "Recovered", Store: l.Store, StoreHref: storePath(l.Slug), Rule: ruleTitle(l.Rule), Title: l.Title, Text: l.Text,
		When: fromTo(l.Since.In(loc), l.ClosedAt.In(loc)), Lasted: lasted(l.ClosedAt.Sub(l.Since)),
	}
	if l.EndCause != nil && *l.EndCause == "gone" {
		r.Sign, r.State = "expired", "Not there any more"
	}
	n := 0
	for _, notice := range l.Notices {
		if notice.Kind == "opened" && notice.State == "sent" {
			n++
		}
	}
	r.Told = "nobody was told"
	if n > 0 {
		r.Told = report.Plural(int64(n), "message", "messages") + " sent"
	}
	return r
}

// fromTo names two moments on one clock; what they share is said once.
func fromTo(from, to time.Time) string {
	first, last := "2 Jan 2006, 15:04", "2 Jan 2006, 15:04"
	switch {
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		last = "15:04"
	case from.Year() == to.Year():
		first = "2 Jan, 15:04"
	}
	return from.Format(first) + " – " + to.Format(last)
}

// lasted is a length of time in words.
func lasted(d time.Duration) string {
	switch {
	case d < time.Hour:
		return report.Plural(max(int64(d.Minutes()), 1), "minute", "minutes")
	case d < 48*time.Hour:
		return report.Plural(int64(d.Hours()), "hour", "hours")
	}
	return report.Plural(int64(d.Hours()/24), "day", "days")
}

func (c *call) muteRow(m db.ShownMutesRow) views.MuteRow {
	loc := time.UTC
	if c.store.Slug != "" {
		loc = c.store.Location()
	}
	r := views.MuteRow{What: "Every alert", Where: "in every store", Whom: "for you", Until: strings.TrimSpace(untilWords(m.Until, loc)), MadeBy: m.MadeBy}
	if m.Until != nil && loc == time.UTC {
		r.Until += " UTC"
	}
	if m.Rule != nil {
		r.What = ruleTitle(*m.Rule)
	}
	if m.Title != "" {
		r.What = m.Title
	}
	if m.Slug != "" {
		r.Where = "in " + m.StoreName
	}
	if m.PersonID == nil {
		r.Whom = "for everybody and every channel"
	} else {
		r.MadeBy = ""
	}
	if m.PersonID != nil || c.may(access.Share) {
		r.Action = alertsPath + "/mutes/" + strconv.FormatInt(m.ID, 10) + "/end"
	}
	return r
}

// backToAlerts is the page that a form about alerts stood on.
func (c *call) backToAlerts(done string) string {
	path := alertsPath
	if slug := c.posted().Get("at"); slugForm.MatchString(slug) {
		path = storePath(slug) + alertsPath
	}
	return path + "?done=" + done
}

// alertMuted holds alerts back.
func (s *Server) alertMuted(c *call) error {
	f := c.posted()
	id, err := strconv.ParseInt(f.Get("alert"), 10, 64)
	if err != nil {
		return errNotFound
	}
	m, ok := muteReaches[f.Get("reach")]
	if !ok {
		return s.showAlerts(c, http.StatusBadRequest, "", "Choose what is to be muted.")
	}
	if m.Everybody && !c.may(access.Share) {
		return errNoRight
	}
	m.Alert = id
	switch f.Get("life") {
	case "day":
		m.Until = new(c.now.AddDate(0, 0, 1))
	case "week":
		m.Until = new(c.now.AddDate(0, 0, 7))
	case "ever":
	default:
		return s.showAlerts(c, http.StatusBadRequest, "", "Choose for how long.")
	}
	asker := c.alertAsker()
	err = s.db.Mute(c.Request().Context(), asker, m, func(ctx context.Context, q *db.Queries, of db.ShownAlertRow) error {
		if !m.Everybody {
			return nil
		}
		return s.access.RecordIn(ctx, q, access.Event{Action: access.AlertMuted, Store: of.Slug, Subject: ruleTitle(of.Rule) + untilWords(m.Until, time.UTC)})
	})
	switch {
	case errors.Is(err, db.ErrNotFound):
		return errNotFound
	case errors.Is(err, db.ErrTooManyMutes):
		return s.showAlerts(c, http.StatusConflict, "", "Nothing was muted: you have "+strconv.Itoa(db.MaxMutes)+" mutes, which is as many as there can be. End one first.")
	case err != nil:
		return err
	}
	return s.seeOther(c, c.backToAlerts("muted"))
}

// muteEnded ends a mute.
func (s *Server) muteEnded(c *call) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return errNotFound
	}
	err = s.db.EndMute(c.Request().Context(), c.alertAsker(), id, c.may(access.Share), func(ctx context.Context, q *db.Queries, of db.EndMuteRow) error {
		if of.PersonID != nil {
			return nil
		}
		return s.access.RecordIn(ctx, q, access.Event{Action: access.AlertUnmuted, Store: of.Slug, Subject: ruleTitle(orEmpty(of.Rule))})
	})
	if errors.Is(err, db.ErrNotFound) {
		return errNotFound
	}
	if err != nil {
		return err
	}
	return s.seeOther(c, c.backToAlerts("unmuted"))
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// alertsFile sends the filtered alerts as a file, the open ones first.
func (s *Server) alertsFile(ending, contentType string, write func(table) ([]byte, error)) func(*call) error {
	return func(c *call) error {
		f, asker, problem := c.alertQuery()
		if problem != "" {
			return badRequest("", problem)
		}
		ctx := c.Request().Context()
		var alerts []db.ListedAlert
		if f.State != views.AlertsRecovered {
			open, err := s.db.OpenAlerts(ctx, asker, f.Rule, alertFileSize)
			if err != nil {
				return err
			}
			for _, l := range open {
				if f.State != views.AlertsMuted || l.Mute != nil {
					alerts = append(alerts, l)
				}
			}
		}
		if f.State == "" || f.State == views.AlertsRecovered {
			past, err := s.db.PastAlerts(ctx, asker, f.Rule, time.Time{}, 0, alertFileSize+1)
			if err != nil {
				return err
			}
			if len(past) > alertFileSize {
				return badRequest("", "More than "+strconv.Itoa(alertFileSize)+" alerts match. Choose a store or a kind, so that the file is whole.")
			}
			alerts = append(alerts, past...)
		}
		body, err := write(c.alertsTable(alerts, f))
		if err != nil {
			return err
		}
		return s.sendFile(c, "alerts"+ending, newDocument(contentType, body))
	}
}

func (c *call) alertsTable(alerts []db.ListedAlert, f views.AlertFilter) table {
	t := table{
		title:   "Alerts, the open ones first",
		columns: []string{"store", "name", "rule", "rule_words", "state", "muted", "what", "text", "evidence", "since", "opened_at", "closed_at", "told"},
		about:   [][2]string{{"As of", c.now.UTC().Format(time.RFC3339)}},
	}
	for _, line := range [][2]string{{"Store", f.Store}, {"Rule", f.Rule}, {"State", f.State}} {
		if line[1] != "" {
			t.about = append(t.about, line)
		}
	}
	for _, l := range alerts {
		state := "open"
		if l.EndCause != nil {
			state = *l.EndCause
		}
		var pairs []string
		for _, e := range evidence(l.Evidence) {
			pairs = append(pairs, e[0]+": "+e[1])
		}
		t.rows = append(t.rows, []cell{
			textCell(l.Slug), textCell(l.Store), textCell(l.Rule), textCell(ruleTitle(l.Rule)), textCell(state), yesCell(l.Mute != nil), textCell(l.Title), textCell(l.Text),
			textCell(strings.Join(pairs, "; ")), timeCell(l.Since), timeCell(l.OpenedAt), timeOrNone(l.ClosedAt), textCell(strings.Join(c.toldLines(l, time.UTC), " ")),
		})
	}
	return t
}
