package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/settings"
)

// repo reads a file of the repository.
func repo(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parses fails the test unless the program accepts the command line.
func parses(t *testing.T, where string, args []string) {
	t.Helper()
	parser, err := newParser(&cli.Program{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Errorf("%s: dashboard %v: %v", where, args, err)
	}
}

const image = "storeglass/dashboard"

// loadCompose loads docker-compose.yml the way docker compose does, with the sandbox.
func loadCompose(t *testing.T, environment map[string]string) *types.Project {
	t.Helper()
	project, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  filepath.Join("..", ".."),
		ConfigFiles: []types.ConfigFile{{Filename: "docker-compose.yml", Content: []byte(repo(t, "docker-compose.yml"))}},
		Environment: environment,
	}, func(o *loader.Options) {
		o.SetProjectName("storeglass", true)
		o.Profiles = []string{"sandbox"}
	})
	if err != nil {
		t.Fatal(err)
	}
	return project
}

func TestComposeRunsCommandsAndSettingsThatExist(t *testing.T) {
	t.Parallel()
	project := loadCompose(t, map[string]string{"POSTGRES_PASSWORD": "abc123"})
	for name, want := range map[string][]string{
		"web": {"serve", "--role", "web"}, "worker": {"serve", "--role", "worker"},
		"sandbox": {"sandbox", "--listen", ":8081", "--limit", "60"},
	} {
		s := project.Services[name]
		if s.Image != image || s.Build == nil || !slices.Equal(s.Command, want) {
			t.Errorf("%s: %s %v", name, s.Image, s.Command)
		}
		parses(t, name, s.Command)
		if name == "sandbox" {
			continue
		}
		if s.DependsOn["postgres"].Condition != types.ServiceConditionHealthy {
			t.Errorf("%s doesn't wait for the database", name)
		}
		if s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod) <= time.Duration(settings.DrainBehindProxy)+app.StopWithin+app.CloseWithin {
			t.Errorf("%s is killed after %v, before it may have stopped", name, s.StopGracePeriod)
		}
		for setting := range s.Environment {
			if !slices.Contains(settings.Names(), setting) {
				t.Errorf("%s: there is no setting %s", name, setting)
			}
		}
		for _, setting := range settings.Names() {
			if _, ok := s.Environment[setting]; !ok && setting != "DASHBOARD_DATA_DIR" && setting != "DASHBOARD_LISTEN" {
				t.Errorf("%s drops the setting %s", name, setting)
			}
		}
		if !slices.ContainsFunc(s.Volumes, func(v types.ServiceVolumeConfig) bool { return v.Target == "/run/secrets" && v.ReadOnly }) {
			t.Errorf("%s can't read secret files", name)
		}
	}
	if !slices.Equal(project.Services["sandbox"].Profiles, []string{"sandbox"}) {
		t.Error("the sandbox starts without being asked for")
	}
	if !slices.Contains(project.Services["postgres"].HealthCheck.Test, "pg_isready --username storeglass --dbname storeglass") {
		t.Error("the database has no health check")
	}
	if !strings.HasSuffix(strings.Join(project.Services["web"].HealthCheck.Test, " "), ":8080/readyz") {
		t.Error("the pages have no health check")
	}
}

// isFile matches settings that name a file, which doesn't exist in this test.
var isFile = regexp.MustCompile(`_FILE$`)

// Filled in as it says, the example starts the server, whichever lines are used.
func TestComposeWithTheExampleFilledInIsRight(t *testing.T) {
	t.Parallel()
	filled := map[string]string{"DASHBOARD_SECRET_KEY": testKey, "POSTGRES_PASSWORD": "abc123"}
	for line := range strings.Lines(repo(t, ".env.example")) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "#"), "=")
		if !ok || strings.Contains(name, " ") {
			continue
		}
		if name != "POSTGRES_PASSWORD" && !slices.Contains(settings.Names(), name) {
			t.Errorf(".env.example: there is no setting %s", name)
		}
		for _, s := range loadCompose(t, map[string]string{"POSTGRES_PASSWORD": "abc123", name: "given"}).Services {
			if given := s.Environment[name]; s.Image == image && s.Environment["DATABASE_URL"] != nil && name != "POSTGRES_PASSWORD" && (given == nil || *given != "given") {
				t.Errorf(".env.example offers %s, which %s never gets", name, s.Name)
			}
		}
		if filled[name] == "" && !isFile.MatchString(name) && !strings.HasPrefix(name, "DASHBOARD_DKIM") {
			filled[name] = value // even if it is commented out
		}
	}
	for name, s := range loadCompose(t, filled).Services {
		if s.Image != image {
			continue
		}
		var environ []string
		for setting, value := range s.Environment {
			environ = append(environ, setting+"="+*value)
		}
		if _, warnings, err := settings.Load(environ, settings.NeedsKey); name != "sandbox" && (err != nil || len(warnings) > 0) {
			t.Errorf("%s: %v %v", name, err, warnings)
		}
	}
}

func TestComposeAsksForThePasswordItNeeds(t *testing.T) {
	t.Parallel()
	_, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		ConfigFiles: []types.ConfigFile{{Filename: "docker-compose.yml", Content: []byte(repo(t, "docker-compose.yml"))}},
	}, func(o *loader.Options) { o.SetProjectName("storeglass", true) })
	if err == nil || !strings.Contains(err.Error(), "POSTGRES_PASSWORD") {
		t.Errorf("without a password: %v", err)
	}
}

func TestTheImageIsBuiltWithTheVersionsOfTheModule(t *testing.T) {
	t.Parallel()
	text := repo(t, "Dockerfile")
	mod := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(repo(t, "go.mod"))[1]
	if !strings.Contains(text, "FROM golang:"+mod+"-") {
		t.Errorf("the image is not built with Go %s, as go.mod says", mod)
	}
	var engines struct{ Engines struct{ Node string } }
	if err := json.Unmarshal([]byte(repo(t, "package.json")), &engines); err != nil {
		t.Fatal(err)
	}
	oldest, ok := strings.CutPrefix(engines.Engines.Node, ">=")
	node := regexp.MustCompile(`FROM node:(\d+)-`).FindStringSubmatch(text)
	if !ok || node == nil || len(node[1]) != len(oldest) || node[1] < oldest {
		t.Errorf("the image is built with Node %v, package.json asks for %s", node, engines.Engines.Node)
	}
}

func TestTheImageRunsTheServerAsSomeoneUnprivileged(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(repo(t, "Dockerfile")) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "ENV":
			if name, _, _ := strings.Cut(rest, "="); !slices.Contains(settings.Names(), name) {
				t.Errorf("there is no setting %s", name)
			}
		case "ENTRYPOINT":
			if rest != `["dashboard"]` {
				t.Error(line)
			}
		case "CMD":
			var args []string
			if err := json.Unmarshal([]byte(rest), &args); err != nil {
				t.Error(err)
			}
			parses(t, "Dockerfile", args)
		case "COPY":
			fields := strings.Fields(rest)
			if strings.HasPrefix(fields[0], "--from") {
				continue
			}
			for _, source := range fields[:len(fields)-1] {
				if _, err := os.Stat(filepath.Join("..", "..", source)); err != nil {
					t.Errorf("%s: %v", strings.TrimSpace(line), err)
				}
			}
		}
	}
	final := repo(t, "Dockerfile")
	final = final[strings.LastIndex(final, "\nFROM "):]
	for _, want := range []string{"ca-certificates", "tzdata", "\nUSER 10001\n"} {
		if !strings.Contains(final, want) {
			t.Errorf("the image has no %q", want)
		}
	}
}
