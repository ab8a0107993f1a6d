package views

func (p SyncView) state() string {
	switch {
	case p.Sync.Paused:
		return "none"
	case p.Sync.Person > 0:
		return "person"
	}
	return freshState(p.Sync.Freshness.State)
}
