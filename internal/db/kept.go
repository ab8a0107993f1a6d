package db

import "time"

const (
	// RemovedFor is how long a removed store can be brought back.
	RemovedFor = 30 * 24 * time.Hour
	// MailsKept is how long a mail that was sent can be opened by the link in it.
	MailsKept = 60 * 24 * time.Hour
)
