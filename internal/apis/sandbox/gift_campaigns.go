package sandbox

import "github.com/storeglass/storeglass/internal/apis/sandbox/world"

const campaignsMax = 100

type campaignSummary struct {
	ID         string  `json:"id,omitempty"` // a preview of a new campaign has none
	Name       string  `json:"name"`
	Status     string  `json:"status"`
	Type       string  `json:"type"`
	TargetPage string  `json:"targetPage"`
	StartDate  string  `json:"startDate"`
	EndDate    *string `json:"endDate"`
	Code       *string `json:"code"`
}

func summaryOf(sh *world.Shop, c *world.Campaign, day int) campaignSummary {
	row := campaignSummary{
		ID: c.Id, Name: c.Name, Status: c.Status(day), Type: sh.Word(c.Kind), TargetPage: sh.Word(c.Page), StartDate: sh.Stamp(c.Start, 0),
	}
	if c.End < world.Forever {
		row.EndDate = new(sh.Stamp(c.End, 23*60+59))
	}
	if c.Code != "" {
		row.Code = &c.Code
	}
	return row
}

// campaignsBy lists campaigns newest first. Without a status soft-deleted ones are left out; any status is compared as it came.
func campaignsBy(sh *world.Shop, status string, now world.Moment) []campaignSummary {
	out := []campaignSummary{}
	all := sh.Gifts(now)
	for i := len(all) - 1; i >= 0; i-- {
		c := &all[i]
		is := c.Status(now.Day)
		if status == "" && is == "deleted" || status != "" && is != status {
			continue
		}
		out = append(out, summaryOf(sh, c, now.Day))
	}
	return out
}

// campaignList uses the status as it came: an unknown one finds nothing, and "deleted" finds what was soft-deleted.
func campaignList(q *request, b *world.Book) reply {
	rows := campaignsBy(q.shop, q.URL.Query().Get("status"), b.Now)
	rows = rows[:min(len(rows), campaignsMax)]
	return giftSuccess(struct {
		Total     int               `json:"total"`
		Campaigns []campaignSummary `json:"campaigns"`
	}{len(rows), rows})
}

// campaignNamed is a campaign of the store; nil if unknown or soft-deleted.
func campaignNamed(sh *world.Shop, id string, now world.Moment) *world.Campaign {
	all := sh.Gifts(now)
	for i := range all {
		if c := &all[i]; c.Id == id && c.Status(now.Day) != "deleted" {
			return c
		}
	}
	return nil
}

// campaignDetail is a campaign's whole configuration. An id that is unknown, gone or another store's isn't found,
// which isn't a failure.
func campaignDetail(q *request, b *world.Book) reply {
	sh := q.shop
	c := campaignNamed(sh, q.named, b.Now)
	if c == nil {
		return notFound()
	}
	full := fullCampaignOf(sh, c, sh.SetupOf(c), b.Now.Day)
	if sh.Second {
		return giftSuccess(struct {
			Found    bool         `json:"found"`
			Campaign fullCampaign `json:"campaign"`
		}{true, full})
	}
	return giftSuccess(struct {
		Found bool `json:"found"`
		fullCampaign
	}{true, full})
}

// notFound is an answer, not a failure.
func notFound() reply {
	return giftSuccess(struct {
		Found bool `json:"found"`
	}{false})
}

// fullCampaign is a summary with the four groups. The document names the groups' subjects but none of their fields,
// so a store has one of two shapes; of a deleted product or collection only the id is known.
type fullCampaign struct {
	campaignSummary
	Trigger  any `json:"triggerConditions"`
	Gifts    any `json:"giftProducts"`
	Discount any `json:"discountSettings"`
	Schedule any `json:"schedule"`
}

func fullCampaignOf(sh *world.Shop, c *world.Campaign, s world.Setup, day int) fullCampaign {
	full := fullCampaign{campaignSummary: summaryOf(sh, c, day)}
	if sh.Second {
		full.Trigger, full.Gifts, full.Discount, full.Schedule = listedGroups(sh, s, full.campaignSummary)
	} else {
		full.Trigger, full.Gifts, full.Discount, full.Schedule = namedGroups(sh, s, full.campaignSummary)
	}
	return full
}

// given is a product that a campaign gives.
type given struct {
	world.Resource
	Quantity int `json:"quantity"`
}

