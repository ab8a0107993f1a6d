package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Terminal is Stdin's file descriptor if it is a terminal.
func (p *Program) Terminal() (fd int, ok bool) {
	f, ok := p.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}

// Consent is a person's yes, given at a terminal or in advance.
type Consent struct {
	Yes bool `help:"Don't ask."`
}

// Possible refuses, before any call, if nobody could confirm.
func (c Consent) Possible(p *Program, what string) error {
	if _, ok := p.Terminal(); ok || c.Yes {
		return nil
	}
	return Usagef("%s: confirm with --yes, or run this in a terminal. Nothing was changed", what)
}

// Ask has a person type word; without a terminal it requires --yes.
func (c Consent) Ask(ctx context.Context, p *Program, what, word string) error {
	if c.Yes {
		return nil
	}
	fd, ok := p.Terminal()
	if !ok {
		return Usagef("%s: confirm with --yes", what)
	}
	p.Notef("%s.\nType %s to go on: ", what, word)
	line, err := typed(ctx, fd, func() (string, error) { return bufio.NewReader(p.Stdin).ReadString('\n') })
	if err != nil || strings.TrimSpace(line) != word {
		return errors.New("not confirmed: nothing was changed")
	}
	return nil
}

// Token takes an upstream token from the environment or from a prompt without echo. Never
// from an argument: those show up in the process list and in the shell's
// history.
func (p *Program) Token(ctx context.Context, service string) (upstream.Secret, error) {
	name := words.TokenVariable(service)
	if text := p.Variable(name); text != "" {
		return upstream.NewSecret(text), nil
	}
	fd, ok := p.Terminal()
	if !ok {
		return upstream.Secret{}, Usagef("no %s token: set %s, or run this in a terminal", service, name)
	}
	text, err := p.hidden(ctx, fd, strings.ToUpper(service[:1])+service[1:]+" token")
	if err != nil {
		return upstream.Secret{}, err
	}
	secret := upstream.NewSecret(text)
	if secret.IsZero() {
		return upstream.Secret{}, Usagef("no %s token: nothing was typed", service)
	}
	return secret, nil
}

// hidden prompts without showing what is typed.
func (p *Program) hidden(ctx context.Context, fd int, what string) (string, error) {
	p.Notef("%s (not shown): ", what)
	text, err := typed(ctx, fd, func() (string, error) {
		text, err := term.ReadPassword(fd)
		return string(text), err
	})
	p.Notef("\n")
	return text, err
}

// NewPassword asks twice on a terminal, and otherwise takes the first line of stdin.
// It checks the password for the given person.
func (p *Program) NewPassword(ctx context.Context, person access.Person) (string, error) {
	fd, ok := p.Terminal()
	if !ok {
		line, err := bufio.NewReader(io.LimitReader(p.Stdin, 4096)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read a password from stdin: %w", err)
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			return "", Usagef("no password: run this in a terminal, or write it to stdin")
		}
		return line, goodPassword(line, person)
	}
	first, err := p.hidden(ctx, fd, "New password")
	if err != nil {
		return "", err
	}
	if err := goodPassword(first, person); err != nil {
		return "", err
	}
	second, err := p.hidden(ctx, fd, "Once more")
	if err != nil {
		return "", err
	}
	if first != second {
		return "", errors.New("the two passwords differ: nothing was changed")
	}
	return first, nil
}

func goodPassword(text string, person access.Person) error {
	if err := password.Check(text, person.Email, person.Name); err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	return nil
}

// typed waits for read, or for Ctrl-C. After Ctrl-C it restores the terminal, since a read
// without echo has changed it.
func typed(ctx context.Context, fd int, read func() (string, error)) (string, error) {
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		text, err := read()
		answered <- answer{text, err}
	}()
	select {
	case a := <-answered:
		return a.text, a.err
	case <-ctx.Done():
		return "", errors.Join(errors.New("interrupted"), term.Restore(fd, before))
	}
}
