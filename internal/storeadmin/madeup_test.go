package storeadmin_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report/stores"
)

func TestMadeUpStoresAreAddedOnceAndByAnAdministrator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, s := range w.services.Stores() {
		w.admin.MadeUp = append(w.admin.MadeUp, stores.MadeUpShop{Slug: s.Slug, Name: s.Name, Timezone: s.Timezone, Services: []stores.Given{w.upsell(s), w.gift(s)}})
	}
	// The first shop is already connected and must not change.
	if err := w.admin.AddMadeUp(w.as(w.ada), w.ada.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a merchant: %v", err)
	}
	ida := w.person("Ida", access.Admin)
	for range 2 {
		w.must(w.admin.AddMadeUp(w.as(ida), ida.ID))
	}
	got := list(w, `select slug || ': ' || name from stores order by id`)
	if len(got) != len(w.admin.MadeUp) || got[0][:6] != "north:" || got[1] != "made-up-"+w.shop(1).Slug+": "+w.shop(1).Name+" (made up)" {
		t.Errorf("%q", got)
	}
	if n := get[int](w, `select count(*) from credentials`); n != 2*len(got) {
		t.Errorf("%d services connected to %d stores", n, len(got))
	}
}

func TestAllMadeUpStoresAreRemovedAtOnceAndNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, s := range w.services.Stores()[1:] {
		w.admin.MadeUp = append(w.admin.MadeUp, stores.MadeUpShop{Slug: s.Slug, Name: s.Name, Timezone: s.Timezone, Services: []stores.Given{w.upsell(s), w.gift(s)}})
	}
	ida := w.person("Ida", access.Admin)
	w.must(w.admin.AddMadeUp(w.as(ida), ida.ID))
	// Someone has connected a store with one of these names to a shop of their own.
	own := "made-up-" + w.admin.MadeUp[0].Slug
	w.exec(`update credentials set base_url = 'https://shop.example' where service = 'upsell' and store_id = (select id from stores where slug = '` + own + `')`)
	kept := []string{"north", own}
	const left = `select slug from stores where removed_at is null order by id`

	if err := w.admin.RemoveMadeUp(w.as(w.ada), w.ada.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a merchant: %v", err)
	}
	w.must(w.admin.RemoveMadeUp(w.as(ida), ida.ID))
	if got := list(w, left); !slices.Equal(got, kept) {
		t.Errorf("left are %q, want %q", got, kept)
	}
	if n := get[int](w, `select count(*) from audit where action = 'store.removed'`); n != len(w.admin.MadeUp)-1 {
		t.Errorf("%d removals are recorded", n)
	}
	w.must(w.admin.AddMadeUp(w.as(ida), ida.ID))
	if got, err := w.admin.MadeUpStores(w.as(ida), ida.ID); err != nil || len(got) != len(w.admin.MadeUp)-1 {
		t.Errorf("added once more: %q, %v", got, err)
	}
}
