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
	DefaultTries   = 3
	// userAgent names us to the services' operators.
	userAgent = "storeglass/1 (+https://github.com/storeglass/storeglass)"
)

// Clock is the time that the transport goes by.
type Clock interface {
	Now() time.Time
	// Wait returns after d, or with the context's error before.
	Wait(ctx context.Context, d time.Duration) error
}

// Options build a [Transport]. Every zero value has a sensible meaning.
type Options struct {
	// Allow widens the reachable addresses beyond public https.
	Allow AllowList
	// Timeout bounds one attempt from sending to the reply's last byte. 30 s.
	Timeout time.Duration
	// MaxBytes bounds one decompressed reply. 8 MiB.
	MaxBytes int64
	// Tries bounds the attempts of one call, the first included. 3.
	Tries int
	// Clock is the time to go by. The system's.
	Clock Clock
	// Jitter picks a wait of 0 to ceiling before the next attempt. Evenly random.
	Jitter func(ceiling time.Duration) time.Duration
	// UserAgent is sent with every request.
	UserAgent string
	// Resolver looks names up. The system's.
	Resolver *net.Resolver
	// RootCAs are the authorities trusted for https. The system's.
	RootCAs *x509.CertPool
	// Local connects to the hosts that this process serves itself. Their names are never looked up.
	Local map[string]func(context.Context) (net.Conn, error)
}

// Transport sends requests for every client of the process and pools their
// connections. It is safe for concurrent use.
//
// Proxy settings of the environment are ignored: a proxy would resolve the names
// itself, and the check of the resolved address would only ever see the proxy.
// Only HTTP/1.1 is spoken: 60 calls a minute gain nothing from HTTP/2, whose
// client repeats requests on its own, past the gate.
type Transport struct {
	options Options
	http    http.RoundTripper
}

// Once is the same transport for calls that are sent one time, whatever comes of it.
func (t *Transport) Once() *Transport {
	once := *t
	once.options.Tries = 1
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
	if o.Tries <= 0 {
		o.Tries = DefaultTries
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Jitter == nil {
		o.Jitter = fullJitter
	}
	if o.UserAgent == "" {
		o.UserAgent = userAgent
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &Transport{options: o, http: &http.Transport{
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

// Guarded sends requests to addresses that people gave and that are no service's. It
// connects as a [Transport] does, to what is public or allowed and nothing else, and
// neither repeats nor follows anything.
func Guarded(o Options) http.RoundTripper { return NewTransport(o).http }

// Close closes the idle connections. Calls under way are not touched.
func (t *Transport) Close() {
	if idle, ok := t.http.(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
}

// pause waits before attempt number next: full jitter below a doubling ceiling.
func (t *Transport) pause(ctx context.Context, next int) error {
	ceiling := min(time.Second<<(next-2), 10*time.Second)
	return t.options.Clock.Wait(ctx, t.options.Jitter(ceiling))
}

func fullJitter(ceiling time.Duration) time.Duration {
	return time.Duration(rand.Int64N(int64(ceiling) + 1))
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
