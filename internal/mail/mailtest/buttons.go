package mailtest

import (
	"regexp"
	"strings"
	"testing"
)

var (
	button = regexp.MustCompile(`(<[^<]*>)\s*<a [^>]*style="[^"]*\bpadding:([^;"]+)[^>]*>`)
	ofCell = regexp.MustCompile(`^<td [^>]*style="[^"]*\bmso-padding-alt:([^;"]+)`)
)

// Buttons checks that each button of a mail, which is a link with padding, is directly in
// a table cell that has the same padding for Outlook for Windows: that one drops a link's.
func Buttons(t *testing.T, html string, want int) {
	t.Helper()
	found := button.FindAllStringSubmatch(html, -1)
	if len(found) != want {
		t.Errorf("%d buttons, want %d", len(found), want)
	}
	for _, b := range found {
		cell := ofCell.FindStringSubmatch(b[1])
		if cell == nil || strings.TrimSpace(cell[1]) != strings.TrimSpace(b[2]) {
			t.Errorf("Outlook shows a button without its padding: %s", b[0])
		}
	}
}
