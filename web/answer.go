package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// answer sends a value of the JSON API.
func (c *call) answer(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return c.send(newDocument("application/json", b.Bytes()))
}

// windowParams choose a window; they are taken only where the answer has one.
var windowParams = []string{"window", "start", "end", "compare"}

// choice reads the window in the address on the store's clock. Errors say what is wrong.
func (c *call) choice(now time.Time) (report.Choice, error) {
	if c.link != nil {
		return c.linkChoice(now)
	}
	return report.ParseChoice(c.QueryParams(), now, c.store.Location(), c.store.FirstDay)
}

// list is never null in JSON.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}
