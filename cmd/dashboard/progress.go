package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	pulls "github.com/storeglass/storeglass/internal/sync"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
)

// progress shows a sync's steps: as a bar on a terminal, as a line per step in a pipe.
type progress struct {
	p   *cli.Program
	bar *progressbar.ProgressBar // nil unless Stdout is a terminal
}

func newProgress(p *cli.Program) *progress {
	f, ok := p.Stdout.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{p: p}
	}
	return &progress{p: p, bar: progressbar.NewOptions(1,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

func (s *progress) step(at pulls.Progress) {
	if s.bar == nil {
		if at.Waiting > 0 && at.Waiting < time.Second { // often between two calls
			return
		}
		s.p.Printf("%s\n", stepLine(at))
		return
	}
	s.bar.ChangeMax(max(at.Total, 1))
	s.bar.Describe(fmt.Sprintf("%-32.32s", strings.TrimSpace(stepName(at))))
	_ = s.bar.Set(at.Done) // drawing may fail; the pulls go on
}

// end removes the bar, so that the next output starts on a new line.
func (s *progress) end() {
	if s.bar != nil {
		_ = s.bar.Clear()
	}
}

// stepLine is a step as a line: "12/400 summary.day 2026-11-19: good".
func stepLine(at pulls.Progress) string {
	line := fmt.Sprintf("%d/%d %s", at.Done, at.Total, stepName(at))
	if at.Waiting > 0 || at.Outcome == "" {
		return line
	}
	line += ": " + at.Outcome
	if at.Text != "" {
		line += " (" + at.Text + ")"
	}
	return line
}

func stepName(at pulls.Progress) string {
	if at.Waiting > 0 {
		return "waiting " + at.Waiting.Round(time.Second).String() + " for the rate limit"
	}
	return cli.Plain(strings.TrimSpace(at.Pull + " " + at.Subject))
}
