package db

import (
	"errors"
	"fmt"
)

// ErrLost: none of the secret keys can decrypt the value.
var ErrLost = errors.New("no key opens it")

// Resealed counts what was re-encrypted with the current key.
type Resealed struct {
	// Done were encrypted with an older key, Current are encrypted with the current one.
	Done, Current int
	// Lost names what none of the keys can decrypt.
	Lost []string
}

// Reseal re-encrypts each listed item by calling one, which works in a transaction of its own and
// returns the item's name and whether an older key had encrypted it, or [ErrLost] if no key can decrypt
// it.
func Reseal[T any](listed []T, one func(T) (name string, changed bool, err error)) (r Resealed, err error) {
	for _, row := range listed {
		name, changed, err := one(row)
		switch {
		case errors.Is(err, ErrLost):
			r.Lost = append(r.Lost, name)
		case err != nil:
			return r, fmt.Errorf("seal what belongs to %s again: %w", name, err)
		case changed:
			r.Done++
		default:
			r.Current++
		}
	}
	return r, nil
}
