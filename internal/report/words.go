package report

import "time"

// Words are all that a mail says of its own: one method a phrase, so that a language
// that lacks one does not compile. Numbers, amounts and days come to them written. What
// the services and people named stays as it is.
type Words interface {
	weekWords
	partWords
	stateWords
	todoWords
	unitWords
	digestWords

	// Around the numbers.

	WeekNumber(n int) string
	ByDay() string
	NoDay() string
	WeekBefore(amount string) string
	WorthDoing() string
	MoreOnThePage(n int) string
	OpenOverview() string
	SameNumbers() string
	NotInThisMail() string
	Revised() string
	Change() string
	Stop() string
	// SentTo ends a mail: "Sent to … on Mondays, 08:00 New York time."
	SentTo(address string, weekday time.Weekday, hour, clock string) string
	Preview() string
	Test(address string) string
	OpenInBrowser() string
	NoPDF() string
	// EarlierReports stands before links to n earlier mails.
	EarlierReports(n int) string
	AllReports(n int) string
	ChangedSince(day, was, is string) string
}

// weekWords are the week in a sentence. A week is empty where it is the last one, and
// its dates otherwise.
type weekWords interface {
	NoOfferYet(week string) string
	NoNumbersYet(week string) string
	BroughtOn(value string, days int, week string) string
	SoldNothing(week string) string
	SoldNothingAfter(before, week string) string
	Brought(value, week string) string
	BroughtMore(value string, by Delta, week string) string
	BroughtAsMuch(value, week string) string
	BroughtAfterNothing(value, week string) string

	SubjectNoNumbers(dates string) string
	SubjectNoOffers(dates string) string
	SubjectOn(value string, days int, dates string) string
	Subject(value, dates string) string
	Preheader(orders, rate, window string) string

	// ComparedWith is about a week, or about fewer days.
	ComparedWith(window string, week bool) string
	NotComparedAs(reason string) string
	DaysAreMissing() string
	AnswerNotWhole() string
	OtherCurrency() string
	NotFullyStored(dates string) string
}

// partWords are of the tables and the numbers in them.
type partWords interface {
	UpsoldValue() string
	UpsoldOrders() string
	SuccessRate() string
	AverageValue() string
	ShareOfOrders(orders int64) string
	OffersSeen(times int64) string

	LineIsBefore() string
	DaysMissing(days string, n int) string

	Placements() string
	SideBySide() string
	SwitchedOff() string
	NeverCreated() string
	NoRowSent() string
	RevenueNotReported() string
	Impressions(n int64) string
	Claims(n int64) string

	BestEarners() string
	OffersEarned(n int64) string
	Deleted() string
	MovedMost() string
	AgainstBefore() string
	Was(amount string) string

	FreeGifts() string
	NeverAdded() string
	GiftOrders() string
	GiftRevenue() string
	GiftConversion() string
	ValueWithGift() string
	ValueAllOrders() string
	UnitNotKnown() string
	NotReported() string

	AllTime() string
	NotOfThisWeek() string
	Orders(n int64) string
	OfferViews() string
	AllPlacements() string
}

// saying is a heading with its text.
type saying struct{ title, text string }

