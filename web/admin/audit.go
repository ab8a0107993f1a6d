package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

const (
	// auditPageSize is how many records a page has, auditFileSize a file.
	auditPageSize = 50
	auditFileSize = 50_000
)

// auditQuery is the filter of the audit log as in the address.
type auditQuery struct {
	typed admin.AuditFilter
	asked audit.Filter
}

// readAuditQuery reads the filter, and says why it is invalid.
func readAuditQuery(c *site.Call) (q auditQuery, wrong form.Wrong) {
	get := func(name string) string { return strings.TrimSpace(c.QueryParam(name)) }
	f := admin.AuditFilter{Who: get("who"), About: get("what"), Store: get("store"), From: get("from"), To: get("to"), Text: get("text")}
	for _, text := range []string{f.Who, f.About, f.Store, f.From, f.To, f.Text} {
		if len(text) > 800 {
			return auditQuery{}, form.Wrong{Problem: c.T("audit.problem.text")}
		}
	}
	q = auditQuery{f, audit.Filter{Who: f.Who, About: f.About, Store: f.Store, Text: f.Text}}
	if f.About != "" && !slices.ContainsFunc(audit.ActionGroups(), func(g audit.ActionGroup) bool {
		return g.About == f.About || slices.Contains(g.Actions, audit.Action(f.About))
	}) {
		return q, form.Wrong{Field: "what", Problem: c.T("audit.problem.what")}
	}
	for _, day := range []struct {
		field, text string
		to          *time.Time
		add         int
	}{{"from", f.From, &q.asked.Since, 0}, {"to", f.To, &q.asked.Until, 1}} {
		if day.text == "" {
			continue
		}
		at, err := time.Parse(time.DateOnly, day.text)
		if err != nil || at.Year() < 1000 {
			return q, form.Wrong{Field: day.field, Problem: c.T("audit.problem.day", "example", "2026-11-20")}
		}
		*day.to = at.AddDate(0, 0, day.add)
	}
	if f.From != "" && f.To != "" && !q.asked.Since.Before(q.asked.Until) {
		return q, form.Wrong{Field: "to", Problem: c.T("audit.problem.order")}
	}
	return q, form.Wrong{}
}

// values returns the filter as query parameters.
func (q auditQuery) values() url.Values {
	return components.Query(
		"who", q.typed.Who, "what", q.typed.About, "store", q.typed.Store, "from", q.typed.From, "to", q.typed.To, "text", q.typed.Text,
	)
}

func (s *Handlers) auditPage(c *site.Call) error {
	q, wrong := readAuditQuery(c)
	page := admin.AuditPage{Base: s.adminBase(c, c.T("people.tab.audit")), Filter: q.typed, Abouts: auditAbouts(c.Locale()), FileLines: auditFileSize, Wrong: wrong}
	status := http.StatusOK
	if after := c.QueryParam("after"); after != "" && wrong.Problem == "" {
		var ok bool
		if q.asked.After, ok = site.ParseAfter(after); !ok {
			return s.SeeOther(c, components.WithQuery("/audit", q.values()))
		}
		page.NewestHref = components.WithQuery("/audit", q.values())
	}
	if wrong.Problem != "" {
		status = http.StatusBadRequest
	} else if err := s.auditRows(c, q, &page); err != nil {
		return err
	}
	// The page contains the search term, so it isn't compressed.
	return c.PageWithStatus(status, admin.Audit(page))
}

func (s *Handlers) auditRows(c *site.Call, q auditQuery, page *admin.AuditPage) error {
	records, err := s.Audit.Records(c.Request().Context(), q.asked, auditPageSize+1)
	if err != nil {
		return err
	}
	if len(records) > auditPageSize {
		records = records[:auditPageSize]
		last, v := records[auditPageSize-1], q.values()
		v.Set("after", site.After(last.At, last.ID)) // records added meanwhile don't shift the pages
		page.OlderHref = components.WithQuery("/audit", v)
	}
	page.Exports = components.Exports{Path: "/audit", Query: q.values().Encode()}
	if q.asked.After.ID == 0 {
		if page.Counts, err = s.auditCounts(c, q); err != nil {
			return err
		}
	}
	for _, r := range records {
		who, kind := actorWords(c.Locale(), r.Actor)
		subject := r.Words(c.Locale())
		if r.Action == audit.SignedIn {
			subject = components.SignInWay(c.Locale(), r.Subject)
		}
		page.Rows = append(page.Rows, admin.AuditRow{
			At: r.At, Who: who, Kind: kind, What: r.Action.Words(c.Locale()), Subject: subject, Store: r.Store, Address: r.Actor.Address,
		})
	}
	return nil
}

const (
	// auditCountLines are the days and kinds whose counts a page shows, of at most
	// auditCountRows rows, and auditCountTop the networks or accounts of each.
	auditCountLines = 10
	auditCountRows  = 5_000
	auditCountTop   = 10
)

// auditCounts are the newest counts.
func (s *Handlers) auditCounts(c *site.Call, q auditQuery) ([]admin.AuditCount, error) {
	counts, err := s.Audit.Counts(c.Request().Context(), q.asked, auditCountRows)
	if err != nil {
		return nil, err
	}
	days := audit.CountedDays(counts)
	if len(counts) == auditCountRows && len(days) > 1 {
		days = days[:len(days)-1] // the last one may be incomplete
	}
	var out []admin.AuditCount
	for _, d := range days[:min(len(days), auditCountLines)] {
		out = append(out, admin.AuditCount{
			Day: d.Day, What: d.Words(c.Locale()), Networks: countedTop(c.Locale(), d.Networks, c.T("audit.other_networks")), Abouts: countedTop(c.Locale(), d.Abouts, c.T("audit.others")),
		})
	}
	return out, nil
}

