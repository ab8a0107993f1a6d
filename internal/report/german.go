package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

type german struct{}

func (german) WeekNumber(n int) string         { return "Woche " + strconv.Itoa(n) }
func (german) ByDay() string                   { return "Upsell-Umsatz nach Tagen" }
func (german) NoDay() string                   { return "fehlt" }
func (german) WeekBefore(amount string) string { return "Vorwoche " + amount }
func (german) WorthDoing() string              { return "Diese Woche zu erledigen" }
func (german) MoreOnThePage(n int) string {
	return "Und " + strconv.Itoa(n) + " weitere auf der Seite."
}
func (german) OpenOverview() string { return "Übersicht öffnen" }
func (german) SameNumbers() string {
	return "Dieselben Zahlen, und woher jede von ihnen kommt."
}
func (german) NotInThisMail() string { return "Nicht in dieser Mail" }
func (german) Revised() string       { return "Nachträglich geändert" }
func (german) Change() string        { return "Ändern" }
func (german) Stop() string          { return "Diese Mails beenden" }
func (german) Preview() string       { return "Eine Vorschau: an niemanden gesendet." }

func (german) NoPDF() string              { return "Das PDF: Es konnte auf diesem Server nicht erstellt werden." }
func (german) Test(address string) string { return "Ein Test, nur an " + address + " gesendet." }
func (german) OpenInBrowser() string      { return "Im Browser öffnen" }
func (german) EarlierReports(n int) string {
	if n == 1 {
		return "1 früherer Bericht konnte nicht gesendet werden. Hier finden Sie ihn:"
	}
	return fmt.Sprintf("%d frühere Berichte konnten nicht gesendet werden. Hier finden Sie sie:", n)
}
func (german) AllReports(n int) string { return fmt.Sprintf("Alle %d Berichte", n) }

func (german) ChangedSince(day, was, is string) string {
	return day + ": in der letzten Mail " + was + ", jetzt " + is + "."
}

func (german) SentTo(address string, weekday time.Weekday, hour, clock string) string {
	day := [...]string{"sonntags", "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags"}[weekday]
	return "Gesendet an " + address + ", " + day + " um " + hour + ", " + clock + "."
}

func (german) in(week string) string {
	if week == "" {
		return "letzte Woche"
	}
	return "in der Woche vom " + week
}

func (german) of(week string) string {
	if week == "" {
		return "der letzten Woche"
	}
	return "der Woche vom " + week
}

func (g german) NoOfferYet(week string) string {
	return "Es gibt noch kein Angebot, darum brachten Upsells " + g.in(week) + " nichts ein."
}

func (g german) NoNumbersYet(week string) string {
	return "Es gibt noch keine Upsell-Zahlen " + g.of(week) + "."
}

func (g german) BroughtOn(value string, days int, week string) string {
	return fmt.Sprintf("Upsells brachten %s an %d von 7 Tagen %s ein.", value, days, g.of(week))
}

func (g german) SoldNothing(week string) string {
	return "Es wurde " + g.in(week) + " kein Upsell verkauft."
}

func (g german) SoldNothingAfter(before, week string) string {
	return "Es wurde " + g.in(week) + " kein Upsell verkauft, nach " + before + " in der Woche davor."
}

func (g german) Brought(value, week string) string {
	return "Upsells brachten " + g.in(week) + " " + value + " ein."
}

func (g german) BroughtMore(value string, by Delta, week string) string {
	return "Upsells brachten " + g.in(week) + " " + value + " ein, " + by.Amount + " " + by.Word + " als in der Woche davor."
}

func (g german) BroughtAsMuch(value, week string) string {
	return "Upsells brachten " + g.in(week) + " " + value + " ein, so viel wie in der Woche davor."
}

func (g german) BroughtAfterNothing(value, week string) string {
	return "Upsells brachten " + g.in(week) + " " + value + " ein; die Woche davor brachte nichts ein."
}

func (german) SubjectNoNumbers(dates string) string {
	return "noch keine Upsell-Zahlen für " + dates
}
func (german) SubjectNoOffers(dates string) string { return "noch keine Angebote, " + dates }

func (german) SubjectOn(value string, days int, dates string) string {
	return fmt.Sprintf("%s aus Upsells an %d von 7 Tagen, %s", value, days, dates)
}

