package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// english is what the pages say too.
type english struct{}

func (english) WeekNumber(n int) string         { return "week " + strconv.Itoa(n) }
func (english) ByDay() string                   { return "Upsold value by day" }
func (english) NoDay() string                   { return "missing" }
func (english) WeekBefore(amount string) string { return "week before " + amount }
func (english) WorthDoing() string              { return "To do this week" }
func (english) MoreOnThePage(n int) string      { return "And " + strconv.Itoa(n) + " more on the page." }
func (english) OpenOverview() string            { return "Open the overview" }
func (english) SameNumbers() string             { return "Same numbers, with where each one comes from." }
func (english) NotInThisMail() string           { return "Not in this mail" }
func (english) Revised() string                 { return "Revised" }
func (english) Change() string                  { return "Change" }
func (english) Stop() string                    { return "Stop these mails" }
func (english) Preview() string                 { return "A preview: sent to nobody." }

func (english) NoPDF() string              { return "The PDF: it could not be made on this server." }
func (english) Test(address string) string { return "A test, sent to " + address + " alone." }
func (english) OpenInBrowser() string      { return "Open in a browser" }
func (english) EarlierReports(n int) string {
	if n == 1 {
		return "We could not send 1 earlier report. It is here:"
	}
	return fmt.Sprintf("We could not send %d earlier reports. They are here:", n)
}
func (english) AllReports(n int) string { return fmt.Sprintf("All %d reports", n) }

func (english) ChangedSince(day, was, is string) string {
	return day + ": was " + was + " in the last mail, is now " + is + "."
}

func (english) SentTo(address string, weekday time.Weekday, hour, clock string) string {
	return "Sent to " + address + " on " + weekday.String() + "s, " + hour + " " + clock + "."
}

// in is "last week" or "in the week of 26 Oct – 1 Nov 2026".
func (english) in(week string) string {
	if week == "" {
		return "last week"
	}
	return "in the week of " + week
}

// of is "of last week" or "in the week of 26 Oct – 1 Nov 2026".
func (e english) of(week string) string {
	if week == "" {
		return "of last week"
	}
	return e.in(week)
}

func (e english) NoOfferYet(week string) string {
	return "There is no offer yet, so upsells brought in nothing " + e.in(week) + "."
}

func (e english) NoNumbersYet(week string) string {
	return "There are no upsell numbers " + e.of(week) + " yet."
}

func (e english) BroughtOn(value string, days int, week string) string {
	return fmt.Sprintf("Upsells brought in %s on %d of 7 days %s.", value, days, e.of(week))
}

func (e english) SoldNothing(week string) string { return "No upsell was sold " + e.in(week) + "." }

func (e english) SoldNothingAfter(before, week string) string {
	return "No upsell was sold " + e.in(week) + ", after " + before + " the week before."
}

func (e english) Brought(value, week string) string {
	return "Upsells brought in " + value + " " + e.in(week) + "."
}

func (e english) BroughtMore(value string, by Delta, week string) string {
	return "Upsells brought in " + value + " " + e.in(week) + ", " + by.Amount + " " + by.Word + " than the week before."
}

func (e english) BroughtAsMuch(value, week string) string {
	return "Upsells brought in " + value + " " + e.in(week) + ", as much as the week before."
}

func (e english) BroughtAfterNothing(value, week string) string {
	return "Upsells brought in " + value + " " + e.in(week) + "; the week before brought in nothing."
}

func (english) SubjectNoNumbers(dates string) string { return "no upsell numbers yet for " + dates }
func (english) SubjectNoOffers(dates string) string  { return "no offers yet, " + dates }

func (english) SubjectOn(value string, days int, dates string) string {
	return fmt.Sprintf("%s from upsells on %d of 7 days, %s", value, days, dates)
}

func (english) Subject(value, dates string) string { return value + " from upsells, " + dates }

func (english) Preheader(orders, rate, window string) string {
	return orders + " upsold orders, success rate " + rate + ". " + window
}

func (english) ComparedWith(window string, _ bool) string { return "compared with " + window }
func (english) NotComparedAs(reason string) string        { return "not compared: " + reason }
func (english) DaysAreMissing() string                    { return "days of this week are missing" }
func (english) AnswerNotWhole() string {
	return "a day of this week was not over when its numbers came"
}
func (english) OtherCurrency() string              { return "the week before was in another currency" }
func (english) NotFullyStored(dates string) string { return dates + " is not fully stored" }
func (english) UpsoldValue() string                { return "Upsold value" }
func (english) UpsoldOrders() string               { return "Upsold orders" }
func (english) SuccessRate() string                { return "Upsell success rate" }
func (english) AverageValue() string               { return "Average upsold value" }
func (e english) ShareOfOrders(orders int64) string {
	return "Success rate: share of all " + e.Orders(orders) + "."
}

