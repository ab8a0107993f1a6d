package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// alerts finds what is wrong with stores and tells people. Without a mail server it tells
// channels alone.
func (h *house) alerts() (*alert.Alerts, error) {
	courier, err := h.mailCourier()
	if err != nil {
		return nil, err
	}
	sealer, err := h.settings.Sealer()
	if err != nil {
		return nil, err
	}
	a := &alert.Alerts{
		DB: h.db, Courier: courier, Hooks: h.hooks(), Sealer: sealer, Base: h.base(), Host: h.base().Hostname(), Now: time.Now, Log: h.log,
	}
	if courier != nil {
		_, a.Host, _ = strings.Cut(courier.From.Address, "@")
	}
	return a, nil
}

// hooks sends messages to channels.
func (h *house) hooks() *alert.Hooks {
	return alert.NewHooks(upstream.Options{Allow: h.settings.ChannelAllow.AllowList})
}

// unlooked is how late a look may be before it is said that nobody looks.
const unlooked = time.Hour

// checkAlerts says whether somebody looks, and what does not arrive.
func (h *house) checkAlerts(ctx context.Context) finding {
	const what = "alerts"
	f, err := h.db.Queries().AlertFigures(ctx)
	switch late := time.Since(f.Oldest); {
	case err != nil:
		return finding{what, err.Error(), true}
	case f.Oldest.Year() > 1970 && late > unlooked:
		return finding{what, fmt.Sprintf("no store was looked at since %s: is a worker running (`dashboard serve`, or with --role worker)?", f.Oldest.UTC().Format("2 Jan 15:04 MST")), true}
	}
	words := fmt.Sprintf("%d open", f.Open)
	for _, part := range []struct {
		n     int64
		words string
	}{
		{f.Waiting, "held back by quiet hours or mutes"}, {f.Late, "on a way that fails so far"}, {f.Off, "channels switched off because they failed for days"},
	} {
		if part.n > 0 {
			words += fmt.Sprintf(", %d %s", part.n, part.words)
		}
	}
	return finding{what: what, words: words}
}
