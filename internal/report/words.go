package report

import (
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

// Words are what a mail says of its own, in its language: sentences of the catalogs of
// package locale. Numbers, amounts and days come to them written. What the services and
// people named stays as it is.
type Words struct{ l locale.Locale }

// Words are what the language says.
func (t Tongue) Words() Words { return Words{locale.Locale(t)} }

// Notice is a heading with its text.
type Notice struct{ Title, Text string }

// Around the numbers.

func (w Words) WeekNumber(n int) string         { return w.l.T("weekly.number", "n", n) }
func (w Words) ByDay() string                   { return w.l.T("weekly.by_day") }
func (w Words) NoDay() string                   { return w.l.T("weekly.no_day") }
func (w Words) WeekBefore(amount string) string { return w.l.T("weekly.week_before", "amount", amount) }
func (w Words) WorthDoing() string              { return w.l.T("weekly.to_do") }
func (w Words) MoreOnThePage(n int) string      { return w.l.T("weekly.more_on_page", "n", n) }
func (w Words) OpenOverview() string            { return w.l.T("weekly.open_overview") }
func (w Words) SameNumbers() string             { return w.l.T("weekly.same_numbers") }
func (w Words) NotInThisMail() string           { return w.l.T("weekly.not_in_mail") }
func (w Words) Revised() string                 { return w.l.T("weekly.revised") }
func (w Words) Change() string                  { return w.l.T("weekly.change") }
func (w Words) Stop() string                    { return w.l.T("weekly.stop") }
func (w Words) Preview() string                 { return w.l.T("weekly.preview") }
func (w Words) NoPDF() string                   { return w.l.T("weekly.no_pdf") }
func (w Words) Test(address string) string      { return w.l.T("weekly.test", "address", address) }
func (w Words) OpenInBrowser() string           { return w.l.T("weekly.open_in_browser") }

// EarlierReports stands before links to n earlier mails.
func (w Words) EarlierReports(n int) string { return w.l.T("weekly.earlier_reports", "n", n) }
func (w Words) AllReports(n int) string     { return w.l.T("weekly.all_reports", "n", n) }

func (w Words) ChangedSince(day, was, is string) string {
	return w.l.T("weekly.changed_since", "day", day, "was", was, "is", is)
}

// SentTo ends a mail: "Sent to … on Mondays, 08:00 New York time."
func (w Words) SentTo(address string, weekday time.Weekday, hour, clock string) string {
	if at, err := time.Parse("15:04", hour); err == nil {
		hour = w.l.Time(at)
	}
	return w.l.T("weekly.sent."+strings.ToLower(weekday.String()), "address", address, "hour", hour, "clock", clock)
}

// The week in a sentence. A week is empty where it is the last one, and its dates otherwise.

func whichWeek(week string) string {
	if week == "" {
		return "last_week"
	}
	return "week"
}

func (w Words) NoOfferYet(week string) string {
	return w.l.T("weekly.no_offer_yet."+whichWeek(week), "week", week)
}

func (w Words) NoNumbersYet(week string) string {
	return w.l.T("weekly.no_numbers_yet."+whichWeek(week), "week", week)
}

func (w Words) BroughtOn(value string, days int, week string) string {
	return w.l.T("weekly.brought_on."+whichWeek(week), "value", value, "days", days, "week", week)
}

func (w Words) SoldNothing(week string) string {
	return w.l.T("weekly.sold_nothing."+whichWeek(week), "week", week)
}

func (w Words) SoldNothingAfter(before, week string) string {
	return w.l.T("weekly.sold_nothing_after."+whichWeek(week), "before", before, "week", week)
}

func (w Words) Brought(value, week string) string {
	return w.l.T("weekly.brought."+whichWeek(week), "value", value, "week", week)
}

func (w Words) BroughtMore(value string, by Delta, week string) string {
	return w.l.T("weekly.brought_more."+whichWeek(week), "value", value, "change", by.Amount+" "+by.Word, "week", week)
}

func (w Words) BroughtAsMuch(value, week string) string {
	return w.l.T("weekly.brought_as_much."+whichWeek(week), "value", value, "week", week)
}

func (w Words) BroughtAfterNothing(value, week string) string {
	return w.l.T("weekly.brought_after_nothing."+whichWeek(week), "value", value, "week", week)
}

func (w Words) SubjectNoNumbers(dates string) string {
	return w.l.T("weekly.subject.no_numbers", "dates", dates)
}

func (w Words) SubjectNoOffers(dates string) string {
	return w.l.T("weekly.subject.no_offers", "dates", dates)
}

func (w Words) SubjectOn(value string, days int, dates string) string {
	return w.l.T("weekly.subject.brought_on", "value", value, "days", days, "dates", dates)
}

func (w Words) Subject(value, dates string) string {
	return w.l.T("weekly.subject.brought", "value", value, "dates", dates)
}

func (w Words) Preheader(orders, rate, window string) string {
	return w.l.T("weekly.preheader", "orders", orders, "rate", rate, "window", window)
}

// ComparedWith is about a week, or about fewer days.
func (w Words) ComparedWith(window string, week bool) string {
	if week {
		return w.l.T("weekly.compared.week", "window", window)
	}
	return w.l.T("weekly.compared.days", "window", window)
}

func (w Words) NotComparedAs(reason string) string {
	return w.l.T("weekly.not_compared", "reason", reason)
}
func (w Words) DaysAreMissing() string { return w.l.T("weekly.reason.days_missing") }
func (w Words) AnswerNotWhole() string { return w.l.T("weekly.reason.not_over") }
func (w Words) OtherCurrency() string  { return w.l.T("weekly.reason.currency") }
func (w Words) NotFullyStored(dates string) string {
	return w.l.T("weekly.reason.not_stored", "dates", dates)
}

// The tables and the numbers in them.

func (w Words) UpsoldValue() string               { return w.l.T("figure.upsold_value") }
func (w Words) UpsoldOrders() string              { return w.l.T("figure.upsold_orders") }
func (w Words) SuccessRate() string               { return w.l.T("figure.success_rate") }
func (w Words) AverageValue() string              { return w.l.T("figure.average_value") }
func (w Words) ShareOfOrders(orders int64) string { return w.l.T("figure.rate_of_orders", "n", orders) }
func (w Words) OffersSeen(times int64) string     { return w.l.T("figure.offers_seen", "n", times) }
func (w Words) LineIsBefore() string              { return w.l.T("weekly.line_is_before") }
func (w Words) DaysMissing(days string, n int) string {
	return w.l.T("weekly.days_missing", "days", days, "n", n)
}

func (w Words) Placements() string         { return w.l.T("weekly.placements") }
func (w Words) SideBySide() string         { return w.l.T("weekly.side_by_side") }
func (w Words) SwitchedOff() string        { return w.l.T("weekly.switched_off") }
func (w Words) NeverCreated() string       { return w.l.T("weekly.never_created") }
func (w Words) NoRowSent() string          { return w.l.T("weekly.no_row") }
func (w Words) RevenueNotReported() string { return w.l.T("weekly.revenue_not_reported") }
func (w Words) Impressions(n int64) string { return w.l.T("figure.impressions", "n", n) }
func (w Words) Claims(n int64) string      { return w.l.T("figure.claims", "n", n) }

func (w Words) BestEarners() string         { return w.l.T("weekly.best") }
func (w Words) OffersEarned(n int64) string { return w.l.T("weekly.offers_sold", "n", n) }
func (w Words) Deleted() string             { return w.l.T("weekly.deleted") }
func (w Words) MovedMost() string           { return w.l.T("weekly.moved_most") }
func (w Words) AgainstBefore() string       { return w.l.T("weekly.against_before") }
func (w Words) Was(amount string) string    { return w.l.T("weekly.was", "amount", amount) }

func (w Words) FreeGifts() string      { return w.l.T("weekly.gifts") }
func (w Words) NeverAdded() string     { return w.l.T("weekly.gifts_apart") }
func (w Words) GiftOrders() string     { return w.l.T("figure.gift_orders") }
func (w Words) GiftRevenue() string    { return w.l.T("figure.gift_revenue") }
func (w Words) GiftConversion() string { return w.l.T("figure.gift_conversion") }
func (w Words) ValueWithGift() string  { return w.l.T("figure.value_with_gift") }
func (w Words) ValueAllOrders() string { return w.l.T("figure.value_all_orders") }
func (w Words) UnitNotKnown() string   { return w.l.T("weekly.unit_not_known") }
func (w Words) NotReported() string    { return w.l.T("weekly.not_reported") }

func (w Words) AllTime() string       { return w.l.T("weekly.all_time") }
func (w Words) NotOfThisWeek() string { return w.l.T("weekly.all_time_apart") }
func (w Words) Orders(n int64) string { return w.l.T("figure.orders", "n", n) }
func (w Words) OfferViews() string    { return w.l.T("figure.offer_views") }
func (w Words) AllPlacements() string { return w.l.T("figure.all_placements") }

// What is missing, and why.

// Missing is about a part of the mail.
func (w Words) Missing(part, title, text string) string {
	if title = Sentence(title); w.l != locale.German { // whose nouns are capital
		title = LowerFirst(title)
	}
	return w.l.T("weekly.missing", "part", part, "reason", strings.TrimSpace(title+" "+Sentence(text)))
}

func (w Words) UpsellsOfTheWeek() string { return w.l.T("weekly.part.upsells") }
func (w Words) LivePlacements() string   { return w.l.T("weekly.part.live_placements") }
func (w Words) DailyLines() string       { return w.l.T("weekly.part.days") }
func (w Words) RankingOfOffers() string  { return w.l.T("weekly.part.ranking") }
func (w Words) GiftsOfTheWeek() string   { return w.l.T("weekly.part.gifts") }
func (w Words) ViewsNotReported() string { return w.l.T("weekly.views_not_reported") }

func (w Words) MissingCounted(days string, n int) string {
	return w.l.T("weekly.gap.counted", "days", days, "n", n)
}

func (w Words) MissingNotCounted(days string, n int) string {
	return w.l.T("weekly.gap.not_counted", "days", days, "n", n)
}

func (w Words) MissingBefore(days string, n int) string {
	return w.l.T("weekly.gap.before", "days", days, "n", n)
}

func (w Words) PlacementsWithout(days string, n int) string {
	return w.l.T("weekly.gap.placements", "days", days, "n", n)
}

func (w Words) GiftsWithout(days string, n int) string {
	return w.l.T("weekly.gap.gifts", "days", days, "n", n)
}

func (w Words) NoAnswerOfThisWeek() string { return w.l.T("weekly.no_answer") }
func (w Words) MovesNotKept() string       { return w.l.T("weekly.moves_not_kept") }

func (w Words) ChangedThisWeek(days string, n int) string {
	return w.l.T("weekly.changed.this_week", "days", days, "n", n)
}

func (w Words) ChangedBefore(days string, n int) string {
	return w.l.T("weekly.changed.before", "days", days, "n", n)
}

func (w Words) ConnectUpsells(store string) Notice {
	return Notice{w.l.T("state.connect.title", "store", store), w.l.T("state.connect.text")}
}

func (w Words) UpsellsNotConnected(store string) Notice {
	return Notice{w.l.T("state.upsells_not_connected.title"), w.l.T("state.upsells_not_connected.text", "store", store)}
}

func (w Words) GiftsNotConnected(store string) Notice {
	return Notice{w.l.T("state.gifts_not_connected.title"), w.l.T("state.gifts_not_connected.text", "store", store)}
}

func (w Words) FirstNumbersOnTheWay() Notice {
	return Notice{w.l.T("state.first_numbers.title"), w.l.T("state.first_numbers.text")}
}

// thing is one whose pull is on its way.
type thing string

const (
	theRanking      thing = "ranking"
	theAllTimeTotal thing = "all_time"
	theCoverage     thing = "coverage"
	theOfferCount   thing = "offer_count"
	theGiftResult   thing = "gift_result"
	theGiftPlan     thing = "gift_plan"
	theSetupHealth  thing = "setup_health"
)

func (w Words) OnTheWay(t thing) Notice {
	return Notice{w.l.T("state.on_the_way." + string(t)), w.l.T("state.pull_waits")}
}

// onItsWay is said of what is on pages alone, too.
func onItsWay(what string) Notice {
	return Notice{what + " is on its way", locale.English.T("state.pull_waits")}
}

func (w Words) NoDayStored(from, to, dates string) Notice {
	return Notice{w.l.T("state.no_day.title"), w.l.T("state.no_day.text", "from", from, "to", to, "dates", dates)}
}

// NoRanking names the days without a whole ranking.
func (w Words) NoRanking(days string) Notice {
	return Notice{w.l.T("state.no_ranking.title"), w.l.T("state.no_ranking.text", "days", days)}
}

func (w Words) NoOffers() Notice {
	return Notice{w.l.T("state.no_offers.title"), w.l.T("state.no_offers.text")}
}

func (w Words) NothingEarned() Notice {
	return Notice{w.l.T("state.nothing_earned.title"), w.l.T("state.nothing_earned.text")}
}

func (w Words) NoGiftAnswer() Notice {
	return Notice{w.l.T("state.no_gift_answer.title"), w.l.T("state.no_gift_answer.text")}
}

func (w Words) TwoCurrencies(before, after, day string) Notice {
	return Notice{w.l.T("state.two_currencies"), w.l.T("state.two_currencies_from_to", "before", before, "after", after, "day", day)}
}

func (w Words) CurrencyChanged(day string) Notice {
	return Notice{w.l.T("state.two_currencies"), w.l.T("state.currency_changed", "day", day)}
}

func (w Words) NoGiftRate() string      { return w.l.T("state.no_gift_rate") }
func (w Words) NoGiftAverage() string   { return w.l.T("state.no_gift_average") }
func (w Words) RepairedGiftDay() string { return w.l.T("state.filled_in_gift_day") }

func (w Words) NotPulledSince(day string) string {
	return w.l.T("state.not_updated_since", "day", day)
}
func (w Words) FirstTryFailed(ago string) string { return w.l.T("state.first_try_failed", "ago", ago) }
func (w Words) NeverPulled() string              { return w.l.T("state.never_updated") }
func (w Words) NotPulledAgain(days string) string {
	return w.l.T("state.days_not_updated", "days", days)
}
func (w Words) NotPulled(days string) string { return w.l.T("state.days_not_loaded", "days", days) }
func (w Words) Disconnected(service string) string {
	return w.l.T("state.disconnected." + service)
}
func (w Words) Overdue(ago string) string { return w.l.T("state.overdue", "ago", ago) }
func (w Words) NeedsPerson(service string) string {
	return w.l.T("state.needs_attention." + service)
}

// Told is why a pull brought nothing, by its outcome; text is what stands in the
// ledger, which is in English.
func (w Words) Told(outcome, text string) string {
	if w.l == locale.English {
		return text
	}
	switch outcome {
	case "refused", "quarantined", "paused":
	default:
		outcome = "failed"
	}
	return w.l.T("state.told." + outcome)
}

// Advice is what a person can do about a credential that is paused; text is what is
// stored with it, in English.
func (w Words) Advice(service, cause, text string) string {
	if w.l == locale.English {
		return text
	}
	if cause = strings.ToLower(cause); !locale.Has("state.advice." + service + "." + cause) {
		cause = "refused"
	}
	return w.l.T("state.advice." + service + "." + cause)
}

// Doubted is what is said of a token that is refused, as long as that may pass.
func (w Words) Doubted(service string, outage bool) Notice {
	if outage {
		return Notice{w.l.T("state.doubted.outage_title." + service), w.l.T("state.doubted.outage")}
	}
	return Notice{w.l.T("state.doubted.title." + service), w.l.T("state.doubted.text")}
}

// ChecksAgain says when a refused token is checked next.
func (w Words) ChecksAgain(day, clock string) string {
	return w.l.T("state.checks_again", "day", day, "time", clock)
}

// What can be done.

func (w Words) GiftWidgetOff(theme, fix string) Notice {
	s := Notice{Title: w.l.T("todo.widget_off.title")}
	if theme == "" {
		s.Text = w.l.T("todo.widget_off.text", "fix", fix)
	} else {
		s.Text = w.l.T("todo.widget_off.text_theme", "theme", theme, "fix", fix)
	}
	return s
}

func (w Words) ThemeWithoutBlocks() string { return w.l.T("todo.theme_without_blocks") }
func (w Words) NoCampaign() string         { return w.l.T("todo.no_campaign") }
func (w Words) NoActiveCampaign() string   { return w.l.T("todo.no_active_campaign") }

// Fix is what to do about an issue of the gift service; empty for one that we don't know.
func (w Words) Fix(code string) string {
	if code = strings.ToLower(code); !locale.Has("todo.fix." + code) {
		return ""
	}
	return w.l.T("todo.fix." + code)
}

func (w Words) PlacementOff(placement string, offers int64) Notice {
	return Notice{w.l.T("todo.placement_off.title", "placement", placement), w.l.T("todo.placement_off.text", "n", offers)}
}

func (w Words) SeeOffers(n int64) string { return w.l.T("todo.see_offers", "n", n) }

func (w Words) NeverMade(placements string) Notice {
	return Notice{w.l.T("todo.never_made.title", "placements", placements), w.l.T("todo.never_made.text")}
}

func (w Words) TooManyCampaigns() Notice {
	return Notice{w.l.T("todo.too_many_campaigns.title"), w.l.T("todo.too_many_campaigns.text")}
}

// OffersSoldNothing counts offers that were active on every day of the window.
func (w Words) OffersSoldNothing(n int64) Notice {
	return Notice{w.l.T("todo.sold_nothing.title", "n", n), w.l.T("todo.sold_nothing.text")}
}

func (w Words) ShowTheseOffers(n int64) string { return w.l.T("todo.show_offers", "n", n) }

func (w Words) LinesDiffer(reported, stitched string) Notice {
	return Notice{w.l.T("todo.days_differ.title"), w.l.T("todo.days_differ.text", "reported", reported, "stitched", stitched)}
}

func (w Words) MakeFirstOffer(orders int64) Notice {
	return Notice{w.l.T("todo.first_offer.title"), w.l.T("todo.first_offer.text", "n", orders)}
}

func (w Words) TriggersDeleted(offers int64) string {
	return w.l.T("todo.offers_with_deleted_trigger", "n", offers)
}

// TriggerDeleted is about n things of a kind: "product", "collection", "tag", or empty.
func (w Words) TriggerDeleted(kind string, n int) string {
	return w.l.T("todo.trigger_deleted."+kindOf(kind), "n", max(1, n))
}

func kindOf(kind string) string {
	if kind == "" || !locale.Has("todo.gone."+kind) {
		return "something"
	}
	return kind
}

func (w Words) StillName(offer string, others int64) string {
	return w.l.T("todo.still_name", "offer", offer, "n", others)
}

func (w Words) StillNames(offer, gone string, more int) string {
	switch {
	case gone == "":
		return w.l.T("todo.still_names.something", "offer", offer)
	case more == 0:
		return w.l.T("todo.still_names.single", "offer", offer, "gone", gone)
	}
	return w.l.T("todo.still_names.several", "offer", offer, "gone", gone, "n", more)
}

// Gone is what has no name any more.
func (w Words) Gone(kind string) string { return w.l.T("todo.gone." + kindOf(kind)) }
func (w Words) OpenOffer() string       { return w.l.T("todo.open_offer") }
func (w Words) Sync() string            { return w.l.T("todo.sync") }

// With numbers.

// Colon stands between a name and what is said of it.
func (w Words) Colon() string             { return w.l.T("unit.colon") }
func (w Words) Quoted(name string) string { return w.l.T("unit.quoted", "name", name) }
func (w Words) Days(n int) string         { return w.l.Days(n) }
func (w Words) DaysOf(n, of int) string   { return w.l.T("provenance.days_of", "counted", n, "n", of) }
func (w Words) PartOfADay() string        { return w.l.T("provenance.part_of_day") }
func (w Words) NoWindow() string          { return w.l.T("provenance.no_window") }
func (w Words) NotCompared() string       { return w.l.T("change.not_compared") }

func (w Words) Basis(b Basis) string {
	switch b {
	case Reported, Stitched, Derived:
	default:
		b = NotReported
	}
	return w.l.T("provenance.basis." + string(b))
}

// All stores of a reader.

func (w Words) OpenStores() string     { return w.l.T("digest.open_stores") }
func (w Words) OpenStore() string      { return w.l.T("digest.open_store") }
func (w Words) Stores(n int64) string  { return w.l.T("digest.stores", "n", n) }
func (w Words) NoStoreOpen() string    { return w.l.T("digest.no_store") }
func (w Words) NoneComparable() string { return w.l.T("digest.none_comparable") }

// YourStore is a headline; week is false where a part of a week is compared with as many
// days before it.
func (w Words) YourStore(moved Direction, week bool) string {
	if moved != Up && moved != Down {
		moved = Level
	}
	return w.l.T("digest.your_store." + string(moved) + "." + weekOrDays(week))
}

func weekOrDays(week bool) string {
	if week {
		return "week"
	}
	return "days"
}

func (w Words) StoresEarnedMore(more, of int64, week bool) string {
	return w.l.T("digest.earned_more."+weekOrDays(week), "more", more, "n", of)
}

// AndMissDays and AndNeedPerson follow a headline.
func (w Words) AndMissDays(n int64) string   { return w.l.T("digest.and_missing_days", "n", n) }
func (w Words) AndNeedPerson(n int64) string { return w.l.T("digest.and_need_attention", "n", n) }

func (w Words) DigestSubject(more, less int64, dates string) string {
	return w.l.T("digest.subject.more", "n", more) + ", " + w.l.T("digest.subject.less", "n", less) + ", " + dates
}

// WeekOf names the week of stores that count other days of it, as DaysByStore says.
func (w Words) WeekOf(dates string) string { return w.l.T("digest.week_of", "dates", dates) }
func (w Words) DaysByStore() string        { return w.l.T("digest.days_by_store") }

// ComparedByStore: with as many days before, which are other days for each store.
func (w Words) ComparedByStore() string { return w.l.T("digest.compared_by_store") }
func (w Words) OwnClocks() string       { return w.l.T("digest.own_clocks") }
func (w Words) ReportedAndStitched(reported, stitched int64) string {
	return w.l.T("digest.reported_and_stitched", "reported", reported, "stitched", stitched)
}

func (w Words) EarnedMore() string        { return w.l.T("digest.figure.more") }
func (w Words) EarnedLess() string        { return w.l.T("digest.figure.less") }
func (w Words) NeedPerson() string        { return w.l.T("digest.figure.need_attention") }
func (w Words) OfCompared(n int64) string { return w.l.T("digest.of_compared", "n", n) }
func (w Words) OfStores(n int64) string   { return w.l.T("digest.of_stores", "n", n) }
func (w Words) GrewMost() string          { return w.l.T("digest.grew_most") }
func (w Words) FellMost() string          { return w.l.T("digest.fell_most") }
func (w Words) AllStores() string         { return w.l.T("digest.all_stores") }
func (w Words) FirstByName(n, more int64) string {
	return w.l.T("digest.first_by_name", "n", n, "more", more)
}

// These three stand in place of a number or a change.
func (w Words) NoNumbers() string         { return w.l.T("digest.no_numbers") }
func (w Words) TwoCurrenciesHere() string { return w.l.T("digest.two_currencies") }
func (w Words) NoOffersHere() string      { return w.l.T("digest.no_offers") }

// UpsoldOf is under a store's value: "91 upsold orders · 14.2% of 640".
func (w Words) UpsoldOf(upsold int64, rate string, orders int64) string {
	return w.l.T("digest.upsold_of", "n", upsold, "rate", rate, "orders", orders)
}

func (w Words) LastGood() string { return w.l.T("digest.last_good") }

// Doubt is a flag of a number that may be off.
func (w Words) Doubt(f Flag) string {
	switch f {
	case FlagChanged, FlagDrift, FlagRateDisagrees, FlagIncomplete:
	default:
		f = "checking"
	}
	return w.l.T("provenance.doubt." + string(f))
}

// Need is why a store needs attention.
type Need string

const (
	NeedsNothing       Need = ""
	NeedsServices      Need = "services"
	needsUpsellToken   Need = "upsell_token"
	needsUpsellAddress Need = "upsell_address"
	needsGiftKey       Need = "gift_key"
	needsGiftAddress   Need = "gift_address"
	needsGiftPlan      Need = "gift_plan"
	needsGiftTrial     Need = "gift_trial"
	needsGiftApp       Need = "gift_app"
	NeedsEmbed         Need = "embed"
	NeedsCampaigns     Need = "campaigns"
	NeedsRevenue       Need = "revenue"
)

// StoreNeeds is why a store needs attention; since is empty where it is not known.
func (w Words) StoreNeeds(c Need, since string) string {
	text := w.l.T("store.need." + string(c))
	if since == "" {
		return text
	}
	return w.l.T("store.need_since", "need", text, "day", since)
}

func (w Words) StoreWithout(store string, c Cause) string {
	switch c {
	case CauseNeverConnected:
		return w.l.T("digest.without.not_connected", "store", store)
	case CauseFilling:
		return w.l.T("digest.without.filling", "store", store)
	}
	return w.l.T("digest.without.no_day", "store", store)
}

func (w Words) StoreInTwoCurrencies(store string) string {
	return w.l.T("digest.in_two_currencies", "store", store)
}

// StoreNotOver is about days that are not over on the store's clock.
func (w Words) StoreNotOver(store, days string, n int) string {
	return w.l.T("digest.not_over", "store", store, "days", days, "n", n)
}

func (w Words) StoreMissing(store, days string, n int) string {
	return w.l.T("digest.missing", "store", store, "days", days, "n", n)
}

// Uncompared is why a store's two weeks are not compared.
type Uncompared string

const (
	IsLastGood      Uncompared = "last_good"
	IsNotWhole      Uncompared = "not_over"
	BeforeNotStored Uncompared = "not_stored"
	BeforeNotWhole  Uncompared = "not_whole"
	BeforeOtherwise Uncompared = "currency"
)

// StoreNotCompared is about the week before: not stored, not whole, or in another currency.
func (w Words) StoreNotCompared(store string, c Uncompared) string {
	return w.l.T("digest.not_compared."+string(c), "store", store)
}

func (w Words) MoreNotWhole(n int64) string { return w.l.T("digest.more_not_whole", "n", n) }

// OffersExist begins a sentence: "3 offers exist,".
func OffersExist(n int64) string {
	if n == 1 {
		return "1 offer exists,"
	}
	return Count(n) + " offers exist,"
}

func IsOrAre(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}