func (german) Subject(value, dates string) string { return value + " aus Upsells, " + dates }

func (german) Preheader(orders, rate, window string) string {
	return "Bestellungen mit Upsell: " + orders + ", Erfolgsquote " + rate + ". " + window
}

func (german) ComparedWith(window string, _ bool) string { return "verglichen mit " + window }
func (german) NotComparedAs(reason string) string        { return "nicht verglichen: " + reason }
func (german) DaysAreMissing() string                    { return "Tage dieser Woche fehlen" }
func (german) AnswerNotWhole() string {
	return "ein Tag dieser Woche war noch nicht vorbei, als seine Zahlen kamen"
}
func (german) OtherCurrency() string { return "die Woche davor war in einer anderen Währung" }
func (german) NotFullyStored(dates string) string {
	return dates + " ist nicht vollständig gespeichert"
}

func (german) UpsoldValue() string  { return "Upsell-Umsatz" }
func (german) UpsoldOrders() string { return "Bestellungen mit Upsell" }
func (german) SuccessRate() string  { return "Upsell-Erfolgsquote" }
func (german) AverageValue() string { return "Durchschnittlicher Upsell-Umsatz" }

func (g german) ShareOfOrders(orders int64) string {
	if orders == 1 {
		return "Erfolgsquote: Anteil an 1 Bestellung."
	}
	return "Erfolgsquote: Anteil an allen " + German.Count(orders) + " Bestellungen."
}

func (german) OffersSeen(times int64) string {
	return "Angebote wurden " + German.Count(times) + "-mal gesehen."
}

func (german) LineIsBefore() string { return "Linie: gleicher Wochentag der Vorwoche" }

// missing is "fehlt" or "fehlen".
func (german) missing(n int) string {
	if n == 1 {
		return " fehlt"
	}
	return " fehlen"
}

func (g german) DaysMissing(days string, n int) string { return days + g.missing(n) }

func (german) Placements() string         { return "Platzierungen" }
func (german) SideBySide() string         { return "nebeneinander, nie summiert" }
func (german) SwitchedOff() string        { return "ausgeschaltet" }
func (german) NeverCreated() string       { return "nie angelegt" }
func (german) NoRowSent() string          { return "keine Zeile gesendet" }
func (german) RevenueNotReported() string { return "Umsatz nicht gemeldet" }
func (german) Impressions(n int64) string {
	return German.Plural(n, "Einblendung", "Einblendungen")
}
func (german) Claims(n int64) string { return German.Plural(n, "Annahme", "Annahmen") }

func (german) BestEarners() string { return "Umsatzstärkste Angebote" }
func (german) OffersEarned(n int64) string {
	return German.Plural(n, "Angebot brachte etwas ein", "Angebote brachten etwas ein")
}
func (german) Deleted() string          { return "gelöscht" }
func (german) MovedMost() string        { return "Am stärksten verändert" }
func (german) AgainstBefore() string    { return "gegenüber der Vorwoche" }
func (german) Was(amount string) string { return "vorher " + amount }

func (german) FreeGifts() string      { return "Gratisgeschenke" }
func (german) NeverAdded() string     { return "nicht in den Upsells enthalten" }
func (german) GiftOrders() string     { return "Bestellungen mit Geschenk" }
func (german) GiftRevenue() string    { return "Umsatz mit Geschenk" }
func (german) GiftConversion() string { return "Geschenk-Conversion" }
func (german) ValueWithGift() string  { return "Bestellwert mit Geschenk" }
func (german) ValueAllOrders() string { return "Bestellwert, alle Bestellungen" }
func (german) UnitNotKnown() string   { return "Einheit unbekannt, darum nicht gezeigt" }
func (german) NotReported() string    { return "nicht gemeldet" }

func (german) AllTime() string       { return "Seit Beginn" }
func (german) NotOfThisWeek() string { return "nicht diese Woche" }
func (german) Orders(n int64) string { return German.Plural(n, "Bestellung", "Bestellungen") }
func (german) OfferViews() string    { return "Gesehene Angebote" }
func (german) AllPlacements() string { return "Einblendungen, alle vier Platzierungen" }

