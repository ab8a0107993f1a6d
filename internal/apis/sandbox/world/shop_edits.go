package world

import (
	"fmt"
	"slices"
)

// firstEdit is the first day on which a merchant does something by hand: 21 November 2026 if the world starts on its
// default day. Until then the offers are just as planned.
const firstEdit = 502

// lastVastEdit ends the vast store's years of daily edits.
const lastVastEdit = firstEdit + 1000

// on adds an edit of the offer that was planned under a name.
func (p *shopPlan) on(day int, does editKind, name string, e edit) {
	e.day, e.does = firstEdit+day, does
	e.plan = slices.IndexFunc(p.offerPlans, func(o offerPlan) bool { return o.Name == name })
	if e.plan < 0 {
		panic(fmt.Sprintf("sandbox: %s has no offer %q to edit", p.Slug, name))
	}
	p.edits = append(p.edits, e)
}

// fernhollowEdits make one edit of each kind on the first day, and fewer later.
func fernhollowEdits(p *shopPlan) {
	p.on(0, renamed, "Ridge bottle 750 ml", edit{to: "Ridge bottle 1 litre"})
	p.on(0, removed, "Stove fuel", edit{})
	p.on(0, moved, "Boot care kit", edit{at: 1})
	p.on(0, resumed, "Map case", edit{})
	p.on(0, testBegun, "Headlamp spare batteries", edit{})
	p.on(1, testOver, "Camp mug, pair", edit{})
	p.on(1, stopped, "Dry bag 5 l", edit{})
	p.on(3, swapped, "Gaiters", edit{})
	p.on(4, removed, "Dry bag 5 l", edit{}) // it has earned within the month
	p.on(4, renamed, "Trail map set", edit{to: "Trail map set, 3 sheets"})
}

func lumenEdits(p *shopPlan) {
	p.on(0, renamed, "Temple tips", edit{to: "Bügelenden"})
	p.on(2, removed, "Eye test reminder", edit{})
	p.on(2, moved, "Hard case", edit{at: 1})
}

func kumoEdits(p *shopPlan) {
	p.on(0, renamed, "Bamboo whisk", edit{to: "Bamboo whisk (chasen)"})
	p.on(1, testBegun, "Yuzu candy", edit{})
}

// vastEdits are three changes a day in rounds of three days: a rename, a deletion, a new test; a rename, two swap
// places; a rename, a stop, a new test.
func vastEdits(p *shopPlan) {
	for day := firstEdit; day < lastVastEdit; day++ {
		n := day * 37
		add := func(e edit) {
			e.day = day
			e.plan = (e.plan + n) % len(p.offerPlans)
			p.edits = append(p.edits, e)
		}
		add(edit{does: renamed, to: fmt.Sprintf("Renamed part %d", day)})
		switch (day - firstEdit) % 3 {
		case 0:
			add(edit{does: deletedLast, at: day / 3 % int(Placements)})
			add(edit{does: testBegun, plan: 500})
		case 1:
			add(edit{does: swapped, plan: 900})
		case 2:
			add(edit{does: stopped, plan: 1200})
			add(edit{does: testBegun, plan: 500})
		}
	}
}
