package gallery

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// managing is the base of a page about people.
func managing(b components.Base, title, path string) components.Base {
	b = plain(b, title)
	b.Path = path
	b.Tabs = []components.Tab{{Label: "Stores", Href: "/"}, {Label: "People", Href: "/people", Current: true}}
	for _, t := range []components.Tab{
		{Label: "People", Href: "/people"}, {Label: "Groups and tags", Href: "/groups"}, {Label: "API tokens", Href: "/tokens"},
		{Label: "Audit log", Href: "/audit"}, {Label: "Branding", Href: "/branding"},
	} {
		t.Current = t.Href == path
		b.Sub = append(b.Sub, t)
	}
	b.Reader.PeopleHref = "/people"
	return b
}

// peoplePages are the pages about people.
func peoplePages(b components.Base) []Page {
	return []Page{
		{"people", "everybody, in every state", admin.People(admin.PeoplePage{Base: managing(b, "People", "/people"), Rows: personRows(), InviteHref: "/people/new"})},
		{"invite", "the form of an invitation, refused", admin.Invite(admin.InvitePage{
			Base: under(b, "Invite somebody"), Roles: roleChoices, Lives: lives, Groups: groupChoices, Stores: storeChoices, MoreStores: true,
			Form:    admin.InviteForm{Email: "noor@agency.example", Name: "Noor", Role: "agency", Life: "72h", Groups: []string{"1"}},
			Problem: "Somebody with this address is listed already. Open their page to invite them again or to change what they see.", Field: "email",
		})},
		{"invitation-link", "a link that is shown once", admin.Secret(admin.SecretPage{
			Base: under(b, "Invitation"), Words: "An invitation for Noor",
			Text:   "Pass this link on to noor@agency.example. Whoever opens it first becomes this person, so send it to nobody else.",
			Secret: "https://reports.example.com/invitation/q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQAAECAwQFBgc", Until: now.Add(72 * time.Hour),
			BackHref: "/people/2", BackWords: "To Noor",
		})},
		{"person", "somebody with grants of every kind", admin.Person(person(b))},
		{"person-invited", "somebody who has not come", admin.Person(personWith(b, func(p *admin.PersonPage) {
			p.Joined, p.SignedIn, p.Ways, p.TwoFactor, p.Sessions, p.Grants = false, time.Time{}, nil, false, nil, nil
			p.State = admin.PersonState{Sign: "scheduled", Words: "Invited", Note: "until 23 Nov, 16:55 UTC"}
		}))},
		{"person-disabled", "somebody who can't sign in", admin.Person(personWith(b, func(p *admin.PersonPage) {
			p.Disabled, p.Sessions, p.Problem = true, nil, "They are disabled: enable them first."
			p.State = admin.PersonState{Sign: "off", Words: "Disabled"}
		}))},
		{"person-oneself", "the last admin looks at themselves", admin.Person(personWith(b, func(p *admin.PersonPage) {
			p.Oneself, p.Last, p.Role, p.RoleWords, p.SeesAll, p.Every = true, true, "admin", "admin", true, true
			p.Name, p.Email = longName, longEmail
			p.Grants = []admin.GrantRow{{Words: "Every store", Note: "also those added later", Field: "every", Value: "true"}}
		}))},
		{"reach", "everything that somebody can still reach", admin.Reach(reach(b, reachRows()))},
		{"reach-nothing", "somebody who was offboarded", admin.Reach(reachOf(b, func(p *admin.ReachPage) {
			p.Disabled, p.Notice, p.State = true, "Everything is taken away.", admin.PersonState{Sign: "off", Words: "Disabled"}
		}))},
		{"reach-oneself", "the last admin looks at themselves", admin.Reach(reachOf(b, func(p *admin.ReachPage) {
			p.Name, p.Email, p.RoleWords, p.Rows, p.Kept = longName, longEmail, "admin", []admin.ReachRow{{Kind: "Admin role", Stores: "every store", Href: "/people/1"}}, "This is you. Another admin can take everything away from you."
		}))},
		{"groups", "groups and tags", admin.Groups(groupsPage(b))},
		{"groups-none", "no group, no store, a name that can't be", admin.Groups(admin.GroupsPage{
			Base: managing(b, "Groups and tags", "/groups"), Name: longName, Problem: "Write a name of 1 to 60 characters, on one line.", TagProblem: "This store is not there any more.",
		})},
		{"group", "a group with losses", admin.Group(group(b, false))},
		{"group-empty", "a group without stores", admin.Group(group(b, true))},
		{"tokens", "tokens in every state", admin.Tokens(admin.TokensPage{Base: managing(b, "API tokens", "/tokens"), NewHref: "/tokens/new", Notice: "The token is revoked. Whoever uses it gets 401 from now on.", Rows: []admin.TokenRow{
			{Name: "weekly-sheet", MadeBy: "ida@fernhollow.example", Reads: "group North, fernhollow", Made: now.AddDate(0, -2, 0), Used: now.Add(-time.Hour), Action: "/tokens/1/revoke"},
			{Name: longName, MadeBy: longEmail, Reads: "every store", Made: now.AddDate(0, 0, -2), Action: "/tokens/2/revoke"},
			{Name: "old-script", MadeBy: "root", Reads: "kumo", Made: now.AddDate(-1, 0, 0), Used: now.AddDate(0, -3, 0), Revoked: now.AddDate(0, -3, 0)},
		}})},
		{"tokens-none", "no token yet", admin.Tokens(admin.TokensPage{Base: managing(b, "API tokens", "/tokens"), NewHref: "/tokens/new"})},
		{"token-new", "the form of a token, refused", admin.NewToken(admin.NewTokenPage{
			Base: managing(b, "Make a token", "/tokens"), Name: "weekly-sheet", GroupChoices: groupChoices, StoreChoices: storeChoices, MoreStores: true,
			Problem: "A token of this name is in use. Choose another name, or revoke that one first.", Field: "name",
		})},
		{"branding", "our own", admin.Branding(admin.BrandingPage{Base: managing(b, "Branding", "/branding"), Own: true})},
		{"branding-draft", "a preview with a logo", admin.Branding(admin.BrandingPage{
			Base: branded(managing(b, "Branding", "/branding"), "Northwind Reporting", true), Name: "Northwind Reporting", Accent: "#ffd400", InLight: "#816a01", InDark: "#ffd400", HasLogo: true, Draft: true,
		})},
		{"branding-refused", "what is no colour, a long name", admin.Branding(admin.BrandingPage{
			Base: branded(managing(b, "Branding", "/branding"), strings.Repeat("W", 40), false), Name: strings.Repeat("W", 40), Accent: "red", Field: "accent",
			Problem: "Write the colour as # and six digits from 0 to f, such as #0e6259. Leave it empty for our own.",
		})},
		{"audit", "records of every kind, with a next page", admin.Audit(auditPage(b))},
		{"audit-filtered", "a filter that leaves nothing", admin.Audit(admin.AuditPage{
			Base: managing(b, "Audit log", "/audit"), Abouts: auditAbouts(), Filter: admin.AuditFilter{Who: "ida", About: "share", From: "2026-11-01"},
		})},
		{"audit-wrong", "a filter that can't be asked for", admin.Audit(admin.AuditPage{
			Base: managing(b, "Audit log", "/audit"), Abouts: auditAbouts(), Filter: admin.AuditFilter{From: "2026-11-20", To: "2026-11-01"},
			Problem: "The last day is before the first.",
		})},
	}
}

