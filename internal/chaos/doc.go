// Package chaos has the tests that need real processes and rough treatment: budgets under
// several processes, kills, outages. They take minutes and have the build tag chaos; `make
// chaos` runs them.
//
// They start the program as a shell does and only look at it from outside: at the sandbox's own
// log, at what arrives, and at the tables. Nothing imports the package.
//
// CHAOS_MINUTES is how long the budget is watched (5), CHAOS_KILLS how many kills there are
// (20), CHAOS_SEED the seed for random moments (1).
package chaos
