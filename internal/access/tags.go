package access

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// MaxTag is the longest tag, in characters, and MaxTags how many a store may have.
const (
	MaxTag  = 40
	MaxTags = 20
)

// ParseTags reads comma-separated tags and drops repeats in any case. fault.Invalid.
func ParseTags(text string) ([]string, error) {
	var out []string
	for tag := range strings.SplitSeq(text, ",") {
		tag = strings.Join(strings.Fields(tag), " ")
		if tag == "" || slices.ContainsFunc(out, func(t string) bool { return strings.EqualFold(t, tag) }) {
			continue
		}
		if utf8.RuneCountInString(tag) > MaxTag || !utf8.ValidString(tag) || strings.ContainsFunc(tag, locale.Unshowable) || len(out) == MaxTags {
			return nil, fault.New(fault.Invalid, "tags", "groups.problem.tags", "n", MaxTags, "characters", MaxTag)
		}
		out = append(out, tag)
	}
	return out, nil
}

// SetTags replaces the tags of the store with that slug. fault.NotFound.
func (a *Access) SetTags(ctx context.Context, slug string, tags []string) error {
	return a.db.InTx(ctx, func(q *sqlc.Queries) error {
		if _, err := StoreBySlug(ctx, q, slug); err != nil {
			return err
		}
		had, err := q.TagsOfStore(ctx, slug)
		if err != nil {
			return fmt.Errorf("read tags of %s: %w", slug, err)
		}
		if err := q.ClearTags(ctx, slug); err != nil {
			return fmt.Errorf("clear tags of %s: %w", slug, err)
		}
		if err := q.AddTags(ctx, sqlc.AddTagsParams{Slug: slug, Tags: tags}); err != nil {
			return fmt.Errorf("tag %s: %w", slug, err)
		}
		has, err := q.TagsOfStore(ctx, slug)
		if err != nil {
			return fmt.Errorf("read tags of %s: %w", slug, err)
		}
		if slices.Equal(had, has) {
			return nil
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.StoreTagged, Store: slug, Subject: strings.Join(has, ", ")})
	})
}

// TaggedStore is a store with its groups and tags.
type TaggedStore struct {
	Slug, Name   string
	Tags, Groups []string
}

// TaggedStores lists n stores by name, after the first skip, that match text (a part of
// the name or slug, or a tag; empty matches all). matched is how many match in total, if
// any are listed.
func (a *Access) TaggedStores(ctx context.Context, text string, skip, n int) (stores []TaggedStore, matched int, err error) {
	rows, err := a.q.TaggedStores(ctx, sqlc.TaggedStoresParams{Text: strings.TrimSpace(text), Skip: int32(skip), Most: int32(n)})
	if err != nil {
		return nil, 0, fmt.Errorf("list stores with tags: %w", err)
	}
	for _, r := range rows {
		stores, matched = append(stores, TaggedStore{Slug: r.Slug, Name: r.Name, Tags: r.Tags, Groups: r.GroupNames}), int(r.Matched)
	}
	return stores, matched, nil
}

// Tags lists all tags in use.
func (a *Access) Tags(ctx context.Context) ([]string, error) {
	rows, err := a.q.AllTags(ctx)
	return db.Each(rows, func(r sqlc.AllTagsRow) string { return r.Tag }), db.Tried(err, "list tags")
}

// StoreName is a store as a list of choices shows it.
type StoreName struct{ Slug, Name, Domain string }

// StoreNames lists all stores by name, for people who manage others.
func (a *Access) StoreNames(ctx context.Context) ([]StoreName, error) {
	rows, err := a.q.StoreNames(ctx, sqlc.StoreNamesParams{EveryStore: true})
	return db.Each(rows, func(r sqlc.StoreNamesRow) StoreName { return StoreName{r.Slug, r.Name, r.Domain} }), db.Tried(err, "list stores")
}
