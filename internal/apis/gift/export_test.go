package gift

// Changed returns a preview whose commit sends different fields than were previewed. Callers
// can't make one; a test needs it to see that the service refuses.
func (p CampaignPreview) Changed(body string) CampaignPreview {
	p.body = []byte(body)
	return p
}

// Changed does the same for an edit.
func (p EditPreview) Changed(body string) EditPreview {
	p.body = []byte(body)
	return p
}
