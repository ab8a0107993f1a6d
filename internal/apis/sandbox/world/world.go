// Package world has the made-up shops that the sandbox serves: their catalogs, offers,
// campaigns, edits and orders, each a pure function of seed, store and day. It knows nothing
// about requests and answers.
package world

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
	_ "time/tzdata" // the stores' zones, wherever this runs

	"github.com/golang-sql/civil"
)

const (
	HistoryAtLeast = 400 // days a default world has before its clock
	yearOfWeeks    = 364 // what repeats yearly falls on the same weekday
	Forever        = 1 << 30
	minutesADay    = 1440
)

// worldStart is the first day of the default world; day numbers count from it.
var worldStart = civil.Date{Year: 2025, Month: time.July, Day: 7}

// DefaultSince is worldStart for every clock that leaves enough history, so that a restarted world is still the same.
// An earlier clock gets the same world moved back by whole years of weeks.
func DefaultSince(now time.Time) civil.Date {
	since := worldStart
	for civil.DateOf(now).DaysSince(since) < HistoryAtLeast {
		since = since.AddDays(-yearOfWeeks)
	}
	return since
}

// Draw is a random source that depends only on seed and names.
func Draw(seed uint64, names ...any) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendln(binary.BigEndian.AppendUint64(nil, seed), names...))
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}

// MadeUp is a made-up identifier of n hexadecimal characters.
func MadeUp(seed uint64, n int, names ...any) string {
	sum := sha256.Sum256(fmt.Appendln(binary.BigEndian.AppendUint64(nil, seed), names...))
	return hex.EncodeToString(sum[:])[:n]
}

// Shop is one store of the world with what has been computed for it.
type Shop struct {
	shopPlan
	Config
	Second  bool              // answers with the second of two shapes where the gift document leaves them open
	Stock   []Item            // the products with what the platform says about them
	Known   map[string]string // title by the platform's id
	loc     *time.Location
	Billing Billing
	Desk    desk

	mu     sync.Mutex
	final  []row // running totals by day number; they never change
	newest *Book

	CacheMu   sync.Mutex
	CachedDay int
	Cached    map[string]bool // gift windows that were answered on cachedDay
}

// NewShop makes the nth store.
func NewShop(cfg Config, n int, plan shopPlan) *Shop {
	loc, err := time.LoadLocation(plan.Zone)
	if err != nil {
		panic(fmt.Sprintf("sandbox: time zone %s: %v", plan.Zone, err))
	}
	sh := &Shop{shopPlan: plan, Config: cfg, Second: (uint64(n)+cfg.Seed)%2 == 0, loc: loc}
	sh.TopMax = cmp.Or(cfg.TopMax, topMax)
	sh.Stock = sh.inStock()
	sh.Known = sh.platform()
	return sh
}

func (sh *Shop) SlugOrNone() string {
	if sh == nil {
		return ""
	}
	return sh.Slug
}

// Moment is a clock reading on the store's clock.
type Moment struct {
	Day    int // number of the day since the world's first
	minute int // minute of the day, 0 to 1439
}

// Moment reads the store's clock. A day of 23 or 25 hours is stretched to 1,440 minutes, so that today never shrinks.
func (sh *Shop) Moment(at time.Time) Moment {
	date := civil.DateOf(at.In(sh.loc))
	start, end := date.In(sh.loc), date.AddDays(1).In(sh.loc)
	return Moment{date.DaysSince(sh.Since), int(at.Sub(start) * minutesADay / end.Sub(start))}
}

func (m Moment) before(o Moment) bool { return m.Day < o.Day || m.Day == o.Day && m.minute < o.minute }

func (sh *Shop) Date(day int) civil.Date { return sh.Since.AddDays(day) }

// Stamp writes a moment on the store's clock: with its offset or, for some stores, without a zone.
func (sh *Shop) Stamp(day, minute int) string {
	d := sh.Date(day)
	t := time.Date(d.Year, d.Month, d.Day, minute/60, minute%60, 0, 0, sh.loc)
	if sh.zoned {
		return t.Format(time.RFC3339)
	}
	return t.Format("2006-01-02T15:04:05")
}

const topMax = 50 // rows of a ranking, unless Config.TopMax is set
