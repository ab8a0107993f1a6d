package world

import (
	"fmt"
	"slices"
)

// firstEdit is the first day on which a merchant does something by hand: 21 November 2026 in a world of the default first day. Until then
// the offers are those that the plans name.
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

// fernhollowEdits do one of everything on the first day, less later.
func fernhollowEdits(p *shopPlan) {
	p.on(0, renamed, "Ridge bottle 750 ml", edit{to: "Ridge bottle 1 litre"})
	p.on(0, removed, "Stove fuel", edit{})
	p.on(0, moved, "Boot care kit", edit{at: 1})
	p.on(0, resumed, "Map case", edit{})
	p.on(0, testBegun, "Headlamp spare batteries", edit{})
	p.on(1, testOver, "Camp mug, pair", edit{})
	p.on(1, stopped, "Dry bag 5 l", edit{})
	p.on(3, swapped, "Gaiters", edit{})
	p.on(4, removed, "Dry bag 5 l", edit{}) // which has earned within the month
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

// vastEdits are three differences every day. Three days make a round: renamed, deleted, a new test; renamed, two change places; renamed,
// stopped, a new test.
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
