package gift_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

const socks = `{"name":"Socks","discount":1.50}`

// The table of a token's states, arrow by arrow.

func TestTokenNoneToIssued_APreviewWritesNothing(t *testing.T) {
	t.Parallel()
	_, w, s := docOpen(t)
	p, err := w.PreviewCampaign(t.Context(), []byte(" "+socks+"\n"))
	must.NoError(t, err)
	must.True(t, p.Found())
	must.JSON(t, `{"wouldBe":{"name":"Socks","discount":1.5}}`, string(p.Shown()))
	must.True(t, s.created == 0 && len(s.tokens) == 1)
}

func TestTokenIssuedToUsed_TheCommitDoesWhatWasPreviewed(t *testing.T) {
	t.Parallel()
	c, w, s := docOpen(t)
	p, err := w.PreviewCampaign(t.Context(), []byte(socks))
	must.NoError(t, err)
	got, err := w.CreateCampaign(t.Context(), p)
	must.NoError(t, err)
	must.True(t, got.Data.Found && s.created == 1)
	must.JSON(t, `{"id":8001}`, string(got.Data.Raw))

	edit, err := w.PreviewEdit(t.Context(), "7001", []byte(`{"discount":25}`))
	must.NoError(t, err)
	_, err = w.ApplyEdit(t.Context(), edit)
	must.NoError(t, err)
	must.Equal(t, 25.0, s.campaign["discount"].(float64))

	gone, err := w.PreviewDeletion(t.Context(), "7001")
	must.NoError(t, err)
	deleted, err := w.DeleteCampaign(t.Context(), gone)
	must.NoError(t, err)
	must.True(t, s.deleted && deleted.Data.Found)
	after, err := c.Campaign(t.Context(), "7001")
	must.NoError(t, err)
	must.True(t, !after.Data.Found)
	must.Equal(t, []string{
		"POST /campaigns/preview", "POST /campaigns", "POST /campaigns/7001/edit-preview", "PATCH /campaigns/7001",
		"POST /campaigns/7001/deletion-preview", "POST /campaigns/7001/delete", "GET /campaigns/7001",
	}, s.arrived)
}

func TestTokenUsed_TheSameCommitAgainGivesTheFirstResultAndNothingNew(t *testing.T) {
	t.Parallel()
	_, w, s := docOpen(t)
	p, err := w.PreviewCampaign(t.Context(), []byte(socks))
	must.NoError(t, err)
	first, err := w.CreateCampaign(t.Context(), p)
	must.NoError(t, err)
	again, err := w.CreateCampaign(t.Context(), p)
	must.NoError(t, err)
	must.Equal(t, string(first.Data.Raw), string(again.Data.Raw))
	must.Equal(t, 1, s.created)
}

func TestTokenIssuedToRejected(t *testing.T) {
	t.Parallel()
	cases := map[string]func(t *testing.T, w *gift.Writer, s *docService) error{
		"a changed field of a new campaign": func(t *testing.T, w *gift.Writer, _ *docService) error {
			p, err := w.PreviewCampaign(t.Context(), []byte(socks))
			must.NoError(t, err)
			_, err = w.CreateCampaign(t.Context(), p.Changed(`{"name":"Socks","discount":99}`))
			return err
		},
		"a changed field after use": func(t *testing.T, w *gift.Writer, s *docService) error {
			p, err := w.PreviewCampaign(t.Context(), []byte(socks))
			must.NoError(t, err)
			_, err = w.CreateCampaign(t.Context(), p)
			must.NoError(t, err)
			s.created = 0
			_, err = w.CreateCampaign(t.Context(), p.Changed(`{"name":"Socks","discount":99}`))
			return err
		},
		"a changed field of an edit": func(t *testing.T, w *gift.Writer, _ *docService) error {
			p, err := w.PreviewEdit(t.Context(), "7001", []byte(`{"discount":25}`))
			must.NoError(t, err)
			_, err = w.ApplyEdit(t.Context(), p.Changed(`{"discount":90}`))
			return err
		},
		"expired": func(t *testing.T, w *gift.Writer, s *docService) error {
			p, err := w.PreviewCampaign(t.Context(), []byte(socks))
			must.NoError(t, err)
			for _, token := range s.tokens {
				token.expired = true
			}
			_, err = w.CreateCampaign(t.Context(), p)
			return err
		},
		"the campaign changed before an edit": func(t *testing.T, w *gift.Writer, s *docService) error {
			p, err := w.PreviewEdit(t.Context(), "7001", []byte(`{"discount":25}`))
			must.NoError(t, err)
			s.campaign["name"] = "Mugs"
			_, err = w.ApplyEdit(t.Context(), p)
			return err
		},
		"the campaign changed before its deletion": func(t *testing.T, w *gift.Writer, s *docService) error {
			p, err := w.PreviewDeletion(t.Context(), "7001")
			must.NoError(t, err)
			s.campaign["name"] = "Mugs"
			_, err = w.DeleteCampaign(t.Context(), p)
			return err
		},
	}
	for name, commit := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, w, s := docOpen(t)
			f := failure(t, commit(t, w, s))
			must.Equal(t, upstream.OurFault, f.Kind)
			must.Equal(t, gift.InvalidInput, f.Code)
			must.Equal(t, 1, f.Attempts, "a rejected token is never sent again by itself")
			must.True(t, s.created == 0 && !s.deleted && s.campaign["discount"] == 10.0, "nothing was written")
		})
	}
}

