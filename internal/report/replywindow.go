package report

import (
	"encoding/json"

	"github.com/golang-sql/civil"
)

// ReplyWindow is the window that a stored reply states: the upsell service's appliedWindow or the gift
// service's period; nil if it states none.
func ReplyWindow(body []byte) *Window {
	var named struct {
		Data struct {
			Applied *struct{ Start, End string } `json:"appliedWindow"`
			Period  *struct{ Start, End string } `json:"period"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &named) != nil {
		return nil
	}
	of := named.Data.Applied
	if of == nil {
		of = named.Data.Period
	}
	if of == nil {
		return nil
	}
	start, err := civil.ParseDate(day10(of.Start))
	end, wrong := civil.ParseDate(day10(of.End))
	if err != nil || wrong != nil || !start.IsValid() || !end.IsValid() || end.Before(start) {
		return nil
	}
	return &Window{start, end}
}

func day10(s string) string { return s[:min(len(s), 10)] }
