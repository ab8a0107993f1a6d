package sync

import (
	"context"
	gosync "sync"

	"github.com/storeglass/storeglass/internal/db"
)

// goodReply is a pull's good reply with the slots that its attempts went through.
type goodReply struct {
	pull   Pull
	answer answer
	slots  []db.Slot
}

// saver writes good replies, each as soon as may be: what has come in while a
// transaction ran shares the next one. At the documented pace that is one reply a
// transaction; at a raised limit several, which then do not fight over the
// store's row.
type saver struct {
	write func(context.Context, []goodReply) error

	mu      gosync.Mutex
	waiting []*saving
	writing bool
}

// saving is a reply that waits for its transaction.
type saving struct {
	reply goodReply
	err   error
	done  chan struct{}
}

// save returns when the reply is written, alone or with others, or can't be.
func (s *saver) save(ctx context.Context, g goodReply) error {
	mine := &saving{reply: g, done: make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, mine)
	if s.writing {
		s.mu.Unlock()
		<-mine.done
		return mine.err
	}
	s.writing = true
	for len(s.waiting) > 0 {
		together := s.waiting
		s.waiting = nil
		s.mu.Unlock()
		s.writeAll(ctx, together)
		s.mu.Lock()
	}
	s.writing = false
	s.mu.Unlock()
	return mine.err
}

// writeAll writes replies together. What fails together is written one by one, so
// that a reply that can't be stored, or was taken over, spoils no other.
func (s *saver) writeAll(ctx context.Context, together []*saving) {
	replies := make([]goodReply, len(together))
	for i, one := range together {
		replies[i] = one.reply
	}
	err := s.write(ctx, replies)
	for i, one := range together {
		one.err = err
		if err != nil && len(together) > 1 {
			one.err = s.write(ctx, replies[i:i+1])
		}
		close(one.done)
	}
}