func (german) Missing(part, title, text string) string {
	return part + ": " + strings.TrimSpace(sentence(title)+" "+sentence(text))
}

func (german) UpsellsOfTheWeek() string { return "Upsells der Woche" }
func (german) LivePlacements() string   { return "Welche Platzierungen aktiv sind" }
func (german) DailyLines() string       { return "Die Tageswerte" }
func (german) RankingOfOffers() string  { return "Die Rangliste der Angebote" }
func (german) GiftsOfTheWeek() string   { return "Geschenkzahlen der Woche" }
func (german) ViewsNotReported() string { return "Gesehene Angebote der Woche: nicht gemeldet." }

func (g german) MissingCounted(days string, n int) string {
	them := "sie"
	if n == 1 {
		them = "ihn"
	}
	return days + g.missing(n) + " in den Tageswerten. Die Wochensumme ist wie gemeldet und enthält " + them + "."
}

func (g german) MissingNotCounted(days string, n int) string {
	return days + g.missing(n) + " in den Tageswerten. Die wahre Summe ist um das höher, was da verkauft wurde."
}

func (g german) MissingBefore(days string, n int) string {
	return days + " der Vorwoche" + g.missing(n) + " in den Tageswerten."
}

func (g german) PlacementsWithout(days string, n int) string {
	return "Platzierungen: " + days + g.missing(n) + " in ihren Summen."
}

func (g german) GiftsWithout(days string, n int) string {
	return "Gratisgeschenke: " + days + g.missing(n) + " in ihren Summen."
}

func (german) NoAnswerOfThisWeek() string {
	return "Für diese Woche ist keine Antwort gespeichert"
}

func (german) MovesNotKept() string {
	return "Am stärksten veränderte Angebote: Die Rangliste der Vorwoche ist nicht gespeichert."
}

// changed is about days of a week.
func (german) changed(days string, n int, week string) string {
	verb := " haben"
	if n == 1 {
		verb = " hat"
	}
	return days + " " + week + verb + " sich nach dem ersten Abruf geändert; hier stehen die neuesten Zahlen."
}

func (g german) ChangedThisWeek(days string, n int) string {
	return g.changed(days, n, "dieser Woche")
}
func (g german) ChangedBefore(days string, n int) string { return g.changed(days, n, "der Vorwoche") }

func (german) ConnectUpsells(store string) saying {
	return saying{"Verbinden Sie " + store + ", um zu sehen, was die Upsells einbringen", "Es ist noch kein Upsell-Dienst verbunden, darum gibt es nichts zu zeigen. Nötig ist ein Token mit Leserecht aus den Einstellungen der App, Developer Tools."}
}

func (german) UpsellsNotConnected(store string) saying {
	return saying{"Upsells sind nicht verbunden", "Für " + store + " ist kein Upsell-Dienst verbunden. Nötig ist ein Token mit Leserecht aus den Einstellungen der App, Developer Tools."}
}

func (german) GiftsNotConnected(store string) saying {
	return saying{"Gratisgeschenke sind nicht verbunden", "Für " + store + " ist kein Geschenk-Dienst verbunden. Nötig ist ein Schlüssel mit Leserecht aus den Einstellungen der App, Store API."}
}

func (german) FirstNumbersOnTheWay() saying {
	return saying{"Die ersten Zahlen sind unterwegs", "Der Shop ist verbunden, und seine ersten Abrufe warten, bis sie an der Reihe sind."}
}

func (german) OnTheWay(t thing) saying {
	what := [...]string{
		theRanking: "Die Rangliste ist", theAllTimeTotal: "Die Gesamtsumme ist", theCoverage: "Der Stand der Platzierungen ist", theOfferCount: "Die Zahl der Angebote ist",
		theGiftResult: "Das Geschenk-Ergebnis ist", theGiftPlan: "Der Geschenk-Tarif ist", theSetupHealth: "Der Stand der Einrichtung ist",
	}[t]
	return saying{what + " unterwegs", "Der Shop ist verbunden; dieser Abruf wartet, bis er an der Reihe ist."}
}

func (german) NoDayStored(from, to, dates string) saying {
	return saying{"Kein Tag dieses Zeitraums ist gespeichert", "Gespeichert ist die Zeit vom " + from + " bis zum " + to + ". Der Zeitraum " + dates + " liegt außerhalb."}
}