// stateWords say what is missing, and why.
type stateWords interface {
	// Missing is about a part of the mail.
	Missing(part, title, text string) string
	UpsellsOfTheWeek() string
	LivePlacements() string
	DailyLines() string
	RankingOfOffers() string
	GiftsOfTheWeek() string

	ViewsNotReported() string
	MissingCounted(days string, n int) string
	MissingNotCounted(days string, n int) string
	MissingBefore(days string, n int) string
	PlacementsWithout(days string, n int) string
	GiftsWithout(days string, n int) string
	NoAnswerOfThisWeek() string
	MovesNotKept() string
	ChangedThisWeek(days string, n int) string
	ChangedBefore(days string, n int) string

	ConnectUpsells(store string) saying
	UpsellsNotConnected(store string) saying
	GiftsNotConnected(store string) saying
	FirstNumbersOnTheWay() saying
	OnTheWay(t thing) saying
	NoDayStored(from, to, dates string) saying
	// NoRanking names the days without a whole ranking.
	NoRanking(days string) saying
	NoOffers() saying
	NothingEarned() saying
	NoGiftAnswer() saying
	TwoCurrencies(before, after, day string) saying
	CurrencyChanged(day string) saying
	NoGiftRate() string
	NoGiftAverage() string
	RepairedGiftDay() string

	NotPulledSince(day string) string
	FirstTryFailed(ago string) string
	NeverPulled() string
	NotPulledAgain(days string) string
	NotPulled(days string) string
	Disconnected(service string) string
	Overdue(ago string) string
	NeedsPerson(service string) string
	// Told is why a pull brought nothing, by its outcome; text is what stands in the
	// ledger, which is in English.
	Told(outcome, text string) string
	// Advice is what a person can do about a credential that is paused; text is what is
	// stored with it, in English.
	Advice(service, cause, text string) string
	// Doubted is what is said of a token that is refused, as long as that may pass.
	Doubted(service string, outage bool) saying
	// ChecksAgain says when a refused token is checked next.
	ChecksAgain(day, clock string) string
}

// thing is one whose pull is on its way.
type thing int

const (
	theRanking thing = iota
	theAllTimeTotal
	theCoverage
	theOfferCount
	theGiftResult
	theGiftPlan
	theSetupHealth
)

// todoWords are what can be done.
type todoWords interface {
	GiftWidgetOff(theme, fix string) saying
	ThemeWithoutBlocks() string
	NoCampaign() string
	NoActiveCampaign() string
	// Fix is what to do about an issue of the gift service; empty for one that we don't know.
	Fix(code string) string
	PlacementOff(placement string, offers int64) saying
	SeeOffers(n int64) string
	NeverMade(placements string) saying
	TooManyCampaigns() saying
	// OffersSoldNothing counts offers that were active on every day of the window.
	OffersSoldNothing(n int64) saying
	ShowTheseOffers(n int64) string
	LinesDiffer(reported, stitched string) saying
	MakeFirstOffer(orders int64) saying
	TriggersDeleted(offers int64) string
	// TriggerDeleted is about n things of a kind: "product", "collection", "tag", or empty.
	TriggerDeleted(kind string, n int) string
	StillName(offer string, others int64) string
	StillNames(offer, gone string, more int) string
	// Gone is what has no name any more.
	Gone(kind string) string
	OpenOffer() string
	Sync() string
}

// unit is what an age is counted in.
type unit int

const (
	unitMinutes unit = iota
	unitHours
	unitDays
)

// unitWords stand with numbers.
type unitWords interface {
	And() string
	// Colon stands between a name and what is said of it.
	Colon() string
	Quoted(name string) string
	Days(n int) string
	DaysOf(n, of int) string
	PartOfADay() string
	MoreDays(n int) string
	NoWindow() string
	Basis(b Basis) string
	TimeOf(city string) string
	Never() string
	JustNow() string
	Ago(n int, u unit) string

	More() string
	Less() string
	// Fewer is of counts.
	Fewer() string
	// PointsMoved is "0.8 points lower", from "0.8 points".
	PointsMoved(points string, up bool) string
	NoChange() string
	NoBaseline() string
	NotCompared() string
	Points(size string, one bool) string
	Under(size string) string
}

// advice is what helps with a credential that is paused.
type advice int

const (
	adviceKey advice = iota
	adviceToken
	adviceShop
	adviceTrial
	advicePlan
	adviceUninstalled
	adviceSurface
	adviceScope
	adviceHeader
)

// adviceOn finds the advice by the cause that is stored with a credential.
func adviceOn(service, cause string) advice {
	switch {
	case service == "upsell" && cause == "wrong_shop":
		return adviceShop
	case service == "upsell":
		return adviceToken
	}
	return map[string]advice{
		"trial_lapsed": adviceTrial, "NO_PLAN": advicePlan, "APP_UNINSTALLED": adviceUninstalled,
		"WRONG_SURFACE": adviceSurface, "INSUFFICIENT_SCOPE": adviceScope, "MISSING_KEY": adviceHeader,
	}[cause]
}
