package gift

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Writer changes a store's campaigns and widgets. The server never creates one: it
// only reads. The command line does, for a person who first sees a preview of what
// will happen.
//
//	POST  /campaigns/preview                [Writer.PreviewCampaign]
//	POST  /campaigns                        [Writer.CreateCampaign]
//	POST  /campaigns/{id}/edit-preview      [Writer.PreviewEdit]
//	PATCH /campaigns/{id}                   [Writer.ApplyEdit]
//	PUT   /campaigns/{id}/status            [Writer.SetStatus]
//	PATCH /widgets/{type}                   [Writer.EditWidget]
//	POST  /campaigns/{id}/deletion-preview  [Writer.PreviewDeletion]
//	POST  /campaigns/{id}/delete            [Writer.DeleteCampaign]
//
// A preview writes nothing, and repeating a confirmed commit returns the first result
// and does nothing else; so both are retried if the network or the service fails.
// SetStatus and EditWidget are sent once: if their reply is lost, check whether they
// were carried out.
type Writer struct{ upstream *upstream.Writer }

// NewWriter makes a writer. base is what [upstream.CheckBase] gave.
func NewWriter(t *upstream.Transport, base *url.URL, token upstream.Secret, gate upstream.Gate) *Writer {
	return &Writer{upstream.NewWriter(New(t, base, token, gate).upstream)}
}

// Written is the service's answer to a change. Its fields aren't documented.
type Written struct {
	// Found is false if the store has nothing of that name, so nothing was changed (N54). It is
	// true if the reply doesn't say.
	Found bool
	// Raw is the reply's data, nil if there was none.
	Raw upstream.Raw
}

// DecodeRaw takes any value.
func (w *Written) DecodeRaw(value []byte) error {
	*w = Written{Found: true, Raw: slices.Clone(value)}
	for m := range upstream.Members(value) {
		if m.Name == "found" && m.Value.Kind() == 'f' {
			w.Found = false
		}
	}
	return nil
}

// PreviewCampaign has the service check a campaign and show what it would be. body is one JSON
// object whose fields aren't documented.
func (w *Writer) PreviewCampaign(ctx context.Context, body []byte) (CampaignPreview, error) {
	const op = "preview gift campaign"
	body, err := object(op, body)
	if err != nil {
		return CampaignPreview{}, err
	}
	p, err := w.preview(ctx, op, "/campaigns/preview", body)
	return CampaignPreview{p, body}, err
}

// CreateCampaign creates exactly what was previewed.
func (w *Writer) CreateCampaign(ctx context.Context, p CampaignPreview) (upstream.Answer[Written], error) {
	return w.commit(ctx, "create gift campaign", http.MethodPost, "/campaigns", p.preview, p.body)
}

// PreviewEdit has the service check changes to a campaign and show the result.
func (w *Writer) PreviewEdit(ctx context.Context, id string, body []byte) (EditPreview, error) {
	op := "preview edit of gift campaign " + id
	segment, err := upstream.Segment(op, id)
	if err != nil {
		return EditPreview{}, err
	}
	if body, err = object(op, body); err != nil {
		return EditPreview{}, err
	}
	p, err := w.preview(ctx, op, "/campaigns/"+segment+"/edit-preview", body)
	return EditPreview{p, segment, body}, err
}

// ApplyEdit makes exactly the edit that was previewed. It is refused if the campaign has
// changed since.
func (w *Writer) ApplyEdit(ctx context.Context, p EditPreview) (upstream.Answer[Written], error) {
	return w.commit(ctx, "edit gift campaign", http.MethodPatch, "/campaigns/"+p.id, p.preview, p.body)
}

// PreviewDeletion has the service show what would be deleted.
func (w *Writer) PreviewDeletion(ctx context.Context, id string) (DeletionPreview, error) {
	op := "preview deletion of gift campaign " + id
	segment, err := upstream.Segment(op, id)
	if err != nil {
		return DeletionPreview{}, err
	}
	p, err := w.preview(ctx, op, "/campaigns/"+segment+"/deletion-preview", []byte("{}"))
	return DeletionPreview{p, segment}, err
}

// DeleteCampaign permanently deletes what was previewed. It is refused if the campaign has
// changed since. To stop a campaign without losing it, use SetStatus.
func (w *Writer) DeleteCampaign(ctx context.Context, p DeletionPreview) (upstream.Answer[Written], error) {
	return w.commit(ctx, "delete gift campaign", http.MethodPost, "/campaigns/"+p.id+"/delete", p.preview, []byte("{}"))
}

// The bodies that turn a campaign on and off. The documentation names no field of them; these
// are what its words suggest.
const (
	TurnOn  = `{"enabled":true}`
	TurnOff = `{"enabled":false}`
)

// SetStatus turns one campaign on or off, with [TurnOn], [TurnOff] or another body if you know
// a better one. The reply doesn't name the resulting status: read it again.
func (w *Writer) SetStatus(ctx context.Context, id, body string) (upstream.Answer[Written], error) {
	op := "set status of gift campaign " + id
	return w.change(ctx, op, http.MethodPut, "/campaigns/", id, "/status", body)
}

// EditWidget changes settings of one type of widget. The service accepts only some of them;
// which ones isn't documented.
func (w *Writer) EditWidget(ctx context.Context, typ, body string) (upstream.Answer[Written], error) {
	return w.change(ctx, "edit gift widget "+typ, http.MethodPatch, "/widgets/", typ, "", body)
}

// change sends a write that has no preview, once.
func (w *Writer) change(ctx context.Context, op, method, before, name, after, body string) (upstream.Answer[Written], error) {
	segment, err := upstream.Segment(op, name)
	if err != nil {
		return upstream.Answer[Written]{}, err
	}
	checked, err := object(op, []byte(body))
	if err != nil {
		return upstream.Answer[Written]{}, err
	}
	return w.send(ctx, op, upstream.Change{Method: method, Endpoint: before + segment + after, Body: checked})
}

func (w *Writer) preview(ctx context.Context, op, endpoint string, body []byte) (preview, error) {
	answer, err := upstream.Send[preview](ctx, w.upstream, op, upstream.Change{
		Method: http.MethodPost, Endpoint: endpoint, Body: body, Repeatable: true,
	})
	switch {
	case err != nil:
		return preview{}, err
	case answer.Data == nil:
		return preview{}, answer.Broken(op, "/data", "it is null")
	}
	return *answer.Data, nil
}

func (w *Writer) commit(ctx context.Context, op, method, endpoint string, p preview, body []byte) (upstream.Answer[Written], error) {
	if p.token == nil {
		return upstream.Answer[Written]{}, upstream.Refuse(op, "nothing was previewed")
	}
	return w.send(ctx, op, upstream.Change{Method: method, Endpoint: endpoint, Body: confirmed(body, *p.token), Repeatable: true})
}

func (w *Writer) send(ctx context.Context, op string, c upstream.Change) (upstream.Answer[Written], error) {
	answer, err := upstream.Send[Written](ctx, w.upstream, op, c)
	written := Written{Found: true}
	if answer.Data != nil {
		written = *answer.Data
	}
	if err != nil {
		written = Written{}
	}
	return upstream.WithData(answer, written), err
}
