package sandbox

const campaignsMax = 100

type campaignSummary struct {
	ID         string  `json:"id,omitempty"` // a preview of a new one has none
	Name       string  `json:"name"`
	Status     string  `json:"status"`
	Type       string  `json:"type"`
	TargetPage string  `json:"targetPage"`
	StartDate  string  `json:"startDate"`
	EndDate    *string `json:"endDate"`
	Code       *string `json:"code"`
}

func (sh *shop) summaryOf(c *campaign, day int) campaignSummary {
	row := campaignSummary{
		ID: c.id, Name: c.name, Status: c.status(day), Type: sh.word(c.kind), TargetPage: sh.word(c.page), StartDate: sh.stamp(c.start, 0),
	}
	if c.end < forever {
		end := sh.stamp(c.end, 23*60+59)
		row.EndDate = &end
	}
	if c.code != "" {
		row.Code = &c.code
	}
	return row
}

// campaignsBy lists campaigns newest first. Without a status soft-deleted ones are left out; any status is compared as it came.
func (sh *shop) campaignsBy(status string, now moment) []campaignSummary {
	out := []campaignSummary{}
	all := sh.gifts(now)
	for i := len(all) - 1; i >= 0; i-- {
		c := &all[i]
		is := c.status(now.day)
		if status == "" && is == "deleted" || status != "" && is != status {
			continue
		}
		out = append(out, sh.summaryOf(c, now.day))
	}
	return out
}

// campaignList forwards a status as it came: an unknown one finds nothing, and "deleted" finds what was soft-deleted.
func campaignList(q *request, b *book) reply {
	rows := q.shop.campaignsBy(q.URL.Query().Get("status"), b.now)
	rows = rows[:min(len(rows), campaignsMax)]
	return giftSuccess(struct {
		Total     int               `json:"total"`
		Campaigns []campaignSummary `json:"campaigns"`
	}{len(rows), rows})
}

// campaignNamed is a campaign that the store has, or nil: a soft-deleted one is gone.
func (sh *shop) campaignNamed(id string, now moment) *campaign {
	all := sh.gifts(now)
	for i := range all {
		if c := &all[i]; c.id == id && c.status(now.day) != "deleted" {
			return c
		}
	}
	return nil
}