func (english) OffersSeen(times int64) string {
	return "Offers were seen " + Plural(times, "time", "times") + "."
}

func (english) LineIsBefore() string { return "line: same weekday, week before" }
func (english) DaysMissing(days string, n int) string {
	return days + isOrAre(n) + " missing"
}

func (english) Placements() string         { return "Placements" }
func (english) SideBySide() string         { return "side by side, never summed" }
func (english) SwitchedOff() string        { return "switched off" }
func (english) NeverCreated() string       { return "never created" }
func (english) NoRowSent() string          { return "no row sent" }
func (english) RevenueNotReported() string { return "revenue not reported" }
func (english) Impressions(n int64) string { return Plural(n, "impression", "impressions") }
func (english) Claims(n int64) string      { return Plural(n, "claim", "claims") }

func (english) BestEarners() string         { return "Best earners" }
func (english) OffersEarned(n int64) string { return Plural(n, "offer", "offers") + " had sales" }
func (english) Deleted() string             { return "deleted" }
func (english) MovedMost() string           { return "Moved most" }
func (english) AgainstBefore() string       { return "against the week before" }
func (english) Was(amount string) string    { return "was " + amount }

func (english) FreeGifts() string      { return "Free gifts" }
func (english) NeverAdded() string     { return "never added to upsells" }
func (english) GiftOrders() string     { return "Gift orders" }
func (english) GiftRevenue() string    { return "Gift revenue" }
func (english) GiftConversion() string { return "Gift conversion" }
func (english) ValueWithGift() string  { return "Order value with a gift" }
func (english) ValueAllOrders() string { return "Order value, all orders" }
func (english) UnitNotKnown() string   { return "unit not known, so not shown" }
func (english) NotReported() string    { return "not reported" }

func (english) AllTime() string       { return "All time" }
func (english) NotOfThisWeek() string { return "not of this week" }
func (english) Orders(n int64) string { return Plural(n, "order", "orders") }
func (english) OfferViews() string    { return "Offer views" }
func (english) AllPlacements() string { return "impressions, all four placements" }

func (english) Missing(part, title, text string) string {
	return part + ": " + strings.TrimSpace(lowerFirst(sentence(title))+" "+sentence(text))
}

func (english) UpsellsOfTheWeek() string { return "Upsells of the week" }
func (english) LivePlacements() string   { return "Which placements are live" }
func (english) DailyLines() string       { return "The daily lines" }
func (english) RankingOfOffers() string  { return "The ranking of offers" }
func (english) GiftsOfTheWeek() string   { return "Gift figures of the week" }
func (english) ViewsNotReported() string { return "Offer views of the week: not reported." }

func (english) MissingCounted(days string, n int) string {
	return days + isOrAre(n) + " missing from the daily lines. The total of the week is as reported and includes " + itOrThem(n) + "."
}

func (english) MissingNotCounted(days string, n int) string {
	return days + isOrAre(n) + " missing from the daily lines. The true total is higher by what was sold then."
}

func (english) MissingBefore(days string, n int) string {
	return days + " of the week before" + isOrAre(n) + " missing from the daily lines."
}

func (english) PlacementsWithout(days string, n int) string {
	return "Placements: " + days + isOrAre(n) + " not in their sums."
}

func (english) GiftsWithout(days string, n int) string {
	return "Free gifts: " + days + isOrAre(n) + " not in their sums."
}

func (english) NoAnswerOfThisWeek() string { return "no answer of this week is stored" }

func (english) MovesNotKept() string {
	return "Offers that moved most: the ranking of the week before is not kept."
}

func (english) ChangedThisWeek(days string, _ int) string {
	return days + " of this week changed after the first pull; the numbers here are the newest."
}

func (english) ChangedBefore(days string, _ int) string {
	return days + " of the week before changed after the first pull; the numbers here are the newest."
}

func (english) ConnectUpsells(store string) saying {
	return saying{"Connect " + store + " to see what its upsells earn", "No upsell service has been connected, so there is nothing to show yet. It takes a read-only token from the app's settings, Developer Tools."}
}

func (english) UpsellsNotConnected(store string) saying {
	return saying{"Upsells are not connected", "No upsell service has been connected for " + store + ". It takes a read-only token from the app's settings, Developer Tools."}
}

func (english) GiftsNotConnected(store string) saying {
	return saying{"Free gifts are not connected", "No gift service has been connected for " + store + ". It takes a read key from the app's settings, Store API."}
}

