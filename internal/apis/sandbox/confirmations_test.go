package sandbox

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// newCampaign is a body that fernhollow and lumen accept; commercial text goes into its code.
func newCampaign(sh *world.Shop, name, code string) string {
	return fmt.Sprintf(`{"name":%q,"type":"order_value","targetPage":"cart","code":%q,"triggerConditions":{"minimumOrderValue":75.50},
		"giftProducts":{"products":[{"productId":%q}]},"discountSettings":{"discountType":"percentage","discountValue":100},"schedule":{"startDate":"2026-11-25"}}`,
		name, code, sh.Stock[0].Id)
}

// confirm puts a token into a body.
func confirm(body, token string) string {
	inner := strings.TrimPrefix(body, "{")
	if inner != "}" {
		inner = "," + inner
	}
	return fmt.Sprintf(`{"confirmationToken":%q%s`, token, inner)
}

func tokenOf(t *testing.T, a answer) string {
	t.Helper()
	token := data[struct{ ConfirmationToken string }](t, a).ConfirmationToken
	same(t, len("gct_")+64, len(token), "256 bits")
	return token
}

// guarded is one of the three writes that a token confirms.
type guarded struct {
	method, preview, commit string
	body, other             string // other differs commercially
	disturb                 func() // a change of the campaign; nil if there is none yet
}

func guardedWrites(w *served, slug string) map[string]guarded {
	w.t.Helper()
	all := data[gotCampaigns](w.t, w.gift(slug, "/campaigns?status=active")).Campaigns
	at := "/campaigns/" + all[0].ID
	disturb := func() {
		hold(w.t, data[map[string]any](w.t, w.write(slug, "PUT", at+"/status", `{"enabled":false}`)) != nil)
	}
	return map[string]guarded{
		"create": {"POST", "/campaigns/preview", "/campaigns", newCampaign(w.shopOf(slug), "New", "A"), newCampaign(w.shopOf(slug), "New", "B"), nil},
		"edit":   {"PATCH", at + "/edit-preview", at, `{"code":"NEW"}`, `{"code":"OTHER"}`, disturb},
		"delete": {"POST", at + "/deletion-preview", at + "/delete", `{}`, `{"force":true}`, disturb},
	}
}

// everything is what a store's campaigns look like from outside.
func everything(w *served, slug string) string {
	out := ""
	for _, status := range []string{"", "?status=deleted"} {
		list := w.gift(slug, "/campaigns"+status)
		out += list.body
		for _, row := range data[gotCampaigns](w.t, list).Campaigns {
			out += w.gift(slug, "/campaigns/"+row.ID).body
		}
	}
	return out + w.gift(slug, "/setup-health").body + w.gift(slug, "/plan").body
}

