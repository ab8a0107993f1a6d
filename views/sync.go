package views

func (p SyncView) state() string {
	switch {
	case p.Sync.Person > 0 && !p.Sync.Paused:
		return "person"
	}
	return p.Sync.Freshness.Sign()
}