func givenBy(sh *world.Shop, s world.Setup) []given {
	out := make([]given, len(s.Gifts.Products))
	for i, g := range s.Gifts.Products {
		out[i] = given{resourceOf(sh, g.ID), max(1, g.Quantity)}
	}
	return out
}

// namedGroups is the first shape: every field is there, and what is not set is null or empty.
func namedGroups(sh *world.Shop, s world.Setup, row campaignSummary) (trigger, gifts, discount, schedule any) {
	limit, combines := (*int)(nil), append([]string{}, s.Discount.Combines...)
	if s.Discount.Limit > 0 {
		limit = &s.Discount.Limit
	}
	return struct {
			Least       world.Number     `json:"minimumOrderValue"`
			Currency    string           `json:"currency"`
			Products    []world.Resource `json:"products"`
			Collections []world.Resource `json:"collections"`
			Segments    []world.Resource `json:"customerSegments"`
			Markets     []world.Resource `json:"markets"`
		}{
			s.Trigger.MinimumOrderValue, sh.Currency, resources(sh, s.Trigger.Products), resources(sh, s.Trigger.Collections),
			resources(sh, s.Trigger.Segments), resources(sh, s.Trigger.Markets),
		}, struct {
			Products []given `json:"products"`
			Choose   int     `json:"chooseUpTo"`
			Adds     bool    `json:"addAutomatically"`
		}{givenBy(sh, s), max(1, s.Gifts.Choose), s.Gifts.Adds}, struct {
			Type     string       `json:"discountType"`
			Value    world.Number `json:"discountValue"`
			Combines []string     `json:"combinesWith"`
			Limit    *int         `json:"usageLimit"`
			Once     bool         `json:"oncePerCustomer"`
		}{s.Discount.Type, s.Discount.Value, combines, limit, s.Discount.Once}, struct {
			Start    string  `json:"startDate"`
			End      *string `json:"endDate"`
			Timezone string  `json:"timezone"`
		}{row.StartDate, row.EndDate, sh.Zone}
}

// listedGroups is the second shape: lists of what is set, and nothing about the rest.
func listedGroups(sh *world.Shop, s world.Setup, row campaignSummary) (trigger, gifts, discount, schedule any) {
	type rule struct {
		Type     string           `json:"type"`
		Operator string           `json:"operator"`
		Value    world.Number     `json:"value,omitempty"`
		Any      []world.Resource `json:"resources,omitempty"`
	}
	rules := []rule{}
	if least := s.Trigger.MinimumOrderValue; least != "" {
		rules = append(rules, rule{Type: sh.Word("order_value"), Operator: "at_least", Value: least})
	}
	for _, named := range []struct {
		kind string
		ids  []string
	}{
		{"products", s.Trigger.Products}, {"collections", s.Trigger.Collections}, {"customer_segments", s.Trigger.Segments}, {"markets", s.Trigger.Markets},
	} {
		if len(named.ids) > 0 {
			rules = append(rules, rule{Type: sh.Word(named.kind), Operator: "any", Any: resources(sh, named.ids)})
		}
	}
	return rules, givenBy(sh, s), struct {
			Free    bool         `json:"free"`
			Type    string       `json:"type,omitempty"`
			Value   world.Number `json:"value,omitempty"`
			Stacks  []string     `json:"stacksWith,omitempty"`
			Limit   int          `json:"limit,omitempty"`
			Message string       `json:"message"`
		}{free(s.Discount), s.Discount.Type, s.Discount.Value, s.Discount.Combines, s.Discount.Limit, sh.Word("A gift from us")}, struct {
			Starts string  `json:"startsAt"`
			Ends   *string `json:"endsAt,omitempty"`
			Always bool    `json:"alwaysOn"`
		}{row.StartDate, row.EndDate, row.EndDate == nil}
}

func free(d world.DiscountSetup) bool {
	return d.Value == "" || d.Type == "percentage" && d.Value.Decimal().IntPart() >= 100
}

// resourceOf names what an id refers to; of what the platform no longer has, only the id is
// left.
func resourceOf(sh *world.Shop, id string) world.Resource {
	if title, known := sh.Known[id]; known {
		return world.Resource{ID: id, Title: title}
	}
	return world.Resource{ID: id, IsDeleted: true}
}

func resources(sh *world.Shop, ids []string) []world.Resource {
	out := make([]world.Resource, len(ids))
	for i, id := range ids {
		out[i] = resourceOf(sh, id)
	}
	return out
}
