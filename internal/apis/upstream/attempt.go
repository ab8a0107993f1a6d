package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/storeglass/storeglass/internal/redact"
)

// exchange is one request and what came back.
type exchange struct {
	Reply
	data          []byte // the envelope's data, when the reply is good
	once          bool   // the refusal is worth one more try
	apart         bool   // the wait doesn't affect the rest of the budget
	sent, replied time.Time
	attempts      int // of the whole call so far
}

// broken makes the failure of a reply that breaks the contract.
func (e exchange) broken(op string, err error) *Failure {
	return &Failure{Kind: Quarantine, Op: op, Status: e.Status, Raw: e.Body, Attempts: e.attempts, Err: err}
}

// fetch sends the request until it is answered, refused permanently, or out of tries.
func (c *Client) fetch(ctx context.Context, op string, send call) (exchange, *Failure) {
	if failure := c.ready(op); failure != nil {
		return exchange{}, failure
	}
	mask := redact.New(c.Token.Reveal())
	onceMore := false
	for attempts := 1; ; attempts++ {
		got, failure := c.attempt(ctx, op, send, mask)
		failure = maskFailure(mask, failure)
		got.attempts = attempts
		if failure == nil {
			return got, nil
		}
		if errors.Is(failure, errGate) {
			got.attempts = attempts - 1
		}
		failure.Attempts = got.attempts
		again := failure.Kind == Retry || got.once && !onceMore
		onceMore = onceMore || got.once
		if !again || send.final || attempts >= c.Transport.tries || got.attempts < attempts || ctx.Err() != nil {
			return got, failure
		}
		if err := c.Transport.pause(ctx, attempts+1); err != nil {
			failure.Err = errors.Join(failure.Err, err)
			return got, failure
		}
	}
}

// errGate marks a failure that came before anything was sent.
var errGate = errors.New("enter the budget gate")

// attempt passes the gate, sends once and classifies what came back. The slot is left exactly
// once on every path, even a panic.
func (c *Client) attempt(ctx context.Context, op string, send call, mask redact.Mask) (got exchange, failure *Failure) {
	slot, err := c.Gate.Enter(ctx)
	if err != nil {
		return got, gateFailure(op, err)
	}
	clock := c.Transport.options.Clock
	got.sent = clock.Now()
	var seen Observed
	defer func() { slot.Leave(context.WithoutCancel(ctx), seen) }()

	err = c.send(ctx, send, &got, mask)
	got.replied = clock.Now()
	seen.Replied, seen.Status = got.replied, got.Status
	seen.Remaining = headerInt(got.Header, "X-RateLimit-Remaining")
	if err != nil {
		return got, c.unanswered(op, got, err)
	}
	failure = c.sorted(op, &got)
	if failure != nil && !got.apart {
		seen.RetryAfter = failure.RetryAfter
	}
	return got, failure
}

func gateFailure(op string, err error) *Failure {
	failure := &Failure{Kind: Retry, Op: op, Err: fmt.Errorf("%w: %w", errGate, err)}
	if none, ok := errors.AsType[*NoSlot](err); ok {
		failure.Kind, failure.Until = Wait, none.Until
	}
	return failure
}

// send makes one round trip and reads the whole reply, within the deadline.
func (c *Client) send(ctx context.Context, send call, got *exchange, mask redact.Mask) error {
	o := c.Transport.options
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, errDeadline)
	defer cancel()
	request, err := c.request(ctx, send)
	if err != nil {
		return err
	}
	// A round trip, not http.Client: redirects are never followed, because the token is only
	// for this address.
	response, err := c.Transport.http.RoundTrip(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	got.Status, got.Header = response.StatusCode, maskHeader(mask, response.Header)
	body, err := io.ReadAll(io.LimitReader(response.Body, o.MaxBytes+1))
	if int64(len(body)) > o.MaxBytes {
		got.Body = mask.Body(body[:o.MaxBytes])
		return &Contract{What: fmt.Sprintf("it is longer than %d bytes", o.MaxBytes)}
	}
	// A byte order mark may be ignored (RFC 8259).
	got.Body = mask.Body(bytes.TrimPrefix(body, []byte("\ufeff")))
	if err != nil {
		return fmt.Errorf("read the reply: %w", err)
	}
	return nil
}

// errDeadline is the cause when one attempt took too long.
var errDeadline = errors.New("no full reply within the deadline")

// unanswered classifies an attempt without a full reply.
func (c *Client) unanswered(op string, got exchange, err error) *Failure {
	if _, ok := errors.AsType[*Contract](err); ok {
		if got.Status >= 200 && got.Status <= 299 {
			return got.broken(op, err)
		}
		failure, _ := c.judge(op, got)
		failure.Err = err
		return failure
	}
	failure := &Failure{Kind: Retry, Op: op, Status: got.Status, Raw: got.Body, Err: err}
	if refused, ok := errors.AsType[*NotPublic](err); ok {
		failure.Kind, failure.Err = OurFault, refused
	}
	return failure
}

// sorted classifies a fully read reply.
func (c *Client) sorted(op string, got *exchange) *Failure {
	switch {
	case got.Status >= 200 && got.Status <= 299:
		data, refused, err := c.open(got.Body)
		if err != nil {
			return got.broken(op, err)
		}
		if !refused {
			got.data = data
			return nil
		}
		failure, _ := c.judge(op, *got)
		if failure.Kind == Quarantine {
			failure.Err = new(notSuccess)
		}
		return failure
	case got.Status >= 300 && got.Status <= 399:
		return &Failure{
			Kind: Quarantine, Op: op, Status: got.Status, Raw: got.Body,
			Message: redirected(got.Header),
		}
	case got.Status < 200 || got.Status > 599:
		return got.broken(op, &Contract{What: fmt.Sprintf("the status %d has no meaning", got.Status)})
	}
	failure, verdict := c.judge(op, *got)
	got.once, got.apart = verdict.Once, verdict.Apart
	return failure
}

// redirected describes a redirect's target without following it.
func redirected(h http.Header) string {
	target, err := url.Parse(h.Get("Location"))
	if err != nil || h.Get("Location") == "" {
		return "redirects are never followed: check the base address"
	}
	target.User, target.RawQuery, target.Fragment = nil, "", ""
	return fmt.Sprintf("redirects to %s, redirects are never followed: check the base address", clean(target.String(), 150))
}

// maskHeader hides the token in every value of a header.
func maskHeader(mask redact.Mask, h http.Header) http.Header {
	for _, values := range h {
		for i := range values {
			values[i] = mask.Text(values[i])
		}
	}
	return h
}

// maskFailure hides the token in everything that a failure says. It comes last, because
// cleaning up text can join parts of a token that were separated.
func maskFailure(mask redact.Mask, f *Failure) *Failure {
	if f != nil {
		f.Message, f.Code, f.Err = mask.Text(f.Message), mask.Text(f.Code), mask.Error(f.Err)
	}
	return f
}
