// Package traps holds the list of traps (docs/developers/traps.md) against the tests that
// name them. It has no code of its own.
package traps
