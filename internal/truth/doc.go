// Package truth holds tests only. It has a second, independent implementation of
// both services, written from their documents alone, whose every answer is computed
// from a list of orders that a test may change while it is read. The whole program
// runs against it, and each number of the JSON API is compared with what the orders
// give. It never shares code with the sandbox: a misreading there must show here.
package truth
