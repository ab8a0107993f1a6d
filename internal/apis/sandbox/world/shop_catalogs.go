package world

// What the platform knows about each store. A product with a type of its own has no padding in its recommendations.

func fernhollowCatalog() catalogPlan {
	const clothing, kitchen, care, light, packs, seating, paper = "Clothing", "Kitchen", "Care", "Light", "Packs", "Seating", "Paper"
	return catalogPlan{
		kinds: []string{
			clothing, kitchen, care, clothing, light, kitchen, packs, clothing, packs, seating, care, clothing, care, clothing, clothing, paper, paper,
			care, paper, kitchen, packs,
		},
		Collections:     []string{"Winter 2026", "Boots", "Under $50"},
		Tags:            []string{"outdoor", "winter", "gift idea"},
		Lost:            []string{"Old tent stakes", "Wool blanket, grey"},
		lostCollections: []string{"Summer clearance"},
	}
}

// lumenCatalog has no deleted products, so no trigger names one.
func lumenCatalog() catalogPlan {
	return catalogPlan{
		kinds:       []string{"Pflege", "Etuis", "Pflege", "Clips", "Ersatzteile", "Brillen", "Sport", "Lampen"},
		Collections: []string{"Sonnenbrillen", "Lesebrillen"}, Tags: []string{"neu", "Gleitsicht"},
	}
}

func kumoCatalog() catalogPlan {
	return catalogPlan{
		kinds:       []string{"Tea", "Tea", "Tools", "Tea", "Tools", "Sweets", "Tea"},
		Collections: []string{"新茶", "Gifts"}, Tags: []string{"green", "roasted"},
		Lost: []string{"Gyokuro 30 g"}, lostCollections: []string{"Spring"},
	}
}

func vastCatalog() catalogPlan {
	return catalogPlan{
		kinds:       []string{"Brackets", "Seals", "Joints", "Joints", "Seals", "Shafts", "Seals", "Shafts", "Joints", "Seals"},
		Collections: []string{"Metric", "Imperial"}, Tags: []string{"steel", "brass", "nylon"},
		Lost: []string{"Split pin", "Rivet"}, lostCollections: []string{"Clearance"},
	}
}