func (german) NoRanking(days string) saying {
	return saying{"Keine Rangliste für diesen Zeitraum", "Der Dienst liefert Ranglisten für 7, 30 und 90 Tage, die gestern enden. Andere Zeiträume werden aus Tagesranglisten summiert. Ohne vollständige Rangliste: " + days + "."}
}

func (german) NoOffers() saying {
	return saying{"Noch keine Angebote in diesem Shop", "Der Dienst antwortete: 0 Angebote, in welchem Status auch immer. Diese Nullen sind echt."}
}

func (german) NothingEarned() saying {
	return saying{"Kein Angebot brachte in diesem Zeitraum etwas ein", "Der Dienst antwortete mit einer leeren Rangliste. Angebote, die nichts einbrachten, stehen nicht darin."}
}

func (german) NoGiftAnswer() saying {
	return saying{"Keine Geschenk-Antwort für diesen Zeitraum", "Der Geschenk-Dienst antwortet für 1, 7, 30, 90 und 365 Tage, die gestern enden. Andere Zeiträume entstehen aus gespeicherten Tagen, und von diesem ist kein Tag gespeichert."}
}

func (german) TwoCurrencies(before, after, day string) saying {
	return saying{"Zwei Währungen in einem Zeitraum", "Der Shop wechselte am " + day + " von " + before + " zu " + after + ". Beträge in zwei Währungen werden nicht addiert: Wählen Sie einen Zeitraum auf einer Seite dieses Tages."}
}

func (german) CurrencyChanged(day string) saying {
	return saying{"Zwei Währungen in einem Zeitraum", "Der Shop wechselte am " + day + " die Währung. Wählen Sie einen Zeitraum auf einer Seite dieses Tages."}
}

func (german) NoGiftRate() string {
	return "Der Dienst sendet die Quote ohne ihre Teile, und aus den Quoten der Tage wird nie ein Mittel gebildet."
}

func (german) NoGiftAverage() string {
	return "Der Dienst sendet den Durchschnitt ohne seine Teile, und aus den Durchschnitten der Tage wird nie ein Mittel gebildet."
}

func (german) RepairedGiftDay() string {
	return "Von einem nachgetragenen Tag gibt es nur Bestellungen und Umsatz."
}

func (german) NotPulledSince(day string) string {
	return "Seit " + day + " nicht mehr abgerufen. Sie sehen die letzten guten Zahlen."
}

func (german) FirstTryFailed(ago string) string {
	return "Noch nie abgerufen: Der erste Versuch scheiterte " + ago + "."
}

func (german) NeverPulled() string { return "Noch nie abgerufen." }

func (german) NotPulledAgain(days string) string {
	return "Für " + days + " kam keine neue Antwort. Sie sehen die letzten guten Zahlen."
}

func (german) NotPulled(days string) string { return "Für " + days + " kam keine Antwort." }

// service is "Upsell-Dienst" or "Geschenk-Dienst".
func (german) service(name string) string {
	if name == "gift" {
		return "Geschenk-Dienst"
	}
	return "Upsell-Dienst"
}

func (g german) Disconnected(service string) string {
	return "Der " + g.service(service) + " wurde getrennt: Es wird nichts Neueres abgerufen."
}

func (german) Overdue(ago string) string {
	return "Der nächste Abruf war " + ago + " fällig und ist ausgeblieben: Läuft der Worker?"
}

func (g german) NeedsPerson(service string) string {
	return "Der " + g.service(service) + " erfordert Ihre Aufmerksamkeit."
}

func (german) Told(outcome, _ string) string {
	switch outcome {
	case "refused":
		return "Der Dienst hat den Abruf abgelehnt. Genaueres steht auf der Seite Sync."
	case "quarantined":
		return "Die Antwort war nicht so, wie der Dienst sie beschreibt, und wurde nicht übernommen. Genaueres steht auf der Seite Sync."
	case "paused":
		return "Der Zugang ist angehalten. Genaueres steht auf der Seite Sync."
	}
	return "Der Abruf ist gescheitert und wird wiederholt. Genaueres steht auf der Seite Sync."
}

