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
