package world

var (
	Segments = []string{"Bought more than once", "Newsletter readers", "Abandoned a cart", "First order"}
	Shops    = []string{"Main street", "Harbour", "Station", "Warehouse"}
	Rates    = []string{"Pick-up", "Standard", "Express"}
)

// market is where a store sells to.
type market struct {
	Name      string
	Countries []string
}

var Markets = []market{
	{"North America", []string{"US", "CA"}}, {"Europe", []string{"DE", "FR", "NL", "ES", "IT", "PL", "SE", "AT", "BE", "DK", "IE", "PT"}},
	{"Asia", []string{"JP", "KR", "SG"}}, {"Oceania", []string{"AU", "NZ"}},
}

// platform maps the commerce platform's ids in a store to what they name.
func (sh *Shop) platform() map[string]string {
	out := map[string]string{}
	for _, it := range sh.Stock {
		out[it.Id] = it.Title
	}
	for _, name := range sh.Catalog.Collections {
		out[sh.GlobalID("Collection", name)] = name
	}
	for _, name := range Segments {
		out[sh.GlobalID("Segment", name)] = sh.Word(name)
	}
	for _, m := range Markets {
		out[sh.GlobalID("Market", m.Name)] = sh.Word(m.Name)
	}
	return out
}