// under is the base of a page below the list of people.
func under(b components.Base, title string) components.Base { return managing(b, title, "/people") }

const (
	longName  = "<script>alert(1)</script> مجموعة a name that goes on and on without an end"
	longEmail = "a-very-long-address-without-any-place-to-break-it@an-equally-long-domain-name.example"
)

var (
	roleChoices = []admin.RoleChoice{
		{Value: "viewer", Label: "Viewer", May: "Reads the pages and files of their stores."},
		{Value: "agency", Label: "Agency member", May: "Also asks for pulls and shares pages by link."},
		{Value: "merchant", Label: "Merchant", May: "Also connects services, and pauses and removes their stores."},
		{Value: "admin", Label: "Admin", May: "Everything with every store; decides about people, groups and tokens."},
	}
	lives        = []form.Choice{{Value: "30m", Label: "30 minutes"}, {Value: "72h", Label: "3 days"}, {Value: "168h", Label: "7 days"}}
	groupChoices = []form.Choice{{Value: "1", Label: "North"}, {Value: "2", Label: longName}}
	storeChoices = []form.Choice{
		{Value: "brid", Label: "Bríd Wool"}, {Value: "dilmun", Label: "Dilmun Perfumes"}, {Value: "fernhollow", Label: "Fernhollow Outfitters"},
		{Value: "kumo", Label: "Kumo Tea"}, {Value: "long", Label: longName}, {Value: "wattle", Label: "Wattle Wear"},
	}
)

