package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strconv"

	"github.com/alecthomas/kong"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/gift"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/db"
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
	Gift     gift.Command    `cmd:"" help:"Show and change gift campaigns and widgets."`
	Sandbox  sandboxCommand  `cmd:"" help:"Serve both upstream services with made-up stores."`
	Doctor   doctorCommand   `cmd:"" help:"Check settings, database, credentials and clock."`

	Version     versionCommand    `cmd:"" help:"Print the version, commit, Go version and schema."`
	Completion  completionCommand `cmd:"" help:"Print the completion script for a shell."`
	VersionFlag versionFlag       `name:"version" help:"Print the version and exit."`
}

// left carries the exit code of a flag that ends the program, such as --help,
// up to runCommand.
type left int

// runCommand parses the command line, runs the command and returns the exit code. Errors are
// then on Stderr, one line each, with what to do.
func runCommand(ctx context.Context, p *cli.Program) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case left:
			code = int(r)
		default:
			panic(r)
		}
	}()
	parser, err := newParser(p)
	if err != nil {
		return fail(p, err)
	}
	if len(p.Args) == 0 {
		parser.Stdout = p.Stderr
		if help, err := kong.Trace(parser, nil); err == nil {
			_ = help.PrintUsage(false)
		}
		return exitUsage
	}
	args := p.Args
	if args[0] == "help" { // `help store add` is `store add --help`
		args = append(slices.Clone(args[1:]), "--help")
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return fail(p, commandLineError(err))
	}
	ctx = audit.Acting(ctx, audit.Actor{Kind: audit.ActorCommand, Name: runner()})
	parsed.BindTo(ctx, (*context.Context)(nil))
	var a *app.App // for commands whose Run takes one
	err = parsed.BindToProvider(func() (*app.App, error) {
		a, err = p.Open(ctx, settings.NeedsNothing, app.SchemaOwn)
		return a, err
	})
	if err != nil {
		return fail(p, err)
	}
	if err = withRemedy(parsed.Run(p)); err == nil {
		err = p.Unwritten()
	}
	if a != nil {
		a.Close()
		err = words.Interrupted(ctx, err)
	}
	return fail(p, err)
}

func newParser(p *cli.Program) (*kong.Kong, error) {
	return kong.New(&commands{},
		kong.Name("dashboard"),
		kong.Description("Storeglass keeps the history of what a store's upsells and free gifts earn."),
		kong.Writers(p.Stdout, p.Stderr),
		kong.Vars{"linkLife": signin.LinkLife.String(), "invitationLife": signin.InvitationLife.String()},
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
	return cli.Usagef("%s; see `%s`", err, where)
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
	case db.NoConnectionLeft(err):
		return fmt.Errorf("%w; the server's connections are used up: let it allow more, or add pool_max_conns=3 to DATABASE_URL", err)
	}
	return err
}

// fail prints an error and returns its exit code.
func fail(p *cli.Program, err error) int {
	if err == nil {
		return exitOK
	}
	if wrong, ok := errors.AsType[*settings.Error](err); ok {
		for _, line := range wrong.Lines {
			p.Complain(line)
		}
		return exitUsage
	}
	p.Complain(err.Error())
	if _, ok := errors.AsType[*cli.UsageError](err); ok || errors.Is(err, fault.Invalid) {
		return exitUsage
	}
	return exitFailed
}

// runner is the system's name for the user who runs the program. Commands record changes
// under that name.
func runner() string {
	u, err := user.Current()
	if err != nil {
		return "user " + strconv.Itoa(os.Getuid())
	}
	return u.Username
}
