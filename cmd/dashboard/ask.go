package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// terminal is Stdin's file if a person sits at it.
func (p *Program) terminal() (fd int, ok bool) {
	f, ok := p.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}

// confirm asks a person to type word; without a person it wants --yes.
func (p *Program) confirm(what, word string) error {
	if _, ok := p.terminal(); !ok {
		return usagef("%s: say so with --yes", what)
	}
	p.notef("%s.\nType %s to go on: ", what, word)
	line, _ := bufio.NewReader(p.Stdin).ReadString('\n')
	if strings.TrimSpace(line) != word {
		return fmt.Errorf("not confirmed: nothing was changed")
	}
	return nil
}

// token takes an upstream token from the environment or from a prompt that does
// not show it. Never from an argument: those stand in the process list and in
// the shell's history.
func (p *Program) token(service string) (upstream.Secret, error) {
	name := tokenVariable(service)
	if text := p.variable(name); text != "" {
		return upstream.NewSecret(text), nil
	}
	fd, ok := p.terminal()
	if !ok {
		return upstream.Secret{}, usagef("no %s token: set %s, or run this on a terminal to be asked for it", service, name)
	}
	p.notef("%s token (not shown): ", title(service))
	text, err := term.ReadPassword(fd)
	p.notef("\n")
	if err != nil {
		return upstream.Secret{}, fmt.Errorf("read the %s token: %w", service, err)
	}
	secret := upstream.NewSecret(string(text))
	if secret.IsZero() {
		return upstream.Secret{}, usagef("no %s token: nothing was typed", service)
	}
	return secret, nil
}

func tokenVariable(service string) string { return "STORE_" + strings.ToUpper(service) + "_TOKEN" }

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