func (g german) Advice(service, cause, _ string) string {
	switch adviceOn(service, cause) {
	case adviceShop:
		return "Der Upsell-Dienst lehnt diesen Token für die verwendete Adresse ab. Kopieren Sie die Basisadresse aus den Einstellungen der App, Developer Tools, und verbinden Sie den Shop neu."
	case adviceToken:
		return "Der Upsell-Token wird abgelehnt. Prüfen Sie in den Einstellungen der App, Developer Tools, ob die App installiert ist und der Token widerrufen wurde, und verbinden Sie den Shop dann neu."
	case adviceTrial:
		return "Die Testphase des Geschenk-Tarifs ist zu Ende, und er ist nicht bezahlt. Ein Aufruf würde jetzt alle Schlüssel des Shops ungültig machen, darum unterbleibt er. Wählen Sie in der Geschenk-App einen Tarif und setzen Sie den Shop dann fort."
	case advicePlan:
		return "Der Shop hat keinen bezahlten Geschenk-Tarif mehr, und der Dienst hat alle seine Schlüssel widerrufen: Buchen Sie zuerst den Tarif und legen Sie dann einen neuen Schlüssel an."
	case adviceUninstalled:
		return "Die Geschenk-App wurde deinstalliert. Ein neuer Schlüssel hilft nicht: Installieren Sie die App wieder und legen Sie dann einen Schlüssel an."
	case adviceSurface:
		return "Dieser Schlüssel ist für den Assistenten (MCP), nicht für die Store API. Legen Sie einen Schlüssel für die Store API an."
	case adviceScope:
		return "Die Zugriffsstufe des Schlüssels ist zu niedrig. Heben Sie sie in den Einstellungen der App auf Lesen an; der Schlüssel bleibt derselbe."
	case adviceHeader:
		return "Der Schlüssel kam beim Dienst nicht an. Etwas auf dem Weg entfernt die Kopfzeile Authorization; der Schlüssel selbst kann gut sein."
	}
	return "Der Geschenk-Schlüssel wird abgelehnt. Legen Sie in den Einstellungen der App, Store API, einen neuen an und verbinden Sie den Shop neu."
}

func (g german) Doubted(service string, outage bool) saying {
	if outage {
		return saying{"Der " + g.service(service) + " lehnt gerade viele Shops ab.", "Das liegt wahrscheinlich am Dienst. Sie müssen noch nichts tun: Storeglass prüft den Zugang weiter und macht dann von selbst weiter."}
	}
	return saying{"Der " + g.service(service) + " hat den Zugang abgelehnt.", "Das geht oft vorüber. Sie müssen noch nichts tun: Storeglass prüft den Zugang weiter und macht dann von selbst weiter."}
}

func (german) ChecksAgain(day, clock string) string {
	return "Nächste Prüfung: " + day + ", " + clock + " Uhr."
}

func (german) GiftWidgetOff(theme, fix string) saying {
	s := saying{"Das Geschenk-Widget kann nicht erscheinen", "Die App-Einbettung ist im aktiven Theme ausgeschaltet."}
	if theme != "" {
		s.text = "Die App-Einbettung ist im aktiven Theme " + theme + " ausgeschaltet."
	}
	s.text += " " + fix
	return s
}

func (german) ThemeWithoutBlocks() string {
	return "Das aktive Theme kann das Geschenk-Widget nicht zeigen"
}
func (german) NoCampaign() string       { return "Es gibt keine Geschenk-Kampagne" }
func (german) NoActiveCampaign() string { return "Keine Geschenk-Kampagne ist aktiv" }

func (german) Fix(code string) string {
	switch code {
	case "APP_EMBED_DISABLED":
		return "Öffnen Sie im Theme-Editor die App-Einbettungen, schalten Sie das Geschenk-Widget ein und speichern Sie."
	case "THEME_NOT_OS2":
		return "Das aktive Theme unterstützt keine App-Blöcke: Veröffentlichen Sie eines, das es tut, oder fügen Sie das Widget von Hand ein, wie seine Anleitung sagt."
	case "NO_CAMPAIGN":
		return "Legen Sie in der Geschenk-App die erste Kampagne an."
	case "NO_ACTIVE_CAMPAIGN":
		return "Schalten Sie eine Kampagne ein, oder geben Sie einer ein Startdatum, das schon gekommen ist."
	}
	return ""
}

