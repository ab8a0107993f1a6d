package report

// Sign is the mark of how a store's numbers come in: "active", "filling", "waiting",
// "person" or "none". It is the one rule for the headings of all pages; a paused store
// is never marked as working (N73).
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
