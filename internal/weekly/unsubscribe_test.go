package weekly

import (
	"encoding/base64"
	"errors"
	"math/rand/v2"
	netmail "net/mail"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// setting is a number from the environment.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	if os.Getenv(name) == "" {
		return otherwise
	}
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func head(t *testing.T, m mailtest.Mail) netmail.Header {
	t.Helper()
	read, err := netmail.ReadMessage(strings.NewReader(m.Raw))
	if err != nil {
		t.Fatal(err)
	}
	return read.Header
}

func messageID(t *testing.T, m mailtest.Mail) string {
	t.Helper()
	return strings.Trim(head(t, m).Get("Message-Id"), "<>")
}

// tokenIn is the secret of the link in a mail's headers.
func tokenIn(t *testing.T, m mailtest.Mail) string {
	t.Helper()
	link := head(t, m).Get("List-Unsubscribe")
	return strings.TrimSuffix(link[strings.LastIndex(link, "/")+1:], ">")
}

func TestTheLinkInAMailEndsItsSubscriptionAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada", "ben")
	w.later(time.Hour)
	w.round()
	for _, m := range w.arrived() {
		if strings.HasPrefix(m.To, "ada@") {
			w.later(7 * 24 * time.Hour)
			_, err := w.Schedule(t.Context()) // the next one is already on its way
			w.must(err)
			for range 2 {
				w.must(w.subscriptions().Unsubscribe(t.Context(), tokenIn(t, m)))
			}
		}
	}
	w.round()
	w.equal("the week after", to(w.arrived()), "ben")
	w.equal("mails", w.states(), "ada 2026-11-09 sent 0", "ada 2026-11-16 ended 0", "ben 2026-11-09 sent 0", "ben 2026-11-16 sent 0")
	w.equal("ended", w.rows(`select address || ' ' || end_cause from subscriptions where ended_at is not null`), "ada@example.com reader")
}

func TestTheLinkOfAMailWhoseTextIsDeletedStillUnsubscribes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada")
	w.later(time.Hour)
	w.round()
	mail := w.arrived()[0]
	w.exec(`update deliveries set body = null`)
	w.must(w.subscriptions().Unsubscribe(t.Context(), tokenIn(t, mail)))
	w.equal("ended", w.rows(`select address from subscriptions where ended_at is not null`), "ada@example.com")
}

// FORGED_TOKENS=1000000 tries more.
func TestAForgedTokenEndsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader(readers(10)...)
	w.later(time.Hour)
	w.round()
	var real [][]byte
	var forged []string
	for _, m := range w.arrived() {
		token := tokenIn(t, m)
		secret, err := base64.RawURLEncoding.DecodeString(token)
		w.must(err)
		real = append(real, secret)
		forged = append(forged, token[:42], token+"A", token+"=", " "+token, strings.ToUpper(token), "")
		for bit := range 256 {
			other := append([]byte(nil), secret...)
			other[bit/8] ^= 1 << (bit % 8)
			forged = append(forged, base64.RawURLEncoding.EncodeToString(other))
		}
	}
	chance := rand.NewChaCha8([32]byte{5})
	for len(forged) < setting(t, "FORGED_TOKENS", 5000) {
		secret := make([]byte, 32)
		_, _ = chance.Read(secret)
		if len(forged)%2 == 0 { // half of a real token
			copy(secret, real[len(forged)/2%len(real)][:16])
		}
		forged = append(forged, base64.RawURLEncoding.EncodeToString(secret))
	}
	for _, token := range forged {
		if err := w.subscriptions().Unsubscribe(t.Context(), token); !errors.Is(err, db.ErrNotFound) {
			t.Fatalf("%q ended one: %v", token, err)
		}
	}
	w.equal("ended", w.rows(`select address from subscriptions where ended_at is not null`))
	t.Logf("%d forged tokens", len(forged))
}
