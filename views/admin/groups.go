package admin

import (
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// GroupsPage lists groups, and stores with their tags.
type GroupsPage struct {
	components.Base
	Rows []GroupRow
	// Name is what was typed for a new group.
	Name string
	// Stores are those of this page that match Query; Matched is how many there are.
	Stores  []TaggedRow
	Query   string
	Matched int
	// PrevHref and NextHref lead to other pages of stores; empty if there is none.
	PrevHref, NextHref string
	// Tags are all tags in use.
	Tags []string
	// Notice says what the last action did; may be empty. Wrong says why a group can't be made,
	// TagWrong why tags were rejected.
	Notice string
	form.Wrong
	TagWrong form.Wrong
	// Typed has the tags that were rejected and the store they were typed for.
	Typed TaggedRow
}

// GroupRow is a group in the list.
type GroupRow struct {
	Href, Name             string
	Stores, People, Tokens []string
}

// TaggedRow is a store with its groups and tags.
type TaggedRow struct {
	Slug, Name, Groups, Tags string
}

type GroupPage struct {
	components.Base
	// Name is the group's, Typed the new one and TypedStore the store to add, as they were typed.
	Name, Typed, TypedStore string
	Stores                  []form.Choice
	// Others are stores that could be added to it.
	Others []form.Choice
	People []LinkedName
	Tokens []string
	Losses []LossRow
	// Notice says what the last action did; may be empty. Wrong says why it failed.
	Notice string
	form.Wrong
}

// LinkedName is a name that links to its page.
type LinkedName struct{ Name, Href string }

// LossRow is who would lose which stores.
type LossRow struct {
	Who    string
	Stores []string
}

// wrongTags is what was wrong with the tags that were typed for a store.
func (p GroupsPage) wrongTags(of TaggedRow) form.Wrong {
	if of.Slug != p.Typed.Slug {
		return form.Wrong{}
	}
	return p.TagWrong
}

func (p GroupPage) action(what string) string { return p.Path + "/" + what }

// few names some of them and counts the rest; none is the text for no names.
func few(l locale.Locale, names []string, none string) string {
	const shown = 4
	switch n := len(names); {
	case n == 0:
		return none
	case n > shown+1:
		return l.T("people.and_more", "named", strings.Join(names[:shown], ", "), "n", n-shown)
	}
	return strings.Join(names, ", ")
}

func (p GroupsPage) words() string {
	if len(p.Rows) == 0 {
		return p.T("groups.lead_none")
	}
	return p.T("groups.lead", "n", len(p.Rows))
}
