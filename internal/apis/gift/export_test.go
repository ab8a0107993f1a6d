package gift

// Changed is a preview whose commit sends other fields than were previewed. No
// caller can make one; a test needs it to see that the service would refuse.
func (p CampaignPreview) Changed(body string) CampaignPreview {
	p.body = []byte(body)
	return p
}

// Changed is as with a campaign.
func (p EditPreview) Changed(body string) EditPreview {
	p.body = []byte(body)
	return p
}
