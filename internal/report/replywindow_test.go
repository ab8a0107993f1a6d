package report

import "testing"

func TestARawReplyNamesItsWindow_N22(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]*Window{
		`{"success":true,"data":{"appliedWindow":{"start":"2026-11-01","end":"2026-11-19","source":"merchant"}}}`: ptr(span("2026-11-01", "2026-11-19")),
		`{"success":true,"data":{"period":{"start":"2026-11-13","end":"2026-11-19","days":7}}}`:                   ptr(span("2026-11-13", "2026-11-19")),
		`{"success":true,"data":{"totalRevenue":1}}`:                                                              nil,
		`{"success":true,"data":[]}`:                                   nil,
		`{"success":true,"data":{"period":{"start":"soon","end":""}}}`: nil,
		`<html>`: nil,
	} {
		equal(t, body, ReplyWindow([]byte(body)), want)
	}
}
