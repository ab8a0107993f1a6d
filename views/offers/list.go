// Package offers shows a store's offers: the list, one offer with its funnel and its days,
// the window's ranking, and what goes with a product.
package offers

import (
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// nothing reports whether there is no offer to search among: then one panel says why.
func (p ListPage) nothing() bool {
	return p.List.Empty != nil && p.List.Empty.Cause != report.CauseNoMatch
}

func (p ListPage) state() string {
	v := p.List.Verified
	switch {
	case p.List.Trouble != nil && p.List.Trouble.NeedsPerson:
		return "person"
	case p.List.Trouble != nil:
		return "waiting"
	case v.Whole:
		return "active"
	case v.At.IsZero():
		return "filling"
	}
	return "waiting"
}

// words say how complete the list is known to be.
func (p ListPage) words() string {
	if p.List.Coming != nil {
		return "Still loading, complete " + p.List.Coming.When(p.Locale)
	}
	text := p.List.Verified.Words
	return strings.ToUpper(text[:1]) + text[1:]
}

// ages say how old the list is, and what it cost.
func (p ListPage) ages() string {
	v := p.List.Verified
	if v.At.IsZero() {
		return ""
	}
	if p.Shared != nil {
		return "as listed " + locale.English.Age(p.Now, v.At)
	}
	return "as listed " + locale.English.Age(p.Now, v.At) + " in " + report.Plural(int64(v.Calls), "call", "calls") + " · all-time values, no window"
}

func (p ListPage) listing() Listing {
	q := p.List.Filter
	q.Page = 1
	l := Listing{List: p.List, Home: p.StoreHome(), Path: p.Path, Error: p.FilterError, Windowed: p.Shared != nil, Dated: !p.TellsNow()}
	if p.Path != "" {
		l.Exports = components.Exports{Path: p.Path, Query: q.Values().Encode()}
	}
	return l
}

// back makes an empty list's action lead to this page, whatever is in its address.
func (p ListPage) back(e report.Empty) report.Empty {
	if e.Href == "?" {
		e.Href = p.Path
	}
	return e
}

// ListPage is a store's offer list.
type ListPage struct {
	components.Base
	List report.OfferList
	// FilterError is shown beside the form when the asked filter is not one; nil when it is.
	FilterError *report.ChoiceError
	// SyncHref is the store's Sync page, RecommendHref the one that asks what goes with a
	// product.
	SyncHref, RecommendHref string
}
