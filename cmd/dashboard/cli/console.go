// Package cli is what every command works with: its arguments and environment, lines, tables and questions
// on a terminal, and the opened installation.
package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/settings"
)

// Program is one run of the command line, with everything outside that it uses, so that a
// test can start it like a shell does.
type Program struct {
	Args           []string
	Env            []string // "NAME=value"
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	unwritten      error
}

// UsageError is an invalid command line, found only after parsing.
type UsageError struct{ line string }

func (e *UsageError) Error() string { return e.line }

// Usagef is a [UsageError].
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Complain writes the text to Stderr as one line.
func (p *Program) Complain(text string) {
	_, _ = fmt.Fprintln(p.Stderr, "dashboard: "+Plain(strings.Join(strings.Fields(text), " ")))
}

// Printf writes to Stdout. [Program.Unwritten] says if that failed.
func (p *Program) Printf(format string, args ...any) {
	if _, err := fmt.Fprint(p.Stdout, Plain(fmt.Sprintf(format, args...))); err != nil {
		p.unwritten = err
	}
}

// Unwritten is why a part of the output is missing. It may be a token that is shown only once.
func (p *Program) Unwritten() error { return p.unwritten }

// JSONLine writes a value to Stdout as one line of JSON. [Program.Unwritten] says if that failed.
func (p *Program) JSONLine(v any) {
	enc := json.NewEncoder(p.Stdout)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		p.unwritten = err
	}
}

// Table is lines of cells, aligned in columns.
type Table struct{ *tabwriter.Writer }

// Table begins a table on Stdout; its Flush writes it.
func (p *Program) Table(columns ...string) Table {
	w := Table{tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)}
	_, _ = fmt.Fprintln(w, strings.Join(columns, "\t"))
	return w
}

// Row adds a line. Tables contain strangers' texts: see [Plain].
func (t Table) Row(cells ...any) {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = Cell(fmt.Sprint(c))
	}
	_, _ = fmt.Fprintln(t, strings.Join(texts, "\t"))
}

// Cell is a text on one line; an empty one becomes a dash.
func Cell(text string) string {
	if text = OneLine(text); text == "" {
		return "-"
	}
	return Plain(text)
}

// Plain removes terminal control sequences from a text: strangers write store names and
// offer ids.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Bidi_Control) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// OneLine keeps a stranger's text on its line.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Notef writes to Stderr what a person should know but a pipe shouldn't get.
func (p *Program) Notef(format string, args ...any) { _, _ = fmt.Fprintf(p.Stderr, format, args...) }

// Settings reads the environment and prints probable mistakes.
func (p *Program) Settings(need settings.Requirement) (settings.Settings, error) {
	s, warnings, err := settings.Load(p.Env, need)
	for _, line := range warnings {
		p.Complain("warning: " + line)
	}
	return s, err
}

// QuietLog is the log of a command that prints its own output: it writes warnings only,
// unless the setting asks for more.
func (p *Program) QuietLog(s settings.Settings) *slog.Logger {
	if settings.Present(p.Env)["DASHBOARD_LOG"] != "" {
		return s.Log.Logger(p.Stderr, slog.LevelDebug)
	}
	return s.Log.Logger(p.Stderr, slog.LevelWarn)
}

// Variable returns an environment variable that isn't a setting, such as a token.
func (p *Program) Variable(name string) string { return settings.Present(p.Env)[name] }

// Open reads the settings and opens the database.
func (p *Program) Open(ctx context.Context, need settings.Requirement, rule app.SchemaRule) (*app.App, error) {
	s, err := p.Settings(need)
	if err != nil {
		return nil, err
	}
	a, err := app.Open(ctx, s, p.QuietLog(s), rule)
	if err == nil && a.Server != nil && a.Server.Made() {
		p.Notef("Made an empty database in %s. Another one is chosen with DATABASE_URL or DASHBOARD_DATA_DIR; the demo's with DASHBOARD_DATA_DIR=.data.\n", s.DataDir)
	}
	return a, words.Interrupted(ctx, err)
}

// WithApp is for commands that check their arguments before anything is opened, or have
// special requirements.
func (p *Program) WithApp(ctx context.Context, need settings.Requirement, rule app.SchemaRule, f func(*app.App) error) error {
	a, err := p.Open(ctx, need, rule)
	if err != nil {
		return err
	}
	defer a.Close()
	return words.Interrupted(ctx, f(a))
}

// YesNo is a truth in a table.
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
