package stores

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
	"github.com/storeglass/storeglass/views/syncpage"
	"github.com/storeglass/storeglass/web/site"
)

// syncPage shows budget, stored days and ledger. It shows seconds, so it isn't cached.
func (s *Handlers) syncPage(c *site.Call) error {
	now := s.Now()
	stored, err := s.DB.StoredSync(c.Request().Context(), c.Store)
	if err != nil {
		return err
	}
	filter := c.QueryParam("filter")
	if !site.SyncFilters[filter] {
		filter = "all"
	}
	parts, err := s.Parts(c)
	if err != nil {
		return err
	}
	home, l := site.StorePath(c.Store.Slug)+"/sync", c.Locale()
	page := syncpage.Page{
		Base: s.PageBase(c, l.T("sync.title")), Sync: ledger.New(l, stored, filter, now),
	}
	page.Sync.Fold()
	page.Notice = c.Done("sync.done.")
	page.Sync.Parts = parts
	page.Base.Now = now.In(c.Store.Location())
	choice, err := report.ParseChoice(nil, now, c.Store.Location(), c.Store.FirstDay)
	if err != nil {
		return err
	}
	if err := c.Refreshing(&page.Base, "/sync", nil, choice); err != nil {
		return err
	}
	if c.May(access.Connect) {
		page.PauseAction, page.ResumeAction = home+"/pause", home+"/resume"
	}
	if page.Sync.Refused && s.MayKeep(c) {
		page.CheckAction = checkStoresPath
	}
	return c.Page(syncpage.Show(page))
}

// pauseStore stops all pulls of the store.
func (s *Handlers) pauseStore(c *site.Call) error {
	record := s.Audit.Recording(audit.Event{Action: audit.StorePaused, Store: c.Store.Slug})
	return s.syncDone(c, s.DB.Pause(c.Request().Context(), c.Store, record), "pause")
}

// resumeStore resumes them, and clears why a credential was paused.
func (s *Handlers) resumeStore(c *site.Call) error {
	record := s.Audit.Recording(audit.Event{Action: audit.StoreResumed, Store: c.Store.Slug})
	return s.syncDone(c, s.DB.Resume(c.Request().Context(), c.Store, record), "resume")
}

func (s *Handlers) syncDone(c *site.Call, err error, what string) error {
	return s.Then(c, err, site.StorePath(c.Store.Slug)+"/sync?done="+what)
}
