package upstream

// NewWatchedTransport is NewTransport with a function that is called with every address before
// connecting, and can prevent that.
func NewWatchedTransport(o Options, connecting func(address string) error) *Transport {
	return newTransport(o, connecting)
}
