package access

import "strings"

// Action names something that the audit log keeps: what it is about, a dot, and
// what was done.
type Action string

// What is kept, in the order that a list of them has. Another action needs a
// constant and a line with its words, and nothing else.
const (
	SignedIn       Action = "sign-in.succeeded"
	SignInFailed   Action = "sign-in.failed"
	CodeRefused    Action = "sign-in.second-step-failed"
	PasskeyRefused Action = "sign-in.passkey-refused"
	PasskeyCopied  Action = "sign-in.passkey-copied"
	SSORefused     Action = "sign-in.sso-refused"
	LinkRefused    Action = "sign-in.link-refused"
	SignInLimited  Action = "sign-in.limited"
	SignInLink     Action = "sign-in.link-made"

	SessionEnded    Action = "session.ended"
	SessionRevoked  Action = "session.revoked"
	PasswordChanged Action = "password.changed"
	PasswordReset   Action = "password.reset"
	ResetAsked      Action = "password.reset-asked"
	FactorAdded     Action = "factor.added"
	FactorRemoved   Action = "factor.removed"

	PersonAdded         Action = "person.added"
	PersonInvited       Action = "person.invited"
	InvitationWithdrawn Action = "person.invitation-withdrawn"
	PersonJoined        Action = "person.joined"
	PersonChanged       Action = "person.changed"
	RoleChanged         Action = "person.role-changed"
	PersonDisabled      Action = "person.disabled"
	PersonEnabled       Action = "person.enabled"
	PersonOffboarded    Action = "person.offboarded"

	GrantGiven Action = "grant.given"
	GrantTaken Action = "grant.taken"

	GroupAdded        Action = "group.added"
	GroupRenamed      Action = "group.renamed"
	GroupRemoved      Action = "group.removed"
	GroupStoreAdded   Action = "group.store-added"
	GroupStoreRemoved Action = "group.store-removed"

	TokenMade    Action = "token.made"
	TokenRevoked Action = "token.revoked"

	ShareMade    Action = "share.made"
	ShareRevoked Action = "share.revoked"
	ShareOpened  Action = "share.opened"
	ShareRefused Action = "share.refused"

	StoreAdded    Action = "store.added"
	StoreChanged  Action = "store.changed"
	StoreTagged   Action = "store.tagged"
	StorePaused   Action = "store.paused"
	StoreResumed  Action = "store.resumed"
	StoreExported Action = "store.exported"
	StoreRemoved  Action = "store.removed"
	StoreRestored Action = "store.restored"
	StorePurged   Action = "store.purged"

	CredentialAdded   Action = "credential.added"
	CredentialRotated Action = "credential.rotated"
	CredentialRemoved Action = "credential.removed"
	SecretsRotated    Action = "secrets.rotated"

	CampaignWritten Action = "campaign.written"
	WidgetWritten   Action = "widget.written"

	ExportDownloaded Action = "export.downloaded"
	ReplyOpened      Action = "reply.opened"
	ReportPreviewed  Action = "report.previewed"
	ReportSent       Action = "report.sent"

	MailSubscribed  Action = "mail.subscribed"
	MailAsked       Action = "mail.asked"
	MailConfirmed   Action = "mail.confirmed"
	MailChanged     Action = "mail.changed"
	MailEnded       Action = "mail.ended"
	MailResent      Action = "mail.resent"
	SuppressionGone Action = "mail.suppression-lifted"

	BrandingChanged Action = "branding.changed"

	AlertMuted     Action = "alert.muted"
	AlertUnmuted   Action = "alert.unmuted"
	AlertMailEnded Action = "alert.mail-ended"
	ChannelAdded   Action = "channel.added"
	ChannelChanged Action = "channel.changed"
	ChannelRotated Action = "channel.secret-renewed"
	ChannelTested  Action = "channel.tested"
	ChannelOff     Action = "channel.switched-off"
	ChannelOn      Action = "channel.switched-on"
	ChannelRemoved Action = "channel.removed"
)

