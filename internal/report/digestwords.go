package report

// digestWords are of the mail about all stores of a reader.
type digestWords interface {
	OpenStores() string
	OpenStore() string
	Stores(n int64) string
	NoStoreOpen() string
	// The headline's parts end without a full stop.
	NoneComparable() string
	YourStore(moved Direction) string
	StoresEarnedMore(more, of int64) string
	// AndNeedPerson follows one of those.
	AndNeedPerson(n int64) string
	DigestSubject(more, less int64, dates string) string
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
	NoNumbers() string
	// UpsoldOf is under a store's value: "91 upsold orders · 14.2% of 640".
	UpsoldOf(upsold int64, rate string, orders int64) string
	LastGood() string

	// StoreNeeds is why a store needs a person; since is empty where it is not known.
	StoreNeeds(c need, since string) string
	StoreWithout(store string, c Cause) string
	StoreMissing(store, days string, n int) string
	// StoreNotCompared is about the week before: not stored, not whole, or in another currency.
	StoreNotCompared(store string, c uncompared) string
	MoreNotWhole() string
}

// need is why a store needs a person.
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
	beforeNotStored
	beforeNotWhole
	beforeOtherwise
)