// campaignDetail is a campaign's whole configuration. An id that is unknown, gone or another store's is not found, which is no failure.
func campaignDetail(q *request, b *book) reply {
	sh := q.shop
	c := sh.campaignNamed(q.named, b.now)
	if c == nil {
		return notFound()
	}
	full := sh.fullCampaign(c, sh.setupOf(c), b.now.day)
	if sh.second {
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

// fullCampaign is a summary with the four groups. The document names the groups' subjects and none of their fields, so a store has one of
// two shapes; a deleted product or collection is known by its id only.
type fullCampaign struct {
	campaignSummary
	Trigger  any `json:"triggerConditions"`
	Gifts    any `json:"giftProducts"`
	Discount any `json:"discountSettings"`
	Schedule any `json:"schedule"`
}

func (sh *shop) fullCampaign(c *campaign, s setup, day int) fullCampaign {
	full := fullCampaign{campaignSummary: sh.summaryOf(c, day)}
	if sh.second {
		full.Trigger, full.Gifts, full.Discount, full.Schedule = sh.listedGroups(s, full.campaignSummary)
	} else {
		full.Trigger, full.Gifts, full.Discount, full.Schedule = sh.namedGroups(s, full.campaignSummary)
	}
	return full
}

// given is a product that a campaign gives.
type given struct {
	resource
	Quantity int `json:"quantity"`
}

func (sh *shop) givenBy(s setup) []given {
	out := make([]given, len(s.Gifts.Products))
	for i, g := range s.Gifts.Products {
		out[i] = given{sh.resource(g.ID), max(1, g.Quantity)}
	}
	return out
}

// namedGroups is the first shape: every field is there, and what is not set is null or empty.
func (sh *shop) namedGroups(s setup, row campaignSummary) (trigger, gifts, discount, schedule any) {
	limit, combines := (*int)(nil), append([]string{}, s.Discount.Combines...)
	if s.Discount.Limit > 0 {
		limit = &s.Discount.Limit
	}
	return struct {
			Least       number     `json:"minimumOrderValue"`
			Currency    string     `json:"currency"`
			Products    []resource `json:"products"`
			Collections []resource `json:"collections"`
			Segments    []resource `json:"customerSegments"`
			Markets     []resource `json:"markets"`
		}{
			s.Trigger.MinimumOrderValue, sh.currency, sh.resources(s.Trigger.Products), sh.resources(s.Trigger.Collections),
			sh.resources(s.Trigger.Segments), sh.resources(s.Trigger.Markets),
		}, struct {
			Products []given `json:"products"`
			Choose   int     `json:"chooseUpTo"`
			Adds     bool    `json:"addAutomatically"`
		}{sh.givenBy(s), max(1, s.Gifts.Choose), s.Gifts.Adds}, struct {
			Type     string   `json:"discountType"`
			Value    number   `json:"discountValue"`
			Combines []string `json:"combinesWith"`
			Limit    *int     `json:"usageLimit"`
			Once     bool     `json:"oncePerCustomer"`
		}{s.Discount.Type, s.Discount.Value, combines, limit, s.Discount.Once}, struct {
			Start    string  `json:"startDate"`
			End      *string `json:"endDate"`
			Timezone string  `json:"timezone"`
		}{row.StartDate, row.EndDate, sh.zone}
}

// listedGroups is the second shape: lists of what is set, and nothing about the rest.
func (sh *shop) listedGroups(s setup, row campaignSummary) (trigger, gifts, discount, schedule any) {
	type rule struct {
		Type     string     `json:"type"`
		Operator string     `json:"operator"`
		Value    number     `json:"value,omitempty"`
		Any      []resource `json:"resources,omitempty"`
	}
	rules := []rule{}
	if least := s.Trigger.MinimumOrderValue; least != "" {
		rules = append(rules, rule{Type: sh.word("order_value"), Operator: "at_least", Value: least})
	}
	for _, named := range []struct {
		kind string
		ids  []string
	}{
		{"products", s.Trigger.Products}, {"collections", s.Trigger.Collections}, {"customer_segments", s.Trigger.Segments}, {"markets", s.Trigger.Markets},
	} {
		if len(named.ids) > 0 {
			rules = append(rules, rule{Type: sh.word(named.kind), Operator: "any", Any: sh.resources(named.ids)})
		}
	}
	return rules, sh.givenBy(s), struct {
			Free    bool     `json:"free"`
			Type    string   `json:"type,omitempty"`
			Value   number   `json:"value,omitempty"`
			Stacks  []string `json:"stacksWith,omitempty"`
			Limit   int      `json:"limit,omitempty"`
			Message string   `json:"message"`
		}{s.Discount.free(), s.Discount.Type, s.Discount.Value, s.Discount.Combines, s.Discount.Limit, sh.word("A gift from us")}, struct {
			Starts string  `json:"startsAt"`
			Ends   *string `json:"endsAt,omitempty"`
			Always bool    `json:"alwaysOn"`
		}{row.StartDate, row.EndDate, row.EndDate == nil}
}

func (d discountSetup) free() bool {
	return d.Value == "" || d.Type == "percentage" && d.Value.decimal().IntPart() >= 100
}

// resource names what an id stands for; of what the platform no longer has only the id is left.
func (sh *shop) resource(id string) resource {
	if title, known := sh.known[id]; known {
		return resource{ID: id, Title: title}
	}
	return resource{ID: id, IsDeleted: true}
}

func (sh *shop) resources(ids []string) []resource {
	out := make([]resource, len(ids))
	for i, id := range ids {
		out[i] = sh.resource(id)
	}
	return out
}
