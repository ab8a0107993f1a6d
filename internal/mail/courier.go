package mail

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Courier hands over mails that are already written, and reuses connections for several
// mails. It is safe for concurrent use.
type Courier struct {
	*Sender

	mu   sync.Mutex
	open []*Connection
	// away is until when a server that couldn't be reached is left alone; because is why.
	away    time.Time
	because error
	// lost is how many connections broke in a row.
	lost int
	// patience is how long Hand waits for an answer.
	patience time.Duration
}

const (
	// openFor is how long an idle connection stays open, and mostOpen how many may.
	openFor  = 5 * time.Second
	mostOpen = 4
	// mostMails is how many mails one connection carries: servers limit it, too.
	mostMails = 100
	// awayFor is how long an unreachable server is left alone, and mostLost how many
	// connections in a row may break before it counts as unreachable.
	awayFor  = 20 * time.Second
	mostLost = 3
	// ending is how long a mail being sent may take when the program stops: if it were cut
	// off, it would be sent twice.
	ending = time.Second
	// unanswered is how long Hand waits.
	unanswered = 40 * time.Second
	// LeftAlone is how long a mail that a server has received but not answered isn't sent
	// again: longer than we wait for the answer.
	LeftAlone = Taking + time.Minute
)

// NewCourier makes a Courier; nil without a Sender.
func NewCourier(s *Sender) *Courier {
	if s == nil {
		return nil
	}
	return &Courier{Sender: s, patience: unanswered}
}

// Hand hands over what Write made. If the server takes long, Hand returns [Unanswered], and
// calls late with the answer, or with the error after [Taking] without one. Until then, don't
// send the mail again for [LeftAlone].
func (c *Courier) Hand(ctx context.Context, to string, raw []byte, late func(Answer)) Answer {
	conversation, err := c.take(ctx)
	if err != nil {
		return AnswerOf(unreachable{err})
	}
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	answer := make(chan error, 1)
	go func() {
		defer cut()
		err := conversation.Send(sending, to, raw)
		c.give(conversation, err)
		answer <- err
	}()
	stays := context.AfterFunc(ctx, func() { time.AfterFunc(ending, cut) })
	patience := time.NewTimer(c.patience)
	defer patience.Stop()
	select {
	case err := <-answer:
		return AnswerOf(err)
	case <-patience.C:
		stays()
		go func() { late(AnswerOf(<-answer)) }()
		return AnswerOf(errUnanswered)
	}
}

// Away is why the server is being left alone; nil if it isn't.
func (c *Courier) Away() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.away) {
		return c.because
	}
	return nil
}

// take reuses an open connection, or opens one.
func (c *Courier) take(ctx context.Context) (*Connection, error) {
	for {
		conversation, err := c.waiting()
		if err != nil {
			return nil, err
		}
		if conversation == nil {
			break
		}
		if conversation.fresh() == nil {
			return conversation, nil
		}
		conversation.Close() // the server has closed it
	}
	conversation, err := c.Connect(ctx)
	if err != nil && ctx.Err() == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.away, c.because = time.Now().Add(awayFor), err
	}
	return conversation, err
}

// waiting takes an idle connection, or nil. The error is why the server is left alone.
func (c *Courier) waiting() (*Connection, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.open); n > 0 {
		conversation := c.open[n-1]
		c.open = c.open[:n-1]
		conversation.idle.Stop()
		return conversation, nil
	}
	if time.Now().Before(c.away) {
		return nil, c.because
	}
	return nil, nil
}

// give keeps a connection for the next mail, if it still works.
func (c *Courier) give(conversation *Connection, err error) {
	_, refused := errors.AsType[*Refusal](err)
	c.mu.Lock()
	defer c.mu.Unlock()
	broke := err != nil && !refused
	c.lost++
	if !broke {
		c.lost = 0
	} else if c.lost >= mostLost {
		c.away, c.because, c.lost = time.Now().Add(awayFor), err, 0
	}
	if broke || len(c.open) >= mostOpen || conversation.mails >= mostMails {
		go conversation.Close()
		return
	}
	c.open = append(c.open, conversation)
	conversation.idle = time.AfterFunc(openFor, func() { c.drop(conversation) })
}

// drop closes a connection that stayed idle.
func (c *Courier) drop(conversation *Connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, open := range c.open {
		if open == conversation {
			c.open = append(c.open[:i], c.open[i+1:]...)
			go conversation.Close()
			return
		}
	}
}
