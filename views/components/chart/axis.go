package chart

// Tick is a day named below an axis; At is tenths of a percent.
type Tick struct {
	Text string
	At   int
}
