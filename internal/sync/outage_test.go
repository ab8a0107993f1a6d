package pulls

import (
	"fmt"
	"testing"
	"time"
)

func TestN70ManyRefusalsAreAnOutageOnlyWhenHardlyAnyoneIsAnswered(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	before, after := -time.Hour, time.Minute
	refused := func(since ...time.Duration) (all []askedStore) {
		for i, d := range since {
			all = append(all, askedStore{id: int64(i + 1), refused: true, since: at.Add(d)})
		}
		return all
	}
	answers := func(times ...time.Duration) (all []askedStore) {
		for i, d := range times {
			all = append(all, askedStore{id: int64(100 + i), answered: at.Add(d)})
		}
		return all
	}
	for name, c := range map[string]struct {
		all  []askedStore
		want string
	}{
		"two stores":                            {refused(0, 0), "[]"},
		"three, nobody else":                    {refused(0, after, 2*after), "[1 2 3] 12:00"},
		"three, others not heard of since":      {append(refused(0, 0, 0), answers(before, before, before, before)...), "[1 2 3] 12:00"},
		"three, three answered since":           {append(refused(0, 0, 0), answers(after, after, after)...), "[1 2 3] 12:00"},
		"three, four answered since":            {append(refused(0, 0, 0), answers(after, after, after, after)...), "[]"},
		"hours of it, as stores come due":       {append(refused(0, 40*time.Minute, 3*time.Hour), answers(before)...), "[1 2 3] 12:00"},
		"revoked long before others answered":   {append(refused(-48*time.Hour, -48*time.Hour, -48*time.Hour), answers(0)...), "[]"},
		"an old one is not of those of now":     {append(refused(-48*time.Hour, 0, 0, 0), answers(before)...), "[2 3 4] 12:00"},
		"one answers a quarter of an hour long": {append(refused(0, 0, 0, 0), answers(16*time.Minute)...), "[]"},
	} {
		ids, since := outage(c.all)
		got := fmt.Sprint(ids)
		if len(ids) > 0 {
			got += since.Format(" 15:04")
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
