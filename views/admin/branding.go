package admin

import (
	"github.com/storeglass/storeglass/views/components"
)

// BrandingPage is what replaces our own name, colour and mark, for anyone who
// manages people. A draft is looked at on the page itself before it is saved.
type BrandingPage struct {
	components.Base
	// Name and Accent are what was typed, or what is kept.
	Name, Accent string
	// Draft says that the page shows what nobody else sees yet.
	Draft bool
	// InLight and InDark are what the accent comes to there, to be read; empty for our own.
	InLight, InDark string
	// HasLogo says that there is a picture.
	HasLogo bool
	// Own says that nothing is kept in place of our own.
	Own bool
	// MaxName bounds the name, in characters, and MaxLogo the logo's file, in KiB.
	MaxName, MaxLogo int
	// Notice says what the last action did, Problem why it failed, and Field where.
	Notice, Problem, Field string
}
