package limit

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/fault"
)

func newLimits(t *testing.T, processes int) (all []*Limits, now *time.Time) {
	t.Helper()
	d := db.From(dbtest.New(t), 60)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for range processes {
		all = append(all, New(d, func() time.Time { return at }))
	}
	return all, &at
}

func refused(t *testing.T, err error) time.Duration {
	t.Helper()
	many, ok := fault.As(err)
	if !ok || many.Kind != fault.TooMany {
		t.Fatalf("got %v, want too many", err)
	}
	return many.After
}

func TestLimitLetsABurstThroughAndThenOneEverySoOften(t *testing.T) {
	t.Parallel()
	all, now := newLimits(t, 1)
	a, l := all[0], Limit{"test", 3, time.Minute}
	take := func() error { return a.Take(t.Context(), l.Of("x")) }
	for range 3 {
		if err := take(); err != nil {
			t.Fatal(err)
		}
	}
	if after := refused(t, take()); after != time.Minute {
		t.Errorf("next in %s", after)
	}
	*now = now.Add(59 * time.Second)
	if after := refused(t, take()); after != time.Second {
		t.Errorf("a refused attempt cost something: next in %s", after)
	}
	*now = now.Add(time.Second)
	if err := take(); err != nil {
		t.Error(err)
	}
	refused(t, take())
	*now = now.Add(time.Hour)
	for range 3 { // an idle hour restores the burst and no more
		if err := take(); err != nil {
			t.Error(err)
		}
	}
	refused(t, take())
	if err := a.Take(t.Context(), l.Of("y")); err != nil {
		t.Errorf("another bucket is spent too: %v", err)
	}
}

func TestAttemptCountsAgainstAllLimitsOrNone(t *testing.T) {
	t.Parallel()
	all, _ := newLimits(t, 1)
	a, ctx := all[0], t.Context()
	narrow, wide := Limit{"narrow", 1, time.Hour}, Limit{"wide", 2, time.Hour}
	both := func() error { return a.Take(ctx, narrow.Of("x"), wide.Of("x")) }
	if err := both(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if after := refused(t, both()); after != time.Hour {
			t.Errorf("next in %s", after)
		}
	}
	if err := a.Take(ctx, wide.Of("x")); err != nil {
		t.Errorf("refused attempts were counted: %v", err)
	}
	refused(t, a.Take(ctx, wide.Of("x")))
}

// Two processes, many attempts at once, and every bucket combined with others in a
// different order.
func TestLimitHoldsAcrossProcessesAtTheSameMoment(t *testing.T) {
	t.Parallel()
	all, _ := newLimits(t, 2)
	l, shared := Limit{"test", 5, time.Hour}, Limit{"shared", 12, time.Hour}
	var through [4]atomic.Int64
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			tries := []Try{l.Of(fmt.Sprint(i % 4)), shared.Of("")}
			if i%2 == 0 {
				tries[0], tries[1] = tries[1], tries[0]
			}
			err := all[i%2].Take(context.WithoutCancel(t.Context()), tries...)
			if err != nil && !errors.Is(err, fault.TooMany) {
				t.Error(err)
			} else if err == nil {
				through[i%4].Add(1)
			}
		})
	}
	wg.Wait()
	sum := int64(0)
	for i := range through {
		if n := through[i].Load(); n > 5 {
			t.Errorf("bucket %d let %d through", i, n)
		} else {
			sum += n
		}
	}
	if sum > 12 || sum == 0 {
		t.Errorf("all together let %d through, want at most 12", sum)
	}
}

func TestOneConnectionCountsAsOneAddress(t *testing.T) {
	t.Parallel()
	l := Limit{"test", 3, 8 * time.Second}
	for address, want := range map[string]string{
		"203.0.113.7":             "test:203.0.113.7 3 8s",
		"::ffff:203.0.113.7":      "test:203.0.113.7 3 8s",
		"2001:db8:1:2345:3:4:5:6": "test:2001:db8:1:2345::/64 3 8s, test:2001:db8:1:2300::/56 6 4s, test:2001:db8:1::/48 12 2s",
		"2001:db8:1:2345:ffff::1": "test:2001:db8:1:2345::/64 3 8s, test:2001:db8:1:2300::/56 6 4s, test:2001:db8:1::/48 12 2s",
		"fe80::1%eth0":            "test:fe80::/64 3 8s, test:fe80::/56 6 4s, test:fe80::/48 12 2s",
		"":                        "test:unknown 3 8s",
	} {
		a, _ := netip.ParseAddr(address)
		var got []string
		for _, t := range l.From(a) {
			got = append(got, fmt.Sprint(t.bucket(), " ", t.Burst, " ", t.Every))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s counts as %s, want %s", address, strings.Join(got, ", "), want)
		}
	}
}
