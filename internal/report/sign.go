package report

// Sign shows how a store's data is arriving: "active", "filling", "waiting", "person" or "none". All
// pages use this one rule for their headings; a paused store is never marked as working (N73).
func (f Freshness) Sign() string {
	switch {
	case f.Paused:
		return "none"
	case f.State == "good":
		return "active"
	case f.State == "stale":
		return "waiting"
	case f.State == "failed":
		return "person"
	}
	return "filling"
}
