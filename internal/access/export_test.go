package access

// TotpPlace lets tests seal as the program does.
var TotpPlace = totpPlace

// AllHoldingKinds are all kinds of holdings, in order.
func AllHoldingKinds() []HoldingKind {
	kinds := make([]HoldingKind, len(holdingKinds))
	for i, k := range holdingKinds {
		kinds[i] = k.kind
	}
	return kinds
}
