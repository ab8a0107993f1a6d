package upsell

import "github.com/storeglass/storeglass/internal/apis/upstream"

// StageTest is the A/B test of a stage (abTest). Its shape isn't documented: Arms is empty if
// none was found, and Raw has everything.
type StageTest struct {
	// Arms are in the service's order.
	Arms []Arm
	Raw  upstream.Raw
}

// Arm is one of the variants under test. Every field is set only if it was found.
type Arm struct {
	Name string
	// Share is the arm's part of the traffic as it came; its unit isn't documented.
	Share string
	// Products and BundleDeal are what the arm offers.
	Products   []StageProduct
	BundleDeal *BundleDeal
	Raw        upstream.Raw
}

// DecodeRaw takes any value.
func (t *StageTest) DecodeRaw(value []byte) error {
	n, err := readNode(value)
	if err != nil {
		return err
	}
	*t = StageTest{Raw: n.copyRaw()}
	list := n
	if n.kind == '{' {
		list = n.first("arms", "variants", "variations", "versions", "groups", "options", "tests", "offers")
	}
	for at, item := range list.items {
		arm := armOf(item)
		if list.kind == '{' && arm.Name == "" {
			arm.Name = list.keys[at]
		}
		t.Arms = append(t.Arms, arm)
	}
	if len(t.Arms) == 0 && n.kind == '{' { // {"A": {…}, "B": {…}} or {"control": […], …}
		for at, item := range n.items {
			arm := armOf(item)
			if len(arm.Products) == 0 && arm.BundleDeal == nil {
				continue
			}
			if n.names[at] == "products" || n.names[at] == "bundledeal" {
				continue
			}
			if arm.Name == "" {
				arm.Name = n.keys[at]
			}
			t.Arms = append(t.Arms, arm)
		}
	}
	return nil
}

func armOf(n node) Arm {
	arm := Arm{Raw: n.copyRaw()}
	switch n.kind {
	case '[':
		arm.Products = productsOf(n)
	case '{':
		arm.Name = n.firstText("name", "label", "title", "variant", "arm", "key", "id")
		arm.Share = n.firstText("share", "weight", "traffic", "split", "percentage", "percent", "trafficshare", "trafficsplit", "allocation")
		arm.Products = productsOf(n.first("products", "product", "items"))
		arm.BundleDeal = bundleOf(n.first("bundledeal", "bundle"))
	default:
		arm.Name = n.text
	}
	return arm
}

// productsOf reads whatever can be recognized as a product.
func productsOf(n node) (products []StageProduct) {
	items := n.items
	if n.kind == '{' {
		items = []node{n}
	}
	for _, item := range items {
		p := productOf(item)
		if p.ID != "" || p.Title != "" || p.DiscountType != "" || p.Discount != "" {
			products = append(products, p)
		}
	}
	return products
}
