package reports

import (
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views"
	"github.com/storeglass/storeglass/web/site"
)

// maxReplyShown limits the text of a reply on its page; longer ones are cut, and the page says so.
const maxReplyShown = 256 << 10

// replyPage shows the stored reply behind a number as it came, as text.
func (s *Handlers) replyPage(c *site.Call) error {
	good := c.QueryParam("good") != "false"
	r, err := s.DB.Reply(c.Request().Context(), c.Store, c.QueryParam("pull"), c.QueryParam("subject"), good)
	if err != nil {
		return err
	}
	if c.Request().Method == http.MethodGet {
		err := s.Audit.Record(c.Request().Context(), audit.Event{Action: audit.ReplyOpened, Store: c.Store.Slug, Subject: strings.TrimSpace(r.Pull + " " + r.Subject)})
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
	return c.Page(views.Reply(views.ReplyPage{
		Base: s.PageBase(c, c.Locale().T("sync.reply.title")),
		Provenance: report.Provenance{
			Endpoint: endpoint, Pull: r.Pull, Subject: r.Subject, Replies: 1, Basis: report.Reported,
			Window: report.ReplyWindow(r.Body), Timezone: c.Store.Timezone, FetchedAt: r.FetchedAt, FetchedLast: r.FetchedAt,
		},
		Body: strings.ToValidUTF8(string(body), "\uFFFD"),
		Cut:  cut, Back: site.StorePath(c.Store.Slug),
	}))
}
