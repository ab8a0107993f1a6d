// Package fact defines the types of stored words: states, outcomes and kinds that the database
// restricts to a list. Each is defined once, here, and used everywhere else. The package imports no
// other package of ours.
package fact

// Outcome is how a pull last ended.
type Outcome string

const (
	PullNever       Outcome = "never"
	PullGood        Outcome = "good"
	PullFailed      Outcome = "failed"      // will be retried
	PullWaiting     Outcome = "waiting"     // the service said "too many"; not counted as an error
	PullRefused     Outcome = "refused"     // our request is wrong, so it's never repeated unchanged
	PullQuarantined Outcome = "quarantined" // the reply doesn't match the documented format
	PullPaused      Outcome = "paused"      // the credential is refused until someone acts
)

// CredentialState says whether a service accepts a credential.
type CredentialState string

// Pulls only use a credential that is unchecked or good.
const (
	CredentialUnchecked CredentialState = "unchecked"
	CredentialGood      CredentialState = "good"
	// CredentialDoubtful: refused, but possibly only for now, so it's checked again automatically.
	CredentialDoubtful CredentialState = "doubtful"
	// CredentialPaused: the refusal has lasted, or only a person can end it.
	CredentialPaused CredentialState = "paused"
)

// Lane says who a call is made for.
type Lane string

// The lanes, most urgent first. Foreign marks a slot that was used outside Storeglass.
const (
	Interactive Lane = "interactive" // someone is waiting
	Schedule    Lane = "schedule"
	Backfill    Lane = "backfill"
	Foreign     Lane = "foreign"
)

// GiftBasis is where a gift answer comes from: the service or, for a missed day, other answers.
type GiftBasis string

const (
	GiftReported   GiftBasis = "reported"
	GiftPrevious   GiftBasis = "previous"   // what the next day's answer said about the day before
	GiftDifference GiftBasis = "difference" // the difference of two longer windows
)

// RankingEnd is the end at which a ranking begins.
type RankingEnd string

const (
	Highest RankingEnd = "highest"
	Lowest  RankingEnd = "lowest"
)

// MailState is how far a mail or a channel's message got.
type MailState string

const (
	MailWaiting    MailState = "waiting" // not written yet
	MailReady      MailState = "ready"
	MailSent       MailState = "sent"
	MailRefused    MailState = "refused"
	MailGivenUp    MailState = "given up"
	MailSuppressed MailState = "suppressed" // nothing is sent to the address anymore
	MailEnded      MailState = "ended"      // its subscription has ended
	MailFolded     MailState = "folded"     // it is part of another mail
	MailDropped    MailState = "dropped"    // nobody wants it anymore
)

// TryOutcome is how one attempt to send a mail ended.
type TryOutcome string

const (
	TrySent       TryOutcome = "sent"
	TryRefused    TryOutcome = "refused"
	TryLater      TryOutcome = "later"
	TryConnection TryOutcome = "connection"
)

// NoticeKind is what a notice of an alert is about.
type NoticeKind string

const (
	NoticeOpened    NoticeKind = "opened"
	NoticeRecovered NoticeKind = "recovered"
)

// NoticeState is how far a notice got.
type NoticeState string

const (
	NoticeWaiting NoticeState = "waiting"
	NoticePacked  NoticeState = "packed" // in a message that hasn't been sent yet
	NoticeSent    NoticeState = "sent"
	NoticeDropped NoticeState = "dropped"
	NoticeFailed  NoticeState = "failed"
)

// ChannelKind is the kind of service that receives a channel's messages.
type ChannelKind string

const (
	Slack   ChannelKind = "slack"
	Webhook ChannelKind = "webhook"
)

// GoalKind is what a store's monthly goal counts.
type GoalKind string

const (
	GoalValue  GoalKind = "value"  // upsold value
	GoalOrders GoalKind = "orders" // upsold orders
	GoalNone   GoalKind = "none"   // no goal from that month on
)

// ThresholdMetric is what a threshold watches.
type ThresholdMetric string

const (
	ThresholdValue   ThresholdMetric = "value"   // upsold value
	ThresholdOrders  ThresholdMetric = "orders"  // upsold orders
	ThresholdRate    ThresholdMetric = "rate"    // success rate, in percent
	ThresholdAverage ThresholdMetric = "average" // average upsold value
	ThresholdViews   ThresholdMetric = "views"   // offer views
)

// ThresholdKind is what a threshold compares with.
type ThresholdKind string

const (
	ThresholdFall ThresholdKind = "fall" // percent below the usual same weekday
	ThresholdDay  ThresholdKind = "day"  // an amount on one day
	ThresholdWeek ThresholdKind = "week" // an amount over seven days
)
