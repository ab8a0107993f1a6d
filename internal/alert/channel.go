package alert

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/redact"
)

// Where is the secret part of a channel: the address, since many receivers require nothing
// else, and the key that signs a webhook's messages.
type Where struct {
	Address string `json:"address"`
	// Secret is "whsec_" and base64; empty for Slack.
	Secret string `json:"secret,omitempty"`
}

// String keeps the address out of logs.
func (Where) String() string { return "•••" }

// GoString keeps the address out of logs.
func (Where) GoString() string { return "•••" }

// NewSecret makes the key that signs a webhook's messages.
func NewSecret() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

const secretPrefix = "whsec_"

// Seal encrypts w for the channel's row, and Open decrypts it.
func (w Where) Seal(s *seal.Sealer, channel int64) (sealed []byte, keyID string, err error) {
	plain, err := json.Marshal(w)
	if err != nil {
		return nil, "", err
	}
	sealed, keyID = s.Seal(plain, placeOf(channel))
	return sealed, keyID, nil
}

// Open decrypts what Seal encrypted for the same row. Errors wrap seal.ErrSealed.
func Open(s *seal.Sealer, sealed []byte, keyID string, channel int64) (w Where, err error) {
	plain, err := s.Open(sealed, keyID, placeOf(channel))
	if err != nil {
		return w, fmt.Errorf("open channel %d: %w", channel, err)
	}
	if err := json.Unmarshal(plain, &w); err != nil {
		return w, fmt.Errorf("read channel %d: %w", channel, seal.ErrSealed)
	}
	return w, nil
}

func placeOf(channel int64) []byte { return fmt.Appendf(nil, "alert channel:%d", channel) }

const (
	// hookPatience bounds sending a message and waiting for its answer.
	hookPatience = 10 * time.Second
	// hookAnswer is how much of an answer is read.
	hookAnswer = 4 << 10
)

// Hooks sends messages to channels. It connects only to public https addresses and allowed
// hosts, and never follows redirects.
type Hooks struct {
	allow upstream.AllowList
	http  *http.Client
}

// NewHooks makes the sender of messages to channels.
func NewHooks(o upstream.Options) *Hooks {
	return &Hooks{o.Allow, &http.Client{
		Transport:     upstream.Guarded(o),
		Timeout:       hookPatience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Check parses an address and rejects one that messages can't be sent to. host is the only
// part of it that may be shown.
func (h *Hooks) Check(address string) (host string, err error) {
	target, err := upstream.CheckTarget(address, h.allow)
	if err != nil {
		return "", err
	}
	return target.Host, nil
}

// AllowSetting is the setting with which an operator allows channels to hosts in their own
// network.
const AllowSetting = "DASHBOARD_CHANNEL_ALLOW"

// HookError says why a channel didn't take a message. It contains no secrets, and nothing
// about the network in which this program runs, except in Cause.
type HookError struct {
	// Status is the answer's HTTP status; 0 without an answer.
	Status int
	// After is how long the channel asks us to wait; 0 when it didn't say.
	After time.Duration
	// Cause is for the operator's log: it may name DNS servers and internal addresses.
	Cause string
	// Said is the reason for people.
	Said locale.Message
}

func (e *HookError) Error() string { return e.Said.In(locale.English) }

// Final reports whether the same message will never be taken.
func (e *HookError) Final() bool {
	return e.Status >= 300 && e.Status < 500 && e.Status != http.StatusRequestTimeout && e.Status != http.StatusTooEarly && e.Status != http.StatusTooManyRequests
}

// Send sends one message. A webhook's is signed for id and now as Standard Webhooks defines.
// Every error is a *[HookError] and contains nothing of the address but its host.
func (h *Hooks) Send(ctx context.Context, w Where, id string, body []byte, now time.Time) error {
	target, err := upstream.CheckTarget(w.Address, h.allow)
	if err != nil {
		return &HookError{Said: unaddressed(err), Cause: w.mask(err.Error())}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		return &HookError{Said: locale.M("alerts.channel_form.wrong.unusable")}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "storeglass/1")
	if w.Secret != "" {
		stamp := strconv.FormatInt(now.Unix(), 10)
		signature, err := Sign(w.Secret, id, stamp, body)
		if err != nil {
			return &HookError{Said: locale.M("alert.hook.secret")}
		}
		req.Header.Set("webhook-id", id)
		req.Header.Set("webhook-timestamp", stamp)
		req.Header.Set("webhook-signature", signature)
	}
	res, err := h.http.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok { // it contains the whole address
			err = u.Err
		}
		return &HookError{Said: noAnswer(err), Cause: w.mask(err.Error())}
	}
	defer res.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(res.Body, hookAnswer))
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return nil
	}
	e := &HookError{Status: res.StatusCode, Said: locale.M("alert.hook.answered", "status", strconv.Itoa(res.StatusCode))}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.After = min(time.Duration(min(seconds, 1<<20))*time.Second, jobs.MostBackoff)
	}
	if said := oneLine(string(redact.New(w.Address).Body(answer))); said != "" {
		e.Said = locale.M("alert.hook.answered_with", "status", strconv.Itoa(res.StatusCode), "text", w.mask(said))
	}
	return e
}

// unaddressed says why nothing can be sent to an address.
func unaddressed(err error) locale.Message {
	if _, ok := errors.AsType[*upstream.NotPublic](err); ok {
		return locale.M("alerts.channel_form.wrong.not_public", "setting", AllowSetting)
	}
	return locale.M("alerts.channel_form.wrong.unusable")
}

// noAnswer tells the person who set the channel up why there was no answer.
func noAnswer(err error) locale.Message {
	if _, ok := errors.AsType[*upstream.NotPublic](err); ok {
		return unaddressed(err)
	}
	if name, ok := errors.AsType[*net.DNSError](err); ok && name.IsNotFound {
		return locale.M("alert.hook.unknown_host")
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return locale.M("alert.hook.certificate")
	}
	if slow, ok := errors.AsType[net.Error](err); ok && slow.Timeout() {
		return locale.M("alert.hook.slow")
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return locale.M("alert.hook.refused")
	}
	return locale.M("alert.hook.broken")
}

// mask hides the secrets in a text, including the secret parts of the address.
func (w Where) mask(text string) string {
	secrets := []string{w.Address, w.Secret, strings.TrimPrefix(w.Secret, secretPrefix)}
	if u, err := url.Parse(w.Address); err == nil {
		secrets = append(secrets, u.RequestURI(), u.Path, u.RawQuery)
		for part := range strings.SplitSeq(u.Path, "/") {
			secrets = append(secrets, part)
		}
		for _, values := range u.Query() {
			secrets = append(secrets, values...)
		}
	}
	for _, s := range secrets {
		if len(s) >= 8 {
			text = string(redact.New(s).Body([]byte(text)))
		}
	}
	return text
}

// oneLine is the beginning of an answer, for people.
func oneLine(text string) string { return cut(oneLineOf(text), 120) }

// oneLineOf removes line breaks and the characters that change a text's direction.
func oneLineOf(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, text)
}

// Sign is a message's webhook-signature header: "v1," and the base64 of the HMAC-SHA256
// over id, time and body, joined with dots.
func Sign(secret, id, timestamp string, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		return "", errors.New("the channel's signing secret can't be read: make a new one")
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}