// actionWords is every action with its words, in order.
var actionWords = []struct {
	action Action
	words  string
}{
	{SignedIn, "Signed in"},
	{SignInFailed, "Sign-in failed"},
	{CodeRefused, "Second step failed"},
	{PasskeyRefused, "Passkey refused"},
	{PasskeyCopied, "Passkey refused: it may be a copy"},
	{SSORefused, "Single sign-on refused"},
	{LinkRefused, "One-time link refused"},
	{SignInLimited, "Request refused: too many attempts"},
	{SignInLink, "One-time sign-in link made"},
	{SessionEnded, "Signed out"},
	{SessionRevoked, "Session ended by somebody"},
	{PasswordChanged, "Password changed"},
	{PasswordReset, "Password set by a link"},
	{ResetAsked, "Password reset asked for"},
	{FactorAdded, "Way to sign in added"},
	{FactorRemoved, "Way to sign in removed"},
	{PersonAdded, "Person added"},
	{PersonInvited, "Person invited"},
	{InvitationWithdrawn, "Invitation withdrawn"},
	{PersonJoined, "Invitation accepted"},
	{PersonChanged, "Person’s name or address changed"},
	{RoleChanged, "Role changed"},
	{PersonDisabled, "Person disabled"},
	{PersonEnabled, "Person enabled"},
	{PersonOffboarded, "Person offboarded"},
	{GrantGiven, "Grant given"},
	{GrantTaken, "Grant taken back"},
	{GroupAdded, "Group made"},
	{GroupRenamed, "Group renamed"},
	{GroupRemoved, "Group deleted"},
	{GroupStoreAdded, "Store put into a group"},
	{GroupStoreRemoved, "Store taken out of a group"},
	{TokenMade, "API token made"},
	{TokenRevoked, "API token revoked"},
	{ShareMade, "Share link made"},
	{ShareRevoked, "Share link revoked"},
	{ShareOpened, "Share link opened"},
	{ShareRefused, "Share link refused: wrong password"},
	{StoreAdded, "Store added"},
	{StoreChanged, "Store changed"},
	{StoreTagged, "Store’s tags changed"},
	{StorePaused, "Store paused"},
	{StoreResumed, "Store resumed"},
	{StoreExported, "Store exported whole"},
	{StoreRemoved, "Store removed"},
	{StoreRestored, "Store brought back"},
	{StorePurged, "Removed store deleted for good"},
	{CredentialAdded, "Service connected"},
	{CredentialRotated, "Service’s token or address replaced"},
	{CredentialRemoved, "Service disconnected"},
	{SecretsRotated, "Secret key changed"},
	{CampaignWritten, "Gift campaign change sent"},
	{WidgetWritten, "Gift widget change sent"},
	{ExportDownloaded, "File downloaded"},
	{ReplyOpened, "Stored reply opened"},
	{ReportPreviewed, "Report previewed"},
	{ReportSent, "Report sent"},
	{MailSubscribed, "Weekly mail subscribed"},
	{MailAsked, "Address asked for a weekly mail"},
	{MailConfirmed, "Weekly mail confirmed by its reader"},
	{MailChanged, "Weekly mail changed"},
	{MailEnded, "Weekly mail ended"},
	{MailResent, "Weekly mail sent again"},
	{SuppressionGone, "Suppressed address freed"},
	{BrandingChanged, "Branding changed"},
	{AlertMuted, "Alert muted for everybody"},
	{AlertUnmuted, "Alert unmuted for everybody"},
	{AlertMailEnded, "Alert mails ended"},
	{ChannelAdded, "Channel for alerts added"},
	{ChannelChanged, "Channel for alerts changed"},
	{ChannelRotated, "Channel’s signing secret renewed"},
	{ChannelTested, "Test sent to a channel"},
	{ChannelOff, "Channel switched off"},
	{ChannelOn, "Channel switched on"},
	{ChannelRemoved, "Channel removed"},
}

// aboutWords are the words for what actions are about, in order.
var aboutWords = []struct{ about, words string }{
	{"sign-in", "Sign-ins"}, {"session", "Sessions"}, {"password", "Passwords"}, {"factor", "Ways to sign in"},
	{"person", "People"}, {"grant", "Grants"}, {"group", "Groups"}, {"token", "API tokens"}, {"share", "Share links"},
	{"store", "Stores"}, {"credential", "Credentials"}, {"secrets", "Secret key"}, {"campaign", "Gift campaigns"}, {"widget", "Gift widgets"},
	{"export", "Files"}, {"reply", "Stored replies"}, {"report", "Reports"}, {"mail", "Weekly mails"}, {"branding", "Branding"},
	{"alert", "Alerts"}, {"channel", "Channels for alerts"},
}

// Words say for people what was done; a name that is not in the table any more stands for itself.
func (a Action) Words() string {
	for _, w := range actionWords {
		if w.action == a {
			return w.words
		}
	}
	return string(a)
}

func (a Action) known() bool { return a.Words() != string(a) }

// About is what the action is about: the part before the dot.
func (a Action) About() string {
	about, _, _ := strings.Cut(string(a), ".")
	return about
}

// ActionGroup is what several actions are about.
type ActionGroup struct {
	About, Words string
	Actions      []Action
}

// ActionGroups are all actions by what they are about, for a choice among them.
func ActionGroups() []ActionGroup {
	out := make([]ActionGroup, len(aboutWords))
	for i, g := range aboutWords {
		out[i] = ActionGroup{About: g.about, Words: g.words}
		for _, w := range actionWords {
			if w.action.About() == g.about {
				out[i].Actions = append(out[i].Actions, w.action)
			}
		}
	}
	return out
}
