// Package migrations holds the schema as goose files, applied in order of their
// numbers. Each file says why it is there and what a running server notices.
package migrations

import "embed"

// FS holds the SQL files.
//
//go:embed *.sql
var FS embed.FS