func personRows() []admin.PersonRow {
	active := admin.PersonState{Sign: "active", Words: "Active"}
	return []admin.PersonRow{
		{Href: "/people/1", Name: "Ida Moreau", Email: "ida@fernhollow.example", Role: "admin", Sees: "every store", TwoFactor: true, Ways: "2 passkeys", SignedIn: now.Add(-time.Hour), State: active},
		{Href: "/people/2", Name: "Noor", Email: "noor@agency.example", Role: "agency member", Sees: "group North, Kumo Tea", Ways: "password only", SignedIn: now.Add(-50 * time.Hour), State: active},
		{Href: "/people/3", Name: longName, Email: longEmail, Role: "merchant", Sees: longName + ", Bríd Wool, Dilmun Perfumes and 14 more", TwoFactor: true, Ways: "code, passkey, single sign-on", SignedIn: now, State: active},
		{Href: "/people/4", Name: "Sven", Email: "sven@kumo.example", Role: "viewer", Sees: "Kumo Tea", Ways: "one-time links", State: admin.PersonState{Sign: "scheduled", Words: "Invited", Note: "until 23 Nov, 16:55 UTC"}},
		{Href: "/people/5", Name: "Wim", Email: "wim@kumo.example", Role: "viewer", Sees: "no store yet", Ways: "one-time links", State: admin.PersonState{Sign: "waiting", Words: "Not come yet", Note: "no invitation works"}},
		{Href: "/people/6", Name: "Old Hand", Email: "old@fernhollow.example", Role: "admin", Sees: "every store", Ways: "password only", SignedIn: now.AddDate(0, -7, 0), State: admin.PersonState{Sign: "off", Words: "Disabled"}},
	}
}

func person(b components.Base) admin.PersonPage {
	p := admin.PersonPage{
		Base: under(b, "Noor"), Name: "Noor El-Amin", Email: "noor@agency.example", Role: "agency", RoleWords: "agency member", Joined: true,
		State: admin.PersonState{Sign: "active", Words: "Active"}, SignedIn: now.Add(-50 * time.Hour), Created: now.AddDate(0, -2, 0),
		Ways: []string{"password", "code", "passkey"}, TwoFactor: true, Roles: roleChoices, Lives: lives, LinkLives: lives, Groups: groupChoices, Stores: storeChoices,
		Sessions: []admin.PersonSession{
			{Way: "passkey", Address: "192.0.2.44", Agent: "Firefox on Linux", Since: now.Add(-50 * time.Hour), Seen: now.Add(-time.Hour)},
			{Way: "password and code", Address: "2001:db8:85a3:8d3:1319:8a2e:370:7348", Agent: "Safari on iPhone", Since: now.Add(-150 * time.Hour), Seen: now.Add(-20 * time.Hour)},
		},
		Grants: []admin.GrantRow{
			{Words: "North", Note: "the stores of this group", Field: "group", Value: "1"},
			{Words: "Kumo Tea", Note: "kumo", Field: "store", Value: "kumo"},
			{Words: longName, Note: "long", Field: "store", Value: "long"},
		},
		AuditHref: "/audit?who=noor%40agency.example", Notice: "The grant is given, from their next request on.",
	}
	p.Base.Path = "/people/2"
	return p
}

func reach(b components.Base, rows []admin.ReachRow) admin.ReachPage {
	p := admin.ReachPage{
		Base: under(b, "What Noor El-Amin can still reach"), Name: "Noor El-Amin", Email: "noor@agency.example", RoleWords: "agency member",
		State: admin.PersonState{Sign: "active", Words: "Active"}, Rows: rows, PersonHref: "/people/2", Action: "/people/2/offboard",
		Counts: []string{"1 group grant", "1 store grant", "2 sessions", "1 API token", "1 share link", "1 alert channel", "1 weekly mail to another address", "1 removed store"},
	}
	p.Base.Path = "/people/2/reach"
	return p
}

