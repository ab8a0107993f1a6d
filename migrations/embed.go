// Package migrations holds the schema as goose files, applied in numeric order. Each file says why it
// exists and what a running server notices.
package migrations

import "embed"

// FS holds the SQL files.
//
//go:embed *.sql
var FS embed.FS
