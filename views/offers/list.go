// Package offers shows a store's offers: the list, one offer with its funnel and its days,
// the window's ranking, and what goes with a product.
package offers

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
)

// nothing reports whether there is no offer to search among: then a single panel says why.
func (p ListPage) nothing() bool {
	return p.List.Empty != nil && p.List.Empty.Cause != offers.CauseNoMatch
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
		return p.T("offers.loading", "when", p.List.Coming.When(p.Locale))
	}
	return p.List.Verified.Words
}

// ages say how old the list is.
func (p ListPage) ages() string {
	v := p.List.Verified
	if v.At.IsZero() {
		return ""
	}
	return p.T("offers.updated", "ago", p.Locale.Age(p.Now, v.At))
}

// picker keeps the filter.
func (p ListPage) picker() components.Picker {
	return components.Picker{Path: p.Path, Choice: p.Table.Choice, Error: p.ChoiceError, Keep: p.List.Filter.Values()}
}

// windowed leaves out all-time values, dated also current facts.
func (p ListPage) windowed() bool { return p.Shared != nil }
func (p ListPage) dated() bool    { return !p.TellsNow() }

// exports are the files of the whole list.
func (p ListPage) exports() components.Exports {
	all := p.List.Filter
	all.Page = 1
	return components.Exports{Path: p.Path, Query: p.query(all).Encode()}
}

// back makes an empty list's action lead to this page, keeping its address.
func (p ListPage) back(e report.Empty) report.Empty {
	if e.Href == "?" {
		e.Href = p.Path
	}
	return e
}

// ListPage is a store's offer list.
type ListPage struct {
	components.Base
	List offers.List
	// Table is the list with what the offers did in the chosen window.
	Table offers.Table
	// FilterError is shown next to the form if the filter is invalid, ChoiceError next to the
	// picker if the window is; otherwise nil.
	FilterError, ChoiceError *report.ChoiceError
	// SyncHref is the store's Sync page, RecommendHref the one that asks what goes with a
	// product.
	SyncHref, RecommendHref string
}
