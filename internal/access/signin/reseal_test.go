package signin_test

import (
	"slices"
	"testing"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/signin"
)

func TestSecretsOfAuthenticatorAppsAreSealedAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	with := func(s *seal.Sealer) *signin.Service { return signin.New(w.DB, w.Clock.Now, s, w.Passwords) }
	old, both := accesstest.Sealer(t, accesstest.KeyA), accesstest.Sealer(t, accesstest.KeyB, accesstest.KeyA)
	for _, email := range []string{"ada@example.com", "bo@example.com"} {
		p := w.Person(t, email)
		sealed, id := old.Seal([]byte("secret of "+email), signin.TotpPlace(p.ID))
		if email == "bo@example.com" { // copied here from someone else's row
			sealed, id = old.Seal([]byte("secret"), signin.TotpPlace(p.ID+1))
		}
		if _, err := w.DB.Pool.Exec(t.Context(), `insert into totps (person_id, secret_sealed, key_id) values ($1, $2, $3)`, p.ID, sealed, id); err != nil {
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
	err := w.DB.Pool.QueryRow(t.Context(), `select t.person_id, t.secret_sealed, t.key_id from totps t join people p on p.id = t.person_id where p.email like 'ada%'`).Scan(&person, &sealed, &id)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := accesstest.Sealer(t, accesstest.KeyB).Open(sealed, id, signin.TotpPlace(person)); err != nil || string(plain) != "secret of ada@example.com" {
		t.Errorf("%q, %v", plain, err)
	}
	if n := w.Count(t, "(select distinct secret_sealed from totps) as t"); n != 2 {
		t.Error("one person's secret replaced another's")
	}
	if _, err := w.SignIn.ResealFactors(t.Context(), true); err == nil {
		t.Error("it was done without a key")
	}
}
