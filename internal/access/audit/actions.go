// Package audit records who did what, and counts what strangers cause. It holds no secret,
// and decides nothing: code that makes a change records it here.
package audit

import (
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
)

// Action names something that the audit log records: its subject, a dot, and
// what was done.
type Action string

// The recorded actions, in the order lists show them. A new action needs a
// constant, a place in the list and a message audit.action.NAME.
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
	StoreGoalSet  Action = "store.goal-set"
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

	NoteWritten Action = "note.written"
	NoteChanged Action = "note.changed"
	NoteDeleted Action = "note.deleted"

	AlertSnoozed     Action = "alert.snoozed"
	AlertSnoozeEnded Action = "alert.snooze-ended"
	AlertAssigned    Action = "alert.assigned"
	AlertDone        Action = "alert.done"
	AlertReopened    Action = "alert.reopened"
	AlertMailEnded   Action = "alert.mail-ended"
	ThresholdSet     Action = "alert.threshold-set"
	ThresholdChanged Action = "alert.threshold-changed"
	ThresholdGone    Action = "alert.threshold-deleted"
	ChannelAdded     Action = "channel.added"
	ChannelChanged   Action = "channel.changed"
	ChannelRotated   Action = "channel.secret-renewed"
	ChannelTested    Action = "channel.tested"
	ChannelOff       Action = "channel.switched-off"
	ChannelOn        Action = "channel.switched-on"
	ChannelRemoved   Action = "channel.removed"
)

// actions holds all of them, in order.
var actions = []Action{
	SignedIn, SignInFailed, CodeRefused, PasskeyRefused, PasskeyCopied, SSORefused, LinkRefused, SignInLimited, SignInLink,
	SessionEnded, SessionRevoked,
	PasswordChanged, PasswordReset, ResetAsked,
	FactorAdded, FactorRemoved,
	PersonAdded, PersonInvited, InvitationWithdrawn, PersonJoined, PersonChanged, RoleChanged, PersonDisabled, PersonEnabled, PersonOffboarded,
	GrantGiven, GrantTaken,
	GroupAdded, GroupRenamed, GroupRemoved, GroupStoreAdded, GroupStoreRemoved,
	TokenMade, TokenRevoked,
	ShareMade, ShareRevoked, ShareOpened, ShareRefused,
	StoreAdded, StoreChanged, StoreTagged, StoreGoalSet, StorePaused, StoreResumed, StoreExported, StoreRemoved, StoreRestored, StorePurged,
	CredentialAdded, CredentialRotated, CredentialRemoved,
	SecretsRotated,
	CampaignWritten,
	WidgetWritten,
	ExportDownloaded,
	ReplyOpened,
	ReportPreviewed, ReportSent,
	MailSubscribed, MailAsked, MailConfirmed, MailChanged, MailEnded, MailResent, SuppressionGone,
	BrandingChanged,
	NoteWritten, NoteChanged, NoteDeleted,
	AlertSnoozed, AlertSnoozeEnded, AlertAssigned, AlertDone, AlertReopened, AlertMailEnded, ThresholdSet, ThresholdChanged, ThresholdGone,
	ChannelAdded, ChannelChanged, ChannelRotated, ChannelTested, ChannelOff, ChannelOn, ChannelRemoved,
}

// abouts are the subjects of actions, in order.
var abouts = []string{
	"sign-in", "session", "password", "factor", "person", "grant", "group", "token", "share", "store",
	"credential", "secrets", "campaign", "widget", "export", "reply", "report", "mail", "branding", "note", "alert",
	"channel",
}

// Words says what was done, in the language l. An action that no longer exists is shown by its code.
func (a Action) Words(l locale.Locale) string {
	if !a.known() {
		return string(a)
	}
	return l.T("audit.action." + string(a))
}

func (a Action) known() bool { return slices.Contains(actions, a) }

// About is the action's subject: the part before the dot.
func (a Action) About() string {
	about, _, _ := strings.Cut(string(a), ".")
	return about
}

// ActionGroup is the actions that share a subject.
type ActionGroup struct {
	About   string
	Actions []Action
}

// Words names the subject.
func (g ActionGroup) Words(l locale.Locale) string { return l.T("audit.group." + g.About) }

// ActionGroups holds all actions grouped by subject, for a select box.
func ActionGroups() []ActionGroup {
	out := make([]ActionGroup, len(abouts))
	for i, about := range abouts {
		out[i] = ActionGroup{About: about}
		for _, a := range actions {
			if a.About() == about {
				out[i].Actions = append(out[i].Actions, a)
			}
		}
	}
	return out
}
