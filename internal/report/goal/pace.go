package goal

import (
	"time"

	"github.com/golang-sql/civil"
)

// HistoryDays is how many days before the first estimated one an estimate is based on.
const HistoryDays = 12 * 7

// levelDays are the newest of them, which show how much is sold lately.
const levelDays = 4 * 7

// series has a number for each day; a missing day has none (N1).
type series map[civil.Date]float64

// habit is how a store usually sells.
type habit struct {
	// weights are what each weekday usually sells, as a multiple of the average weekday.
	weights [7]float64
	// level is what a day of weight one sells lately, over the weight known.
	level, known float64
	// chance is the variance of a day of weight one; days of more weight vary more.
	chance float64
	// drift is the variance of the level from one week to the next, as far as the history shows it.
	drift float64
}

// habitOf returns false if too few of the days up to the last are stored: it needs at least four of
// each weekday, and three of the last four weeks.
func habitOf(days series, last civil.Date) (h habit, ok bool) {
	var sum, n [7]float64
	newest := 0
	for back := range HistoryDays {
		d := last.AddDays(-back)
		v, stored := days[d]
		if !stored {
			continue
		}
		sum[weekday(d)] += v
		n[weekday(d)]++
		if back < levelDays {
			newest++
		}
	}
	total := 0.0
	for w := range sum {
		if n[w] < 4 {
			return h, false
		}
		h.weights[w] = max(0, sum[w]/n[w])
		total += h.weights[w] / 7
	}
	if newest < levelDays-7 {
		return h, false
	}
	if total <= 0 { // nothing was sold
		return h, true
	}
	for w := range h.weights {
		h.weights[w] /= total
	}
	h.level, h.known = h.over(days, last, levelDays)
	h.chance = h.chances(days, last)
	h.drift = h.drifts(days, last)
	return h, true
}

// over is the level of the length days ending on last, and the total weight of those stored.
func (h habit) over(days series, last civil.Date, length int) (level, known float64) {
	sum := 0.0
	for back := range length {
		if v, stored := days[last.AddDays(-back)]; stored {
			sum += v
			known += h.weights[weekday(last.AddDays(-back))]
		}
	}
	if known == 0 {
		return 0, 0
	}
	return sum / known, known
}

// chances compares each day with the same weekday a week before, so that slow trends don't count as chance.
func (h habit) chances(days series, last civil.Date) float64 {
	sum, n := 0.0, 0.0
	for back := range HistoryDays - 7 {
		d := last.AddDays(-back)
		now, stored := days[d]
		before, also := days[d.AddDays(-7)]
		if w := h.weights[weekday(d)]; stored && also && w > 0 {
			sum += (now - before) * (now - before) / (2 * w)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// within is how many standard errors a range extends to each side, so that four out of five months end in it.
const within = 1.2816

// driftWeeks is how far apart the weeks are that drift is measured over.
const driftWeeks = 4

// drifts is how much further apart weeks are than chance alone makes them, per week between them.
func (h habit) drifts(days series, last civil.Date) float64 {
	var levels, known []float64
	for back := 0; back < HistoryDays; back += 7 {
		level, weight := h.over(days, last.AddDays(-back), 7)
		if weight < 4 {
			break
		}
		levels, known = append(levels, level), append(known, weight)
	}
	sum, n := 0.0, 0.0
	for lag := 1; lag <= driftWeeks; lag++ {
		for i := range len(levels) - lag {
			apart := levels[i] - levels[i+lag]
			sum += apart*apart - h.chance*(1/known[i]+1/known[i+lag])
			n += float64(lag)
		}
	}
	if n == 0 {
		return 0
	}
	return max(0, sum/n)
}

// ahead is what days are expected to sell, and the variance of the sum.
func (h habit) ahead(days []civil.Date) (expected, variance float64) {
	weight := 0.0
	for _, d := range days {
		weight += h.weights[weekday(d)]
	}
	n := float64(len(days))
	// A four-week level is two weeks old on average, and the days are n/2 ahead.
	weeks := (levelDays*1.0/3 + n/3) / 7
	return h.level * weight, h.chance*(weight+weight*weight/h.known) + h.drift*weeks*weight*weight
}

func weekday(d civil.Date) time.Weekday { return d.In(time.UTC).Weekday() }
