package mail

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Courier hands over mails that were written before, over conversations that stay open
// from one mail to the next. It is safe for concurrent use.
type Courier struct {
	*Sender

	mu   sync.Mutex
	open []*Connection
	// away is when the server is tried again that could not be reached, and why.
	away    time.Time
	because error
	// lost is how many conversations broke since the server last took or refused a mail.
	lost int
	// patience is how long Hand waits for an answer.
	patience time.Duration
}

const (
	// openFor is how long a conversation waits for the next mail, and mostOpen how many do.
	openFor  = 5 * time.Second
	mostOpen = 4
	// mostMails is how many mails one conversation is for: servers count, too.
	mostMails = 100
	// awayFor is how long a server that can't be reached is left alone, and mostLost how
	// many conversations in a row may break before that.
	awayFor  = 20 * time.Second
	mostLost = 3
	// ending is how long a mail in hand has when the program stops: cut off, it would be
	// sent twice.
	ending = time.Second
	// unanswered is how long Hand waits.
	unanswered = 40 * time.Second
	// LeftAlone is how long nobody sends a mail again that a server has and has not
	// answered yet: longer than it is waited for.
	LeftAlone = Taking + time.Minute
)

// NewCourier makes a Courier; nil where nothing can be sent.
func NewCourier(s *Sender) *Courier {
	if s == nil {
		return nil
	}
	return &Courier{Sender: s, patience: unanswered}
}

// Hand hands over what Write made. Where the server takes long, the answer is
// [Unanswered], and late is called with what it says, or doesn't within [Taking]: a mail
// is left alone for [LeftAlone] until then.
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

// Away is why the server is left alone at this moment; nil where it is not.
func (c *Courier) Away() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.away) {
		return c.because
	}
	return nil
}

// take takes up an open conversation, or begins one.
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
		conversation.Close() // the server had enough of it
	}
	conversation, err := c.Connect(ctx)
	if err != nil && ctx.Err() == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.away, c.because = time.Now().Add(awayFor), err
	}
	return conversation, err
}

// waiting is an open conversation, or nil. The error is why the server is left alone.
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

// give keeps a conversation for the next mail, if the server still speaks with us.
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

// drop ends a conversation that nobody took up again.
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
