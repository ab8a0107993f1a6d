package admin

import (
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// AuditPage lists who saw or changed what matters, newest first.
type AuditPage struct {
	components.Base
	Filter AuditFilter
	// Abouts are the kinds of action to choose from.
	Abouts []form.ChoiceGroup
	// Wrong says why the filter is invalid.
	form.Wrong
	// Counts are of what strangers did, on the first page only.
	Counts []AuditCount
	Rows   []AuditRow
	// NewestHref leads back to the first page, OlderHref to the next; empty if there is none.
	NewestHref, OlderHref string
	Exports               components.Exports
	// FileLines is the most lines of a file.
	FileLines int
}

// AuditFilter is the filter as it was typed.
type AuditFilter struct{ Who, About, Store, From, To, Text string }

// Any reports whether anything is filtered.
func (f AuditFilter) Any() bool { return f != AuditFilter{} }

// AuditRow is one record, in words.
type AuditRow struct {
	At time.Time
	// Who is an address or a name; Kind says what kind of actor it names.
	Who, Kind      string
	What, Subject  string
	Store, Address string
}

// AuditCount is what strangers did on one day, in words.
type AuditCount struct {
	Day  civil.Date
	What string
	// Networks and Abouts are the busiest, first; What says how many there are.
	Networks, Abouts []AuditTimes
}

// AuditTimes is how often something was counted.
type AuditTimes struct {
	What  string
	Times int64
}

func (p AuditPage) none() (title, text string) {
	if p.Filter.Any() {
		return p.T("audit.no_match"), p.T("audit.no_match_text")
	}
	return p.T("audit.none"), p.T("audit.none_text")
}
