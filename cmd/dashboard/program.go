package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/user"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/alecthomas/kong"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/settings"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	// exitUsage: the command line or a setting is invalid; nothing was tried.
	exitUsage = 2
)

// Program is one run of the command line, with everything outside that it uses, so that a
// test can start it like a shell does.
type Program struct {
	Args           []string
	Env            []string // "NAME=value"
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// commands is the command line; each command is in the file with its name.
type commands struct {
	Demo     demoCommand     `cmd:"" help:"Try Storeglass with made-up stores and a private database."`
	Serve    serveCommand    `cmd:"" help:"Run the server: pages, JSON API and worker."`
	Migrate  migrateCommand  `cmd:"" help:"Update or show the database schema."`
	Store    storeCommand    `cmd:"" help:"Connect and manage stores."`
	Sync     syncCommand     `cmd:"" help:"Update a store's numbers now."`
	User     userCommand     `cmd:"" help:"Manage people and the stores they see."`
	Group    groupCommand    `cmd:"" help:"Manage groups of stores."`
	Token    tokenCommand    `cmd:"" help:"Manage tokens of the JSON API."`
	Share    shareCommand    `cmd:"" help:"List and revoke share links."`
	Snapshot snapshotCommand `cmd:"" help:"Manage weekly mails."`
	Secrets  secretsCommand  `cmd:"" help:"Change the key that encrypts upstream tokens."`
	Audit    auditCommand    `cmd:"" help:"Show who changed or downloaded what."`
	Gift     giftCommand     `cmd:"" help:"Show and change gift campaigns and widgets."`
	Sandbox  sandboxCommand  `cmd:"" help:"Serve both upstream services with made-up stores."`
	Doctor   doctorCommand   `cmd:"" help:"Check settings, database, credentials and clock."`

	Version     versionCommand    `cmd:"" help:"Print the version, commit, Go version and schema."`
	Completion  completionCommand `cmd:"" help:"Print the completion script for a shell."`
	VersionFlag versionFlag       `name:"version" help:"Print the version and exit."`
}

// usageError is an invalid command line, found only after parsing.
type usageError struct{ line string }

func (e *usageError) Error() string { return e.line }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// left carries the exit code of a flag that ends the program, such as --help,
// up to Run.
type left int

// Run parses the command line, runs the command and returns the exit code. Errors are
// then on Stderr, one line each, with what to do.
func (p *Program) Run(ctx context.Context) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case left:
			code = int(r)
		default:
			panic(r)
		}
	}()
	parser, err := p.parser()
	if err != nil {
		return p.fail(err)
	}
	if len(p.Args) == 0 {
		parser.Stdout = p.Stderr
		if help, err := kong.Trace(parser, nil); err == nil {
			_ = help.PrintUsage(false)
		}
		return exitUsage
	}
	parsed, err := parser.Parse(p.Args)
	if err != nil {
		return p.fail(commandLineError(err))
	}
	ctx = audit.Acting(ctx, audit.Actor{Kind: audit.ActorCommand, Name: runner()})
	parsed.BindTo(ctx, (*context.Context)(nil))
	var a *app.App // for commands whose Run takes one
	err = parsed.BindToProvider(func() (*app.App, error) {
		a, err = p.open(ctx, settings.NeedsNothing, app.SchemaOwn)
		return a, err
	})
	if err != nil {
		return p.fail(err)
	}
	err = withRemedy(parsed.Run(p))
	if a != nil {
		a.Close()
		err = words.Interrupted(ctx, err)
	}
	return p.fail(err)
}

