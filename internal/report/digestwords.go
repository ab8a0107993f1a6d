package report

// digestWords are of the mail about all stores of a reader.
type digestWords interface {
	OpenStores() string
	OpenStore() string
	Stores(n int64) string
	NoStoreOpen() string
	// The headline's parts end without a full stop.
	NoneComparable() string
	// week is false where a part of a week is compared with as many days before it.
	YourStore(moved Direction, week bool) string
	StoresEarnedMore(more, of int64, week bool) string
	// AndMissDays and AndNeedPerson follow one of those.
	AndMissDays(n int64) string
	AndNeedPerson(n int64) string
	DigestSubject(more, less int64, dates string) string
	// WeekOf names the week of stores that count other days of it, as DaysByStore says.
	WeekOf(dates string) string
	DaysByStore() string
	// ComparedByStore: with as many days before, which are other days for each store.
	ComparedByStore() string
	OwnClocks() string
	ReportedAndStitched(reported, stitched int64) string

	EarnedMore() string
	EarnedLess() string
	NeedPerson() string
	OfCompared(n int64) string
	OfStores(n int64) string
	GrewMost() string
	FellMost() string
	AllStores() string
	FirstByName(n, more int64) string
	// These three stand in place of a number or a change.
	NoNumbers() string
	TwoCurrenciesHere() string
	NoOffersHere() string
	// UpsoldOf is under a store's value: "91 upsold orders · 14.2% of 640".
	UpsoldOf(upsold int64, rate string, orders int64) string
	LastGood() string
	// Doubt is a flag of a number that may be off.
	Doubt(f Flag) string

	// StoreNeeds is why a store needs attention; since is empty where it is not known.
	StoreNeeds(c need, since string) string
	StoreWithout(store string, c Cause) string
	StoreInTwoCurrencies(store string) string
	// StoreNotOver is about days that are not over on the store's clock.
	StoreNotOver(store, days string, n int) string
	StoreMissing(store, days string, n int) string
	// StoreNotCompared is about the week before: not stored, not whole, or in another currency.
	StoreNotCompared(store string, c uncompared) string
	MoreNotWhole(n int64) string
}

// need is why a store needs attention.
type need int

const (
	needsNothing need = iota
	needsServices
	needsUpsellToken
	needsUpsellAddress
	needsGiftKey
	needsGiftAddress
	needsGiftPlan
	needsGiftTrial
	needsGiftApp
	needsEmbed
	needsCampaigns
	needsRevenue
)

// uncompared is why a store's two weeks are not compared.
type uncompared int

const (
	isLastGood uncompared = iota
	isNotWhole
	beforeNotStored
	beforeNotWhole
	beforeOtherwise
)