func (english) FirstNumbersOnTheWay() saying {
	return saying{"The first numbers are on their way", "The store is connected and its first pulls are waiting for their turn."}
}

func (english) OnTheWay(t thing) saying {
	what := [...]string{
		theRanking: "The ranking", theAllTimeTotal: "The all-time total", theCoverage: "Coverage", theOfferCount: "The offer count",
		theGiftResult: "The gift result", theGiftPlan: "The gift plan", theSetupHealth: "Setup health",
	}[t]
	return onItsWay(what)
}

// onItsWay is said of what is on pages alone, too.
func onItsWay(what string) saying {
	return saying{what + " is on its way", "The store is connected; this pull is waiting for its turn."}
}

func (english) NoDayStored(from, to, dates string) saying {
	return saying{"No day of this window is stored", "Stored history reaches from " + from + " to " + to + ". " + dates + " lies outside it."}
}

func (english) NoRanking(days string) saying {
	return saying{"No ranking for this window", "The service ranks 7, 30 and 90 days ending yesterday. Other windows are added up from daily rankings, and these days have no complete one: " + days + "."}
}

func (english) NoOffers() saying {
	return saying{"No offers yet in this store", "The service answered: 0 offers, in any status. These zeros are real."}
}

func (english) NothingEarned() saying {
	return saying{"No offer earned anything in this window", "The service answered with an empty ranking. Offers that earned nothing are not ranked."}
}

func (english) NoGiftAnswer() saying {
	return saying{"No gift answer for this window", "The gift service answers for 1, 7, 30, 90 and 365 days that end yesterday. Other windows are made from stored days, and no day of this one is stored."}
}

func (english) TwoCurrencies(before, after, day string) saying {
	return saying{"Two currencies in one window", "The store changed from " + before + " to " + after + " on " + day + ". Amounts of two currencies are not added: choose a window on one side of that day."}
}

func (english) CurrencyChanged(day string) saying {
	return saying{"Two currencies in one window", "The store changed its currency on " + day + ". Choose a window on one side of that day."}
}

func (english) NoGiftRate() string {
	return "The service sends the rate without its parts, and rates of days are never averaged."
}

func (english) NoGiftAverage() string {
	return "The service sends the average without its parts, and averages of days are never averaged."
}

func (english) RepairedGiftDay() string { return "A repaired day has orders and revenue alone." }

func (english) NotPulledSince(day string) string {
	return "Not pulled since " + day + ". You are seeing the last good numbers."
}

func (english) FirstTryFailed(ago string) string {
	return "Never pulled yet: the first try failed " + ago + "."
}

func (english) NeverPulled() string { return "Never pulled yet." }

func (english) NotPulledAgain(days string) string {
	return days + " could not be pulled again. You are seeing the last good numbers."
}

func (english) NotPulled(days string) string { return days + " could not be pulled." }

func (english) Disconnected(service string) string {
	return "The " + service + " service was disconnected: nothing newer is pulled."
}

func (english) Overdue(ago string) string {
	return "The next pull was due " + ago + " and has not been made: is the worker running?"
}

func (english) NeedsPerson(service string) string {
	return "The " + service + " service needs attention."
}

func (english) Told(_, text string) string      { return text }
func (english) Advice(_, _, text string) string { return text }

func (english) Doubted(service string, outage bool) saying {
	if outage {
		return saying{"The " + service + " service is refusing many stores’ tokens.", "That is likely a problem on its side. Nothing to do yet: Storeglass keeps checking and continues by itself."}
	}
	return saying{serviceToken(service) + " was refused.", "That often passes. Nothing to do yet: Storeglass keeps checking and continues by itself."}
}

func (english) ChecksAgain(day, clock string) string {
	return "Next check: " + day + " at " + clock + "."
}

func (english) GiftWidgetOff(theme, fix string) saying {
	s := saying{"The gift widget can’t appear", "The app embed is off in the live theme."}
	if theme != "" {
		s.text = "The app embed is off in the live theme, " + theme + "."
	}
	s.text += " " + fix
	return s
}

func (english) ThemeWithoutBlocks() string { return "The live theme can’t show the gift widget" }
func (english) NoCampaign() string         { return "No gift campaign exists" }
func (english) NoActiveCampaign() string   { return "No gift campaign is active" }
func (english) Fix(code string) string     { return fixes[code] }

func (english) PlacementOff(placement string, offers int64) saying {
	return saying{placement + ": switched off", OffersExist(offers) + " none is active."}
}

func (english) SeeOffers(n int64) string {
	if n == 1 {
		return "See the offer"
	}
	return "See the " + Count(n) + " offers"
}

