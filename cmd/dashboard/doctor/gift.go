package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// giftEndpoints compares what a store's gift service offers with what this program
// knows. What is new harms nothing; what is gone or changed breaks a command or a pull.
func giftEndpoints(ctx context.Context, sync *pulls.Syncer, store sqlc.Store) Finding {
	ctx, cancel := context.WithTimeout(ctx, ProbeTime)
	defer cancel()
	out := Finding{What: store.Slug + " gift endpoints"}
	var endpoints, tools []gift.Endpoint
	err := sync.WithGift(ctx, store.Slug, upstream.Secret{}, func(at pulls.ServiceAccess) error {
		client := gift.New(at.Transport, at.Base, at.Token, at.Gate)
		got, err := client.Endpoints(ctx)
		if err != nil {
			return err
		}
		endpoints = got.Data.List()
		of, err := client.Tools(ctx)
		tools = of.Data.List()
		return err
	})
	d := gift.Compare(endpoints, tools)
	switch {
	case err != nil:
		out.Words = "not compared: " + words.GiftError(store.Slug, err).Error()
	case len(endpoints) == 0:
		out.Words = fmt.Sprintf("not compared: the service's list can't be read; look at it with `dashboard gift endpoints --store %s`", store.Slug)
	case d.None():
		out.Words = fmt.Sprintf("%d, all as this program knows them", len(endpoints))
	default:
		out.Words, out.Bad = differences(d), len(d.Gone)+len(d.Changed) > 0
		if out.Bad {
			out.Words += ". Look for a newer version of this program"
		}
	}
	return out
}

func differences(d gift.Difference) string {
	paths := func(list []gift.Endpoint) string {
		out := []string{}
		for _, e := range list {
			out = append(out, strings.TrimSpace(e.Method+" "+e.Path))
		}
		return strings.Join(out, ", ")
	}
	out := []string{}
	if len(d.Gone) > 0 {
		out = append(out, "gone: "+paths(d.Gone))
	}
	if len(d.Changed) > 0 {
		out = append(out, "changed: "+strings.Join(d.Changed, ", "))
	}
	if len(d.New) > 0 {
		out = append(out, "new and not used here: "+paths(d.New))
	}
	return strings.Join(out, "; ")
}
