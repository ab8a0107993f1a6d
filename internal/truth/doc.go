// Package truth has only tests. It has a second, independent implementation of both services,
// written from their documents alone, which computes every answer from a list of orders that
// tests may change during reads. The whole program runs against it, and each number of the JSON
// API is compared with what the orders give. It never shares code with the sandbox, so that it
// reveals a misreading there.
package truth
