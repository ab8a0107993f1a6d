package main

import (
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/migrations"
)

// The build sets both (-ldflags "-X main.version=… -X main.commit=…").
var version, commit = "", ""

type versionFlag bool

// BeforeReset prints the version before required arguments are checked.
func (versionFlag) BeforeReset(k *kong.Kong) error {
	_, _ = fmt.Fprintln(k.Stdout, "dashboard", programVersion())
	k.Exit(exitOK)
	return nil
}

type versionCommand struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

// build describes this program. It needs no database.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"` // empty unless the build sets it, as make does
	Go      string `json:"go"`
	Schema  int    `json:"schema"` // the schema version that this program needs
}

func (c versionCommand) Run(p *cli.Program) error {
	schema, err := newestSchema()
	if err != nil {
		return err
	}
	b := build{Version: programVersion(), Commit: commit, Go: runtime.Version(), Schema: schema}
	if c.JSON {
		p.JSONLine(b)
	} else {
		p.Printf("%s", b)
	}
	return nil
}

func (b build) String() string {
	text := "version  " + b.Version + "\n"
	if b.Commit != "" {
		text += "commit   " + b.Commit + "\n"
	}
	return text + fmt.Sprintf("go       %s\nschema   %d\n", b.Go, b.Schema)
}

func programVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "(development)"
	}
	return info.Main.Version
}

func newestSchema() (int, error) {
	files, err := fs.Glob(migrations.FS, "*.sql") // sorted by name, and so by number
	if err != nil {
		return 0, err
	}
	number, _, _ := strings.Cut(files[len(files)-1], "_")
	return strconv.Atoi(number)
}
