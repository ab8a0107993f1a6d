package report_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestAxesStartAtZeroAndHaveRoundTicks(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"2241.5": {"2500", "500"}, "2500": {"2500", "500"}, "2501": {"3000", "500"}, "9.99": {"10", "2"},
		"120000": {"120000", "20000"}, "0.43": {"0.5", "0.1"}, "1": {"1", "0.2"}, "0": {"1", "1"}, "17": {"20", "5"},
	} {
		a := report.RoundAxis(*reporttest.Dec(in))
		if !a.Max.Equal(*reporttest.Dec(want[0])) || !a.Step.Equal(*reporttest.Dec(want[1])) {
			t.Errorf("%s: to %s by %s, want to %s by %s", in, a.Max, a.Step, want[0], want[1])
		}
	}
	for in, want := range map[string][2]string{"3": {"3", "1"}, "1": {"1", "1"}, "11": {"12", "2"}, "14": {"15", "3"}, "0": {"1", "1"}, "1327": {"1500", "250"}} {
		if a := report.CountAxis(*reporttest.Dec(in)); !a.Max.Equal(*reporttest.Dec(want[0])) || !a.Step.Equal(*reporttest.Dec(want[1])) {
			t.Errorf("%s things: to %s by %s, want to %s by %s", in, a.Max, a.Step, want[0], want[1])
		}
	}
	for in, want := range map[string]string{"1412": "1500", "289": "300", "760": "800", "14": "15", "0.07": "0.08", "8100": "10000", "0": "1"} {
		if got := report.RoundTop(*reporttest.Dec(in)); !got.Equal(*reporttest.Dec(want)) {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
