package gallery

import (
	"strconv"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// sample is a number of each basis, with every doubt on the stitched one.
func sample(i int, basis report.Basis) components.Source {
	p := reported("GET /data/analytics/stats", &window, 12)
	if basis == report.Stitched {
		p = stitched("GET /data/analytics/stats")
		for _, f := range []report.Flag{report.FlagPartial, report.FlagStale, report.FlagCut, report.FlagWindowDiffers, report.FlagChanged, report.FlagDrift, report.FlagCached, report.FlagRateDisagrees, report.FlagUnknownValue, report.FlagUnproven, report.FlagIncomplete} {
			p = p.With(f)
		}
		p.LeftOut = &today
		p.Check = &report.Check{Days: 29, Missing: 0, Reported: dec("21884.07"), Stitched: dec("21880.00")}
	}
	p.Basis = basis
	s := components.Source{ID: "sample-" + strconv.Itoa(i), Label: "Post-purchase value", Value: "$21,884.07", Code: "USD", Field: "revenue", P: p, Now: now}
	if basis == report.NotReported {
		s.Value, s.Code = "", ""
	}
	return s
}
