// Package fact has the types of stored words: states, outcomes and kinds that the database
// restricts to a list. Each is defined once, here, and everything else uses it. The package
// imports no other part.
package fact

// Outcome is how a pull ended last.
type Outcome string

const (
	PullNever       Outcome = "never"
	PullGood        Outcome = "good"
	PullFailed      Outcome = "failed"      // tried again later
	PullWaiting     Outcome = "waiting"     // the service said "too many": no error spent
	PullRefused     Outcome = "refused"     // our request is wrong: never repeated unchanged
	PullQuarantined Outcome = "quarantined" // the reply breaks the contract
	PullPaused      Outcome = "paused"      // the credential is refused until a person does something
)

// CredentialState says whether a service accepts a credential.
type CredentialState string

// Pulls use a credential that is unchecked or good, and no other.
const (
	CredentialUnchecked CredentialState = "unchecked"
	CredentialGood      CredentialState = "good"
	// CredentialDoubtful: refused, which may pass: it is asked about by itself.
	CredentialDoubtful CredentialState = "doubtful"
	// CredentialPaused: the refusal has lasted, or only a person can end it.
	CredentialPaused CredentialState = "paused"
)

// Lane says for whom a call is made.
type Lane string

// The lanes, the most urgent first. Foreign is a slot's that someone else used.
const (
	Interactive Lane = "interactive" // a person waits
	Schedule    Lane = "schedule"
	Backfill    Lane = "backfill"
	Foreign     Lane = "foreign"
)

// GiftBasis is where an answer about gifts is from: the service, or, for a missed day, other
// answers.
type GiftBasis string

const (
	GiftReported   GiftBasis = "reported"
	GiftPrevious   GiftBasis = "previous"   // what the next day's answer said of the day before
	GiftDifference GiftBasis = "difference" // of two longer windows
)

// RankingEnd is the end that a ranking begins at.
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
	MailSuppressed MailState = "suppressed" // nothing is sent to the address any more
	MailEnded      MailState = "ended"      // its subscription has ended
	MailFolded     MailState = "folded"     // it is part of another mail
	MailDropped    MailState = "dropped"    // nobody wants it any more
)

// TryOutcome is how one try to send a mail ended.
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
	NoticePacked  NoticeState = "packed" // in a message that is not sent yet
	NoticeSent    NoticeState = "sent"
	NoticeDropped NoticeState = "dropped"
	NoticeFailed  NoticeState = "failed"
)

// ChannelKind is what takes a channel's messages.
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

// ThresholdMetric is what a threshold looks at.
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
