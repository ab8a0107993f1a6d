package db

import (
	"errors"
	"fmt"
)

// ErrLost: none of the secret keys opens what is sealed.
var ErrLost = errors.New("no key opens it")

// Resealed counts what was sealed again with the current key.
type Resealed struct {
	// Done were sealed with an older key, Current are sealed with the current one.
	Done, Current int
	// Lost names what none of the keys opens.
	Lost []string
}

// Reseal seals everything listed again by one, which names it, does so in a transaction
// of its own, reports whether an older key had sealed it, and returns [ErrLost] if no
// key opens it.
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
