package db

import "time"

const (
	// SessionIdle is how long an unused session lasts.
	SessionIdle = 7 * 24 * time.Hour
	// RemovedFor is how long a removed store can be restored.
	RemovedFor = 30 * 24 * time.Hour
	// MailsKept is how long a sent mail can be opened by the link in it.
	MailsKept = 60 * 24 * time.Hour
	// AlertsKept is how long a resolved alert stays in the history.
	AlertsKept = 400 * 24 * time.Hour
	// LinksKept is how long a one-time link's row stays after the link has expired.
	LinksKept = 7 * 24 * time.Hour
)
