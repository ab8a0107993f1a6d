package admin

import (
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// BrandingPage replaces our own name, color and mark, for people who manage people. The page
// itself shows a draft before it is saved.
type BrandingPage struct {
	components.Base
	// Name and Accent are what was typed, or what is saved.
	Name, Accent string
	// Draft says that the page shows what nobody else sees yet.
	Draft bool
	// InLight and InDark are the accent as adjusted for legibility in each mode; empty for our
	// own.
	InLight, InDark string
	// HasLogo says that there is a picture.
	HasLogo bool
	// Own says that our own branding is in use.
	Own bool
	// MaxName limits the name, in characters, and MaxLogo the logo's file, in KiB.
	MaxName, MaxLogo int
	// Opened identifies what everyone sees, which saving replaces.
	Opened string
	// Notice says what the last action did; may be empty. Wrong says why it failed.
	Notice string
	form.Wrong
}
