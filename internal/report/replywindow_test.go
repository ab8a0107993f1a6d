package report_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestARawReplyNamesItsWindow_N22(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]*report.Window{
		`{"success":true,"data":{"appliedWindow":{"start":"2026-11-01","end":"2026-11-19","source":"merchant"}}}`: reporttest.Ptr(reporttest.Span("2026-11-01", "2026-11-19")),
		`{"success":true,"data":{"period":{"start":"2026-11-13","end":"2026-11-19","days":7}}}`:                   reporttest.Ptr(reporttest.Span("2026-11-13", "2026-11-19")),
		`{"success":true,"data":{"totalRevenue":1}}`:                                                              nil,
		`{"success":true,"data":[]}`:                                   nil,
		`{"success":true,"data":{"period":{"start":"soon","end":""}}}`: nil,
		`<html>`: nil,
	} {
		reporttest.Equal(t, body, report.ReplyWindow([]byte(body)), want)
	}
}
