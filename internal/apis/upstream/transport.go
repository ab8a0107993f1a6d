package upstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

// Limits of one reply, unless [Options] says otherwise.
const (
	DefaultTimeout = 30 * time.Second
	DefaultBytes   = 8 << 20
	// defaultTries limits the attempts of one call, including the first.
	defaultTries = 3
	// userAgent names us to the services' operators.
	userAgent = "storeglass/1 (+https://github.com/storeglass/storeglass)"
)

// Clock is the time that the transport uses.
type Clock interface {
	Now() time.Time
	// Wait returns after d, or earlier with the context's error.
	Wait(ctx context.Context, d time.Duration) error
}

// Options build a [Transport]. Every zero value has a sensible default, given below.
type Options struct {
	// Allow widens the reachable addresses beyond public https.
	Allow AllowList
	// Timeout limits one attempt, from sending to the reply's last byte. Default 30 s.
	Timeout time.Duration
	// MaxBytes limits one decompressed reply. Default 8 MiB.
	MaxBytes int64
	// Clock is the clock to use. Default: the system's.
	Clock Clock
	// Jitter picks a wait of 0 to ceiling before the next attempt. Default: evenly random.
	Jitter func(ceiling time.Duration) time.Duration
	// Resolver looks names up. Default: the system's.
	Resolver *net.Resolver
	// RootCAs are the authorities trusted for https. Default: the system's.
	RootCAs *x509.CertPool
	// Local connects to hosts that this process serves itself, whose names are never looked up.
	Local map[string]func(context.Context) (net.Conn, error)
}

// Transport sends requests for every client of the process and pools their connections. It is
// safe for concurrent use.
//
// It ignores the environment's proxy settings: a proxy would resolve names itself, so we could
// only check the proxy's address. It only speaks HTTP/1.1: at 60 calls a minute HTTP/2 gains
// nothing, and Go's HTTP/2 client repeats requests on its own, bypassing the gate.
type Transport struct {
	options Options
	tries   int
	http    http.RoundTripper
}

// Once returns the same transport for calls that are sent only once, whatever happens.
func (t *Transport) Once() *Transport {
	once := *t
	once.tries = 1
	return &once
}

// NewTransport builds a transport.
func NewTransport(o Options) *Transport {
	return newTransport(o, func(string) error { return nil })
}

func newTransport(o Options, connecting func(address string) error) *Transport {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultBytes
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Jitter == nil {
		o.Jitter = fullJitter
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &Transport{options: o, tries: defaultTries, http: &http.Transport{
		Proxy:                  nil,
		DialContext:            dialer{o.Allow, o.Resolver, o.Local, connecting}.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		TLSHandshakeTimeout:    10 * time.Second,
		Protocols:              protocols,
		MaxIdleConns:           64,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        60 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}}
}

// Guarded sends requests to addresses that people entered and that aren't a service's. Like a
// [Transport] it only connects to public or allowed addresses, but it neither repeats requests
// nor follows redirects.
func Guarded(o Options) http.RoundTripper { return NewTransport(o).http }

// Close closes the idle connections. Calls under way are not touched.
func (t *Transport) Close() {
	if idle, ok := t.http.(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
}

// pause waits before attempt number next: full jitter below a doubling ceiling.
func (t *Transport) pause(ctx context.Context, next int) error {
	return t.options.Clock.Wait(ctx, t.options.Jitter(time.Second<<(next-2)))
}

func fullJitter(ceiling time.Duration) time.Duration {
	return time.Duration(rand.Int64N(int64(ceiling) + 1))
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Wait(ctx context.Context, d time.Duration) error { return Sleep(ctx, d) }

// Sleep waits, or ends early with the context's error.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
