package gallery

import (
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	reportstores "github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/stores"
)

// storeSettingsPages are the ways of a store from its first look to its removal.
func storeSettingsPages(b components.Base) []Page {
	add := plain(b, b.T("nav.add_store"))
	add.Path, add.Tabs = "/stores/new", nil
	empty := func() stores.NewPage {
		return stores.NewPage{Base: add, RemovedHref: "/stores/removed", Services: []stores.ServiceInput{{Service: "upsell", Optional: true}, {Service: "gift", Optional: true}}}
	}
	refused := empty()
	refused.Services[0].Address, refused.Services[0].Answered = "https://upsell.example/shop/wattle-wear.example/v1", true
	refused.Services[1].Address = "https://gift.example/store-api/v1"
	refused.Services[1].Problem = b.T("state.advice.gift.refused") + " " + b.T("connect.refused.which.gift") + " " + b.T("alert.credential.said", "text", "This Store API key is not valid")
	known := empty()
	known.Problem, known.Action, known.Href = b.T("connect.refused.known", "store", "Wattle Wear"), b.T("connect.refused.to_settings"), "/stores/wattle-wear/settings"

	both := reportstores.Connection{Until: now.Add(14 * time.Minute), Services: []reportstores.CheckedService{
		{Found: reportstores.Found{Service: "upsell", Domain: "wattle-wear.example", Offers: 14, Currency: "AUD"}, Address: "https://upsell.example/shop/wattle-wear.example/v1", Tail: "4f2a"},
		{Found: reportstores.Found{Service: "gift", Domain: "wattle-wear.example", Currency: "AUD", Timezone: "Australia/Sydney", Plan: "Growth", Paid: new(true), ActiveCampaigns: new(int64(3))}, Address: "https://gift.example/store-api/v1", Tail: "91c7"},
	}}
	found := func(c reportstores.Connection, form stores.StoreInput) stores.FoundPage {
		base := add
		base.Path += "/canned"
		if report.IsTimezone(c.Timezone()) {
			form.Named = c.Timezone()
		}
		form.Zones = reportstores.ZoneChoices(b.Locale, now, form.Named)
		return stores.FoundPage{Base: base, Connection: c, Form: form, StartOver: "/stores/new"}
	}
	alone := reportstores.Connection{Until: both.Until, Services: both.Services[:1]}
	odd := reportstores.Connection{Until: both.Until, Services: []reportstores.CheckedService{
		{Found: reportstores.Found{Service: "upsell", Domain: unbroken + ".example", Untold: []string{"currency"}}, Address: "https://" + unbroken + ".example/v1"},
		{Found: reportstores.Found{Service: "gift", Plan: evil, Paid: new(false), Currency: evil, Timezone: evil, Issues: []gift.HealthIssue{{Code: "APP_EMBED_DISABLED", Message: evil}}, Untold: []string{"health"}}, Address: "https://gift.example/v1", Tail: "91c7"},
	}}
	wrong := stores.StoreInput{Slug: "New Shop", Timezone: "Asia/Tokyo", HistoryDays: "0", Pace: 50, Wrong: reportstores.Form{Slug: "New Shop", Timezone: "Asia/Tokyo"}.Wrong(b.Locale)}

	store := Fernhollow(b.Locale).Store
	day := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	good := []reportstores.StoredService{
		{StoredCredential: report.StoredCredential{Service: "upsell", State: "good"}, Address: "https://upsell.example/shop/fernhollow.example/v1", Tail: "4f2a", Domain: "fernhollow.example", ConnectedAt: day(120), ReplacedAt: day(3), LastGoodAt: now.Add(-12 * time.Minute)},
		{StoredCredential: report.StoredCredential{Service: "gift", State: "good"}, Address: "https://gift.example/store-api/v1", Tail: "91c7", Domain: "fernhollow.example", ConnectedAt: day(120), LastGoodAt: now.Add(-31 * time.Minute)},
	}
	settings := func(services []reportstores.StoredService, paused, may bool) stores.SettingsPage {
		base := at(b, store, "Settings")
		base.Path += "/settings"
		page := stores.SettingsPage{
			Base: base, Settings: reportstores.NewSettings(b.Locale, store, 90, paused, services, now), MayChange: may, Days: 30,
			Home: base.Path, SyncHref: "/stores/fernhollow/sync", ExportHref: "/stores/fernhollow/export.zip",
			Form: stores.StoreInput{Slug: store.Slug, Name: store.Name, Timezone: store.Timezone, HistoryDays: "90", Pace: 50, Zones: reportstores.ZoneChoices(b.Locale, now, store.Timezone)},
		}
		page.Goal = goalSection(b.Locale, "")
		if may {
			page.Goal.Action = base.Path + "/goal"
			page.PauseAction, page.ResumeAction = "/stores/fernhollow/sync/pause", "/stores/fernhollow/sync/resume"
		}
		return page
	}
	saved := settings(good, false, true)
	saved.Notice = b.T("settings.done.replaced")
	broken := settings([]reportstores.StoredService{
		{StoredCredential: report.StoredCredential{Service: "upsell", State: "paused", Cause: "token", Said: "Invalid token", PausedAt: day(9)}, Address: "https://" + unbroken + ".example/v1", Tail: "4f2a", ConnectedAt: day(120), LastGoodAt: day(9)},
	}, false, true)
	broken.Goal = wrongGoal(b.Locale, broken.Goal.Action)
	broken.Problems = map[string]string{"upsell": b.T("connect.refused.slow.upsell", "wait", b.T("problem.wait.seconds", "n", 15))}
	service := func(page stores.SettingsPage, name string, in stores.ServiceInput) stores.ServicePage {
		base := at(b, store, "Settings")
		base.Path += "/settings/" + name
		in.Service = name
		return stores.ServicePage{Base: base, Service: *page.Settings.Of(name), Input: in, Back: "/stores/fernhollow/settings"}
	}
	removing := at(b, store, "Settings")
	removing.Path += "/settings/remove"
	removed := plain(b, b.T("removal.removed"))
	removed.Path, removed.Tabs = "/stores/removed", nil
	long := LongNames(b.Locale).Store
	return []Page{
		{"store-new", "the first step", stores.New(empty())},
		{"store-new-refused", "one service answers, the other refuses its key", stores.New(refused)},
		{"store-new-known", "the shop is connected already", stores.New(known)},
		{"store-found", "what both services say, before anything is saved", stores.Found(found(both, stores.StoreInput{Slug: "wattle-wear", Name: "Wattle Wear", Timezone: "Australia/Sydney", HistoryDays: "90", Pace: 50}))},
		{"store-found-alone", "no service names the clock", stores.Found(found(alone, stores.StoreInput{Slug: "wattle-wear", Name: "Wattle Wear", HistoryDays: "90", Pace: 50}))},
		{"store-found-clock", "another clock than the gift service's", stores.Found(found(both, stores.StoreInput{Slug: "wattle-wear", Name: "Wattle Wear", Timezone: "Asia/Tokyo", HistoryDays: "90", Pace: 50}))},
		{"store-found-odd", "hostile and missing values, a form with mistakes", stores.Found(found(odd, wrong))},
		{"settings", "both services work", stores.Settings(saved)},
		{"settings-broken", "a refused token, a service that is not connected", stores.Settings(broken)},
		{"settings-read", "a reader who may only look, a paused store", stores.Settings(settings(good, true, false))},
		{"settings-token", "replacing a token", stores.Service(service(saved, "upsell", stores.ServiceInput{Address: good[0].Address, Wrong: form.Wrong{Problem: b.T("connect.refused.other_shop", "found", "lumen.example", "bound", "fernhollow.example")}}))},
		{"settings-connect", "connecting the other service later", stores.Service(service(broken, "gift", stores.ServiceInput{}))},
		{"settings-disconnect", "forgetting a service's token", stores.Disconnect(stores.ServicePage{Base: removing, Service: saved.Settings.Services[1], Back: "/stores/fernhollow/settings"})},
		{"settings-remove", "what removing does", stores.Remove(stores.RemovePage{Base: removing, Slug: "fernhollow", Days: 30, Back: "/stores/fernhollow/settings", ExportHref: "/stores/fernhollow/export.zip", Typed: "fern", Problem: b.T("removal.wrong", "slug", "fernhollow")})},
		{"removed", "what can be brought back", stores.Removed(stores.RemovedPage{Base: removed, Days: 30, Notice: b.T("removal.done"), Stores: []reportstores.Removed{
			{Store: store, By: "Ida Moreau", At: day(2), Until: day(-28)}, {Store: long, By: evil, At: day(29), Until: day(-1)},
		}})},
		{"removed-none", "nothing was removed", stores.Removed(stores.RemovedPage{Base: removed, Days: 30})},
	}
}
