// Package sqlc is what sqlc generates from ../query and the migrations: a function for each
// statement and a type for each row. Nothing here is written by hand but this comment. What
// is asked together, behind which wall and in which transaction is package db's.
package sqlc
