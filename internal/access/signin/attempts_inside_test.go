package signin

import (
	"net/netip"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
)

// An office's share of IPv6 (/48) holds 65,536 networks the size of one connection (/64).
func TestAnOfficesAddressesTakeNoMoreThanAFewConnections(t *testing.T) {
	t.Parallel()
	a := New(db.From(dbtest.New(t), 60), func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }, nil, nil)
	through := 0
	for i := range 600 {
		from := netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, 0, 1, byte(i >> 8), byte(i), 15: 1})
		if a.TakeLink(t.Context(), from) == nil {
			through++
		}
	}
	if want := 4 * limitLink.Burst; through != want {
		t.Errorf("%d of 600 were let through, want %d", through, want)
	}
}

func TestAccountIsOneHoweverItsAddressIsSpelled(t *testing.T) {
	t.Parallel()
	want := account("zo\u00eb@münchen.example")
	for _, spelled := range []string{" zoë@münchen.example ", "ZOË@MÜNCHEN.example", "zoe\u0308@mu\u0308nchen.example", "zoë@xn--mnchen-3ya.example"} {
		if account(spelled) != want {
			t.Errorf("%q is another account", spelled)
		}
	}
	if account("zoe@münchen.example") == want {
		t.Error("two addresses are one account")
	}
}