// What a preview allows is enforced by types: another commit doesn't compile.
func TestOnlyTheMatchingCommitTakesAPreview(t *testing.T) {
	t.Parallel()
	writer := reflect.TypeFor[*gift.Writer]()
	takes := func(commit string) reflect.Type {
		method, ok := writer.MethodByName(commit)
		must.True(t, ok, commit)
		return method.Type.In(2)
	}
	commits := map[string]reflect.Type{
		"CreateCampaign": reflect.TypeFor[gift.CampaignPreview](), "ApplyEdit": reflect.TypeFor[gift.EditPreview](),
		"DeleteCampaign": reflect.TypeFor[gift.DeletionPreview](),
	}
	for commit, want := range commits {
		must.True(t, takes(commit) == want, commit)
		for other, preview := range commits {
			must.Equal(t, other == commit, preview.ConvertibleTo(want), commit, " by ", other)
		}
	}
}

func TestACommitOfNothingIsNotSent(t *testing.T) {
	t.Parallel()
	_, w, s := docOpen(t)
	_, create := w.CreateCampaign(t.Context(), gift.CampaignPreview{})
	_, edit := w.ApplyEdit(t.Context(), gift.EditPreview{})
	_, del := w.DeleteCampaign(t.Context(), gift.DeletionPreview{})
	unknown, err := w.PreviewEdit(t.Context(), "404", []byte(`{}`))
	must.NoError(t, err)
	must.True(t, !unknown.Found(), "N54: not found is an answer")
	_, never := w.ApplyEdit(t.Context(), unknown)
	for _, err := range []error{create, edit, del, never} {
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
		must.ErrorContains(t, err, "nothing was previewed")
	}
	must.Equal(t, []string{"POST /campaigns/404/edit-preview"}, s.arrived)
}

func TestAPreviewPrintsAsDots(t *testing.T) {
	t.Parallel()
	_, w, _ := docOpen(t)
	p, err := w.PreviewDeletion(t.Context(), "7001")
	must.NoError(t, err)
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("about to", "preview", p)
	coded, err := json.Marshal(p)
	must.NoError(t, err)
	for _, text := range []string{fmt.Sprint(p), fmt.Sprintf("%+v %#v %q", p, p, p), log.String(), string(coded)} {
		must.True(t, strings.Contains(text, "•••") && !strings.Contains(text, "tok"), text)
	}
	// fmt calls no methods on unexported struct fields.
	must.True(t, !strings.Contains(fmt.Sprintf("%+v %#v", struct{ inner gift.DeletionPreview }{p}, struct{ inner any }{p}), `tok "`))
	must.True(t, !strings.Contains(string(p.Shown()), "tok"))
}

func TestABodyThatIsNoObjectIsNotSent(t *testing.T) {
	t.Parallel()
	_, w, s := docOpen(t)
	for _, body := range []string{``, `null`, `[]`, `"a"`, `7`, `{"a":1`, `{"a":1}{}`, `{"a":1,"a":2}`, `{"confirmationToken":"t"}`} {
		_, create := w.PreviewCampaign(t.Context(), []byte(body))
		_, edit := w.PreviewEdit(t.Context(), "7001", []byte(body))
		_, status := w.SetStatus(t.Context(), "7001", body)
		_, widget := w.EditWidget(t.Context(), "b ä.d", body)
		for _, err := range []error{create, edit, status, widget} {
			must.Equal(t, upstream.OurFault, failure(t, err).Kind, body)
		}
	}
	must.Equal(t, 0, len(s.arrived))
}

func TestAPreviewWithoutATokenBreaksTheContract(t *testing.T) {
	t.Parallel()
	for _, data := range []string{`{}`, `{"confirmationToken":""}`, `{"confirmationToken":7}`, `null`, `[]`, `{"found":true}`} {
		service := upstreamtest.Serve(t, upstreamtest.OK(data))
		w := gift.NewWriter(upstreamtest.Transport(t), service.Base(t), upstream.NewSecret(upstreamtest.Token), &upstreamtest.Gate{})
		_, err := w.PreviewDeletion(t.Context(), "1")
		must.Equal(t, upstream.Quarantine, failure(t, err).Kind, data)
	}
}

