package access_test

import (
	"slices"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
)

func TestSecretsOfAuthenticatorAppsAreSealedAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	with := func(s *access.Sealer) *access.Access { return access.New(w.db, w.clock.now, access.WithSealer(s)) }
	old, both := sealer(t, keyA), sealer(t, keyB, keyA)
	for _, email := range []string{"ada@example.com", "bo@example.com"} {
		p := w.person(t, email)
		sealed, id := old.Seal([]byte("secret of "+email), access.TotpPlace(p.ID))
		if email == "bo@example.com" { // copied here from someone else's row
			sealed, id = old.Seal([]byte("secret"), access.TotpPlace(p.ID+1))
		}
		if _, err := w.db.Pool.Exec(t.Context(), `insert into totps (person_id, secret_sealed, key_id) values ($1, $2, $3)`, p.ID, sealed, id); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range [][2]int{{1, 0}, {1, 0}, {0, 1}} { // dry run, real run, real run again
		r, err := with(both).ResealFactors(t.Context(), i == 0)
		if err != nil || [2]int{r.Done, r.Current} != want || !slices.Equal(r.Lost, []string{"bo@example.com"}) {
			t.Errorf("run %d: %+v, %v", i, r, err)
		}
	}
	var person int64
	var sealed []byte
	var id string
	err := w.db.Pool.QueryRow(t.Context(), `select t.person_id, t.secret_sealed, t.key_id from totps t join people p on p.id = t.person_id where p.email like 'ada%'`).Scan(&person, &sealed, &id)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := sealer(t, keyB).Open(sealed, id, access.TotpPlace(person)); err != nil || string(plain) != "secret of ada@example.com" {
		t.Errorf("%q, %v", plain, err)
	}
	if _, err := w.ResealFactors(t.Context(), true); err == nil {
		t.Error("it was done without a key")
	}
}
