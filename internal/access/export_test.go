package access

// TotpPlace lets tests seal as the program does.
var TotpPlace = totpPlace

// AllHoldingKinds are the kinds of things by which people reach something, in order.
func AllHoldingKinds() []HoldingKind {
	kinds := make([]HoldingKind, len(holdingKinds))
	for i, k := range holdingKinds {
		kinds[i] = k.kind
	}
	return kinds
}
