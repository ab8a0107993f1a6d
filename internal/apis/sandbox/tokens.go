package sandbox

import (
	"strconv"
	"sync"
)

// keyring knows which credentials are good at the moment. Unlike a Fault, what is done to it stays: Mend brings no token back.
type keyring struct {
	mu      sync.RWMutex
	owner   map[Service]map[string]*shop
	current map[*shop]credentials
	away    map[*shop]bool // the app is not installed
}

// credentials are a store's newest ones, good or not, and how many were made before them.
type credentials struct {
	upsellToken, giftKey string
	made                 int
}

func newKeyring(shops []*shop) *keyring {
	k := &keyring{owner: map[Service]map[string]*shop{Upsell: {}, Gift: {}}, current: map[*shop]credentials{}, away: map[*shop]bool{}}
	for _, sh := range shops {
		k.current[sh] = credentials{upsellToken: sh.upsellToken, giftKey: sh.giftKey}
		k.owner[Upsell][sh.upsellToken] = sh
		k.owner[Gift][sh.giftKey] = sh
	}
	return k
}

// opens tells whose a token is, and whether the app is gone from there.
func (k *keyring) opens(svc Service, token string) (sh *shop, away bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	sh = k.owner[svc][token]
	return sh, k.away[sh]
}

// Revoke makes a store's token of one service unknown for good; only Renew gives another one.
func (s *Server) Revoke(svc Service, slug string) {
	s.keys.change(s.shop(slug), func(c *credentials, k *keyring) { k.forget(svc, c) })
}

// Uninstall takes both apps off a store: its upsell token is unknown for good, its gift key answers APP_UNINSTALLED until Reinstall.
func (s *Server) Uninstall(slug string) {
	sh := s.shop(slug)
	s.keys.change(sh, func(c *credentials, k *keyring) {
		k.forget(Upsell, c)
		k.away[sh] = true
	})
}

// Reinstall puts the apps back and gives the store with its new upsell token: the old one stays unknown. The gift key works again.
func (s *Server) Reinstall(slug string) Store {
	sh := s.shop(slug)
	s.keys.change(sh, func(c *credentials, k *keyring) {
		delete(k.away, sh)
		k.renew(Upsell, sh, c)
	})
	return s.store(sh)
}

// Renew revokes a store's token of one service and gives the store with a new one.
func (s *Server) Renew(svc Service, slug string) Store {
	sh := s.shop(slug)
	s.keys.change(sh, func(c *credentials, k *keyring) { k.renew(svc, sh, c) })
	return s.store(sh)
}

func (s *Server) shop(slug string) *shop {
	for _, sh := range s.shops {
		if sh.slug == slug {
			return sh
		}
	}
	panic("sandbox: there is no store " + slug)
}

func (k *keyring) change(sh *shop, do func(*credentials, *keyring)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.current[sh]
	do(&c, k)
	k.current[sh] = c
}

func (k *keyring) forget(svc Service, c *credentials) {
	token := c.upsellToken
	if svc == Gift {
		token = c.giftKey
	}
	delete(k.owner[svc], token)
}

func (k *keyring) renew(svc Service, sh *shop, c *credentials) {
	k.forget(svc, c)
	c.made++
	token := madeUp(sh.seed, 40, sh.slug, svc, "token", strconv.Itoa(c.made))
	if svc == Gift {
		c.giftKey = "gsk_" + token
		k.owner[Gift][c.giftKey] = sh
		return
	}
	c.upsellToken = "up_" + token
	k.owner[Upsell][c.upsellToken] = sh
}