func (english) NeverMade(placements string) saying {
	return saying{"Never created: " + placements, "No offer was ever made there, in any status."}
}

func (english) TooManyCampaigns() saying {
	return saying{"More campaigns than the gift plan allows", "Switch campaigns off or change the plan in the gift app."}
}

func (english) OffersSoldNothing(n int64) saying {
	return saying{
		Plural(n, "active offer", "active offers") + " sold nothing in this window",
		"Counted are offers that were active on every day of it, not scheduled, expired or newer ones.",
	}
}

func (english) ShowTheseOffers(n int64) string {
	if n == 1 {
		return "Show this offer"
	}
	return "Show these offers"
}

func (english) LinesDiffer(reported, stitched string) saying {
	return saying{"Daily lines and the reported total differ", "Reported " + reported + ", sum of stored days " + stitched + ". The days are being pulled again."}
}

func (english) MakeFirstOffer(orders int64) saying {
	return saying{"Make the first offer", Plural(orders, "order", "orders") + " passed without an upsell."}
}

func (english) TriggersDeleted(offers int64) string {
	return Count(offers) + " offers have a deleted trigger"
}

func (english) TriggerDeleted(kind string, n int) string {
	switch {
	case kind == "":
		return "A trigger points to something that was deleted"
	case n > 1:
		return Plural(int64(n), "trigger "+kind+" was", "trigger "+kind+"s were") + " deleted"
	}
	return "A trigger " + kind + " was deleted"
}

func (english) StillName(offer string, others int64) string {
	if others == 1 {
		return offer + " and 1 other offer point to deleted products or collections."
	}
	return offer + " and " + Count(others) + " other offers point to deleted products or collections."
}

func (english) StillNames(offer, gone string, more int) string {
	switch {
	case gone == "":
		return offer + " points to a deleted product or collection."
	case more == 0:
		return offer + " still points to " + gone + "."
	}
	return offer + " still points to " + gone + " and " + Count(int64(more)) + " more."
}

func (english) Gone(kind string) string {
	if kind == "" {
		return "something that was deleted"
	}
	return "a deleted " + kind
}

func (english) OpenOffer() string { return "Open the offer" }
func (english) Sync() string      { return "Sync" }

func (english) Colon() string             { return ": " }
func (english) And() string               { return "and" }
func (english) Quoted(name string) string { return "“" + name + "”" }
func (english) Days(n int) string         { return DaysWord(n) }
func (e english) DaysOf(n, of int) string { return strconv.Itoa(n) + " of " + e.Days(of) }
func (english) PartOfADay() string        { return "part of a day" }
func (english) MoreDays(n int) string     { return strconv.Itoa(n) + " more days" }
func (english) NoWindow() string          { return "no window" }
func (english) TimeOf(city string) string { return city + " time" }
func (english) Never() string             { return "never" }
func (english) JustNow() string           { return "just now" }

func (english) Basis(b Basis) string {
	switch b {
	case Reported:
		return "as reported"
	case Stitched:
		return "added up from daily data"
	case Derived:
		return "derived"
	}
	return "not reported"
}

func (english) Ago(n int, u unit) string {
	text := strconv.Itoa(n) + " " + [...]string{unitMinutes: "minute", unitHours: "hour", unitDays: "day"}[u]
	if n != 1 {
		text += "s"
	}
	return text + " ago"
}

func (english) More() string        { return "more" }
func (english) Less() string        { return "less" }
func (english) Fewer() string       { return "fewer" }
func (english) NoChange() string    { return "no change" }
func (english) NoBaseline() string  { return "no baseline" }
func (english) NotCompared() string { return "not compared" }

func (english) Points(size string, one bool) string {
	if one {
		return size + " point"
	}
	return size + " points"
}

func (english) PointsMoved(points string, up bool) string {
	if up {
		return points + " higher"
	}
	return points + " lower"
}

func (english) Under(size string) string { return "under " + size }

func OffersExist(n int64) string {
	if n == 1 {
		return "1 offer exists,"
	}
	return Count(n) + " offers exist,"
}

