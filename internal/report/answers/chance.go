package answers

import (
	"math"
	"slices"

	"github.com/golang-sql/civil"
)

// series has a number for each day starting at first; a missing day has none (N1).
type series struct {
	first civil.Date
	// numbers are NaN for a missing day.
	numbers []float64
}

func newSeries(first, last civil.Date) series {
	s := series{first, make([]float64, max(0, last.DaysSince(first)+1))}
	for i := range s.numbers {
		s.numbers[i] = math.NaN()
	}
	return s
}

// set sets a day's number; days outside the series are ignored.
func (s series) set(d civil.Date, v float64) {
	if i := d.DaysSince(s.first); i >= 0 && i < len(s.numbers) {
		s.numbers[i] = v
	}
}

// of returns the numbers of the days, in order; false if one is missing.
func (s series) of(first civil.Date, days int) ([]float64, bool) {
	return s.run(first.DaysSince(s.first), days)
}

func (s series) run(from, n int) ([]float64, bool) {
	if from < 0 || n < 0 || from+n > len(s.numbers) {
		return nil, false
	}
	out := s.numbers[from : from+n]
	return out, !slices.ContainsFunc(out, math.IsNaN)
}

// level removes the effect of weekdays: each day is divided by what its weekday usually is, as a
// multiple of the seven days around it.
func (s series) level() series {
	weekday := func(i int) int { return i % 7 } // counted from the first day's weekday
	var sum, n [7]float64
	for i, v := range s.numbers {
		if week, ok := s.run(i-3, 7); ok {
			if m := mean(week); m > 0 {
				sum[weekday(i)] += v / m
				n[weekday(i)]++
			}
		}
	}
	usual, total := [7]float64{}, 0.0
	for w := range usual {
		if n[w] < 2 || sum[w] <= 0 { // a weekday seen once is no pattern
			return s
		}
		usual[w] = sum[w] / n[w]
		total += usual[w] / 7
	}
	out := series{s.first, slices.Clone(s.numbers)}
	for i := range out.numbers {
		out.numbers[i] *= total / usual[weekday(i)]
	}
	return out
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// step is the difference between two runs of days, in standard errors.
type step struct {
	size, errors float64
	// free are the degrees of freedom.
	free float64
}

// compare is Welch's t-test. one is the value of a single sale: if sales were pure chance, a day's
// variance would be its mean times that, so the variance is never taken to be lower. Days that resemble
// the previous one, as measured by alike, count for less.
func compare(before, after []float64, one, alike float64) step {
	mb, ma := mean(before), mean(after)
	vb, va := max(variance(before, mb), mb*one), max(variance(after, ma), ma*one)
	nb, na := float64(len(before)), float64(len(after))
	b, a := vb/nb, va/na
	st := step{size: ma - mb, free: (b + a) * (b + a) / (b*b/(nb-1) + a*a/(na-1))}
	if b+a > 0 {
		st.errors = st.size / math.Sqrt((b+a)*(1+alike)/(1-alike))
	}
	return st
}

// alike is how strongly a day's deviation from its level predicts the next day's, from 0 to 0.6.
func alike(before, after []float64) float64 {
	mb, ma := mean(before), mean(after)
	whole := products(before, mb, 0) + products(after, ma, 0)
	if whole == 0 {
		return 0
	}
	r := (products(before, mb, 1) + products(after, ma, 1)) / whole
	return min(max(r+2/float64(len(before)+len(after)), 0), 0.6) // short runs look less alike than they are
}

func variance(x []float64, m float64) float64 { return products(x, m, 0) / float64(len(x)-1) }

// products sums the products of each deviation with the one later days after it.
func products(x []float64, m float64, later int) (sum float64) {
	for i := range len(x) - later {
		sum += (x[i] - m) * (x[i+later] - m)
	}
	return sum
}

// beyond reports whether a step exceeds z normal deviations. It uses Student's t via the Cornish-Fisher
// expansion, so fewer days need a larger step.
func (s step) beyond(z float64) bool {
	if s.errors == 0 || math.IsNaN(s.errors) || s.free < 1 {
		return false
	}
	return math.Abs(s.errors) > s.limit(z)
}

func (s step) limit(z float64) float64 {
	return z + (z*z*z+z)/(4*s.free) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*s.free*s.free)
}

// between is the range of plausible sizes for a step that is beyond z, the end nearer to zero first.
func (s step) between(z float64) (least, most float64) {
	margin := s.size / s.errors * s.limit(z)
	least, most = s.size-margin, s.size+margin
	if s.size < 0 {
		return most, least
	}
	return least, most
}

// breakAt is the day that best divides the days into two levels: the first day of the second level.
func breakAt(x []float64, least int) int {
	best, at := math.Inf(1), -1
	for i := least; i <= len(x)-least; i++ {
		if rest := products(x[:i], mean(x[:i]), 0) + products(x[i:], mean(x[i:]), 0); rest < best {
			best, at = rest, i
		}
	}
	return at
}
