package db

import (
	"encoding/json"
	"fmt"
)

// OrZero is what a pointer leads to, such as a column's value; the zero value for nil.
func OrZero[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

// Optional is a value for a column; null if it's empty or 0.
func Optional[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// Rows is a JSON array for a statement's jsonb_to_recordset. We made the values, so marshalling can't fail.
func Rows[T any](in []T) []byte {
	if in == nil {
		in = []T{}
	}
	return JSON(in)
}

// JSON is a value of our own for a jsonb column.
func JSON(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("marshal a value of ours: %v", err))
	}
	return out
}