func (german) PlacementOff(placement string, offers int64) saying {
	exist := "Es gibt 1 Angebot, es ist nicht aktiv."
	if offers != 1 {
		exist = "Es gibt " + German.Count(offers) + " Angebote, keines ist aktiv."
	}
	return saying{placement + ": ausgeschaltet", exist}
}

func (german) SeeOffers(n int64) string {
	if n == 1 {
		return "Das Angebot ansehen"
	}
	return "Die " + German.Count(n) + " Angebote ansehen"
}

func (german) NeverMade(placements string) saying {
	return saying{"Nie angelegt: " + placements, "Dort wurde nie ein Angebot angelegt, in keinem Status."}
}

func (german) TooManyCampaigns() saying {
	return saying{"Mehr Kampagnen, als der Geschenk-Tarif erlaubt", "Schalten Sie Kampagnen aus oder wechseln Sie in der Geschenk-App den Tarif."}
}

func (german) OffersSoldNothing(n int64) saying {
	s := saying{German.Count(n) + " aktive Angebote verkauften in diesem Zeitraum nichts", "Sie waren an allen Tagen aktiv."}
	if n == 1 {
		s = saying{"1 aktives Angebot verkaufte in diesem Zeitraum nichts", "Es war an allen Tagen aktiv."}
	}
	return s
}

func (german) ShowTheseOffers(n int64) string {
	if n == 1 {
		return "Dieses Angebot anzeigen"
	}
	return "Diese Angebote anzeigen"
}

func (german) LinesDiffer(reported, stitched string) saying {
	return saying{"Tageswerte und gemeldete Summe stimmen nicht überein", "Gemeldet " + reported + ", Summe der gespeicherten Tage " + stitched + ". Die Tage werden neu abgerufen."}
}

func (german) MakeFirstOffer(orders int64) saying {
	text := " Bestellungen gingen ohne Upsell durch."
	if orders == 1 {
		text = " Bestellung ging ohne Upsell durch."
	}
	return saying{"Legen Sie das erste Angebot an", German.Count(orders) + text}
}

func (german) TriggersDeleted(offers int64) string {
	return German.Count(offers) + " Angebote haben einen gelöschten Auslöser"
}

func (german) TriggerDeleted(kind string, n int) string {
	k, ok := germanKinds[kind]
	switch {
	case !ok:
		return "Etwas, das ein Auslöser nennt, wurde gelöscht"
	case n > 1:
		return "Aus Auslösern wurden " + strconv.Itoa(n) + " " + k.many + " gelöscht"
	}
	return k.one + " eines Auslösers wurde gelöscht"
}

var germanKinds = map[string]struct{ one, many, gone string }{
	"product":    {"Ein Produkt", "Produkte", "ein gelöschtes Produkt"},
	"collection": {"Eine Kollektion", "Kollektionen", "eine gelöschte Kollektion"},
	"tag":        {"Ein Tag", "Tags", "einen gelöschten Tag"},
}

func (german) StillName(offer string, others int64) string {
	if others == 1 {
		return offer + " und 1 weiteres verweisen noch auf gelöschte Produkte oder Angebote."
	}
	return offer + " und " + German.Count(others) + " weitere verweisen noch auf gelöschte Produkte oder Angebote."
}

func (german) StillNames(offer, gone string, more int) string {
	switch {
	case gone == "":
		return offer + " verweist noch auf etwas Gelöschtes."
	case more == 0:
		return offer + " verweist noch auf " + gone + "."
	}
	return offer + " verweist noch auf " + gone + " und " + strconv.Itoa(more) + " weitere."
}

func (german) Gone(kind string) string {
	if k, ok := germanKinds[kind]; ok {
		return k.gone
	}
	return "etwas Gelöschtes"
}

func (german) OpenOffer() string { return "Angebot öffnen" }
func (german) Sync() string      { return "Zum Abruf" }

