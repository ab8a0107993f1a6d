package web

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/report/ledger"
	"github.com/storeglass/storeglass/views/syncpage"
)

// The notices of the Sync page, by what was just done. The address names one of
// them, and nothing in the address reaches the page as it is.
var syncNotices = map[string]string{
	"checking": "Checking now. Reload in a minute to see what the service says.",
	"checked":  storesNotices["checked"],
	"pull":     "Asked for now. What is due is pulled as soon as the budget allows; this page shows it when you load it again.",
	"pause":    "Paused. Nothing is pulled for this store until you resume it; what is stored stays.",
	"resume":   "Resumed. The credentials are checked first, then what is due is pulled.",
}

// syncPage shows budget, stored days and ledger. It speaks of seconds, so it is not kept.
func (s *storesHandlers) syncPage(c *call) error {
	now := s.now()
	stored, err := s.db.StoredSync(c.Request().Context(), c.store, now)
	if err != nil {
		return err
	}
	filter := c.QueryParam("filter")
	if !syncFilters[filter] {
		filter = "all"
	}
	parts, err := s.parts(c)
	if err != nil {
		return err
	}
	home := storePath(c.store.Slug) + "/sync"
	page := syncpage.Page{
		Base: s.pageBase(c, "Sync"), Sync: ledger.New(stored, filter, now),
		Notice: syncNotices[c.QueryParam("done")],
	}
	page.Sync.Parts = parts
	page.Base.Now = now.In(c.store.Location())
	if c.may(access.Pull) {
		page.PullAction = home + "/pull"
	}
	if c.may(access.Connect) {
		page.PauseAction, page.ResumeAction = home+"/pause", home+"/resume"
	}
	if page.Sync.Refused && s.mayKeep(c) {
		page.CheckAction = checkStoresPath
	}
	return c.page(syncpage.Show(page))
}

// pullNow asks for what is due, ahead of the clock.
func (s *storesHandlers) pullNow(c *call) error {
	if err := s.db.Wake(c.Request().Context(), c.store); err != nil {
		return err
	}
	return s.syncDone(c, "pull")
}

// pauseStore stops all pulls of the store.
func (s *storesHandlers) pauseStore(c *call) error {
	if err := s.db.Pause(c.Request().Context(), c.store, s.access.Recording(access.Event{Action: access.StorePaused, Store: c.store.Slug})); err != nil {
		return err
	}
	return s.syncDone(c, "pause")
}

// resumeStore lets them go on, and forgets why a credential was paused.
func (s *storesHandlers) resumeStore(c *call) error {
	if err := s.db.Resume(c.Request().Context(), c.store, s.access.Recording(access.Event{Action: access.StoreResumed, Store: c.store.Slug})); err != nil {
		return err
	}
	return s.syncDone(c, "resume")
}

func (s *storesHandlers) syncDone(c *call, what string) error {
	return s.seeOther(c, storePath(c.store.Slug)+"/sync?done="+what)
}