func (p *Program) parser() (*kong.Kong, error) {
	return kong.New(&commands{},
		kong.Name("dashboard"),
		kong.Description("Storeglass keeps a truthful history of what a store's upsells and free gifts earn."),
		kong.Writers(p.Stdout, p.Stderr),
		kong.Vars{"linkLife": access.LinkLife.String(), "invitationLife": access.InvitationLife.String()},
		kong.Exit(func(code int) { panic(left(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
	)
}

// commandLineError adds which help to read.
func commandLineError(err error) error {
	where := "dashboard --help"
	if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil {
			where = node.FullPath() + " --help"
		}
	}
	return usagef("%s; see `%s`", err, where)
}

// withRemedy adds what to do to errors that a person can fix.
func withRemedy(err error) error {
	switch {
	case errors.Is(err, fault.Missing("person")):
		return fmt.Errorf("%w: `dashboard user list` lists people", err)
	case errors.Is(err, fault.Missing("store")):
		return fmt.Errorf("%w: `dashboard store list` lists stores", err)
	case errors.Is(err, fault.Missing("token")):
		return fmt.Errorf("%w: `dashboard token list` lists tokens", err)
	case errors.Is(err, fault.Missing("group")):
		return fmt.Errorf("%w: `dashboard group list` lists groups", err)
	}
	return err
}

// fail prints an error and returns its exit code.
func (p *Program) fail(err error) int {
	if err == nil {
		return exitOK
	}
	if wrong, ok := errors.AsType[*settings.Error](err); ok {
		for _, line := range wrong.Lines {
			p.complain(line)
		}
		return exitUsage
	}
	p.complain(err.Error())
	if _, ok := errors.AsType[*usageError](err); ok || errors.Is(err, fault.Invalid) {
		return exitUsage
	}
	return exitFailed
}

// complain writes the text to Stderr as one line.
func (p *Program) complain(text string) {
	_, _ = fmt.Fprintln(p.Stderr, "dashboard: "+plain(strings.Join(strings.Fields(text), " ")))
}

// printf writes to Stdout. It ignores a closed pipe: its reader wants no more.
func (p *Program) printf(format string, args ...any) {
	_, _ = fmt.Fprint(p.Stdout, plain(fmt.Sprintf(format, args...)))
}

// jsonLines returns a func that writes a value to Stdout as one line of JSON.
func (p *Program) jsonLines() func(any) error {
	enc := json.NewEncoder(p.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode
}

// table is lines of cells, aligned in columns.
type table struct{ *tabwriter.Writer }

func (p *Program) table(columns ...string) table {
	w := table{tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)}
	_, _ = fmt.Fprintln(w, strings.Join(columns, "\t"))
	return w
}

// row adds a line. Tables contain strangers' texts: see plain.
func (t table) row(cells ...any) {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = cell(fmt.Sprint(c))
	}
	_, _ = fmt.Fprintln(t, strings.Join(texts, "\t"))
}

// cell is a text on one line; an empty one becomes a dash.
func cell(text string) string {
	if text = oneLine(text); text == "" {
		return "-"
	}
	return plain(text)
}

// plain removes terminal control sequences from a text: strangers write store names and
// offer ids.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Bidi_Control) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// notef writes to Stderr what a person should know but a pipe shouldn't get.
func (p *Program) notef(format string, args ...any) { _, _ = fmt.Fprintf(p.Stderr, format, args...) }

// settings reads the environment and prints probable mistakes.
func (p *Program) settings(need settings.Requirement) (settings.Settings, error) {
	s, warnings, err := settings.Load(p.Env, need)
	for _, line := range warnings {
		p.complain("warning: " + line)
	}
	return s, err
}

// quietLog is the log of a command that prints its own output: it writes warnings only,
// unless the setting asks for more.
func (p *Program) quietLog(s settings.Settings) *slog.Logger {
	if settings.Present(p.Env)["DASHBOARD_LOG"] != "" {
		return s.Log.Logger(p.Stderr, slog.LevelDebug)
	}
	return s.Log.Logger(p.Stderr, slog.LevelWarn)
}

// variable returns an environment variable that isn't a setting, such as a token.
func (p *Program) variable(name string) string { return settings.Present(p.Env)[name] }

// runner is the system's name for the user who runs the program. Commands record changes
// under that name.
func runner() string {
	u, err := user.Current()
	if err != nil {
		return "user " + strconv.Itoa(os.Getuid())
	}
	return u.Username
}

// open reads the settings and opens the database.
func (p *Program) open(ctx context.Context, need settings.Requirement, rule app.SchemaRule) (*app.App, error) {
	s, err := p.settings(need)
	if err != nil {
		return nil, err
	}
	a, err := app.Open(ctx, s, p.quietLog(s), rule)
	return a, words.Interrupted(ctx, err)
}

// withApp is for commands that check their arguments before anything is opened, or have
// special requirements.
func (p *Program) withApp(ctx context.Context, need settings.Requirement, rule app.SchemaRule, f func(*app.App) error) error {
	a, err := p.open(ctx, need, rule)
	if err != nil {
		return err
	}
	defer a.Close()
	return words.Interrupted(ctx, f(a))
}
