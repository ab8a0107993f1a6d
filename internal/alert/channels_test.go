package alert_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/fact"
)

func TestChannelsAreSealedAnewWithTheNewKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.channel(w.person("ada"), fact.Webhook, "/hook")
	lost := w.channel(w.person("bob"), fact.Slack, "/lost")
	w.exec(`update alert_channels set sealed = '', key_id = 'gone' where id = $1`, lost)
	older, newer := strings.Repeat("k", 32), strings.Repeat("n", 32)
	both, err := seal.NewSealer(newer, older)
	w.must(err)
	for _, c := range []struct {
		dry           bool
		done, current int
	}{{true, 1, 0}, {false, 1, 0}, {false, 0, 1}} {
		r, err := alert.ResealChannels(t.Context(), w.DB, both, c.dry)
		if err != nil || r.Done != c.done || r.Current != c.current || !slices.Equal(r.Lost, w.rows(`select name from alert_channels where id = $1`, lost)) {
			t.Errorf("%+v: %+v, %v", c, r, err)
		}
	}
	alone, err := seal.NewSealer(newer)
	w.must(err)
	sealed, key := []byte(nil), ""
	w.must(w.DB.Pool.QueryRow(t.Context(), `select sealed, key_id from alert_channels where id = $1`, id).Scan(&sealed, &key))
	if to, err := alert.Open(alone, sealed, key, id); err != nil || to.Address != w.hook.URL+"/hook" {
		t.Errorf("the new key alone: %v", err)
	}
}