func (german) Colon() string             { return ": " }
func (german) And() string               { return "und" }
func (german) Quoted(name string) string { return "„" + name + "“" }
func (german) Days(n int) string         { return German.Plural(int64(n), "Tag", "Tage") }
func (german) DaysOf(n, of int) string {
	return strconv.Itoa(n) + " von " + German.Plural(int64(of), "Tag", "Tagen")
}
func (german) PartOfADay() string    { return "Teil eines Tages" }
func (german) MoreDays(n int) string { return strconv.Itoa(n) + " weitere Tage" }
func (german) NoWindow() string      { return "ohne Zeitraum" }
func (german) Never() string         { return "nie" }
func (german) JustNow() string       { return "gerade eben" }

func (german) Basis(b Basis) string {
	switch b {
	case Reported:
		return "wie gemeldet"
	case Stitched:
		return "aus Tageswerten summiert"
	case Derived:
		return "abgeleitet"
	}
	return "nicht gemeldet"
}

func (german) Ago(n int, u unit) string {
	words := [...][2]string{unitMinutes: {"Minute", "Minuten"}, unitHours: {"Stunde", "Stunden"}, unitDays: {"Tag", "Tagen"}}[u]
	return "vor " + German.Plural(int64(n), words[0], words[1])
}

func (german) More() string        { return "mehr" }
func (german) Less() string        { return "weniger" }
func (german) Fewer() string       { return "weniger" }
func (german) NoChange() string    { return "unverändert" }
func (german) NoBaseline() string  { return "kein Vergleichswert" }
func (german) NotCompared() string { return "nicht verglichen" }

func (german) Points(size string, one bool) string {
	if one {
		return size + " Punkt"
	}
	return size + " Punkte"
}

func (german) PointsMoved(points string, up bool) string {
	if up {
		return points + " höher"
	}
	return points + " niedriger"
}

func (german) Under(size string) string { return "unter " + size }

func (german) OpenStores() string { return "Shops öffnen" }

func (german) OpenStore() string { return "Shop öffnen" }

func (german) Stores(n int64) string { return German.Plural(n, "Shop", "Shops") }

func (german) NoStoreOpen() string { return "Für Sie ist kein Shop freigegeben." }

func (german) NoneComparable() string {
	return "Noch lässt sich kein Shop mit der Vorwoche vergleichen"
}

func (g german) YourStore(moved Direction, week bool) string {
	switch moved {
	case Up:
		return "Ihr Shop hat mehr eingebracht als " + g.before(week)
	case Down:
		return "Ihr Shop hat weniger eingebracht als " + g.before(week)
	}
	return "Ihr Shop hat so viel eingebracht wie " + g.before(week)
}

func (german) before(week bool) string {
	if week {
		return "in der Woche davor"
	}
	return "an ebenso vielen Tagen davor"
}

func (g german) StoresEarnedMore(more, of int64, week bool) string {
	return German.Count(more) + " von " + German.Plural(of, "Shop", "Shops") + " brachten mehr ein als " + g.before(week)
}

func (german) AndMissDays(n int64) string {
	return "; bei " + German.Plural(n, "Shop", "Shops") + " fehlen Tage"
}

func (german) AndNeedPerson(n int64) string {
	return "; " + German.Plural(n, "Shop erfordert", "Shops erfordern") + " Ihre Aufmerksamkeit"
}

func (german) DigestSubject(more, less int64, dates string) string {
	return German.Count(more) + " mit mehr, " + German.Count(less) + " mit weniger, " + dates
}

func (german) WeekOf(dates string) string { return "Woche vom " + dates }

func (german) DaysByStore() string { return "gezählte Tage stehen bei jedem Shop" }

func (german) ComparedByStore() string {
	return "jeder Shop verglichen mit ebenso vielen Tagen davor"
}

func (german) OwnClocks() string { return "jeder Shop in seiner Zeitzone" }

func (german) ReportedAndStitched(reported, stitched int64) string {
	return German.Count(reported) + " wie gemeldet, " + German.Count(stitched) + " aus Tageswerten summiert"
}

func (german) EarnedMore() string { return "Mehr als zuvor" }

func (german) EarnedLess() string { return "Weniger als zuvor" }

func (german) NeedPerson() string { return "Erfordern Aufmerksamkeit" }

func (german) GrewMost() string { return "Am meisten gewachsen" }

func (german) FellMost() string { return "Am meisten gefallen" }

