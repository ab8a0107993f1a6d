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
	b.Tabs = []components.Tab{{Label: b.T("tab.stores"), Href: "/"}, {Label: b.T("tab.people"), Href: "/people", Current: true}}
	for _, t := range []components.Tab{
		{Label: b.T("people.tab.people"), Href: "/people"}, {Label: b.T("people.tab.groups"), Href: "/groups"}, {Label: b.T("people.tab.tokens"), Href: "/tokens"},
		{Label: b.T("people.tab.audit"), Href: "/audit"}, {Label: b.T("people.tab.branding"), Href: "/branding"},
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
		{"people", "everyone, in every state", admin.People(admin.PeoplePage{Base: managing(b, b.T("people.tab.people"), "/people"), Rows: personRows(b), InviteHref: "/people/new"})},
		{"invite", "the form of an invitation, refused", admin.Invite(admin.InvitePage{
			Base: under(b, b.T("people.invite")), Roles: roleChoices(b), Lives: lives(b),
			Email: "noor@agency.example", Name: "Noor", Role: "agency", Life: "72h",
			Reach: admin.ReachChoice{Groups: []string{"1"}, GroupChoices: groupChoices, StoreChoices: storeChoices, MoreStores: true},
			Wrong: form.Wrong{Field: "email", Problem: b.T("invite.problem.taken")},
		})},
		{"invitation-link", "a link that is shown once", admin.Secret(admin.SecretPage{
			Base: under(b, b.T("invite.form")), Words: b.T("invite.for_name", "name", "Noor"),
			Text:   b.T("invite.pass_on", "email", "noor@agency.example"),
			Secret: "https://reports.example.com/invitation/q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQAAECAwQFBgc", Until: now.Add(72 * time.Hour),
			BackHref: "/people/2", BackWords: b.T("invite.to_person", "name", "Noor"),
		})},
		{"person", "someone with grants of every kind", admin.Person(person(b))},
		{"person-invited", "someone who has not come", admin.Person(personWith(b, func(p *admin.PersonPage) {
			p.Joined, p.SignedIn, p.Ways, p.TwoFactor, p.Sessions, p.Grants = false, time.Time{}, nil, false, nil, nil
			p.State = admin.PersonState{Sign: "scheduled", Words: b.T("people.state_of.invited"), Note: b.T("people.state_of.until", "at", components.UTCMoment(b.Locale, now.Add(48*time.Hour))), MailProblem: b.T("people.state_of.mail_problem", "reason", noSuchAddress)}
			p.TypedStore, p.Wrong = longName, form.Wrong{Field: "store", Problem: b.T("person.no_store")}
		}))},
		{"person-disabled", "someone who can't sign in", admin.Person(personWith(b, func(p *admin.PersonPage) {
			p.Disabled, p.Sessions, p.Problem = true, nil, b.T("person.problem.disabled")
			p.State = admin.PersonState{Sign: "off", Words: b.T("people.state_of.disabled")}
		}))},
		{"person-oneself", "the last admin looks at themselves", admin.Person(personWith(b, func(p *admin.PersonPage) {
			p.Oneself, p.Last, p.Role, p.SeesAll, p.Every = true, true, "admin", true, true
			p.Name, p.Email = longName, longEmail
			p.Grants = []admin.GrantRow{{Words: b.T("person.every_store"), Note: b.T("person.also_later"), Field: "every", Value: "true"}}
		}))},
		{"reach", "everything that someone can still reach", admin.Reach(reach(b, reachRows(b)))},
		{"reach-nothing", "someone who was offboarded", admin.Reach(reachOf(b, func(p *admin.ReachPage) {
			p.Disabled, p.Notice, p.State = true, b.T("reach.taken"), admin.PersonState{Sign: "off", Words: b.T("people.state_of.disabled")}
		}))},
		{"reach-oneself", "the last admin looks at themselves", admin.Reach(reachOf(b, func(p *admin.ReachPage) {
			p.Name, p.Email, p.Role, p.Rows, p.Kept = longName, longEmail, "admin", []admin.ReachRow{{Kind: b.T("reach.kind.role"), Stores: b.T("reach.every_store"), Href: "/people/1"}}, b.T("reach.self")
		}))},
		{"groups", "groups and tags", admin.Groups(groupsPage(b))},
		{"groups-none", "no group, no store, a name that can't be", admin.Groups(admin.GroupsPage{
			Base: managing(b, b.T("people.tab.groups"), "/groups"), Name: longName, Wrong: form.Wrong{Field: "name", Problem: b.T("fault.name", "n", 60)}, TagWrong: form.Wrong{Field: "store", Problem: b.T("fault.gone_store")},
		})},
		{"group", "a group with losses", admin.Group(group(b, false))},
		{"group-empty", "a group without stores", admin.Group(group(b, true))},
		{"tokens", "tokens in every state", admin.Tokens(admin.TokensPage{Base: managing(b, b.T("people.tab.tokens"), "/tokens"), NewHref: "/tokens/new", Notice: b.T("tokens.is_revoked"), Rows: []admin.TokenRow{
			{Name: "weekly-sheet", MadeBy: "ida@fernhollow.example", Reads: b.T("people.group_named", "name", "North") + ", fernhollow", Made: now.AddDate(0, -2, 0), Used: now.Add(-time.Hour), Action: "/tokens/1/revoke"},
			{Name: longName, MadeBy: longEmail, Reads: b.T("people.every_store"), Made: now.AddDate(0, 0, -2), Action: "/tokens/2/revoke"},
			{Name: "old-script", MadeBy: "root", Reads: "kumo", Made: now.AddDate(-1, 0, 0), Used: now.AddDate(0, -3, 0), Revoked: now.AddDate(0, -3, 0)},
		}})},
		{"tokens-none", "no token yet", admin.Tokens(admin.TokensPage{Base: managing(b, b.T("people.tab.tokens"), "/tokens"), NewHref: "/tokens/new"})},
		{"token-new", "the form of a token, refused", admin.NewToken(admin.NewTokenPage{
			Base: managing(b, b.T("tokens.create"), "/tokens"), Name: "weekly-sheet",
			Reach: admin.ReachChoice{GroupChoices: groupChoices, StoreChoices: storeChoices, MoreStores: true},
			Wrong: form.Wrong{Field: "name", Problem: b.T("fault.name_taken")},
		})},
		{"branding", "our own", admin.Branding(admin.BrandingPage{Base: managing(b, b.T("people.tab.branding"), "/branding"), Own: true, MaxName: 40, MaxLogo: 512})},
		{"branding-draft", "a preview with a logo", admin.Branding(admin.BrandingPage{
			Base: branded(managing(b, b.T("people.tab.branding"), "/branding"), "Northwind Reporting", true), Name: "Northwind Reporting", Accent: "#ffd400", InLight: "#816a01", InDark: "#ffd400", HasLogo: true, Draft: true, MaxName: 40, MaxLogo: 512,
		})},
		{"branding-refused", "what is no colour, a long name", admin.Branding(admin.BrandingPage{
			Base: branded(managing(b, b.T("people.tab.branding"), "/branding"), strings.Repeat("W", 40), false), Name: strings.Repeat("W", 40), Accent: "red", MaxName: 40, MaxLogo: 512,
			Wrong: form.Wrong{Field: "accent", Problem: b.T("branding.problem.accent")},
		})},
		{"audit", "records of every kind, with a next page", admin.Audit(auditPage(b))},
		{"audit-filtered", "a filter that leaves nothing", admin.Audit(admin.AuditPage{
			Base: managing(b, b.T("people.tab.audit"), "/audit"), Abouts: auditAbouts(b), FileLines: 50_000, Filter: admin.AuditFilter{Who: "ida", About: "share", From: "2026-11-01"},
		})},
		{"audit-wrong", "a filter that can't be asked for", admin.Audit(admin.AuditPage{
			Base: managing(b, b.T("people.tab.audit"), "/audit"), Abouts: auditAbouts(b), FileLines: 50_000, Filter: admin.AuditFilter{From: "2026-11-20", To: "2026-11-01"},
			Wrong: form.Wrong{Field: "to", Problem: b.T("audit.problem.order")},
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
	groupChoices = []form.Choice{{Value: "1", Label: "North"}, {Value: "2", Label: longName}}
	storeChoices = []form.Choice{
		{Value: "brid", Label: "Bríd Wool"}, {Value: "dilmun", Label: "Dilmun Perfumes"}, {Value: "fernhollow", Label: "Fernhollow Outfitters"},
		{Value: "kumo", Label: "Kumo Tea"}, {Value: "long", Label: longName}, {Value: "wattle", Label: "Wattle Wear"},
	}
)

func roleChoices(b components.Base) (out []form.Choice) {
	for _, r := range []string{"viewer", "agency", "merchant", "admin"} {
		out = append(out, form.Choice{Value: r, Label: b.T("people.role." + r), Note: b.T("people.may." + r)})
	}
	return out
}

func lives(b components.Base) []form.Choice {
	return []form.Choice{{Value: "30m", Label: b.T("life.minutes", "n", 30)}, {Value: "4h", Label: b.T("life.hours", "n", 4)}, {Value: "72h", Label: b.Locale.Days(3)}}
}

// noSuchAddress is what a mail server says.
const noSuchAddress = "RCPT: 550 5.1.1 <sven@kumo.example>: Recipient address rejected: User unknown in virtual mailbox table"

func personRows(b components.Base) []admin.PersonRow {
	active := admin.PersonState{Sign: "active", Words: b.T("people.state_of.active")}
	return []admin.PersonRow{
		{Href: "/people/1", Name: "Ida Moreau", Email: "ida@fernhollow.example", Role: "admin", Sees: b.T("people.every_store"), TwoFactor: true, Ways: b.T("people.passkeys", "n", 2), SignedIn: now.Add(-time.Hour), State: active},
		{Href: "/people/2", Name: "Noor", Email: "noor@agency.example", Role: "agency", Sees: b.T("people.group_named", "name", "North") + ", Kumo Tea", Ways: b.T("people.password_only"), SignedIn: now.Add(-50 * time.Hour), State: active},
		{Href: "/people/3", Name: longName, Email: longEmail, Role: "merchant", Sees: b.T("people.and_more", "named", longName+", Bríd Wool, Dilmun Perfumes", "n", 14), TwoFactor: true, Ways: b.T("way.step.code") + ", " + b.T("way.step.passkey") + ", " + b.T("way.step.sso"), SignedIn: now, State: active},
		{Href: "/people/4", Name: "Sven", Email: "sven@kumo.example", Role: "viewer", Sees: "Kumo Tea", Ways: b.T("people.links_only"), State: admin.PersonState{Sign: "scheduled", Words: b.T("people.state_of.invited"), Note: b.T("people.state_of.until", "at", components.UTCMoment(b.Locale, now.Add(48*time.Hour))), MailProblem: b.T("people.state_of.mail_problem", "reason", noSuchAddress)}},
		{Href: "/people/5", Name: "Wim", Email: "wim@kumo.example", Role: "viewer", Sees: b.T("people.no_store"), Ways: b.T("people.links_only"), State: admin.PersonState{Sign: "waiting", Words: b.T("people.state_of.waiting"), Note: b.T("people.state_of.no_invitation")}},
		{Href: "/people/6", Name: "Old Hand", Email: "old@fernhollow.example", Role: "admin", Sees: b.T("people.every_store"), Ways: b.T("people.password_only"), SignedIn: now.AddDate(0, -7, 0), State: admin.PersonState{Sign: "off", Words: b.T("people.state_of.disabled")}},
	}
}

func person(b components.Base) admin.PersonPage {
	p := admin.PersonPage{
		Base: under(b, "Noor"), Name: "Noor El-Amin", Email: "noor@agency.example", Role: "agency", Joined: true,
		State: admin.PersonState{Sign: "active", Words: b.T("people.state_of.active")}, SignedIn: now.Add(-50 * time.Hour), Created: now.AddDate(0, -2, 0),
		Ways: []string{b.T("way.step.password"), b.T("way.step.code"), b.T("way.step.passkey")}, TwoFactor: true, Roles: roleChoices(b), Lives: lives(b), LinkLives: lives(b), Groups: groupChoices, Stores: storeChoices,
		Sessions: []admin.PersonSession{
			{Way: "passkey", Address: "192.0.2.44", Agent: "Firefox on Linux", Since: now.Add(-50 * time.Hour), Seen: now.Add(-time.Hour)},
			{Way: "password and code", Address: "2001:db8:85a3:8d3:1319:8a2e:370:7348", Agent: "Safari on iPhone", Since: now.Add(-150 * time.Hour), Seen: now.Add(-20 * time.Hour)},
		},
		Grants: []admin.GrantRow{
			{Words: "North", Note: b.T("person.of_group"), Field: "group", Value: "1"},
			{Words: "Kumo Tea", Note: "kumo", Field: "store", Value: "kumo"},
			{Words: longName, Note: "long", Field: "store", Value: "long"},
		},
		AuditHref: "/audit?who=noor%40agency.example", Notice: b.T("person.done.given"),
	}
	p.Base.Path = "/people/2"
	return p
}

func reach(b components.Base, rows []admin.ReachRow) admin.ReachPage {
	p := admin.ReachPage{
		Base: under(b, b.T("reach.title", "name", "Noor El-Amin")), Name: "Noor El-Amin", Email: "noor@agency.example", Role: "agency",
		State: admin.PersonState{Sign: "active", Words: b.T("people.state_of.active")}, Rows: rows, PersonHref: "/people/2", Action: "/people/2/offboard",
		Counts: []string{b.T("reach.count.group", "n", 1), b.T("reach.count.grant", "n", 1), b.T("reach.count.session", "n", 2), b.T("reach.count.token", "n", 1), b.T("reach.count.reader", "n", 1)},
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

func reachRows(b components.Base) []admin.ReachRow {
	return []admin.ReachRow{
		{Kind: b.T("reach.kind.group"), Text: "North", Stores: b.T("people.and_more", "named", "Bríd Wool, Kumo Tea, Wattle Wear", "n", 14), Since: now.AddDate(0, -2, 0), Href: "/groups/1"},
		{Kind: b.T("reach.kind.grant"), Stores: longName, Since: now.AddDate(0, -2, 0), Href: "/people/2"},
		{Kind: b.T("reach.kind.session"), Text: components.Agent(b.Locale, "Firefox on Linux") + ", 192.0.2.44", Stores: b.T("reach.held_stores"), Since: now.Add(-50 * time.Hour), Until: now.Add(100 * time.Hour), Href: "/people/2"},
		{Kind: b.T("reach.kind.session"), Text: components.Agent(b.Locale, "Safari on iPhone") + ", 2001:db8:85a3:8d3:1319:8a2e:370:7348", Stores: b.T("reach.held_stores"), Since: now.Add(-150 * time.Hour), Until: now.Add(20 * time.Hour), Href: "/people/2"},
		{Kind: b.T("reach.kind.token"), Text: "weekly-sheet", Stores: "Kumo Tea", Since: now.AddDate(0, -1, 0), Until: now.AddDate(0, 11, 0), Stopped: true, Href: "/tokens"},
		{Kind: b.T("reach.kind.share"), Text: "For the board, " + b.T("tab.overview") + ", " + b.T("tab.offers"), Stores: "Kumo Tea", Since: now.AddDate(0, 0, -3), Until: now.AddDate(0, 0, 27), Href: "/stores/kumo/shares"},
		{Kind: b.T("reach.kind.channel"), Text: "Shop, hooks.example.com", Stores: b.T("reach.held_stores"), Since: now.AddDate(0, 0, -30)},
		{Kind: b.T("reach.kind.reader"), Text: longEmail, Stores: "Kumo Tea", Since: now.AddDate(0, 0, -30), Href: "/snapshots/7"},
		{Kind: b.T("reach.sent_mails", "n", 8), Text: b.T("reach.sent_to", "n", 8, "address", longEmail), Stores: "Kumo Tea", Since: now.AddDate(0, 0, -56), Until: now.AddDate(0, 0, 55)},
		{Kind: b.T("reach.kind.restore"), Stores: "Old Shop", Since: now.AddDate(0, 0, -5), Until: now.AddDate(0, 0, 25), Href: "/stores/removed"},
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
		Base: managing(b, b.T("people.tab.groups"), "/groups"), Matched: 61, NextHref: "/groups?page=2", Query: "wool", Tags: []string{"EU", "key account", "<b>bold</b>", "a tag that is forty characters long, not 1"},
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
		Typed: admin.TaggedRow{Slug: "kumo"}, TagWrong: form.Wrong{Field: "tags", Problem: b.T("groups.problem.tags", "n", 20, "characters", 40)},
	}
}

func group(b components.Base, empty bool) admin.GroupPage {
	p := admin.GroupPage{Base: managing(b, "North", "/groups"), Name: "North", Typed: "North", Others: storeChoices}
	p.Base.Path = "/groups/1"
	if empty {
		p.Typed, p.Wrong = "South", form.Wrong{Field: "name", Problem: b.T("fault.name_taken")}
		return p
	}
	p.Stores, p.Tokens, p.Notice = storeChoices[:5], []string{"weekly-sheet"}, b.T("groups.done.put")
	p.People = []admin.LinkedName{{Name: "Noor", Href: "/people/2"}, {Name: longName, Href: "/people/3"}}
	p.Losses = []admin.LossRow{{Who: "Noor", Stores: []string{"Bríd Wool"}}, {Who: longName, Stores: []string{"Bríd Wool", longName}}, {Who: b.T("group.token_named", "name", "weekly-sheet"), Stores: []string{"Kumo Tea"}}}
	return p
}

func auditAbouts(b components.Base) (out []form.ChoiceGroup) {
	for _, actions := range [][]string{{"sign-in", "sign-in.succeeded", "sign-in.failed"}, {"share", "share.made"}} {
		about := b.T("audit.group." + actions[0])
		g := form.ChoiceGroup{Label: about, Choices: []form.Choice{{Value: actions[0], Label: b.T("audit.filter.all_of", "about", about)}}}
		for _, a := range actions[1:] {
			g.Choices = append(g.Choices, form.Choice{Value: a, Label: b.T("audit.action." + a)})
		}
		out = append(out, g)
	}
	return out
}

func auditPage(b components.Base) admin.AuditPage {
	p := admin.AuditPage{
		Base: managing(b, b.T("people.tab.audit"), "/audit"), Abouts: auditAbouts(b), FileLines: 50_000, OlderHref: "/audit?after=1", NewestHref: "/audit", Exports: components.Exports{Path: "/audit"},
	}
	today := civil.DateOf(now.UTC())
	p.Counts = []admin.AuditCount{
		{
			Day: today, What: b.T("audit.counted", "what", b.T("audit.counts.sign-in.failed", "n", 1204), "networks", b.T("audit.more_networks", "n", 200)),
			Abouts:   []admin.AuditTimes{{What: "ida@fernhollow.example", Times: 14}, {What: "noor@agency.example", Times: 1}},
			Networks: []admin.AuditTimes{{What: "198.51.100.7", Times: 311}, {What: "2001:db8:85a3::/48", Times: 44}, {What: b.T("audit.other_networks"), Times: 849}},
		},
		{Day: today, What: b.T("audit.counted", "what", b.T("audit.counts.sign-in.limited", "n", 3), "networks", b.T("audit.networks", "n", 1)), Networks: []admin.AuditTimes{{What: "198.51.100.7", Times: 3}}},
		{
			Day: today.AddDays(-1), What: b.T("audit.counted", "what", b.T("audit.counts.share.refused", "n", 1), "networks", b.T("audit.networks", "n", 1)),
			Abouts: []admin.AuditTimes{{What: "Board meeting, kumo", Times: 1}}, Networks: []admin.AuditTimes{{What: "203.0.113.9", Times: 1}},
		},
	}
	for i, r := range []admin.AuditRow{
		{Who: "ida@fernhollow.example", What: b.T("audit.action.sign-in.succeeded"), Subject: components.SignInWay(b.Locale, "password and code"), Address: "192.0.2.44"},
		{Who: b.T("audit.actor.someone"), Kind: b.T("audit.actor.not_signed_in"), What: b.T("audit.action.password.reset"), Subject: "ida@fernhollow.example", Address: "2001:db8:85a3:8d3:1319:8a2e:370:7348"},
		{Who: "ida@fernhollow.example", What: b.T("audit.action.person.role-changed"), Subject: "noor@agency.example: viewer → agency member", Address: "192.0.2.44"},
		{Who: "weekly-sheet", Kind: b.T("audit.actor.token"), What: b.T("audit.action.export.downloaded"), Subject: "fernhollow-history.csv", Store: "fernhollow", Address: "198.51.100.7"},
		{Who: "root", Kind: b.T("audit.actor.command"), What: b.T("audit.action.credential.rotated"), Subject: "upsell at https://upsell.example/data", Store: "brid"},
		{Who: "Board meeting", Kind: b.T("audit.actor.share"), What: b.T("audit.action.share.opened"), Store: "kumo", Address: "203.0.113.9"},
		{Who: "Storeglass", Kind: b.T("audit.actor.itself"), What: b.T("audit.action.store.purged"), Store: "old-shop"},
		{Who: "<script>alert(1)</script>a-very-long-address-without-any-place-to-break-it@an-equally-long-domain.example", What: b.T("audit.action.group.added"), Subject: "مجموعة الشمال <b>bold</b> and a name that is sixty characters long, no more", Address: "192.0.2.44"},
	} {
		r.At = now.Add(-time.Duration(i*i) * 37 * time.Minute)
		p.Rows = append(p.Rows, r)
	}
	return p
}
