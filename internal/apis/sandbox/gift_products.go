package sandbox

import (
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

const (
	handlesMax    = 50
	candidatesMax = 10
)

// productCheck is whether a product can be given, variant by variant.
type productCheck struct {
	ID         string          `json:"id"`
	Title      string          `json:"title"`
	Handle     string          `json:"handle"`
	Status     string          `json:"status"`
	Total      *int            `json:"totalInventory"` // null when nothing is tracked
	Tracks     bool            `json:"tracksInventory"`
	Published  bool            `json:"publishedOnOnlineStore"`
	Variants   []world.Variant `json:"variants"`
	Count      int             `json:"variantCount"`
	Giftable   int             `json:"giftableVariantCount"`
	CanBeGiven bool            `json:"canBeGifted"`
	Issues     []any           `json:"issues"`
}

func productCheckOf(sh *world.Shop, it *world.Item, day int) productCheck {
	p := productCheck{
		ID: it.Id, Title: it.Title, Handle: it.Handle, Status: it.Status(), Published: it.Published(), Variants: sh.Variants(it, day),
		Issues: blockersOf(sh, it),
	}
	p.Total, p.Count = world.Total(p.Variants), len(p.Variants)
	p.Tracks = p.Total != nil
	for _, v := range p.Variants {
		if v.Giftable {
			p.Giftable++
		}
	}
	p.CanBeGiven = p.Giftable > 0
	return p
}

// blockersOf lists what keeps a product from being given: as code and message or, in the second shape, only a code.
func blockersOf(sh *world.Shop, it *world.Item) []any {
	if !it.Blocked() {
		return []any{}
	}
	is := world.Blockers[it.Way()]
	if sh.Second {
		return []any{is.Code}
	}
	is.Message = sh.Word(is.Message)
	return []any{is}
}

// productChecks looks up products by handle. The documentation doesn't list more than fifty handles among the
// refusals, so the first fifty are looked up and nothing mentions the rest, unless Config.FewHandles says otherwise:
// a client that sends more must count. A handle sent twice is looked up once.
func productChecks(q *request, b *world.Book) reply {
	var handles []string
	for part := range strings.SplitSeq(q.URL.Query().Get("handles"), ",") {
		if part = strings.ToLower(strings.TrimSpace(part)); part != "" && !slices.Contains(handles, part) {
			handles = append(handles, part)
		}
	}
	if len(handles) == 0 {
		return invalid("handles", "at least one product handle is required")
	}
	if len(handles) > handlesMax && (q.shop.FewHandles || q.cause == ManyHandles) {
		return invalid("handles", "must be at most 50")
	}
	handles = handles[:min(len(handles), handlesMax)]
	sh := q.shop
	checks, found, missing := []productCheck{}, []string{}, []string{}
	for _, handle := range handles {
		i := slices.IndexFunc(sh.Stock, func(it world.Item) bool { return it.Handle == handle })
		if i == world.None {
			missing = append(missing, handle)
			continue
		}
		found = append(found, handle)
		checks = append(checks, productCheckOf(sh, &sh.Stock[i], b.Now.Day))
	}
	// How many were asked for and found, or which ones: only the fields' names are documented.
	type answer struct {
		Requested any            `json:"requested"`
		Found     any            `json:"found"`
		Missing   []string       `json:"notFound"`
		Products  []productCheck `json:"products"`
	}
	if sh.Second {
		return giftSuccess(answer{handles, found, missing, checks})
	}
	return giftSuccess(answer{len(handles), len(found), missing, checks})
}
