package sandbox

import (
	"strconv"
	"sync"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// Access is what a gift key may do; each level includes the ones before it.
type Access string

const (
	Read   Access = "read"   // every GET
	Write  Access = "write"  // POST, PUT and PATCH too
	Delete Access = "delete" // the two endpoints that delete too
)

// levels are the access levels, lowest first. A store has a key of each.
var levels = []Access{Read, Write, Delete}

// key is a credential that a service knows.
type key struct {
	shop *world.Shop
	may  Access // gift
}

// keyring knows which credentials currently work. Unlike a Fault, changes here last: Clear doesn't bring a token
// back.
type keyring struct {
	mu      sync.RWMutex
	known   map[Service]map[string]key
	current map[*world.Shop]credentials
	away    map[*world.Shop]bool // the app isn't installed
}

// credentials are a store's newest ones, valid or not, and how many came before them.
type credentials struct {
	upsellToken string
	giftKeys    map[Access]string
	made        int
}

func newKeyring(shops []*world.Shop) *keyring {
	k := &keyring{known: map[Service]map[string]key{Upsell: {}, Gift: {}}, current: map[*world.Shop]credentials{}, away: map[*world.Shop]bool{}}
	for _, sh := range shops {
		c := credentials{upsellToken: "up_" + world.MadeUp(sh.Seed, 40, sh.Slug, "upsell token"), giftKeys: map[Access]string{
			Read:   storeKeyPrefix + world.MadeUp(sh.Seed, 40, sh.Slug, "gift key"),
			Write:  storeKeyPrefix + world.MadeUp(sh.Seed, 40, sh.Slug, "gift key", Write),
			Delete: storeKeyPrefix + world.MadeUp(sh.Seed, 40, sh.Slug, "gift key", Delete),
		}}
		k.current[sh] = c
		k.known[Upsell][c.upsellToken] = key{shop: sh}
		for may, token := range c.giftKeys {
			k.known[Gift][token] = key{sh, may}
		}
	}
	return k
}

// opens looks up a token: its store and what it may do. An unknown token has no shop.
func (k *keyring) opens(svc Service, token string) key {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.known[svc][token]
}

// admit returns why the gift service refuses a known key, if it does. The first arrival after the plan lapsed revokes
// all of the store's keys, so of several concurrent ones only one learns why.
func (k *keyring) admit(token string, at time.Time) Cause {
	k.mu.Lock()
	defer k.mu.Unlock()
	sh := k.known[Gift][token].shop
	switch {
	case sh == nil:
		return Revoked
	case k.away[sh]:
		return Uninstalled
	case sh.Billing.Good(at):
		return ""
	}
	c := k.current[sh]
	k.forget(Gift, &c)
	return NoPlan
}

// Revoke permanently makes a store's credentials of one service unknown; only Renew gives new
// ones.
func (s *Server) Revoke(svc Service, slug string) {
	s.keys.change(s.shop(slug), func(c *credentials, k *keyring) { k.forget(svc, c) })
}

// Uninstall removes both apps from a store: its upsell token is permanently unknown, its gift keys answer
// APP_UNINSTALLED until Reinstall.
func (s *Server) Uninstall(slug string) {
	sh := s.shop(slug)
	s.keys.change(sh, func(c *credentials, k *keyring) {
		k.forget(Upsell, c)
		k.away[sh] = true
	})
}

// Reinstall reinstalls the apps and returns the store with its new upsell token; the old one stays unknown. The gift
// keys work again.
func (s *Server) Reinstall(slug string) Store {
	sh := s.shop(slug)
	s.keys.change(sh, func(c *credentials, k *keyring) {
		delete(k.away, sh)
		k.renew(Upsell, sh, c)
	})
	return s.store(sh)
}

// Renew revokes a store's credentials of one service and returns the store with new ones.
func (s *Server) Renew(svc Service, slug string) Store {
	sh := s.shop(slug)
	s.keys.change(sh, func(c *credentials, k *keyring) { k.renew(svc, sh, c) })
	return s.store(sh)
}

// Allow gives a store's GiftKey another access level. As documented, the key itself stays the
// same.
func (s *Server) Allow(slug string, may Access) {
	sh := s.shop(slug)
	s.keys.change(sh, func(c *credentials, k *keyring) {
		if token := c.giftKeys[Read]; k.known[Gift][token].shop == sh {
			k.known[Gift][token] = key{sh, may}
		}
	})
}

func (s *Server) shop(slug string) *world.Shop {
	for _, sh := range s.shops {
		if sh.Slug == slug {
			return sh
		}
	}
	panic("sandbox: there is no store " + slug)
}

func (k *keyring) change(sh *world.Shop, do func(*credentials, *keyring)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.current[sh]
	do(&c, k)
	k.current[sh] = c
}

func (k *keyring) forget(svc Service, c *credentials) {
	if svc == Upsell {
		delete(k.known[Upsell], c.upsellToken)
		return
	}
	for _, token := range c.giftKeys {
		delete(k.known[Gift], token)
	}
}

func (k *keyring) renew(svc Service, sh *world.Shop, c *credentials) {
	k.forget(svc, c)
	c.made++
	token := world.MadeUp(sh.Seed, 40, sh.Slug, svc, "token", strconv.Itoa(c.made))
	if svc == Upsell {
		c.upsellToken = "up_" + token
		k.known[Upsell][c.upsellToken] = key{shop: sh}
		return
	}
	c.giftKeys = map[Access]string{Read: storeKeyPrefix + token}
	for _, may := range levels[1:] {
		c.giftKeys[may] = storeKeyPrefix + world.MadeUp(sh.Seed, 40, sh.Slug, svc, may, strconv.Itoa(c.made))
	}
	for may, token := range c.giftKeys {
		k.known[Gift][token] = key{sh, may}
	}
}