// countedTop returns the busiest, and one line for all others.
func countedTop(l locale.Locale, list []audit.Counted, rest string) []admin.AuditTimes {
	var out []admin.AuditTimes
	others := int64(0)
	for _, n := range list {
		if len(out) == auditCountTop || n.What == audit.OtherNetworks {
			others += n.Times
			continue
		}
		out = append(out, admin.AuditTimes{What: countedWhat(l, n.What), Times: n.Times})
	}
	if others > 0 {
		out = append(out, admin.AuditTimes{What: rest, Times: others})
	}
	return out
}

// countedWhat is a network, an account or a share link in words: the database has codes for
// those without a name.
func countedWhat(l locale.Locale, what string) string {
	switch what {
	case audit.UnknownNetwork:
		return l.T("audit.unknown")
	case audit.AccountGone:
		return l.T("audit.account_gone")
	case audit.ShareGone:
		return l.T("audit.share_gone")
	}
	return what
}

// auditAbouts groups the actions by subject. Each group starts with a choice for all of them.
func auditAbouts(l locale.Locale) (out []form.ChoiceGroup) {
	for _, g := range audit.ActionGroups() {
		about := form.ChoiceGroup{Label: g.Words(l), Choices: []form.Choice{{Value: g.About, Label: l.T("audit.filter.all_of", "about", g.Words(l))}}}
		for _, a := range g.Actions {
			about.Choices = append(about.Choices, form.Choice{Value: string(a), Label: a.Words(l)})
		}
		out = append(out, about)
	}
	return out
}

// actorWords name an actor, and say what kind of actor it is.
func actorWords(l locale.Locale, a audit.Actor) (who, kind string) {
	switch a.Kind {
	case audit.ActorPerson:
		return a.Name, ""
	case audit.ActorToken:
		return a.Name, l.T("audit.actor.token")
	case audit.ActorShare:
		return a.Name, l.T("audit.actor.share")
	case audit.ActorCommand:
		if a.Name == "" {
			return "Storeglass", l.T("audit.actor.itself")
		}
		return a.Name, l.T("audit.actor.command")
	}
	return l.T("audit.actor.someone"), l.T("audit.actor.not_signed_in")
}

// auditFile is the filtered log.
func (s *Handlers) auditFile(c *site.Call) (site.Table, error) {
	q, wrong := readAuditQuery(c)
	if wrong.Problem != "" {
		return site.Table{}, site.BadRequest(wrong.Field, wrong.Problem)
	}
	records, err := s.Audit.Records(c.Request().Context(), q.asked, auditFileSize+1)
	if err != nil {
		return site.Table{}, err
	}
	counts, err := s.Audit.Counts(c.Request().Context(), q.asked, auditFileSize+1)
	if err != nil {
		return site.Table{}, err
	}
	if len(records)+len(counts) > auditFileSize {
		return site.Table{}, site.BadRequest("", c.T("audit.problem.too_many", "n", auditFileSize))
	}
	return auditTable(records, counts, q, c.Now), nil
}

// auditTable is in English, as all files are: programs read them.
func auditTable(records []audit.Record, counts []audit.Count, q auditQuery, now time.Time) site.Table {
	t := site.Table{
		Title:   "Audit log, newest first",
		Columns: []string{"at", "actor", "name", "action", "what", "store", "subject", "address", "request", "times"},
		About:   [][2]string{{"As of", now.UTC().Format(time.RFC3339)}},
	}
	for _, f := range [][2]string{{"Who", q.typed.Who}, {"What", q.typed.About}, {"Store", q.typed.Store}, {"From", q.typed.From}, {"To", q.typed.To}, {"Text", q.typed.Text}} {
		if f[1] != "" {
			t.About = append(t.About, f)
		}
	}
	// A day's counts come before its records.
	for len(records)+len(counts) > 0 {
		if len(counts) > 0 && (len(records) == 0 || !counts[0].Day.Before(civil.DateOf(records[0].At.UTC()))) {
			n := counts[0]
			t.Rows = append(t.Rows, []site.Cell{
				site.DayCell(n.Day), site.TextCell(string(audit.ActorNobody)), {}, site.TextCell(string(n.Action)), site.TextCell(n.Action.Words(locale.English)),
				site.TextCell(n.Store), site.TextCell(n.Person + n.Share), site.TextCell(n.Network), {}, site.CountCell(n.Times),
			})
			counts = counts[1:]
			continue
		}
		r := records[0]
		t.Rows = append(t.Rows, []site.Cell{
			site.TimeCell(r.At), site.TextCell(string(r.Actor.Kind)), site.TextCell(r.Actor.Name), site.TextCell(string(r.Action)), site.TextCell(r.Action.Words(locale.English)),
			site.TextCell(r.Store), site.TextCell(r.Words(locale.English)), site.TextCell(r.Actor.Address), site.TextCell(r.Actor.Request), site.CountCell(1),
		})
		records = records[1:]
	}
	return t
}
