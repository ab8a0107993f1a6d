// Package traps compares the list of traps (docs/developers/traps.md) with the tests that name
// them. It has only tests.
package traps
