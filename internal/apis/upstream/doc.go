// Package upstream is what the clients of both services share: one bearer transport, the budget
// gate before every attempt, the kinds of failure, strict JSON, and the rule for which
// addresses may be called.
//
// It knows nothing about endpoints, keeps nothing between calls except pooled connections, and
// writes no log: what happened is in the [Answer] or the [Failure] that the caller gets.
//
// The retry loop is our own, on top of net/http. Whether to repeat a request depends on the
// reply's body (the gift service's error.code) and on the credential's gate, and its waits must
// run on a test's clock; a general retrying client supports none of the three.
package upstream
