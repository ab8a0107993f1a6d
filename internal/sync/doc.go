// Package pulls keeps each store's history true and growing: it decides what to
// pull (package plan), within which budget (the gate), runs the pulls and writes
// numbers, raw reply and ledger row in one transaction, the outcome last.
//
// Any pull may run twice: writes set a value for a key. Any process may die at
// any instant: what it had claimed becomes free again, and at most its last call
// is repeated. Any number of processes may work at once: a pull is claimed by
// one, and only the holder of the newest claim can commit.
//
// It never shows anything, and it never adds two numbers up.
package pulls
