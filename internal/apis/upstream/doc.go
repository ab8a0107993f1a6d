// Package upstream is what the clients of both services share: one bearer
// transport, the budget gate before every attempt, the kinds of failure, strict
// JSON, and the rule for which addresses may be called.
//
// It knows nothing of any endpoint, keeps nothing between calls but pooled
// connections, and writes no log: what happened is in the [Answer] or the
// [Failure] that the caller gets.
//
// The retry loop is our own, upon net/http. Whether a reply may be asked for
// again depends on its body (the gift service's error.code) and on the
// credential's gate, and its waits must run on a test's clock; a general retrying
// client sees none of the three.
package upstream
