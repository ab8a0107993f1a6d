package web

import (
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views"
)

// maxReplyShown bounds the text of a reply on its page; larger ones are cut, and the page says so.
const maxReplyShown = 256 << 10

// replyPage shows the stored reply behind a number as it came, as text.
func (s *reportsHandlers) replyPage(c *call) error {
	good := c.QueryParam("good") != "false"
	r, err := s.db.Reply(c.Request().Context(), c.store, c.QueryParam("pull"), c.QueryParam("subject"), good)
	if err != nil {
		return err
	}
	if c.Request().Method == http.MethodGet {
		err := s.access.Record(c.Request().Context(), access.Event{Action: access.ReplyOpened, Store: c.store.Slug, Subject: strings.TrimSpace(r.Pull + " " + r.Subject)})
		if err != nil {
			return err
		}
	}
	endpoint := r.Endpoint
	if r.Query != "" {
		endpoint += "?" + r.Query
	}
	body, cut := r.Body, false
	if len(body) > maxReplyShown {
		body, cut = body[:maxReplyShown], true
	}
	return c.page(views.Reply(views.ReplyPage{
		Base: s.pageBase(c, "Stored reply"),
		Provenance: report.Provenance{
			Endpoint: endpoint, Pull: r.Pull, Subject: r.Subject, Replies: 1, Basis: report.Reported,
			Window: report.ReplyWindow(r.Body), Timezone: c.store.Timezone, FetchedAt: r.FetchedAt, FetchedLast: r.FetchedAt,
		},
		Body: strings.ToValidUTF8(string(body), "\uFFFD"),
		Cut:  cut, Back: storePath(c.store.Slug),
	}))
}
