package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// Answer sends a value of the JSON API.
func (c *Call) Answer(v any) error {
	body, err := JSON(v)
	if err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return c.Send(NewDocument("application/json", body))
}

// JSON writes a value without escaping what only HTML needs escaped.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// WindowParams choose a window; only answers about a window take them.
var WindowParams = []string{"window", "start", "end", "compare"}

// Choice reads the window in the address on the store's clock. Errors say what is wrong.
func (c *Call) Choice(now time.Time) (report.Choice, error) {
	if c.Link != nil {
		return c.linkChoice(now)
	}
	return report.ParseChoice(c.QueryParams(), now, c.Store.Location(), c.Store.FirstDay)
}

// RowGroup is what a row of a history covers in files and JSON: a day, unless the address says
// otherwise, however long the window is.
func (c *Call) RowGroup(choice report.Choice) report.Group {
	if c.QueryParam("group") == "" {
		return report.ByDay
	}
	return choice.Group
}

// List turns nil into an empty list, so that JSON never has null.
func List[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}
