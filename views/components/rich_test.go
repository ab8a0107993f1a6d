package components

import (
	"strings"
	"testing"
)

func TestAMessageHoldsItsPartsInTheOrderOfItsLanguage(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"Read " + Slot(0) + " or " + Slot(1) + ".": `Read <a class="link" href="/a">A &amp; B</a> or <bdi>C</bdi>.`,
		Slot(1) + ", " + Slot(0):                   `<bdi>C</bdi>, <a class="link" href="/a">A &amp; B</a>`,
		"<i>none</i>":                              "&lt;i&gt;none&lt;/i&gt;",
		"no such part " + Slot(7):                  "no such part ",
	} {
		var b strings.Builder
		if err := Rich(message, Link("/a", "A & B"), Isolated("C")).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", message, got, want)
		}
	}
}
