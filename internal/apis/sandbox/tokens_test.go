package sandbox

import (
	"net/http"
	"testing"
)

func TestARevokedTokenIsNeverKnownAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	old := w.store("kumo")
	w.Revoke(Upsell, "kumo")
	ask := func(token string) answer {
		return w.send(http.MethodGet, old.UpsellPath+"/data/offers/count", "Bearer "+token)
	}
	requireUpsellError(t, ask(old.UpsellToken), http.StatusUnauthorized, "Invalid token")
	w.Clear(Upsell, "kumo")
	requireUpsellError(t, ask(old.UpsellToken), http.StatusUnauthorized, "Invalid token")
	same(t, http.StatusOK, w.gift("kumo", "/plan").status, "the other service is another matter")
	same(t, ask("nobody").body, ask(old.UpsellToken).body, "unknown and revoked can't be told apart")

	renewed := w.Renew(Upsell, "kumo")
	hold(t, renewed.UpsellToken != old.UpsellToken && renewed.GiftKey == old.GiftKey)
	same(t, renewed, w.store("kumo"))
	same(t, http.StatusOK, ask(renewed.UpsellToken).status)
	requireUpsellError(t, ask(old.UpsellToken), http.StatusUnauthorized, "Invalid token")

	w.Revoke(Gift, "kumo")
	requireGiftError(t, w.gift("kumo", "/plan"), http.StatusUnauthorized, codeInvalidKey)
	w.Renew(Gift, "kumo")
	same(t, http.StatusOK, w.gift("kumo", "/plan").status)
}

func TestUninstallingRevokesAndReinstallingRestoresNoUpsellToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	old := w.store("lumen")
	w.Uninstall("lumen")
	for range 3 {
		requireUpsellError(t, w.upsell("lumen", "/data/offers/count"), http.StatusUnauthorized, "Invalid token")
		requireGiftError(t, w.gift("lumen", "/plan"), http.StatusForbidden, codeAppUninstalled)
		w.Clear(Upsell, "lumen")
		w.Clear(Gift, "lumen")
	}
	w.Renew(Gift, "lumen")
	requireGiftError(t, w.gift("lumen", "/plan"), http.StatusForbidden, codeAppUninstalled) // N41: a new key doesn't help
	same(t, http.StatusOK, w.upsell("kumo", "/data/offers/count").status)

	back := w.Reinstall("lumen")
	same(t, http.StatusOK, w.gift("lumen", "/plan").status)
	same(t, http.StatusOK, w.upsell("lumen", "/data/offers/count").status)
	hold(t, back.UpsellToken != old.UpsellToken)
	requireUpsellError(t, w.send(http.MethodGet, old.UpsellPath+"/data/offers", "Bearer "+old.UpsellToken), http.StatusUnauthorized, "Invalid token")
}
