package upstream

// NewWatchedTransport is NewTransport with something that hears of every address
// before it is connected to, and may stop that.
func NewWatchedTransport(o Options, connecting func(address string) error) *Transport {
	return newTransport(o, connecting)
}