func reachOf(b components.Base, change func(*admin.ReachPage)) admin.ReachPage {
	p := reach(b, nil)
	p.Counts = nil
	change(&p)
	return p
}

func reachRows() []admin.ReachRow {
	return []admin.ReachRow{
		{Kind: "Grant for a group", Text: "North", Stores: "Bríd Wool, Kumo Tea, Wattle Wear and 14 more", Since: now.AddDate(0, -2, 0), Href: "/groups/1"},
		{Kind: "Grant for a store", Stores: longName, Since: now.AddDate(0, -2, 0), Href: "/people/2"},
		{Kind: "Signed in", Text: "Firefox on Linux, 192.0.2.44", Stores: "the stores they hold", Since: now.Add(-50 * time.Hour), Until: now.Add(100 * time.Hour), Href: "/people/2"},
		{Kind: "Signed in", Text: "Safari on iPhone, 2001:db8:85a3:8d3:1319:8a2e:370:7348", Stores: "the stores they hold", Since: now.Add(-150 * time.Hour), Until: now.Add(20 * time.Hour), Href: "/people/2"},
		{Kind: "API token", Text: "weekly-sheet", Stores: "Kumo Tea", Since: now.AddDate(0, -1, 0), Until: now.AddDate(0, 11, 0), Stopped: true, Href: "/tokens"},
		{Kind: "Share link", Text: "For the board, overview, offers", Stores: "Kumo Tea", Since: now.AddDate(0, 0, -3), Until: now.AddDate(0, 0, 27), Href: "/stores/kumo/shares"},
		{Kind: "Alert channel", Text: "Shop, hooks.example.com", Stores: "the stores they hold", Since: now.AddDate(0, 0, -30)},
		{Kind: "Weekly mail they set up", Text: longEmail, Stores: "Kumo Tea", Since: now.AddDate(0, 0, -30), Href: "/snapshots/7"},
		{Kind: "Sent mails that their links open", Text: "8 to " + longEmail, Stores: "Kumo Tea", Since: now.AddDate(0, 0, -56), Until: now.AddDate(0, 0, 55)},
		{Kind: "Removed store they can bring back", Stores: "Old Shop", Since: now.AddDate(0, 0, -5), Until: now.AddDate(0, 0, 25), Href: "/stores/removed"},
	}
}

func personWith(b components.Base, change func(*admin.PersonPage)) admin.PersonPage {
	p := person(b)
	p.Notice = ""
	change(&p)
	return p
}

func branded(b components.Base, name string, logo bool) components.Base {
	b.Brand.Name = name
	if logo {
		b.Brand.Logo = components.Logo{Src: b.AssetPath("icon.svg"), Width: 128, Height: 128, FaintOnDark: true}
	}
	return b
}

func groupsPage(b components.Base) admin.GroupsPage {
	return admin.GroupsPage{
		Base: managing(b, "Groups and tags", "/groups"), Matched: 61, NextHref: "/groups?page=2", Query: "wool", Tags: []string{"EU", "key account", "<b>bold</b>", "a tag that is forty characters long, not 1"},
		Rows: []admin.GroupRow{
			{Href: "/groups/1", Name: "North", Stores: []string{"Bríd Wool", "Kumo Tea"}, People: []string{"Noor", "Sven"}, Tokens: []string{"weekly-sheet"}},
			{Href: "/groups/2", Name: longName, Stores: []string{longName, "a", "b", "c", "d", "e", "f"}, People: []string{longName}},
			{Href: "/groups/3", Name: "Empty one"},
		},
		Stores: []admin.TaggedRow{
			{Slug: "brid", Name: "Bríd Wool", Groups: "North", Tags: "EU, key account"},
			{Slug: "kumo", Name: "Kumo Tea"},
			{Slug: "a-very-long-slug-without-a-place-to-break-it-of-sixty-four-signs", Name: longName, Groups: longName + ", North", Tags: "<b>bold</b>, a tag that is forty characters long, not 1, EU"},
		},
	}
}

