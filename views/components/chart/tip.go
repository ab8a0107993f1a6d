package chart

import "encoding/json"

// Tip is the tooltip of one point; charts.js inserts it as text, so a name from a service can't
// become markup.
type Tip struct {
	Title string
	Rows  []TipRow
	// Notes follow the rows.
	Notes []string
}

// TipRow is a name and its value.
type TipRow struct {
	Tone        TipTone
	Name, Value string
}

// TipTone is the line that a row is about, or the kind of a difference.
type TipTone string

const (
	TipNow  TipTone = "now"
	TipThen TipTone = "then"
	TipGoal TipTone = "goal"
	TipGood TipTone = "good"
	TipBad  TipTone = "bad"
)

// MarshalJSON writes lists instead of names: a page has hundreds of tips.
func (t Tip) MarshalJSON() ([]byte, error) {
	rows := make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		if rows[i] = []string{r.Name, r.Value}; r.Tone != "" {
			rows[i] = append(rows[i], string(r.Tone))
		}
	}
	return json.Marshal([]any{t.Title, rows, append([]string{}, t.Notes...)})
}
