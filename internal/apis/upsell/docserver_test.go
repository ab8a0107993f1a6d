package upsell_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// The second service. It is written from the service's document alone, shares no code with the
// sandbox, and wherever the document leaves a choice it makes an odd one: whole numbers as 12.0
// and 1.2e1, data before success, unannounced fields, optional fields left out, values that no
// list has, and its own shapes for everything undocumented.

// docPrefix is where it lives: a shop segment in other case, before the version.
const docPrefix = "/edge/Shop/ACME.Example/api/v1"

func docClient(t testing.TB) *upsell.Client {
	t.Helper()
	service := httptest.NewServer(docServer())
	t.Cleanup(service.Close)
	base, err := url.Parse(service.URL + docPrefix)
	must.NoError(t, err)
	return upsell.New(upstreamtest.Transport(t), base, upstream.NewSecret(upstreamtest.Token), &upstreamtest.Gate{})
}

// docServer answers all eleven endpoints.
func docServer() http.Handler {
	routes := http.NewServeMux()
	for path, answer := range map[string]func(url.Values) string{
		"/data/analytics/summary":        docSummary,
		"/data/analytics/stats":          docStats,
		"/data/analytics/top":            docTop,
		"/data/analytics/coverage":       docCoverage,
		"/data/analytics/lifetime":       docLifetime,
		"/data/offers":                   docList,
		"/data/offers/by-priority":       docByPriority,
		"/data/offers/count":             docCount,
		"/data/products/recommendations": docRecommendations,
	} {
		routes.HandleFunc(docPrefix+path, func(w http.ResponseWriter, r *http.Request) { docReply(w, answer(r.URL.Query())) })
	}
	routes.HandleFunc(docPrefix+"/data/offer/{id}", func(w http.ResponseWriter, r *http.Request) {
		docReply(w, docOffers[r.PathValue("id")])
	})
	routes.HandleFunc(docPrefix+"/data/offer/{id}/stages", func(w http.ResponseWriter, r *http.Request) {
		docReply(w, docStages[r.PathValue("id")])
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header["x-ratelimit-LIMIT"], header["x-RATELIMIT-remaining"] = []string{"60"}, []string{"59"}
		header["content-type"] = []string{"application/json; charset=utf-8"}
		switch {
		case r.Header.Get("Authorization") == "":
			docRefuse(w, http.StatusUnauthorized, "No credentials arrived")
		case r.Header.Get("Authorization") != "Bearer "+upstreamtest.Token:
			docRefuse(w, http.StatusUnauthorized, "Bad token")
		case r.Method != http.MethodGet:
			docRefuse(w, http.StatusForbidden, "Only reading is allowed")
		default:
			routes.ServeHTTP(w, r)
		}
	})
}

// docReply wraps data; "" is for an id that isn't the store's, which is "no data" in one place
// of the document and null in another.
func docReply(w http.ResponseWriter, data string) {
	switch {
	case strings.HasPrefix(data, "422"):
		docRefuse(w, http.StatusUnprocessableEntity, strings.TrimPrefix(data, "422 "))
	case data == "":
		fmt.Fprint(w, `{"requestId":"r-7","success":true}`)
	default:
		fmt.Fprint(w, "\r\n{\"data\":\t"+data+`,"meta":{"node":[3,{"a":null}]},"success":true}`+"\n")
	}
}

func docRefuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"message":%q,"success":false,"hint":null}`, message)
}

func docWindow(q url.Values) string {
	return fmt.Sprintf(`"appliedWindow":{"timezone":"store","source":"app-default","end":%q,"start":%q}`, q.Get("end"), q.Get("start"))
}

func docSummary(q url.Values) string {
	return `{"currency":"JPY","totalOrders":4.0e2,"totalUpsoldOrders":4e1,"totalUpsoldValue":123450E-2,` + docWindow(q) + `,"averageUpsoldValue":null}`
}

func docStats(q url.Values) string {
	rows := []string{
		`{"label":"x","revenue":0.0,"claims":0.0,"impressions":12.0,"placement":"Post-purchase upsell"}`,
		`{"claims":1.2e1,"impressions":120e-1,"placement":"Coupon offer"}`,
		`{"claims":3,"impressions":7,"revenue":9.990,"placement":"Cart drawer upsell"}`,
	}
	return `{"placements":[` + strings.Join(docOf(rows, q.Get("type")), ",") + `],"shopOfferCount":4.5e1,"currency":"JPY",` + docWindow(q) + `}`
}

// docOf keeps the rows of one placement.
func docOf(rows []string, placement string) (kept []string) {
	for _, row := range rows {
		if placement == "" || strings.Contains(row, `"`+placement+`"`) {
			kept = append(kept, row)
		}
	}
	return kept
}

func docTop(q url.Values) string {
	rows := []string{
		`{"isDeleted":true,"abTest":false,"name":"Gone","id":"t1","claims":2.0,"revenue":5e2,"acceptanceRate":0.125}`,
		`{"abTest":true,"name":"Here","id":"t2","claims":1,"revenue":1,"status":"active","type":"Thank you page upsell","url":"https://admin.example/t2","tags":[]}`,
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		limit = 3
	}
	if q.Get("order") == "lowest" {
		rows[0], rows[1] = rows[1], rows[0]
	}
	return `{"offers":[` + strings.Join(rows[:min(limit, len(rows))], ",") + `],"shopOfferCount":45.0,"currency":"JPY",` + docWindow(q) + `}`
}

func docCoverage(q url.Values) string {
	return `{"placements":[
		{"totalCount":3.0,"activeCount":0,"hasActive":false,"placement":"Coupon offer"},
		{"totalCount":4.2e1,"activeCount":1E0,"hasActive":true,"placement":"Thank you page upsell","recentRevenue":10.50,"note":{}}
	],"currency":"JPY",` + docWindow(q) + `}`
}

func docLifetime(url.Values) string {
	return `{"currency":"JPY","upsoldOrders":1e3,"offerViews":2.0e4,"totalRevenue":9007199254740993.25,"since":"2020"}`
}

// docRow is an offer of the list: 45 of them, in two placements.
func docRow(n int, priority string) string {
	status, placement := "active", "Thank you page upsell"
	if n%3 == 0 {
		status, placement = "expired", "Coupon offer"
	}
	return fmt.Sprintf(`{"type":%q,"status":%q,"name":"Offer %d","id":"o%d","abTest":%t,"colour":"teal"%s}`, placement, status, n, n, n%5 == 0, priority)
}

// docPage cuts a page: unparseable or below 1 is 1, above 50 is 50, and total counts this page
// and those after it.
func docPage(rows []string, q url.Values, filter string) string {
	page, err := strconv.Atoi(q.Get("page"))
	if err != nil || page < 1 {
		page = 1
	}
	left := rows[min(20*(min(page, 50)-1), len(rows)):]
	return fmt.Sprintf(`{"hasMore":%t,"total":%d.0,"currency":"JPY","offers":[%s]%s}`,
		len(left) > 20, len(left), strings.Join(left[:min(20, len(left))], ","), filter)
}

func docList(q url.Values) string {
	var rows []string
	for n := 1; n <= 45; n++ {
		row := docRow(n, "")
		if !strings.Contains(strings.ToLower(fmt.Sprintf("Offer %d", n)), strings.ToLower(q.Get("query"))) ||
			q.Get("abTest") == "true" && n%5 != 0 {
			continue
		}
		rows = append(rows, docOf(docOf([]string{row}, q.Get("type")), q.Get("status"))...)
	}
	echo := ""
	for _, part := range [][2]string{{"name", q.Get("query")}, {"placement", q.Get("type")}, {"status", q.Get("status")}, {"abTest", q.Get("abTest")}} {
		if part[1] != "" {
			echo += fmt.Sprintf(`%q:%q,`, part[0], part[1])
		}
	}
	if echo == "" {
		return docPage(rows, q, "") // the document lists appliedFilter; a server may leave out an empty one
	}
	return docPage(rows, q, `,"appliedFilter":{`+echo+`"scope":"filtered"}`)
}

func docByPriority(q url.Values) string {
	if q.Get("placement") == "" {
		return "422 name a placement: priority is ranked within one"
	}
	var rows []string
	for n := 1; n <= 45; n++ {
		rows = append(rows, docOf([]string{docRow(n, fmt.Sprintf(`,"priority":%d.0e0`, n))}, q.Get("placement"))...)
	}
	return docPage(rows, q, `,"appliedFilter":{"scope":"shop"}`)
}

func docCount(q url.Values) string {
	rows := []string{
		`{"byStatus":{"scheduled":0,"expired":15.0,"active":0},"type":"Coupon offer","count":1.5e1}`,
		`{"byStatus":{"scheduled":0,"expired":0,"active":3e1,"paused":2},"type":"Thank you page upsell","count":30}`,
	}
	rows = docOf(rows, q.Get("type"))
	total := map[int]string{0: "0", 1: "15.0", 2: "45.0"}[len(rows)]
	return `{"byType":[` + strings.Join(rows, ",") + `],"total":` + total + `}`
}

var docOffers = map[string]string{
	"o1": `{"url":"https://admin.example/o1","currency":"JPY","triggerConditions":[
		{"criterion":"x","type":"specific_products","product_ids":["gid://p/Product/1",22],"products":[{"productId":"gid://p/Product/1","name":"Socks","is_deleted":true}]},
		{"attribute":"collection","collection":{"id":7.0,"title":"Winter","deletedAt":"2026-01-01"}},
		{"conditionType":"customer-tags","comparison":"any","values":["vip",{"tag":"gone","status":"DELETED"}]},
		{"field":"cart_total","op":"gte","threshold":5.0e1},
		"anything",
		[1,2]
	],"triggerCriteria":"set-conditions","type":"Cart drawer upsell","status":"paused","name":"Offer 1","id":"o1"}`,
	"o/2 é%": `{"id":"o/2 é%","name":"Odd id","status":"scheduled","type":"Coupon offer","triggerCriteria":"by-moonlight","discountType":"percentage","discountValue":"1.5e1",
		"startDate":"2026-03-08T02:30:00","endDate":"2026-04-01T00:00:00","claims":1.0e1,"acceptanceRate":12.50,"priority":2.0,"createdAt":"2026-01-01T00:00:00"}`,
}

var docStages = map[string]string{
	"o1": `{"stages":[
		{"stage":{"key":"a","title":"First upsell","after":null},"products":[{"product":{"gid":"gid://p/Product/1","name":"Socks"},"discountValue":"10","discountType":"PERCENT"},{"discountType":null,"discountValue":null}]},
		{"stage":{"key":"b","title":"Second","after":{"key":"a","outcome":"DECLINED"}},"bundleDeal":{"tiers":{"2":{"percentage":10.0},"3":"15%"},"discountType":"PERCENT","type":"volume"}},
		{"stage":{"key":"c","title":"Third","previous_stage":"a","was_accepted":true},"abTest":{"running":true,"variants":{"control":{"products":[{"id":"1","discountValue":0,"discountType":"NONE"}]},"b":{"bundleDeal":{"type":"fixed","tiers":[]},"weight":0.50}}}},
		{"stage":{"key":"d","title":"Fourth","parent":"zzz"},"upsellKind":"mystery"}
	],"offerName":"Offer 1"}`,
	"t2": `{"currency":"JPY","stages":[{"products":[],"abTest":false}],"offerName":"Here"}`,
	"o9": `null`,
}

func docRecommendations(q url.Values) string {
	const rows = `[{"price":0.0,"id":"gid://p/Product/5","title":"Hat","rank":1},{"price":1.25e1,"id":6,"title":""}]`
	best := func(cause string) string {
		return `{"bestSellersOnly":true,` + cause + `,"shopBestSellers":` + rows + `}`
	}
	switch q.Get("offerId") + q.Get("productId") + q.Get("productName") {
	case "":
		return best(`"nothingNamed":true`)
	case "o1":
		return `{"omittedTriggers":{"count":2.0},"deletedTriggers":["gid://p/Product/9",{"title":"Old hat"}],"currency":"JPY","holdsUpsellProducts":true,"triggers":[
			{"sameCategoryPicks":` + rows + `,"boughtTogether":[],"title":"Socks","id":1},
			{"boughtTogether":[{"pastRevenue":12.0e1,"coPurchasedOrders":3.0,"price":4,"title":"Shoes","id":"gid://p/Product/3"}],"id":"gid://p/Product/2"}]}`
	case "o2":
		return best(`"hasProductTrigger":false`)
	case "o3":
		return best(`"deletedTriggers":2.0,"hasProductTrigger":true`)
	case "o4":
		return `{"couponOffer":true,"holdsUpsellProducts":false,"why":"slotless"}`
	case "gid://p/Product/404":
		return best(`"namedProduct":"deleted"`)
	case "nothing such":
		return best(`"namedProduct":"no_match"`)
	case "hat":
		return `{"candidates":[{"productId":"gid://p/Product/5","name":"Hat","price":"12"},{"id":6.0,"title":"Top hat","price":1.2e1}]}`
	case "odd":
		return best(`"namedProduct":"archived"`)
	}
	return `{"shape":"new"}`
}
