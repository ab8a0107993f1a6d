package app

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/report/stores"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// madeUpHost is where the made-up shops are. Only this program answers to that name: each
// process serves them to itself, over HTTP, and makes the same shops as any other.
const madeUpHost = "made-up.storeglass.internal"

// madeUpSeed never changes, so that stored numbers stay right after a restart.
const madeUpSeed = 1

// madeUpShops serves shops to look around with. The server starts with its first connection.
type madeUpShops struct {
	world  *sandbox.Server
	server *http.Server
	start  func() (net.Addr, error)
}

func newMadeUpShops(limit int) *madeUpShops {
	world := sandbox.New(sandbox.Config{Seed: madeUpSeed, Limit: limit})
	m := &madeUpShops{world: world, server: &http.Server{Handler: world, ReadHeaderTimeout: 5 * time.Second}}
	m.start = sync.OnceValues(func() (net.Addr, error) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		go func() { _ = m.server.Serve(l) }() // ends with close
		return l.Addr(), nil
	})
	return m
}

func (m *madeUpShops) dial(ctx context.Context) (net.Conn, error) {
	at, err := m.start()
	if err != nil {
		return nil, err
	}
	return new(net.Dialer).DialContext(ctx, at.Network(), at.String())
}

func (m *madeUpShops) close() { _ = m.server.Close() }

// shops are those that a person can add.
func (m *madeUpShops) shops() []stores.MadeUpShop {
	var all []stores.MadeUpShop
	for _, s := range m.world.Stores() {
		all = append(all, stores.MadeUpShop{Slug: s.Slug, Name: s.Name, Timezone: s.Timezone, Services: []stores.Given{
			{Service: pulls.Upsell, Address: "http://" + madeUpHost + s.UpsellPath, Token: s.UpsellToken},
			{Service: pulls.Gift, Address: "http://" + madeUpHost + s.GiftPath, Token: s.GiftKey},
		}})
	}
	return all
}
