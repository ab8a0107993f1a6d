package report

import (
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

// Words are what a mail says of its own, in its language: sentences of the catalogs of
// package locale. Numbers, amounts and days come to them written. What the services and
// people named stays as it is.
type Words struct{ locale.Locale }

// Words are what the language says.
func (t Tongue) Words() Words { return Words{locale.Locale(t)} }

// Notice is a heading with its text.
type Notice struct{ Title, Text string }

// Around the numbers.

func (w Words) WeekBefore(amount string) string { return w.T("weekly.week_before", "amount", amount) }

// SentTo ends a mail: "Sent to … on Mondays, 08:00 New York time."
func (w Words) SentTo(address string, weekday time.Weekday, hour, clock string) string {
	if at, err := time.Parse("15:04", hour); err == nil {
		hour = w.Time(at)
	}
	return w.T("weekly.sent."+strings.ToLower(weekday.String()), "address", address, "hour", hour, "clock", clock)
}

// The week in a sentence. A week is empty where it is the last one, and its dates otherwise.

func whichWeek(week string) string {
	if week == "" {
		return "last_week"
	}
	return "week"
}

func (w Words) NoOfferYet(week string) string {
	return w.T("weekly.no_offer_yet."+whichWeek(week), "week", week)
}

func (w Words) NoNumbersYet(week string) string {
	return w.T("weekly.no_numbers_yet."+whichWeek(week), "week", week)
}

func (w Words) BroughtOn(value string, days int, week string) string {
	return w.T("weekly.brought_on."+whichWeek(week), "value", value, "days", days, "week", week)
}

func (w Words) SoldNothing(week string) string {
	return w.T("weekly.sold_nothing."+whichWeek(week), "week", week)
}

func (w Words) SoldNothingAfter(before, week string) string {
	return w.T("weekly.sold_nothing_after."+whichWeek(week), "before", before, "week", week)
}

func (w Words) Brought(value, week string) string {
	return w.T("weekly.brought."+whichWeek(week), "value", value, "week", week)
}

func (w Words) BroughtMore(value string, by Delta, week string) string {
	return w.T("weekly.brought_more."+whichWeek(week), "value", value, "change", by.Amount+" "+by.Word, "week", week)
}

func (w Words) BroughtAsMuch(value, week string) string {
	return w.T("weekly.brought_as_much."+whichWeek(week), "value", value, "week", week)
}

func (w Words) BroughtAfterNothing(value, week string) string {
	return w.T("weekly.brought_after_nothing."+whichWeek(week), "value", value, "week", week)
}

func (w Words) Subject(value, dates string) string {
	return w.T("weekly.subject.brought", "value", value, "dates", dates)
}

func (w Words) Preheader(orders, rate, window string) string {
	return w.T("weekly.preheader", "orders", orders, "rate", rate, "window", window)
}

// ComparedWith is about a week, or about fewer days.
func (w Words) ComparedWith(window string, week bool) string {
	if week {
		return w.T("weekly.compared.week", "window", window)
	}
	return w.T("weekly.compared.days", "window", window)
}

// The tables and the numbers in them.

func (w Words) Was(amount string) string { return w.T("weekly.was", "amount", amount) }

func (w Words) Orders(n int64) string { return w.T("figure.orders", "n", n) }

// What is missing, and why.

// Missing is about a part of the mail.
func (w Words) Missing(part, title, text string) string {
	if title = Sentence(title); w.Locale != locale.German { // whose nouns are capital
		title = LowerFirst(title)
	}
	return w.T("weekly.missing", "part", part, "reason", strings.TrimSpace(title+" "+Sentence(text)))
}

func (w Words) MissingCounted(days string, n int) string {
	return w.T("weekly.gap.counted", "days", days, "n", n)
}

func (w Words) MissingNotCounted(days string, n int) string {
	return w.T("weekly.gap.not_counted", "days", days, "n", n)
}

func (w Words) PlacementsWithout(days string, n int) string {
	return w.T("weekly.gap.placements", "days", days, "n", n)
}

func (w Words) GiftsWithout(days string, n int) string {
	return w.T("weekly.gap.gifts", "days", days, "n", n)
}

func (w Words) ChangedThisWeek(days string, n int) string {
	return w.T("weekly.changed.this_week", "days", days, "n", n)
}

func (w Words) ChangedBefore(days string, n int) string {
	return w.T("weekly.changed.before", "days", days, "n", n)
}

func (w Words) ConnectUpsells(store string) Notice {
	return Notice{w.T("state.connect.title", "store", store), w.T("state.connect.text")}
}

func (w Words) UpsellsNotConnected(store string) Notice {
	return Notice{w.T("state.upsells_not_connected.title"), w.T("state.upsells_not_connected.text", "store", store)}
}

func (w Words) GiftsNotConnected(store string) Notice {
	return Notice{w.T("state.gifts_not_connected.title"), w.T("state.gifts_not_connected.text", "store", store)}
}

func (w Words) FirstNumbersOnTheWay() Notice {
	return Notice{w.T("state.first_numbers.title"), w.T("state.first_numbers.text")}
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
	return Notice{w.T("state.on_the_way." + string(t)), w.T("state.pull_waits")}
}

func (w Words) NoDayStored(from, to, dates string) Notice {
	return Notice{w.T("state.no_day.title"), w.T("state.no_day.text", "from", from, "to", to, "dates", dates)}
}

// NoRanking names the days without a whole ranking.
func (w Words) NoRanking(days string) Notice {
	return Notice{w.T("state.no_ranking.title"), w.T("state.no_ranking.text", "days", days)}
}

func (w Words) NoOffers() Notice {
	return Notice{w.T("state.no_offers.title"), w.T("state.no_offers.text")}
}

func (w Words) NothingEarned() Notice {
	return Notice{w.T("state.nothing_earned.title"), w.T("state.nothing_earned.text")}
}

func (w Words) NoGiftAnswer() Notice {
	return Notice{w.T("state.no_gift_answer.title"), w.T("state.no_gift_answer.text")}
}

func (w Words) TwoCurrencies(before, after, day string) Notice {
	return Notice{w.T("state.two_currencies"), w.T("state.two_currencies_from_to", "before", before, "after", after, "day", day)}
}

func (w Words) CurrencyChanged(day string) Notice {
	return Notice{w.T("state.two_currencies"), w.T("state.currency_changed", "day", day)}
}

// Told is why a pull brought nothing, by its outcome; text is what stands in the
// ledger, which is in English.
func (w Words) Told(outcome, text string) string {
	if w.Locale == locale.English {
		return text
	}
	switch outcome {
	case "refused", "quarantined", "paused":
	default:
		outcome = "failed"
	}
	return w.T("state.told." + outcome)
}

// Advice is what a person can do about a credential that is paused; text is what is
// stored with it, in English.
func (w Words) Advice(service, cause, text string) string {
	if w.Locale == locale.English {
		return text
	}
	if cause = strings.ToLower(cause); !locale.Has("state.advice." + service + "." + cause) {
		cause = "refused"
	}
	return w.T("state.advice." + service + "." + cause)
}

// Doubted is what is said of a token that is refused, as long as that may pass.
func (w Words) Doubted(service string, outage bool) Notice {
	if outage {
		return Notice{w.T("state.doubted.outage_title." + service), w.T("state.doubted.outage")}
	}
	return Notice{w.T("state.doubted.title." + service), w.T("state.doubted.text")}
}

// What can be done.

func (w Words) GiftWidgetOff(theme, fix string) Notice {
	s := Notice{Title: w.T("todo.widget_off.title")}
	if theme == "" {
		s.Text = w.T("todo.widget_off.text", "fix", fix)
	} else {
		s.Text = w.T("todo.widget_off.text_theme", "theme", theme, "fix", fix)
	}
	return s
}

// Fix is what to do about an issue of the gift service; empty for one that we don't know.
func (w Words) Fix(code string) string {
	if code = strings.ToLower(code); !locale.Has("todo.fix." + code) {
		return ""
	}
	return w.T("todo.fix." + code)
}

func (w Words) LinesDiffer(reported, stitched string) Notice {
	return Notice{w.T("todo.days_differ.title"), w.T("todo.days_differ.text", "reported", reported, "stitched", stitched)}
}

func kindOf(kind string) string {
	if kind == "" || !locale.Has("todo.gone."+kind) {
		return "something"
	}
	return kind
}

func (w Words) StillNames(offer, gone string, more int) string {
	switch {
	case gone == "":
		return w.T("todo.still_names.something", "offer", offer)
	case more == 0:
		return w.T("todo.still_names.single", "offer", offer, "gone", gone)
	}
	return w.T("todo.still_names.several", "offer", offer, "gone", gone, "n", more)
}

// With numbers.

func (w Words) Basis(b Basis) string {
	switch b {
	case Reported, Stitched, Derived:
	default:
		b = NotReported
	}
	return w.T("provenance.basis." + string(b))
}

// All stores of a reader.

// YourStore is a headline; week is false where a part of a week is compared with as many
// days before it.
func (w Words) YourStore(moved Direction, week bool) string {
	if moved != Up && moved != Down {
		moved = Level
	}
	return w.T("digest.your_store." + string(moved) + "." + weekOrDays(week))
}

func weekOrDays(week bool) string {
	if week {
		return "week"
	}
	return "days"
}

func (w Words) StoresEarnedMore(more, of int64, week bool) string {
	return w.T("digest.earned_more."+weekOrDays(week), "more", more, "n", of)
}

func (w Words) DigestSubject(more, less int64, dates string) string {
	return w.T("digest.subject.more", "n", more) + ", " + w.T("digest.subject.less", "n", less) + ", " + dates
}

// Doubt is a flag of a number that may be off.
func (w Words) Doubt(f Flag) string {
	switch f {
	case FlagChanged, FlagDrift, FlagRateDisagrees, FlagIncomplete:
	default:
		f = "checking"
	}
	return w.T("provenance.doubt." + string(f))
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
	text := w.T("store.need." + string(c))
	if since == "" {
		return text
	}
	return w.T("store.need_since", "need", text, "day", since)
}

func (w Words) StoreWithout(store string, c Cause) string {
	switch c {
	case CauseNeverConnected:
		return w.T("digest.without.not_connected", "store", store)
	case CauseFilling:
		return w.T("digest.without.filling", "store", store)
	}
	return w.T("digest.without.no_day", "store", store)
}

// StoreNotOver is about days that are not over on the store's clock.
func (w Words) StoreNotOver(store, days string, n int) string {
	return w.T("digest.not_over", "store", store, "days", days, "n", n)
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
