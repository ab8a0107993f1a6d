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

	"go.yaml.in/yaml/v3"
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

// parses fails the test unless the command line is one of ours.
func parses(t *testing.T, where string, args []string) {
	t.Helper()
	parser, err := (&Program{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}).parser()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Errorf("%s: dashboard %v: %v", where, args, err)
	}
}

type compose struct {
	Services map[string]service
}

type service struct {
	Build           string
	Image           string
	Command         []string
	Environment     map[string]string
	Profiles        []string
	StopGracePeriod string                                `yaml:"stop_grace_period"`
	DependsOn       map[string]struct{ Condition string } `yaml:"depends_on"`
	Healthcheck     struct{ Test []string }
}

const image = "storeglass/dashboard"

func readCompose(t *testing.T) compose {
	t.Helper()
	var c compose
	if err := yaml.Unmarshal([]byte(repo(t, "docker-compose.yml")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestComposeRunsCommandsAndSettingsThatExist(t *testing.T) {
	t.Parallel()
	c := readCompose(t)
	for name, want := range map[string][]string{
		"web": {"serve", "--role", "web"}, "worker": {"serve", "--role", "worker"},
		"sandbox": {"sandbox", "--listen", ":8081", "--limit", "60"},
	} {
		s := c.Services[name]
		if s.Image != image || s.Build != "." || !slices.Equal(s.Command, want) {
			t.Errorf("%s: %+v", name, s)
		}
		parses(t, name, s.Command)
		if name == "sandbox" {
			continue
		}
		if s.DependsOn["postgres"].Condition != "service_healthy" {
			t.Errorf("%s does not wait for the database", name)
		}
		if grace, err := time.ParseDuration(s.StopGracePeriod); err != nil || grace <= stopWithin+closeWithin {
			t.Errorf("%s is killed after %q, before it may be done stopping", name, s.StopGracePeriod)
		}
		for setting := range s.Environment {
			if !slices.Contains(settingNames(), setting) {
				t.Errorf("%s: there is no setting %s", name, setting)
			}
		}
	}
	if !slices.Equal(c.Services["sandbox"].Profiles, []string{"sandbox"}) {
		t.Error("the sandbox starts without being asked for")
	}
	if !slices.Contains(c.Services["postgres"].Healthcheck.Test, "pg_isready --username storeglass --dbname storeglass") {
		t.Error("the database has no health check")
	}
	if !strings.HasSuffix(strings.Join(c.Services["web"].Healthcheck.Test, " "), ":8080/readyz") {
		t.Error("the pages have no health check")
	}
}

var variable = regexp.MustCompile(`\$\{([A-Z_]+)(:-[^}]*|:\?[^}]*)?\}`)

// With the example filled in as it says, the server would start.
func TestComposeWithTheExampleFilledInIsRight(t *testing.T) {
	t.Parallel()
	filled := map[string]string{"DASHBOARD_SECRET_KEY": testKey, "POSTGRES_PASSWORD": "abc123"}
	offered := map[string]bool{}
	for line := range strings.Lines(repo(t, ".env.example")) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "#"), "=")
		if !ok || strings.Contains(name, " ") {
			continue
		}
		offered[name] = true
		if name != "POSTGRES_PASSWORD" && !slices.Contains(settingNames(), name) {
			t.Errorf(".env.example: there is no setting %s", name)
		}
		if filled[name] == "" {
			filled[name] = value // also those that are commented out
		}
	}
	for name, s := range readCompose(t).Services {
		var environ []string
		for setting, value := range s.Environment {
			value = variable.ReplaceAllStringFunc(value, func(use string) string {
				m := variable.FindStringSubmatch(use)
				if strings.HasPrefix(m[2], ":?") && !offered[m[1]] {
					t.Errorf("%s needs %s, which .env.example does not offer", name, m[1])
				}
				if v := filled[m[1]]; v != "" {
					return v
				}
				return strings.TrimPrefix(m[2], ":-")
			})
			environ = append(environ, setting+"="+value)
		}
		if s.Image != image {
			continue
		}
		if _, warnings, err := loadSettings(environ, needsNothing); err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v", name, err, warnings)
		}
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

func TestTheImageRunsTheServerAsSomebodyUnprivileged(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(repo(t, "Dockerfile")) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "ENV":
			if name, _, _ := strings.Cut(rest, "="); !slices.Contains(settingNames(), name) {
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