func (german) AllStores() string { return "Alle Shops" }

func (german) NoNumbers() string { return "keine Zahlen" }

func (german) TwoCurrenciesHere() string { return "zwei Währungen" }

func (german) NoOffersHere() string { return "noch keine Angebote" }

func (german) Doubt(f Flag) string {
	switch f {
	case FlagChanged:
		return "wird aktualisiert"
	case FlagDrift:
		return "Tageswerte weichen ab"
	case FlagRateDisagrees:
		return "Quote passt nicht zu ihren Teilen"
	case FlagIncomplete:
		return "Antwort unvollständig"
	}
	return "wird geprüft"
}

func (german) LastGood() string { return "letzte gute Zahlen" }

func (german) MoreNotWhole(n int64) string {
	return German.Plural(n, "weiterer Shop ist", "weitere Shops sind") + " unvollständig; Details auf der Seite."
}

func (german) OfCompared(n int64) string { return "von " + German.Count(n) + " verglichenen" }

func (german) OfStores(n int64) string { return "von " + German.Plural(n, "Shop", "Shops") }

func (german) FirstByName(n, more int64) string {
	return "die ersten " + German.Count(n) + " nach Namen; " + German.Count(more) + " weitere auf der Seite"
}

func (german) UpsoldOf(upsold int64, rate string, orders int64) string {
	return German.Plural(upsold, "Bestellung", "Bestellungen") + " mit Upsell · " + rate + " von " + German.Count(orders)
}

func (german) StoreNeeds(c need, since string) string {
	text := map[need]string{
		needsServices:      "Nicht verbunden",
		needsUpsellToken:   "Upsell-Token abgelehnt",
		needsUpsellAddress: "Upsell-Adresse abgelehnt",
		needsGiftKey:       "Geschenk-Schlüssel abgelehnt",
		needsGiftAddress:   "Geschenk-Adresse abgelehnt",
		needsGiftPlan:      "Geschenk-Tarif abgelaufen",
		needsGiftTrial:     "Geschenk-Testphase abgelaufen",
		needsGiftApp:       "Geschenk-App deinstalliert",
		needsEmbed:         "Das Geschenk-Widget kann nicht erscheinen",
		needsCampaigns:     "Mehr Geschenk-Kampagnen als der Tarif erlaubt",
		needsRevenue:       "Umsatzgrenze des Geschenk-Tarifs erreicht",
	}[c]
	if since != "" {
		text += " seit " + since
	}
	return text
}

func (german) StoreWithout(store string, c Cause) string {
	switch c {
	case CauseNeverConnected:
		return store + ": Upsells sind nicht verbunden."
	case CauseFilling:
		return store + ": Die ersten Zahlen sind unterwegs."
	}
	return store + ": Kein Tag dieser Woche ist gespeichert."
}

func (german) StoreInTwoCurrencies(store string) string {
	return store + ": Die Tage sind in zwei Währungen, die nicht addiert werden."
}

func (german) StoreNotOver(store, days string, n int) string {
	if n == 1 {
		return store + ": " + days + " ist dort noch nicht vorbei und nicht mitgezählt."
	}
	return store + ": " + days + " sind dort noch nicht vorbei und nicht mitgezählt."
}

func (g german) StoreMissing(store, days string, n int) string {
	return store + ": " + days + g.missing(n) + "; der wahre Umsatz kann höher sein."
}

func (german) StoreNotCompared(store string, c uncompared) string {
	return store + " ist nicht verglichen: " + map[uncompared]string{
		isLastGood:      "Das sind die letzten guten Zahlen.",
		isNotWhole:      "Ein Tag war noch nicht vorbei, als seine Zahlen kamen.",
		beforeNotStored: "Die Woche davor ist nicht gespeichert.",
		beforeNotWhole:  "Tage der Woche davor fehlen.",
		beforeOtherwise: "Die Woche davor ist in einer anderen Währung.",
	}[c]
}

// TimeOf is "New Yorker Zeit" where "er" can follow the city's name.
func (german) TimeOf(city string) string {
	if last, _ := utf8.DecodeLastRuneInString(city); strings.ContainsRune("aeiouyäöüéãszx)", last) {
		return "Zeit von " + city
	}
	return city + "er Zeit"
}
