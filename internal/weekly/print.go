package weekly

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/report"
)

// printing is the PDF of a week's mails. All readers share it, so it contains nothing that is
// specific to one of them, such as an unsubscribe link.
type printing struct {
	once sync.Once
	pdf  []byte
	err  error
}

// printed prints once and gives every reader the same result, so a Chromium that hangs
// delays only one mail.
func (d *drawn) printed(ctx context.Context, p *pdf.Printer) (mail.File, error) {
	d.print.once.Do(func() {
		d.print.err = errors.New("the PDF could not be made")
		// Other readers need it too, so it doesn't end with this reader's context.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), making)
		defer cancel()
		var page string
		if page, d.print.err = d.onPaper(); d.print.err == nil {
			d.print.pdf, d.print.err = p.Print(ctx, page)
		}
	})
	return mail.File{Name: d.fileName(), Type: "application/pdf", Body: d.print.pdf}, d.print.err
}

// onPaper is the HTML that is printed, with its pictures inside.
func (d *drawn) onPaper() (string, error) {
	m, err := d.write(Frame{Brand: d.Frame.Brand, Live: d.Frame.Live, Home: d.Frame.Home})
	if err != nil {
		return "", err
	}
	out := m.HTML
	for _, p := range m.Pictures {
		out = strings.ReplaceAll(out, `src="cid:`+p.ID+`"`, `src="data:image/png;base64,`+base64.StdEncoding.EncodeToString(p.PNG)+`"`)
	}
	return strings.Replace(out, "</head>", "<style>"+d.sheet()+"</style></head>", 1), nil
}

// typeface embeds the pages' own typeface, since servers have few fonts installed. It has
// Latin letters in two weights; other scripts use installed fonts.
var typeface = sync.OnceValue(func() string {
	face := func(weights string, ttf []byte) string {
		return "@font-face{font-family:Inter;font-weight:" + weights + ";src:url(data:font/ttf;base64," + base64.StdEncoding.EncodeToString(ttf) + ")}"
	}
	return face("400", inter400) + face("600", inter600)
})

// sheet is the print style sheet: closer lines than in a mail, and no page break splits a row or
// follows a title.
func (d *drawn) sheet() string {
	size := "A4"
	if report.OnLetter(d.Locale, cmp.Or(d.clock, d.Store.Timezone), d.Store.Currency) {
		size = "letter"
	}
	foot := d.Store.Name + " · " + d.T("weekly.number", "n", d.Number) + " · " + d.Week.Window
	small := "font:9px Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#645e55"
	return typeface() + fmt.Sprintf(`
@page{size:%s;margin:10mm 16mm 15mm;@bottom-left{content:%s;%s}@bottom-right{content:counter(page) " / " counter(pages);%s}}
html{-webkit-print-color-adjust:exact;print-color-adjust:exact;font-variant-ligatures:none}
body{zoom:.78}
.m-page,.m-surface{background-color:transparent !important;border:0 !important}
.m-page>tbody>tr>td,.m-pad{padding:0 !important}
.m-width{max-width:none !important}
.m-part{padding-top:20px !important}
td.m-line{padding-top:6px !important;padding-bottom:6px !important}
tr:has(>.m-line),.m-part,.m-warm,.m-apart,.m-keep,img{break-inside:avoid}
.m-part,h2{break-after:avoid}
`, size, cssString(foot), small, small)
}

// cssString quotes a text for a style sheet.
func cssString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\5c `, `"`, `\22 `, "<", `\3c `, "\n", `\a `).Replace(text) + `"`
}

// fileName is "acme-2026-W46.pdf".
func (d *drawn) fileName() string {
	year, week := d.Choice.Window.Start.AddDays(3).In(time.UTC).ISOWeek()
	return cmp.Or(d.Store.Slug, "stores") + "-" + strconv.Itoa(year) + fmt.Sprintf("-W%02d.pdf", week)
}
