package audit

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
)

// countedActions are the actions that anyone can cause without a session, as often as they
// like. Each is counted per day, network and account and never gets a record of its own,
// so that strangers can't fill the log. The message audit.counts.NAME shows the counts.
var countedActions = []Action{
	SignInFailed, CodeRefused, PasskeyRefused, PasskeyCopied, SSORefused,
	LinkRefused, SignInLimited, ResetAsked, ShareRefused,
}

// byLink are the actions that are recorded without a session. Each uses up a link that we
// sent, so a stranger can't repeat them.
var byLink = map[Action]bool{
	PasswordChanged: true, // by an invitation or the set-up code
	PasswordReset:   true,
	PersonJoined:    true,
	MailConfirmed:   true,
	MailEnded:       true,
	AlertMailEnded:  true,
}

// Counted reports whether the action is counted instead of recorded.
func (a Action) Counted() bool { return slices.Contains(countedActions, a) }

// count adds one to today's counts, in UTC. An IPv6 address is stored as its /48, since
// one network can use any address within it.
func (l *Log) count(ctx context.Context, q *sqlc.Queries, e Event, by Actor) error {
	from, _ := netip.ParseAddr(by.Address) // the zero address means an unknown network
	networks := limit.Networks(from)
	err := q.CountAudit(ctx, sqlc.CountAuditParams{
		Day: civil.DateOf(l.now().UTC()), Action: string(e.Action), Network: networks[len(networks)-1],
		PersonID: e.PersonID, ShareID: e.ShareID,
	})
	return db.Tried(err, "count %s", e.Action)
}

// The names that Counts gives to networks that have none of their own.
const (
	// OtherNetworks groups a day's networks after the first 200 of an action.
	OtherNetworks  = "others"
	UnknownNetwork = "unknown"
	AccountGone    = "an account that is gone"
	ShareGone      = "a share link that is gone"
)

// Count is how often strangers caused an action on one day.
type Count struct {
	// Day is in UTC.
	Day    civil.Date `json:"day"`
	Action Action     `json:"action"`
	// Network is an IPv4 address, the /48 of IPv6 addresses, OtherNetworks or UnknownNetwork.
	Network string `json:"network"`
	// Person is the address of the account concerned, Share the name of the share link and
	// Store its store's slug; empty where there is none.
	Person string `json:"person,omitempty"`
	Share  string `json:"share,omitempty"`
	Store  string `json:"store,omitempty"`
	Times  int64  `json:"times"`
}

// Counts lists at most n counts, newest day first. It ignores the filter's After.
// Who matches the account concerned, and "nobody" matches all.
func (l *Log) Counts(ctx context.Context, f Filter, n int) ([]Count, error) {
	p := sqlc.ListAuditCountsParams{
		Since: civil.DateOf(f.Since.UTC()), Until: civil.DateOf(f.Until.UTC()), About: f.About, Who: strings.TrimSpace(f.Who),
		Store: f.Store, Text: strings.TrimSpace(f.Text), Most: int32(n),
	}
	if f.Until.IsZero() {
		p.Until = civil.DateOf(endOfTime)
	}
	rows, err := l.q.ListAuditCounts(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("read counts of the audit log: %w", err)
	}
	return db.Each(rows, func(r sqlc.ListAuditCountsRow) Count {
		return Count{
			Day: r.Day, Action: Action(r.Action), Network: r.Network,
			Person: r.Person, Share: r.Share, Store: r.Store, Times: r.Times,
		}
	}), nil
}

// CountedDay is the counts of one action on one day.
type CountedDay struct {
	Day    civil.Date
	Action Action
	Times  int64
	// Networks and Abouts start with the busiest. Abouts holds accounts and share links;
	// counts that concern neither aren't in it.
	Networks, Abouts []Counted
}

// Counted is how often something was counted.
type Counted struct {
	What  string
	Times int64
}

// CountedDays adds up counts, which must be in the order of Counts.
func CountedDays(counts []Count) []CountedDay {
	var out []CountedDay
	for _, c := range counts {
		if n := len(out); n == 0 || out[n-1].Day != c.Day || out[n-1].Action != c.Action {
			out = append(out, CountedDay{Day: c.Day, Action: c.Action})
		}
		d := &out[len(out)-1]
		d.Times += c.Times
		d.Networks = adding(d.Networks, c.Network, c.Times)
		d.Abouts = adding(d.Abouts, c.About(), c.Times)
	}
	for i := range out {
		for _, list := range [][]Counted{out[i].Networks, out[i].Abouts} {
			slices.SortStableFunc(list, func(x, y Counted) int { return int(y.Times - x.Times) })
		}
	}
	return out
}

func adding(list []Counted, what string, times int64) []Counted {
	if what == "" {
		return list
	}
	for i := range list {
		if list[i].What == what {
			list[i].Times += times
			return list
		}
	}
	return append(list, Counted{what, times})
}

// About names the account or share link concerned; empty if there is neither.
func (c Count) About() string {
	switch {
	case c.Share != "" && c.Store != "":
		return c.Share + ", " + c.Store
	case c.Share != "":
		return c.Share
	}
	return c.Person
}

// Words describes the day in one line, such as "1,204 failed sign-ins from 38 networks".
func (d CountedDay) Words(l locale.Locale) string {
	what := l.T("audit.times", "what", d.Action.Words(l), "n", d.Times)
	if d.Action.Counted() {
		what = l.T("audit.counts."+string(d.Action), "n", d.Times)
	}
	networks := l.T("audit.networks", "n", len(d.Networks))
	if slices.ContainsFunc(d.Networks, func(c Counted) bool { return c.What == OtherNetworks }) {
		networks = l.T("audit.more_networks", "n", len(d.Networks)-1)
	}
	return l.T("audit.counted", "what", what, "networks", networks)
}
