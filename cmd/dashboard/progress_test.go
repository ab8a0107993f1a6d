package main

import (
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

func TestASyncInAPipeNamesWaitsOfASecondOrMore(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	show := newProgress(&cli.Program{Stdout: &out})
	for _, at := range []pulls.Progress{
		{Done: 1, Total: 3, Waiting: 300 * time.Millisecond},
		{Done: 1, Total: 3, Waiting: 41 * time.Second},
		{Done: 2, Total: 3, Pull: "summary.day", Subject: "2026-11-19", Outcome: "good"},
	} {
		show.step(at)
	}
	if got, want := out.String(), "1/3 waiting 41s for the rate limit\n2/3 summary.day 2026-11-19: good\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