func TestStatusAndWidgetAreWrittenWithoutAPreview(t *testing.T) {
	t.Parallel()
	_, w, s := docOpen(t)
	got, err := w.SetStatus(t.Context(), "7001", gift.TurnOff)
	must.NoError(t, err)
	must.True(t, got.Data.Found && s.campaign["on"] == false)
	_, err = w.SetStatus(t.Context(), "7001", gift.TurnOn)
	must.NoError(t, err)
	must.Equal(t, true, s.campaign["on"].(bool))
	widget, err := w.EditWidget(t.Context(), "b ä.d", `{"color":"#fff"}`)
	must.NoError(t, err)
	must.True(t, widget.Data.Found && widget.Data.Raw == nil)
	unknown, err := w.SetStatus(t.Context(), "404", gift.TurnOff)
	must.NoError(t, err)
	must.True(t, !unknown.Data.Found)
}

func TestOnlyWhatMayArriveTwiceIsSentAgain(t *testing.T) {
	t.Parallel()
	drop := func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
	fail := func(w http.ResponseWriter, _ *http.Request) bool {
		docRefuse(w, 500, gift.InternalError, "oh")
		return true
	}
	for name, before := range map[string]func(http.ResponseWriter, *http.Request) bool{"the line breaks": drop, "the service fails": fail} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, w, s := docOpen(t)
			p, err := w.PreviewCampaign(t.Context(), []byte(socks))
			must.NoError(t, err)
			s.before = before
			_, preview := w.PreviewCampaign(t.Context(), []byte(socks))
			_, create := w.CreateCampaign(t.Context(), p)
			_, status := w.SetStatus(t.Context(), "7001", gift.TurnOff)
			_, widget := w.EditWidget(t.Context(), "b ä.d", `{}`)
			for i, err := range []error{preview, create, status, widget} {
				f := failure(t, err)
				must.Equal(t, upstream.Retry, f.Kind)
				must.Equal(t, []int{3, 3, 1, 1}[i], f.Attempts)
			}
			s.mu.Lock() // a broken connection gives no ordering
			defer s.mu.Unlock()
			must.Equal(t, 1+3+3+1+1, len(s.arrived), "net/http repeats nothing by itself either")
		})
	}
}

func TestACommitWhoseReplyIsLostIsConfirmedByItsRepeat(t *testing.T) {
	t.Parallel()
	_, w, s := docOpen(t)
	p, err := w.PreviewCampaign(t.Context(), []byte(socks))
	must.NoError(t, err)
	lost := true
	s.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if !lost {
			return false
		}
		lost = false
		var body map[string]any
		must.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		s.commit(nowhere{}, "POST /campaigns", body)
		panic(http.ErrAbortHandler)
	}
	got, err := w.CreateCampaign(t.Context(), p)
	must.NoError(t, err)
	must.Equal(t, 2, got.Attempts)
	must.JSON(t, `{"id":8001}`, string(got.Data.Raw))
	must.Equal(t, 1, s.created)
}

// nowhere is a reply that never arrives.
type nowhere struct{}

func (nowhere) Header() http.Header         { return http.Header{} }
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) WriteHeader(int)             {}

func TestTheLimitOfWritesLeavesReadingAlone(t *testing.T) {
	t.Parallel()
	for code, held := range map[string]bool{gift.WriteRateLimit: false, gift.RateLimit: true} {
		service, gate := upstreamtest.Serve(t, refuse(429, code)), &upstreamtest.Gate{}
		w := gift.NewWriter(upstreamtest.Transport(t), service.Base(t), upstream.NewSecret(upstreamtest.Token), gate)
		_, err := w.PreviewDeletion(t.Context(), "1")
		f := failure(t, err)
		must.Equal(t, upstream.Wait, f.Kind)
		must.Equal(t, upstream.DefaultWait, f.RetryAfter)
		must.Equal(t, held, gate.Seen()[0].RetryAfter > 0, code)
		gate.Check(t, 1)
	}
}

func TestAKeyBelowTheLevelIsSaidSo(t *testing.T) {
	t.Parallel()
	_, w, s := docOpen(t)
	s.before = func(w http.ResponseWriter, _ *http.Request) bool {
		docRefuse(w, 403, gift.InsufficientScope, "delete needed")
		return true
	}
	_, err := w.PreviewDeletion(t.Context(), "7001")
	f := failure(t, err)
	must.True(t, f.Kind == upstream.Pause && f.Code == gift.InsufficientScope && f.Attempts == 1)
}