// The document's table of a confirmation token's life, arrow by arrow, for every write that a token guards and in both shapes.
func TestEveryArrowOfAConfirmationTokensLife(t *testing.T) {
	t.Parallel()
	for _, slug := range []string{"fernhollow", "lumen"} {
		for _, kind := range []string{"create", "edit", "delete"} {
			run := func(arrow string, does func(*testing.T, *served, guarded)) {
				t.Run(slug+" "+kind+": "+arrow, func(t *testing.T) {
					t.Parallel()
					w := newWorld(t, Config{})
					does(t, w, guardedWrites(w, slug)[kind])
				})
			}
			commit := func(w *served, g guarded, body, token string) answer {
				return w.write(slug, g.method, g.commit, confirm(body, token))
			}
			refused := func(t *testing.T, w *served, before string, a answer, why string) {
				t.Helper()
				requireGiftError(t, a, http.StatusBadRequest, codeInvalidInput)
				hold(t, strings.Contains(a.body, "confirmationToken") && strings.Contains(a.body, why), a.body)
				same(t, before, everything(w, slug), "nothing was written")
			}

			run("none → issued by a preview, which writes nothing", func(t *testing.T, w *served, g guarded) {
				before := everything(w, slug)
				a := w.write(slug, "POST", g.preview, g.body)
				hold(t, tokenOf(t, a) != tokenOf(t, w.write(slug, "POST", g.preview, g.body)), "each preview has its own")
				same(t, before, everything(w, slug))
			})
			run("issued → used by the matching commit", func(t *testing.T, w *served, g guarded) {
				before := everything(w, slug)
				token := tokenOf(t, w.write(slug, "POST", g.preview, g.body))
				a := commit(w, g, g.body, token)
				hold(t, a.status/100 == 2, a.body)
				hold(t, before != everything(w, slug), "it was written")
			})
			run("used stays used: the same commit gets the first answer and writes nothing more", func(t *testing.T, w *served, g guarded) {
				token := tokenOf(t, w.write(slug, "POST", g.preview, g.body))
				first := commit(w, g, g.body, token)
				before := everything(w, slug)
				w.clock.forward(confirmationLife)
				again := commit(w, g, strings.ReplaceAll(g.body, "75.50", "75.5"), token)
				same(t, []any{first.status, first.body}, []any{again.status, again.body})
				same(t, before, everything(w, slug))
			})
			run("used stays used: another body is refused", func(t *testing.T, w *served, g guarded) {
				token := tokenOf(t, w.write(slug, "POST", g.preview, g.body))
				first := commit(w, g, g.body, token)
				refused(t, w, everything(w, slug), commit(w, g, g.other, token), "used")
				same(t, first.body, commit(w, g, g.body, token).body)
			})
			run("issued → rejected by a changed commercial field", func(t *testing.T, w *served, g guarded) {
				before := everything(w, slug)
				token := tokenOf(t, w.write(slug, "POST", g.preview, g.body))
				refused(t, w, before, commit(w, g, g.other, token), "another body")
				refused(t, w, before, commit(w, g, g.body, token), "rejected")
			})
			run("issued → rejected by expiry", func(t *testing.T, w *served, g guarded) {
				token := tokenOf(t, w.write(slug, "POST", g.preview, g.body))
				w.clock.forward(confirmationLife)
				before := everything(w, slug)
				refused(t, w, before, commit(w, g, g.body, token), "expired")
				refused(t, w, before, commit(w, g, g.body, token), "rejected")
			})
			run("still issued just before its expiry", func(t *testing.T, w *served, g guarded) {
				token := tokenOf(t, w.write(slug, "POST", g.preview, g.body))
				w.clock.forward(confirmationLife - time.Second)
				hold(t, commit(w, g, g.body, token).status/100 == 2)
			})
			if kind != "create" {
				run("issued → rejected because the campaign changed", func(t *testing.T, w *served, g guarded) {
					token := tokenOf(t, w.write(slug, "POST", g.preview, g.body))
					g.disturb()
					before := everything(w, slug)
					refused(t, w, before, commit(w, g, g.body, token), "changed")
					refused(t, w, before, commit(w, g, g.body, token), "rejected")
					hold(t, commit(w, g, g.body, tokenOf(t, w.write(slug, "POST", g.preview, g.body))).status/100 == 2, "a new preview helps")
				})
			}
			run("none: a commit without a token, with a made-up one or with another preview's", func(t *testing.T, w *served, g guarded) {
				before := everything(w, slug)
				refused(t, w, before, w.write(slug, g.method, g.commit, g.body), "required")
				refused(t, w, before, commit(w, g, g.body, "gct_made-up"), "not of a preview")
				for other, o := range guardedWrites(w, slug) {
					if other != kind {
						refused(t, w, before, commit(w, g, g.body, tokenOf(t, w.write(slug, "POST", o.preview, o.body))), "not of a preview")
					}
				}
			})
		}
	}
}

func TestTheNameIsNotCommercialAndThePreviewedOneIsWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	sh := w.shopOf("fernhollow")
	token := tokenOf(t, w.write("fernhollow", "POST", "/campaigns/preview", newCampaign(sh, "As previewed", "")))
	a := w.write("fernhollow", "POST", "/campaigns", confirm(newCampaign(sh, "Another", ""), token))
	same(t, http.StatusOK, a.status, a.body)
	same(t, "As previewed", data[gotCampaigns](t, w.gift("fernhollow", "/campaigns")).Campaigns[0].Name)
}

func TestTheSameCommitAtTheSameTimeCreatesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	body := newCampaign(w.shopOf("fernhollow"), "Once", "")
	body = confirm(body, tokenOf(t, w.write("fernhollow", "POST", "/campaigns/preview", body)))
	before := data[gotCampaigns](t, w.gift("fernhollow", "/campaigns")).Total
	answers := make(chan string)
	for range 8 {
		go func() { answers <- w.write("fernhollow", "POST", "/campaigns", body).body }()
	}
	first := <-answers
	for range 7 {
		same(t, first, <-answers)
	}
	same(t, before+1, data[gotCampaigns](t, w.gift("fernhollow", "/campaigns")).Total)
}

func TestACommitWhoseAnswerWasLostIsThereWhenItIsRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	body := newCampaign(w.shopOf("lumen"), "Lost", "")
	body = confirm(body, tokenOf(t, w.write("lumen", "POST", "/campaigns/preview", body)))
	w.Break(Gift, "lumen", Fault{Path: "/campaigns", Times: 1, Status: http.StatusBadGateway, Body: "bad gateway"})
	same(t, http.StatusBadGateway, w.write("lumen", "POST", "/campaigns", body).status)
	same(t, http.StatusCreated, w.write("lumen", "POST", "/campaigns", body).status, "the second shape says so")
	same(t, "Lost", data[gotCampaigns](t, w.gift("lumen", "/campaigns")).Campaigns[0].Name)
	hold(t, data[gotCampaigns](t, w.gift("lumen", "/campaigns")).Campaigns[1].Name != "Lost")
}
