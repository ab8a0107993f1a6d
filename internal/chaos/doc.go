// Package chaos holds the proofs that need real processes and rough treatment:
// budgets under several processes, kills, outages. Its tests take minutes and
// bear the build tag chaos; `make chaos` runs them.
//
// They start the program as a shell does and look at it from outside only: at
// the sandbox's own log, at what arrives, and at the tables. Nothing imports it.
//
// CHAOS_MINUTES is how long the budget is watched (5), CHAOS_KILLS how many kills
// there are (20), CHAOS_SEED which random moments are taken (1).
package chaos
