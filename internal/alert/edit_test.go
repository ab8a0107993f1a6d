package alert_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

// change saves a channel's form, as its owner would.
func (w *world) change(person, id int64, form alerts.ChannelForm) {
	w.t.Helper()
	channels := &alert.ChannelService{DB: w.DB, Audit: audit.New(w.DB, w.clock), Pages: w.DB, Sealer: w.Sealer, Hooks: w.Hooks, Base: w.Base, Now: w.clock}
	_, err := channels.ChangeChannel(w.t.Context(), person, id, form)
	w.must(err)
}

func TestWhatWaitsForAChannelGoesToItsNewAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	id := w.channel(ada, fact.Webhook, "/before")
	w.answer = func(path string) int { return map[bool]int{true: 500, false: 200}[path == "/before"] }
	w.refuse()
	w.round()
	first := w.received()
	w.equal("put off", w.rows(`select state || ' ' || failures from alert_letters where channel_id = $1`, id), "ready 1")
	w.equal("failing", w.rows(`select name from alert_channels where failing_since is not null`), "webhook of the shop")
	w.change(ada, id, alerts.ChannelForm{Name: "Program", Address: w.hook.URL + "/after", Store: "acme"})
	w.must(w.Deliver(t.Context())) // at once, although it was waiting to be retried
	if got := w.received(); len(got) != 1 || strings.TrimPrefix(got[0], "/after 200") != strings.TrimPrefix(first[0], "/before 500") {
		t.Errorf("the new address got %q, the one before %q", got, first)
	}
	w.equal("in use", w.rows(`select name || (reason #>> '{}') from alert_channels where failing_since is null`), "Program")
}

// An answer that was under way when the address changed says nothing about the new address.
func TestTheAnswerOfAnEarlierAddressIsNotTheChannels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	id := w.channel(ada, fact.Webhook, "/hook")
	asked, answer := make(chan struct{}), make(chan struct{})
	before := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-answer
		rw.WriteHeader(http.StatusGone)
	}))
	defer before.Close()
	w.change(ada, id, alerts.ChannelForm{Name: "Program", Address: before.URL, Store: "acme"})
	w.refuse()
	w.must(w.Check(t.Context()))
	w.must(w.Pack(t.Context()))
	done := make(chan error, 1)
	go func() { done <- w.Deliver(t.Context()) }()
	<-asked
	w.change(ada, id, alerts.ChannelForm{Name: "Program", Address: w.hook.URL + "/after", Store: "acme", Revision: 1})
	close(answer)
	w.must(<-done)
	w.must(w.Deliver(t.Context()))
	w.equal("told", w.events(), "/after alert.opened")
	w.equal("the message", w.rows(`select state from alert_letters where channel_id = $1`, id), "sent")
	w.equal("failing", w.rows(`select name from alert_channels where failing_since is not null`))
}

func TestAChannelGetsNothingThatItWasChangedNotToHearOf(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]alerts.ChannelForm{
		"another kind of alert": {Store: "acme", Rules: []string{"drift"}},
		"another store":         {Store: "birch"},
	} {
		for _, packed := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				ada := w.person("ada")
				id := w.channel(ada, fact.Webhook, "/hook")
				w.exec(`with s as (insert into stores (slug, name, timezone) values ('birch', 'Birch', 'UTC') returning id) insert into grants (person_id, store_id) select $1, id from s`, ada)
				w.refuse()
				w.must(w.Check(t.Context()))
				if packed {
					w.must(w.Pack(t.Context()))
				}
				form.Name = "Program"
				w.change(ada, id, form)
				w.later(time.Minute)
				w.equal("told", w.events())
				w.equal("notices", w.rows(`select state || ': ' || (reason ->> 'id') from alert_notices where channel_id = $1`, id), "dropped: alert.unsent.not_chosen")
			})
		}
	}
}
