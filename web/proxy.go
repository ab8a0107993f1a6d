package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"

	"github.com/labstack/echo/v4"
)

func IPExtractor(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		p = p.Masked()
		options = append(options, echo.TrustIPRange(&net.IPNet{
			IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen()),
		}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// watchProxy warns once about a proxy that hides who is asking, because limits would then count
// all readers as one address: one on this network that isn't trusted, or a trusted one that
// doesn't send the client's address. The header alone isn't a sign of a proxy, since strangers
// can send it. Health checks come from the proxy itself.
func (s *Server) watchProxy(r *http.Request) {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return
	}
	peer := from.Addr().Unmap()
	trusted := slices.ContainsFunc(s.Trusted, func(p netip.Prefix) bool { return p.Contains(peer) })
	forwards := r.Header.Get("X-Forwarded-For") != ""
	switch {
	case trusted && !forwards && r.URL.Path != "/readyz" && r.URL.Path != "/livez":
		s.warnOfProxy("a trusted proxy sends no X-Forwarded-For, so limits count everyone as one address: have it set that header to the client's address", peer)
	case !trusted && forwards && (peer.IsLoopback() || peer.IsPrivate()):
		s.warnOfProxy("requests come through a proxy that is not trusted, so limits count everyone as one address: set DASHBOARD_TRUSTED_PROXIES to its address", peer)
	}
}

func (s *Server) warnOfProxy(what string, proxy netip.Addr) {
	s.warned.Do(func() { s.Log.Warn(what, "proxy", proxy) })
}
