package gallery

import (
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/mails"
)

// mailing is the base of a page about weekly mails.
func mailing(b components.Base, title, path string) components.Base {
	b = plain(b, title)
	b.Path = path
	b.Tabs = []components.Tab{{Label: b.T("tab.stores"), Href: "/"}, {Label: b.T("tab.weekly_mails"), Href: "/snapshots", Current: true}, {Label: b.T("tab.people"), Href: "/people"}}
	for _, t := range []components.Tab{{Label: b.T("mails.tab.subscriptions"), Href: "/snapshots"}, {Label: b.T("mails.tab.sent"), Href: "/snapshots/sent"}, {Label: b.T("mails.tab.suppressed"), Href: "/snapshots/suppressed"}} {
		t.Current = t.Href == path
		b.Sub = append(b.Sub, t)
	}
	return b
}

// mailPages are the pages about weekly mails, and those that their links lead to.
func mailPages(b components.Base) []Page {
	l, day := b.Locale, b.Locale.DayYear(civil.DateOf(now))
	at8 := b.T("common.stamp", "day", day, "time", l.Time(now))
	shown := []report.Store{Fernhollow(b.Locale).Store, {Slug: "kumo", Name: "Kumo Tea"}, {Slug: "brid", Name: "Bríd Wool"}, {Slug: "long", Name: longName}}
	list := mails.ListPage{
		Base: mailing(b, b.T("mails.title"), "/snapshots"), NewHref: "/snapshots/new", Action: "/snapshots", Mails: true, MayShare: true,
		Notice: b.T("mails.done.subscribed"), Stores: shown, Without: shown[1:],
		Own: []mails.SubscriptionRow{
			{Reader: "ida@fernhollow.example", When: weekly.When(l, 1, 8), Clock: l.Clock("Europe/London"), Language: "English", PDF: true, Sign: "active", State: b.T("mails.state.last", "day", day), EditHref: "/snapshots/1"},
			{Store: "Fernhollow Outfitters", Reader: "ida@fernhollow.example", When: weekly.When(l, 7, 23), Clock: l.Clock("America/New_York"), Language: "English", Sign: "active", State: b.T("mails.state.none"), EditHref: "/snapshots/2", PreviewHref: "/stores/fernhollow/snapshot"},
		},
		Others: []mails.SubscriptionRow{
			{Store: "Fernhollow Outfitters", Reader: "noor@agency.example", Name: "Noor", When: weekly.When(l, 1, 8), Clock: l.Clock("America/New_York"), Language: "English", Sign: "active", State: b.T("mails.state.last", "day", day)},
			{Store: "Fernhollow Outfitters", Reader: "board@fernhollow.example", MadeBy: "Ida Moreau", When: weekly.When(l, 2, 7), Clock: l.Clock("America/New_York"), Language: "English", Sign: "waiting", State: b.T("mails.state.asked", "day", day), EditHref: "/snapshots/4"},
			{Store: "Kumo Tea", Reader: "sven@agency.example", Name: "Sven", When: weekly.When(l, 1, 8), Clock: l.Clock("Asia/Tokyo"), Language: "English", Sign: "off", State: b.T("mails.state.disabled")},
			{Store: longName, Reader: longEmail, MadeBy: longName, When: weekly.When(l, 3, 8), Clock: l.Clock("America/Argentina/Buenos_Aires"), Language: "English", PDF: true, Sign: "expired", State: b.T("mails.state.silent"), AskAction: "/snapshots/5/ask", EditHref: "/snapshots/5"},
		},
	}
	first := mails.ListPage{Base: mailing(b, b.T("mails.title"), "/snapshots"), NewHref: "/snapshots/new", Action: "/snapshots", Stores: shown[:1], Without: shown[:1]}
	first.Sub = nil
	nothing := first
	nothing.Without, nothing.Stores, nothing.Mails = nil, nil, true
	alone := list
	alone.Own, alone.Others, alone.Without, alone.WithoutAll, alone.Notice = nil, nil, shown, true, ""
	alone.Problem = b.T("mails.wrong.many", "n", 4)
	form := mails.SubscriptionPage{
		Base: mailing(b, b.T("mails.form.new"), ""), Action: "/snapshots", BackHref: "/snapshots", Form: weekly.NewForm(), Stores: shown, All: true,
		Zones: stores.ZoneChoices(b.Locale, now, ""), Mails: true, Prints: true,
	}
	form.Sub, form.Form.Slug = nil, "fernhollow"
	other := form
	other.Other, other.Form.Address = true, "board@fernhollow.example"
	other.Wrong = map[string]string{"address": b.T("mails.wrong.asked")}
	change := form
	change.Title, change.Action, change.EndAction, change.Store, change.Address, change.Clock, change.Own = b.T("mails.form.change"), "/snapshots/2", "/snapshots/2/end", longName, longEmail, l.Clock("America/New_York"), true
	all := change
	all.Store, all.Form.Zone, all.Mails = "", "Europe/London", false
	all.Wrong = map[string]string{"zone": b.T("mails.wrong.zone"), "": b.T("mails.wrong.already")}
	state := func(value fact.MailState, sign, name string) mails.MailState {
		return mails.MailState{Value: value, Sign: sign, Words: b.T("mails.delivery." + name)}
	}
	states := []mails.MailState{
		state("waiting", "waiting", "waiting"), state("ready", "scheduled", "ready"), state("sent", "active", "sent"), state("refused", "person", "refused"),
		state("given up", "person", "given_up"), state("suppressed", "off", "suppressed"), state("ended", "expired", "ended"),
	}
	sent := mails.DeliveriesPage{
		Base: mailing(b, b.T("mails.tab.sent"), "/snapshots/sent"), Stores: shown, States: states, OlderHref: "/snapshots/sent?before=1-1", NewestHref: "/snapshots/sent", Mails: true,
		Notice: b.T("mails.sent.resent"),
	}
	for i, s := range states {
		r := mails.DeliveryRow{
			Store: "Fernhollow Outfitters", Reader: "ida@fernhollow.example", Week: l.Dates(civil.DateOf(now).AddDays(-6), civil.DateOf(now)), Due: at8, Clock: l.Clock("America/New_York"), State: s, Tries: int64(i),
		}
		switch s.Value {
		case "waiting":
			r.Store, r.At, r.Reason = "", b.T("mails.sent.next", "time", at8), b.T("mails.sent.cause.waiting")
		case "ready":
			r.Subject, r.At = "Fernhollow Outfitters: $11,943.49, 7.9% more", b.T("mails.sent.next", "time", at8)
		case "sent":
			r.Subject, r.At, r.Action = "Fernhollow Outfitters: $11,943.49, 7.9% more", b.T("mails.sent.at", "time", at8), "/snapshots/sent/3/resend"
		case "refused":
			r.Store, r.Reader, r.Subject, r.Action = longName, longEmail, longName, "/snapshots/sent/4/resend"
			r.Reason = "The server refused the reader: 550 5.1.1 <" + longEmail + ">: Recipient address rejected: User unknown in virtual mailbox table"
		case "given up":
			r.Reason, r.Action = "The server refused the mail: 451 4.7.1 Try again later", "/snapshots/sent/5/resend"
		case "suppressed":
			r.Reason, r.Action = b.T("mails.sent.cause.suppressed"), "/snapshots/sent/6/resend"
		case "ended":
			r.Reason = b.T("mails.sent.cause.ended")
		}
		sent.Rows = append(sent.Rows, r)
	}
	preview := mails.PreviewPage{
		Base: at(b, Fernhollow(b.Locale).Store, ""), Language: "en", PrevHref: "/stores/fernhollow/snapshot?week=2026-11-02", Latest: "2026-11-19",
		TestAction: "/stores/fernhollow/snapshot/test", To: "ida@fernhollow.example", Mails: true, Notice: b.T("mails.preview.sent", "address", "ida@fernhollow.example"),
		Mail: weekly.WrittenMail{
			Week: report.Window{Start: civil.Date{Year: 2026, Month: 11, Day: 9}, End: civil.Date{Year: 2026, Month: 11, Day: 15}}, Complete: true,
			Subject: "Fernhollow Outfitters: $11,943.49, 7.9% more than the week before", Text: "Fernhollow Outfitters\n\nUpsells brought $11,943.49 last week,\n7.9% more than the week before.\n",
		},
	}
	early := preview
	early.Base, early.Mails, early.Notice, early.To, early.Mail.Subject, early.Mail.Complete = at(b, LongNames(b.Locale).Store, ""), false, "", longEmail, longName, false
	early.Problem, early.NextHref, early.Mail.Text = b.T("mails.wrong.no_server"), "/stores/fernhollow/snapshot", longName
	visitor := plain(b, b.T("mails.preview.title"))
	visitor.Tabs, visitor.Reader = nil, &components.Reader{}
	offer := weekly.Offer{Store: "Fernhollow Outfitters", Timezone: "America/New_York", Address: "board@fernhollow.example", By: "Ida Moreau", Weekday: 1, Hour: 8, Until: now.Add(7 * 24 * time.Hour)}
	with := func(change func(*weekly.Offer)) mails.MailLinkPage {
		o := offer
		change(&o)
		return mails.MailLinkPage{Base: visitor, Offer: o}
	}
	return []Page{
		{"mails", "subscriptions in every state", mails.List(list)},
		{"mails-first", "one store, nothing subscribed, no mail server", mails.List(first)},
		{"mails-alone", "several stores, nobody subscribed, refused", mails.List(alone)},
		{"mails-no-store", "someone who holds nothing", mails.List(nothing)},
		{"mail-new", "the form of a subscription", mails.Subscription(form)},
		{"mail-other", "the form for someone else, refused", mails.Subscription(other)},
		{"mail-change", "the form of one that is there", mails.Subscription(change)},
		{"mail-change-all", "the mail about all stores, refused, no mail server", mails.Subscription(all)},
		{"mails-sent", "mails in every state", mails.Deliveries(sent)},
		{"mails-sent-none", "no mail yet", mails.Deliveries(mails.DeliveriesPage{Base: mailing(b, b.T("mails.tab.sent"), "/snapshots/sent"), States: states, Problem: b.T("mails.wrong.on_its_way")})},
		{"mails-sent-no-match", "a filter that leaves all out", mails.Deliveries(mails.DeliveriesPage{Base: mailing(b, b.T("mails.tab.sent"), "/snapshots/sent"), States: states, Stores: shown, State: "refused", Mails: true})},
		{"mails-suppressed", "addresses that nothing is sent to", mails.Suppressed(mails.SuppressedPage{
			Base: mailing(b, b.T("mails.blocked.title"), "/snapshots/suppressed"), Action: "/snapshots/suppressed", Notice: b.T("mails.blocked.freed"),
			Rows: []weekly.Suppression{{Address: "gone@fernhollow.example", Cause: locale.Text("550 5.1.1 User unknown"), At: now.AddDate(0, 0, -6)}, {Address: longEmail, Cause: locale.Text(longName), At: now}},
		})},
		{"mails-suppressed-none", "no such address", mails.Suppressed(mails.SuppressedPage{Base: mailing(b, b.T("mails.blocked.title"), "/snapshots/suppressed"), Action: "/snapshots/suppressed"})},
		{"mail-preview", "a mail before it is sent, without its frames", mails.Preview(preview)},
		{"mail-preview-early", "data missing, no mail server, long names", mails.Preview(early)},
		{"mail-confirm", "an address is asked", mails.ConfirmMail(with(func(*weekly.Offer) {}))},
		{"mail-confirmed", "it has said yes", mails.ConfirmMail(with(func(o *weekly.Offer) { o.Confirmed = true }))},
		{"mail-confirm-hostile", "by names that go on", mails.ConfirmMail(with(func(o *weekly.Offer) { o.Store, o.By, o.Address = longName, longName, longEmail }))},
		{"mail-stop", "the link at a mail’s end", mails.Unsubscribe(with(func(*weekly.Offer) {}))},
		{"mail-stopped", "it has ended", mails.Unsubscribe(with(func(o *weekly.Offer) { o.Ended = true }))},
		{"mail-stopped-account", "of someone with an account, about all stores", mails.Unsubscribe(with(func(o *weekly.Offer) { o.Ended, o.Account, o.Store = true, true, "" }))},
	}
}
