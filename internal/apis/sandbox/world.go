package sandbox

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
	historyAtLeast = 400 // days a default world has before its clock
	yearOfWeeks    = 364 // what comes back yearly comes back on the same weekday
	forever        = 1 << 30
	minutesADay    = 1440
)

// worldStart is the first day of the default world; day numbers count from it.
var worldStart = civil.Date{Year: 2025, Month: time.July, Day: 7}

// defaultSince is worldStart for every clock that leaves enough history, so that a world restarted later is still the same world. An
// earlier clock gets the same world moved back by whole years of weeks.
func defaultSince(now time.Time) civil.Date {
	since := worldStart
	for civil.DateOf(now).DaysSince(since) < historyAtLeast {
		since = since.AddDays(-yearOfWeeks)
	}
	return since
}

// draw is a source of chance that depends on nothing but its names.
func draw(seed uint64, names ...any) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendln(binary.BigEndian.AppendUint64(nil, seed), names...))
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}

// madeUp is a made-up identifier of n hexadecimal characters.
func madeUp(seed uint64, n int, names ...any) string {
	sum := sha256.Sum256(fmt.Appendln(binary.BigEndian.AppendUint64(nil, seed), names...))
	return hex.EncodeToString(sum[:])[:n]
}

// shop is one store of the world with what has been computed of it.
type shop struct {
	shopPlan
	seed       uint64
	since      civil.Date
	lateOrders bool
	shuffle    bool
	clamp      bool // see Config.Clamp
	fewHandles bool // see Config.FewHandles
	topMax     int
	second     bool              // answers what the gift document leaves open in the second of two shapes
	stock      []item            // the products with what the platform says of them
	known      map[string]string // title by the platform's id
	loc        *time.Location
	billing    billing
	desk       desk

	mu     sync.Mutex
	final  []row // running totals by day number, never changed once there
	newest *book

	cacheMu   sync.Mutex
	cachedDay int
	cached    map[string]bool // gift windows that were answered on cachedDay
}

// newShop makes the nth store.
func newShop(cfg Config, n int, plan shopPlan) *shop {
	loc, err := time.LoadLocation(plan.zone)
	if err != nil {
		panic(fmt.Sprintf("sandbox: time zone %s: %v", plan.zone, err))
	}
	sh := &shop{
		shopPlan: plan, seed: cfg.Seed, since: cfg.Since, lateOrders: cfg.LateOrders, shuffle: cfg.Shuffle, clamp: cfg.Clamp, fewHandles: cfg.FewHandles, loc: loc,
		topMax: cmp.Or(cfg.TopMax, topMax),
		second: (uint64(n)+cfg.Seed)%2 == 0,
	}
	sh.stock = sh.inStock()
	sh.known = sh.platform()
	return sh
}

func (sh *shop) slugOrNone() string {
	if sh == nil {
		return ""
	}
	return sh.slug
}

// moment is a clock reading on the store's clock.
type moment struct {
	day    int // number of the day since the world's first
	minute int // how far the day is, 0 to 1439
}

// moment reads the store's clock. A day of 23 or 25 hours is stretched to 1,440 minutes, so that today never shrinks.
func (sh *shop) moment(at time.Time) moment {
	date := civil.DateOf(at.In(sh.loc))
	start, end := date.In(sh.loc), date.AddDays(1).In(sh.loc)
	return moment{date.DaysSince(sh.since), int(at.Sub(start) * minutesADay / end.Sub(start))}
}

func (m moment) before(o moment) bool { return m.day < o.day || m.day == o.day && m.minute < o.minute }

func (sh *shop) date(day int) civil.Date { return sh.since.AddDays(day) }

// stamp writes a moment on the store's clock: with its offset or, in stores that do so, without a zone.
func (sh *shop) stamp(day, minute int) string {
	d := sh.date(day)
	t := time.Date(d.Year, d.Month, d.Day, minute/60, minute%60, 0, 0, sh.loc)
	if sh.zoned {
		return t.Format(time.RFC3339)
	}
	return t.Format("2006-01-02T15:04:05")
}
