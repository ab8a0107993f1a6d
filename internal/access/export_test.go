package access

// AllHoldingKinds are all kinds of holdings, in order.
func AllHoldingKinds() []HoldingKind {
	kinds := make([]HoldingKind, len(holdingKinds))
	for i, k := range holdingKinds {
		kinds[i] = k.kind
	}
	return kinds
}