func isOrAre(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

func itOrThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func (english) OpenStores() string { return "Open the stores" }

func (english) OpenStore() string { return "Open the store" }

func (english) Stores(n int64) string { return English.Plural(n, "store", "stores") }

func (english) NoStoreOpen() string { return "No store is open to you." }

func (english) NoneComparable() string { return "No store can be compared with the week before yet" }

func (e english) YourStore(moved Direction, week bool) string {
	switch moved {
	case Up:
		return "Your store earned more than " + e.before(week)
	case Down:
		return "Your store earned less than " + e.before(week)
	}
	return "Your store earned as much as " + e.before(week)
}

// before is what a week, or a part of one, is compared with.
func (english) before(week bool) string {
	if week {
		return "the week before"
	}
	return "in as many days before"
}

func (e english) StoresEarnedMore(more, of int64, week bool) string {
	return English.Count(more) + " of " + English.Plural(of, "store", "stores") + " earned more than " + e.before(week)
}

func (english) AndMissDays(n int64) string {
	return "; " + English.Plural(n, "store is", "stores are") + " missing days"
}

func (english) AndNeedPerson(n int64) string {
	return "; " + English.Plural(n, "store needs", "stores need") + " attention"
}

func (english) DigestSubject(more, less int64, dates string) string {
	return English.Count(more) + " earned more, " + English.Count(less) + " less, " + dates
}

func (english) WeekOf(dates string) string { return "week of " + dates }

func (english) DaysByStore() string { return "days counted are shown for each store" }

func (english) ComparedByStore() string { return "each store compared with as many days before" }

func (english) OwnClocks() string { return "each store in its own time zone" }

func (english) ReportedAndStitched(reported, stitched int64) string {
	return English.Count(reported) + " as reported, " + English.Count(stitched) + " added up from daily data"
}

func (english) EarnedMore() string { return "Earned more" }

func (english) EarnedLess() string { return "Earned less" }

func (english) NeedPerson() string { return "Need attention" }

func (english) GrewMost() string { return "Grew most" }

func (english) FellMost() string { return "Fell most" }

func (english) AllStores() string { return "All stores" }

func (english) NoNumbers() string { return "no numbers" }

func (english) TwoCurrenciesHere() string { return "two currencies" }

func (english) NoOffersHere() string { return "no offers yet" }

func (english) Doubt(f Flag) string {
	switch f {
	case FlagChanged:
		return "being updated"
	case FlagDrift:
		return "days don’t agree"
	case FlagRateDisagrees:
		return "rate doesn’t match its parts"
	case FlagIncomplete:
		return "incomplete answer"
	}
	return "being checked"
}

func (english) LastGood() string { return "last good numbers" }

func (english) MoreNotWhole(n int64) string {
	return English.Plural(n, "more store is", "more stores are") + " incomplete; the page names them."
}

func (english) OfCompared(n int64) string { return "of " + English.Count(n) + " compared" }

func (english) OfStores(n int64) string { return "of " + English.Plural(n, "store", "stores") }

func (english) FirstByName(n, more int64) string {
	return "the first " + English.Count(n) + " by name; " + English.Count(more) + " more on the page"
}

func (english) UpsoldOf(upsold int64, rate string, orders int64) string {
	return English.Plural(upsold, "upsold order", "upsold orders") + " · " + rate + " of " + English.Count(orders)
}

func (english) StoreNeeds(c need, since string) string {
	text := map[need]string{
		needsServices:      "Not connected",
		needsUpsellToken:   "Upsell token refused",
		needsUpsellAddress: "Upsell address refused",
		needsGiftKey:       "Gift key refused",
		needsGiftAddress:   "Gift address refused",
		needsGiftPlan:      "Gift plan ended",
		needsGiftTrial:     "Gift trial ended",
		needsGiftApp:       "Gift app uninstalled",
		needsEmbed:         "Gift widget can’t appear",
		needsCampaigns:     "More gift campaigns than the plan allows",
		needsRevenue:       "Gift plan’s revenue limit reached",
	}[c]
	if since != "" {
		text += " since " + since
	}
	return text
}

func (english) StoreWithout(store string, c Cause) string {
	switch c {
	case CauseNeverConnected:
		return store + ": upsells are not connected."
	case CauseFilling:
		return store + ": the first numbers are on their way."
	}
	return store + ": no day of this week is stored."
}

func (english) StoreInTwoCurrencies(store string) string {
	return store + ": its days are in two currencies, which are not added up."
}

func (english) StoreNotOver(store, days string, n int) string {
	return store + ": " + days + isOrAre(n) + " not over there yet and not counted."
}

func (english) StoreMissing(store, days string, n int) string {
	return store + ": " + days + isOrAre(n) + " missing, so the true value may be higher."
}

func (english) StoreNotCompared(store string, c uncompared) string {
	return store + " is not compared: " + map[uncompared]string{
		isLastGood:      "these are the last good numbers.",
		isNotWhole:      "a day was not over when its numbers came.",
		beforeNotStored: "the week before is not stored.",
		beforeNotWhole:  "days of the week before are missing.",
		beforeOtherwise: "the week before is in another currency.",
	}[c]
}