func group(b components.Base, empty bool) admin.GroupPage {
	p := admin.GroupPage{Base: managing(b, "North", "/groups"), Name: "North", Typed: "North", Others: storeChoices}
	p.Base.Path = "/groups/1"
	if empty {
		p.Problem = "There is a group of this name already."
		return p
	}
	p.Stores, p.Tokens, p.Notice = storeChoices[:5], []string{"weekly-sheet"}, "The store is in the group, from everybody’s next request on."
	p.People = []admin.LinkedName{{Name: "Noor", Href: "/people/2"}, {Name: longName, Href: "/people/3"}}
	p.Losses = []admin.LossRow{{Who: "Noor", Stores: []string{"Bríd Wool"}}, {Who: longName, Stores: []string{"Bríd Wool", longName}}, {Who: "API token weekly-sheet", Stores: []string{"Kumo Tea"}}}
	return p
}

func auditAbouts() []admin.AuditAbout {
	return []admin.AuditAbout{
		{About: "sign-in", Words: "Sign-ins", Actions: []admin.AuditAction{{Action: "sign-in.succeeded", Words: "Signed in"}, {Action: "sign-in.failed", Words: "Sign-in failed"}}},
		{About: "share", Words: "Share links", Actions: []admin.AuditAction{{Action: "share.made", Words: "Share link made"}}},
	}
}

func auditPage(b components.Base) admin.AuditPage {
	p := admin.AuditPage{
		Base: managing(b, "Audit log", "/audit"), Abouts: auditAbouts(), OlderHref: "/audit?after=1", NewestHref: "/audit", Exports: components.Exports{Path: "/audit"},
	}
	today := civil.DateOf(now.UTC())
	p.Counts = []admin.AuditCount{
		{
			Day: today, What: "1,204 failed sign-ins from more than 200 networks",
			Abouts:   []admin.AuditTimes{{What: "ida@fernhollow.example", Times: 14}, {What: "noor@agency.example", Times: 1}},
			Networks: []admin.AuditTimes{{What: "198.51.100.7", Times: 311}, {What: "2001:db8:85a3::/48", Times: 44}, {What: "other networks", Times: 849}},
		},
		{Day: today, What: "3 requests refused for too many attempts from 1 network", Networks: []admin.AuditTimes{{What: "198.51.100.7", Times: 3}}},
		{
			Day: today.AddDays(-1), What: "1 wrong password for a share link from 1 network",
			Abouts: []admin.AuditTimes{{What: "Board meeting, kumo", Times: 1}}, Networks: []admin.AuditTimes{{What: "203.0.113.9", Times: 1}},
		},
	}
	for i, r := range []admin.AuditRow{
		{Who: "ida@fernhollow.example", What: "Signed in", Subject: "password and code", Address: "192.0.2.44"},
		{Who: "Somebody", Kind: "not signed in", What: "Password set by a link", Subject: "ida@fernhollow.example", Address: "2001:db8:85a3:8d3:1319:8a2e:370:7348"},
		{Who: "ida@fernhollow.example", What: "Role changed", Subject: "noor@agency.example: viewer → agency member", Address: "192.0.2.44"},
		{Who: "weekly-sheet", Kind: "API token", What: "File downloaded", Subject: "fernhollow-history.csv", Store: "fernhollow", Address: "198.51.100.7"},
		{Who: "root", Kind: "command line", What: "Service’s token or address replaced", Subject: "upsell at https://upsell.example/data", Store: "brid"},
		{Who: "Board meeting", Kind: "share link", What: "Share link opened", Store: "kumo", Address: "203.0.113.9"},
		{Who: "Storeglass", Kind: "by itself", What: "Removed store deleted for good", Store: "old-shop"},
		{Who: "<script>alert(1)</script>a-very-long-address-without-any-place-to-break-it@an-equally-long-domain.example", What: "Group made", Subject: "مجموعة الشمال <b>bold</b> and a name that is sixty characters long, no more", Address: "192.0.2.44"},
	} {
		r.At = now.Add(-time.Duration(i*i) * 37 * time.Minute)
		p.Rows = append(p.Rows, r)
	}
	return p
}
