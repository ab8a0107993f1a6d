package weekly

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/jobs/jobstest"
)

// A mail never changes its block, so a later tick doesn't start a second job for it.
func TestMailsAreStartedAndSentByBlocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader(readers(2*block + 1)...)
	w.at(monday)
	w.must(w.start(t.Context()))
	started := func() []string {
		var blocks []string
		for _, job := range jobstest.Of(t, w.DB.Pool, mailsArgs{}.Kind()) {
			var args mailsArgs
			w.must(json.Unmarshal(job.EncodedArgs, &args))
			blocks = append(blocks, fmt.Sprint(args.Block))
		}
		return blocks
	}
	w.equal("blocks", started(), "0", "1", "2") // ids start at 1
	w.must(w.start(t.Context()))
	w.equal("blocks after another tick", started(), "0", "1", "2")

	w.must(w.work(t.Context(), &river.Job[mailsArgs]{Args: mailsArgs{Block: 1}}))
	w.equal("sent", w.rows(`select distinct (id / 10)::text from deliveries where state = 'sent'`), "1")
	if got := len(w.arrived()); got != block {
		t.Errorf("%d mails arrived, want %d", got, block)
	}
}

func TestAMailThatWaitsGetsNoJob(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		jobs   int
	}{
		"due":                     {`select`, 1},
		"put off":                 {`update deliveries set next_at = next_at + interval '1 second'`, 0},
		"with another process":    {`update deliveries set held_until = next_at + interval '1 second'`, 0},
		"sent":                    {`update deliveries set state = 'sent', sent_at = due_at`, 0},
		"covered by a later one":  {`update deliveries set folded_into = id`, 0},
		"of a removed store":      {`update stores set removed_at = now()`, 0},
		"another's can't be made": {`insert into subscriptions (store_id, address, zone, confirmed_at) select id, 'ben@example.com', 'Nowhere/Atall', now() from stores`, 1},
	} {
		w := newWorld(t)
		w.owed()
		w.exec(c.change)
		if err := w.start(t.Context()); (err != nil) != (name == "another's can't be made") {
			t.Errorf("%s: %v", name, err)
		}
		if got := len(jobstest.Of(t, w.DB.Pool, mailsArgs{}.Kind())); got != c.jobs {
			t.Errorf("%s: %d jobs", name, got)
		}
	}
}

func TestAJobThatHasNoTimeLeftBeginsNoMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader(readers(2)...)
	w.at(monday)
	w.must(w.start(t.Context()))
	err := w.work(over{t.Context()}, &river.Job[mailsArgs]{})
	if _, snoozes := errors.AsType[*river.JobSnoozeError](err); !snoozes || len(w.arrived()) > 0 {
		t.Errorf("it says %v", err)
	}
}

// over is the context of a job whose time has run out.
type over struct{ context.Context }

func (over) Deadline() (time.Time, bool) { return time.Now(), true }
