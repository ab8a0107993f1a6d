package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

type french struct{}

func (french) WeekNumber(n int) string         { return "semaine " + strconv.Itoa(n) }
func (french) ByDay() string                   { return "Ventes d’upsell par jour" }
func (french) NoDay() string                   { return "absent" }
func (french) WeekBefore(amount string) string { return "semaine précédente " + amount }
func (french) WorthDoing() string              { return "À faire cette semaine" }
func (french) MoreOnThePage(n int) string      { return "Et " + strconv.Itoa(n) + " de plus sur la page." }
func (french) OpenOverview() string            { return "Ouvrir la vue d’ensemble" }
func (french) SameNumbers() string {
	return "Les mêmes chiffres, avec l’origine de chacun."
}
func (french) NotInThisMail() string { return "Absent de ce message" }
func (french) Revised() string       { return "Corrigé depuis" }
func (french) Change() string        { return "Modifier" }
func (french) Stop() string          { return "Ne plus recevoir ces messages" }
func (french) Preview() string       { return "Un aperçu\u00a0: envoyé à personne." }

func (french) NoPDF() string              { return "Le PDF\u00a0: il n’a pas pu être créé sur ce serveur." }
func (french) Test(address string) string { return "Un essai, envoyé à " + address + " seulement." }
func (french) OpenInBrowser() string      { return "Ouvrir dans un navigateur" }
func (french) EarlierReports(n int) string {
	if n == 1 {
		return "Un rapport précédent n’a pas pu être envoyé. Le voici\u00a0:"
	}
	return fmt.Sprintf("%d rapports précédents n’ont pas pu être envoyés. Les voici\u00a0:", n)
}
func (french) AllReports(n int) string { return fmt.Sprintf("Les %d rapports", n) }

func (french) ChangedSince(day, was, is string) string {
	return day + "\u00a0: " + was + " dans le dernier message, maintenant " + is + "."
}

func (french) SentTo(address string, weekday time.Weekday, hour, clock string) string {
	day := [...]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}[weekday]
	if full, ok := strings.CutSuffix(hour, ":00"); ok {
		hour = strings.TrimPrefix(full, "0") + "\u00a0h"
	}
	return "Envoyé à " + address + " le " + day + " à " + hour + ", " + clock + "."
}

func (french) in(week string) string {
	if week == "" {
		return "la semaine dernière"
	}
	return "la semaine " + week
}

func (french) of(week string) string {
	if week == "" {
		return "de la semaine dernière"
	}
	return "de la semaine " + week
}

func (f french) NoOfferYet(week string) string {
	return "Il n’y a pas encore d’offre\u00a0: les upsells n’ont rien rapporté " + f.in(week) + "."
}

func (f french) NoNumbersYet(week string) string {
	return "Les chiffres d’upsell " + f.of(week) + " ne sont pas encore là."
}

func (f french) BroughtOn(value string, days int, week string) string {
	return fmt.Sprintf("Les upsells ont rapporté %s sur %d des 7 jours %s.", value, days, f.of(week))
}

func (f french) SoldNothing(week string) string {
	return "Aucun upsell n’a été vendu " + f.in(week) + "."
}

func (f french) SoldNothingAfter(before, week string) string {
	return "Aucun upsell n’a été vendu " + f.in(week) + ", après " + before + " la semaine précédente."
}

func (f french) Brought(value, week string) string {
	return "Les upsells ont rapporté " + value + " " + f.in(week) + "."
}

func (f french) BroughtMore(value string, by Delta, week string) string {
	return "Les upsells ont rapporté " + value + " " + f.in(week) + ", " + by.Amount + " " + by.Word + " que la semaine précédente."
}

func (f french) BroughtAsMuch(value, week string) string {
	return "Les upsells ont rapporté " + value + " " + f.in(week) + ", autant que la semaine précédente."
}

func (f french) BroughtAfterNothing(value, week string) string {
	return "Les upsells ont rapporté " + value + " " + f.in(week) + "\u202f; la semaine précédente n’avait rien rapporté."
}

func (french) SubjectNoNumbers(dates string) string {
	return "pas encore de chiffres d’upsell, " + dates
}
func (french) SubjectNoOffers(dates string) string { return "pas encore d’offres, " + dates }

func (french) SubjectOn(value string, days int, dates string) string {
	return fmt.Sprintf("%s d’upsells sur %d des 7 jours, %s", value, days, dates)
}

func (french) Subject(value, dates string) string { return value + " d’upsells, " + dates }

func (french) Preheader(orders, rate, window string) string {
	return "Commandes avec upsell\u00a0: " + orders + ", taux de réussite " + rate + ". " + window
}

func (french) ComparedWith(window string, week bool) string {
	if week {
		return "par rapport à la semaine " + window
	}
	return "par rapport à la période " + window
}
func (french) NotComparedAs(reason string) string { return "non comparé\u00a0: " + reason }
func (french) DaysAreMissing() string             { return "il manque des jours de cette semaine" }
func (french) AnswerNotWhole() string {
	return "un jour de cette semaine n’était pas terminé quand ses chiffres sont arrivés"
}
func (french) OtherCurrency() string { return "la semaine précédente était dans une autre devise" }
func (french) NotFullyStored(dates string) string {
	return "la semaine " + dates + " n’est pas entièrement enregistrée"
}

func (french) UpsoldValue() string  { return "Ventes d’upsell" }
func (french) UpsoldOrders() string { return "Commandes avec upsell" }
func (french) SuccessRate() string  { return "Taux de réussite" }
func (french) AverageValue() string { return "Valeur moyenne d’un upsell" }

func (french) ShareOfOrders(orders int64) string {
	if orders == 1 {
		return "Taux de réussite\u00a0: part de la seule commande."
	}
	return "Taux de réussite\u00a0: part des " + French.Count(orders) + " commandes."
}

func (french) OffersSeen(times int64) string {
	return "Les offres ont été vues " + French.Count(times) + " fois."
}

func (french) LineIsBefore() string { return "trait\u00a0: même jour de la semaine précédente" }

// missing is "manque" or "manquent".
func (french) missing(n int) string {
	if n == 1 {
		return " manque"
	}
	return " manquent"
}

func (f french) DaysMissing(days string, n int) string { return days + f.missing(n) }

func (french) Placements() string         { return "Emplacements" }
func (french) SideBySide() string         { return "côte à côte, jamais additionnés" }
func (french) SwitchedOff() string        { return "désactivée" }
func (french) NeverCreated() string       { return "aucune offre créée" }
func (french) NoRowSent() string          { return "aucune ligne envoyée" }
func (french) RevenueNotReported() string { return "ventes non communiquées" }
func (french) Impressions(n int64) string { return French.Plural(n, "affichage", "affichages") }
func (french) Claims(n int64) string      { return French.Plural(n, "acceptation", "acceptations") }

func (french) BestEarners() string { return "Meilleures offres" }
func (french) OffersEarned(n int64) string {
	return French.Plural(n, "offre a rapporté", "offres ont rapporté")
}
func (french) Deleted() string          { return "supprimée" }
func (french) MovedMost() string        { return "Plus fortes variations" }
func (french) AgainstBefore() string    { return "par rapport à la semaine précédente" }
func (french) Was(amount string) string { return "avant\u00a0: " + amount }

func (french) FreeGifts() string      { return "Cadeaux" }
func (french) NeverAdded() string     { return "jamais ajoutés aux upsells" }
func (french) GiftOrders() string     { return "Commandes avec cadeau" }
func (french) GiftRevenue() string    { return "Ventes avec cadeau" }
func (french) GiftConversion() string { return "Taux de conversion des cadeaux" }
func (french) ValueWithGift() string  { return "Panier moyen avec cadeau" }
func (french) ValueAllOrders() string { return "Panier moyen, toutes commandes" }
func (french) UnitNotKnown() string   { return "unité inconnue, donc non affiché" }
func (french) NotReported() string    { return "non communiqué" }

func (french) AllTime() string       { return "Depuis le début" }
func (french) NotOfThisWeek() string { return "pas de cette semaine" }
func (french) Orders(n int64) string { return French.Plural(n, "commande", "commandes") }
func (french) OfferViews() string    { return "Offres vues" }
func (french) AllPlacements() string { return "affichages, les quatre emplacements" }

func (french) Missing(part, title, text string) string {
	return part + "\u00a0: " + strings.TrimSpace(lowerFirst(sentence(title))+" "+sentence(text))
}

func (french) UpsellsOfTheWeek() string { return "Upsells de la semaine" }
func (french) LivePlacements() string   { return "Emplacements en ligne" }
func (french) DailyLines() string       { return "Les valeurs par jour" }
func (french) RankingOfOffers() string  { return "Le classement des offres" }
func (french) GiftsOfTheWeek() string   { return "Cadeaux de la semaine" }
func (french) ViewsNotReported() string { return "Offres vues de la semaine\u00a0: non communiqué." }

func (f french) MissingCounted(days string, n int) string {
	them := "les"
	if n == 1 {
		them = "le"
	}
	return days + f.missing(n) + " dans les valeurs par jour. Le total de la semaine est celui du service et " + them + " comprend."
}

func (f french) MissingNotCounted(days string, n int) string {
	return days + f.missing(n) + " dans les valeurs par jour. Le vrai total est plus élevé de ce qui s’est vendu alors."
}

func (f french) MissingBefore(days string, n int) string {
	return days + " de la semaine précédente" + f.missing(n) + " dans les valeurs par jour."
}

func (f french) PlacementsWithout(days string, n int) string {
	return "Emplacements\u00a0: " + days + f.missing(n) + " dans leurs sommes."
}

func (f french) GiftsWithout(days string, n int) string {
	return "Cadeaux\u00a0: " + days + f.missing(n) + " dans leurs sommes."
}

func (french) NoAnswerOfThisWeek() string {
	return "aucune réponse pour cette semaine n’est enregistrée"
}

func (french) MovesNotKept() string {
	return "Plus fortes variations\u00a0: le classement de la semaine précédente n’est pas enregistré."
}

// changed is about days of a week.
func (french) changed(days string, n int, week string) string {
	verb := " ont"
	if n == 1 {
		verb = " a"
	}
	return days + " " + week + verb + " changé après le premier relevé\u202f; les chiffres donnés ici sont les plus récents."
}

func (f french) ChangedThisWeek(days string, n int) string {
	return f.changed(days, n, "de cette semaine")
}

func (f french) ChangedBefore(days string, n int) string {
	return f.changed(days, n, "de la semaine précédente")
}

func (french) ConnectUpsells(store string) saying {
	return saying{"Connectez " + store + " pour voir ce que rapportent ses upsells", "Aucun service d’upsell n’est connecté\u00a0: il n’y a donc rien à montrer. Il faut un jeton en lecture seule, dans les réglages de l’application, Developer Tools."}
}

func (french) UpsellsNotConnected(store string) saying {
	return saying{"Les upsells ne sont pas connectés", "Aucun service d’upsell n’est connecté pour " + store + ". Il faut un jeton en lecture seule, dans les réglages de l’application, Developer Tools."}
}

func (french) GiftsNotConnected(store string) saying {
	return saying{"Les cadeaux ne sont pas connectés", "Aucun service de cadeaux n’est connecté pour " + store + ". Il faut une clé en lecture, dans les réglages de l’application, Store API."}
}

func (french) FirstNumbersOnTheWay() saying {
	return saying{"Les premiers chiffres arrivent", "La boutique est connectée et ses premiers relevés attendent leur tour."}
}

func (french) OnTheWay(t thing) saying {
	what := [...]string{
		theRanking: "Le classement arrive", theAllTimeTotal: "Le total depuis le début arrive", theCoverage: "L’état des emplacements arrive", theOfferCount: "Le nombre d’offres arrive",
		theGiftResult: "Le résultat des cadeaux arrive", theGiftPlan: "Le forfait des cadeaux arrive", theSetupHealth: "L’état de l’installation arrive",
	}[t]
	return saying{what, "La boutique est connectée\u202f; ce relevé attend son tour."}
}

func (french) NoDayStored(from, to, dates string) saying {
	return saying{"Aucun jour de cette période n’est enregistré", "L’historique enregistré va du " + from + " au " + to + ". La période " + dates + " est en dehors."}
}

func (french) NoRanking(days string) saying {
	return saying{"Pas de classement pour cette période", "Le service classe 7, 30 et 90 jours finissant hier. Les autres périodes sont additionnées à partir des classements quotidiens. Sans classement complet : " + days + "."}
}

func (french) NoOffers() saying {
	return saying{"Pas encore d’offres dans cette boutique", "Le service a répondu\u00a0: 0 offre, quel que soit l’état. Ces zéros sont réels."}
}

func (french) NothingEarned() saying {
	return saying{"Aucune offre n’a rapporté pendant cette période", "Le service a répondu par un classement vide. Les offres qui n’ont rien rapporté ne sont pas classées."}
}

func (french) NoGiftAnswer() saying {
	return saying{"Pas de réponse du service de cadeaux pour cette période", "Ce service répond pour 1, 7, 30, 90 et 365 jours finissant hier. Les autres périodes sont faites des jours enregistrés, et aucun jour de celle-ci ne l’est."}
}

func (french) TwoCurrencies(before, after, day string) saying {
	return saying{"Deux devises dans une période", "La boutique est passée de " + before + " à " + after + " le " + day + ". Des montants en deux devises ne s’additionnent pas\u00a0: choisissez une période d’un côté de ce jour."}
}

func (french) CurrencyChanged(day string) saying {
	return saying{"Deux devises dans une période", "La boutique a changé de devise le " + day + ". Choisissez une période d’un côté de ce jour."}
}

func (french) NoGiftRate() string {
	return "Le service envoie le taux sans ses composantes, et on ne fait jamais la moyenne des taux par jour."
}

func (french) NoGiftAverage() string {
	return "Le service envoie la moyenne sans ses composantes, et on ne fait jamais la moyenne de moyennes par jour."
}

func (french) RepairedGiftDay() string {
	return "D’un jour reconstitué, on n’a que les commandes et les ventes."
}

func (french) NotPulledSince(day string) string {
	return "Pas de nouveau relevé depuis le " + day + ". Vous voyez les derniers bons chiffres."
}

func (french) FirstTryFailed(ago string) string {
	return "Encore jamais relevé\u00a0: le premier essai a échoué " + ago + "."
}

func (french) NeverPulled() string { return "Encore jamais relevé." }

func (french) NotPulledAgain(days string) string {
	return "Pas de nouvelle réponse pour " + days + ". Vous voyez les derniers bons chiffres."
}

func (french) NotPulled(days string) string { return "Pas de réponse pour " + days + "." }

// service is "service de cadeaux" or "service d’upsell".
func (french) service(name string) string {
	if name == "gift" {
		return "service de cadeaux"
	}
	return "service d’upsell"
}

func (f french) Disconnected(service string) string {
	return "Le " + f.service(service) + " a été déconnecté\u00a0: rien de plus récent n’est relevé."
}

func (french) Overdue(ago string) string {
	return "Le prochain relevé était prévu " + ago + " et n’a pas eu lieu\u00a0: le worker tourne-t-il\u202f?"
}

func (f french) NeedsPerson(service string) string {
	return "Le " + f.service(service) + " attend votre intervention."
}

func (french) Told(outcome, _ string) string {
	switch outcome {
	case "refused":
		return "Le service a refusé ce relevé. Les détails sont sur la page Sync."
	case "quarantined":
		return "La réponse n’était pas telle que le service la décrit et n’a pas été reprise. Les détails sont sur la page Sync."
	case "paused":
		return "L’accès est suspendu. Les détails sont sur la page Sync."
	}
	return "Le relevé a échoué et sera refait. Les détails sont sur la page Sync."
}

func (french) Advice(service, cause, _ string) string {
	switch adviceOn(service, cause) {
	case adviceShop:
		return "Le service d’upsell refuse ce jeton pour l’adresse utilisée. Copiez l’adresse de base dans les réglages de l’application, Developer Tools, et reconnectez la boutique."
	case adviceToken:
		return "Le jeton d’upsell est refusé. Vérifiez dans les réglages de l’application, Developer Tools, si elle est installée et si le jeton a été révoqué, puis reconnectez la boutique."
	case adviceTrial:
		return "L’essai du forfait cadeaux est terminé et le forfait n’est pas payé. Un appel ferait maintenant révoquer toutes les clés de la boutique\u00a0: il n’y en a donc pas. Choisissez un forfait dans l’application de cadeaux, puis relancez cette boutique."
	case advicePlan:
		return "La boutique n’a plus de forfait cadeaux payant et le service a révoqué toutes ses clés\u00a0: reprenez d’abord un forfait, puis créez une nouvelle clé."
	case adviceUninstalled:
		return "L’application de cadeaux a été désinstallée. Une nouvelle clé n’y changera rien\u00a0: réinstallez l’application, puis créez une clé."
	case adviceSurface:
		return "Cette clé est faite pour l’assistant (MCP), pas pour Store API. Créez une clé pour Store API."
	case adviceScope:
		return "Le niveau d’accès de la clé est trop bas. Passez-le à la lecture dans les réglages de l’application\u202f; la clé reste la même."
	case adviceHeader:
		return "La clé n’est pas arrivée au service. Quelque chose en chemin retire l’en-tête Authorization\u202f; la clé elle-même peut être bonne."
	}
	return "La clé de cadeaux est refusée. Créez-en une nouvelle dans les réglages de l’application, Store API, et reconnectez la boutique."
}

func (f french) Doubted(service string, outage bool) saying {
	if outage {
		return saying{"Le " + f.service(service) + " refuse actuellement de nombreuses boutiques.", "Le problème vient sans doute du service. Rien à faire pour l’instant\u00a0: Storeglass continue de vérifier et reprendra de lui-même."}
	}
	return saying{"Le " + f.service(service) + " a refusé l’accès.", "C’est souvent passager. Rien à faire pour l’instant\u00a0: Storeglass continue de vérifier et reprendra de lui-même."}
}

func (french) ChecksAgain(day, clock string) string {
	return "Prochaine vérification\u00a0: " + day + " à " + clock + "."
}

func (french) GiftWidgetOff(theme, fix string) saying {
	s := saying{"Le widget de cadeaux ne peut pas apparaître", "L’intégration de l’application est désactivée dans le thème en ligne."}
	if theme != "" {
		s.text = "L’intégration de l’application est désactivée dans le thème en ligne, " + theme + "."
	}
	s.text += " " + fix
	return s
}

func (french) ThemeWithoutBlocks() string {
	return "Le thème en ligne ne peut pas montrer le widget de cadeaux"
}
func (french) NoCampaign() string       { return "Il n’y a aucune campagne de cadeaux" }
func (french) NoActiveCampaign() string { return "Aucune campagne de cadeaux n’est active" }

func (french) Fix(code string) string {
	switch code {
	case "APP_EMBED_DISABLED":
		return "Dans l’éditeur de thème, ouvrez les intégrations d’applications, activez le widget de cadeaux et enregistrez."
	case "THEME_NOT_OS2":
		return "Le thème en ligne n’accepte pas les blocs d’application\u00a0: publiez un thème qui les accepte, ou ajoutez le widget à la main comme le dit son guide."
	case "NO_CAMPAIGN":
		return "Créez la première campagne dans l’application de cadeaux."
	case "NO_ACTIVE_CAMPAIGN":
		return "Activez une campagne, ou donnez à l’une d’elles une date de début déjà venue."
	}
	return ""
}

func (french) PlacementOff(placement string, offers int64) saying {
	exist := "Il y a 1 offre, elle n’est pas active."
	if offers != 1 {
		exist = "Il y a " + French.Count(offers) + " offres, aucune n’est active."
	}
	return saying{placement + "\u00a0: offre désactivée", exist}
}

func (french) SeeOffers(n int64) string {
	if n == 1 {
		return "Voir l’offre"
	}
	return "Voir les " + French.Count(n) + " offres"
}

func (french) NeverMade(placements string) saying {
	return saying{"Aucune offre créée\u00a0: " + placements, "Aucune offre n’y a jamais été créée, dans aucun état."}
}

func (french) TooManyCampaigns() saying {
	return saying{"Plus de campagnes que n’en permet le forfait cadeaux", "Désactivez des campagnes ou changez de forfait dans l’application de cadeaux."}
}

func (french) OffersSoldNothing(n int64) saying {
	if n == 1 {
		return saying{"1 offre active n’a rien vendu pendant cette période", "Elle était active tous les jours."}
	}
	return saying{French.Count(n) + " offres actives n’ont rien vendu pendant cette période", "Elles étaient actives tous les jours."}
}

func (french) ShowTheseOffers(n int64) string {
	if n < 2 {
		return "Afficher cette offre"
	}
	return "Afficher ces offres"
}

func (french) LinesDiffer(reported, stitched string) saying {
	return saying{"Les valeurs par jour et le total communiqué diffèrent", "Communiqué\u00a0: " + reported + ", somme des jours enregistrés\u00a0: " + stitched + ". Les jours sont relevés à nouveau."}
}

func (french) MakeFirstOffer(orders int64) saying {
	return saying{"Créez la première offre", French.Plural(orders, "commande est passée", "commandes sont passées") + " sans upsell."}
}

func (french) TriggersDeleted(offers int64) string {
	return French.Count(offers) + " offres ont un déclencheur supprimé"
}

func (french) TriggerDeleted(kind string, n int) string {
	k, ok := frenchKinds[kind]
	switch {
	case !ok:
		return "Un élément cité par un déclencheur a été supprimé"
	case n > 1:
		return strconv.Itoa(n) + " " + k.many
	}
	return k.one
}

var frenchKinds = map[string]struct{ one, many, gone string }{
	"product":    {"Un produit déclencheur a été supprimé", "produits déclencheurs ont été supprimés", "un produit supprimé"},
	"collection": {"Une collection déclencheuse a été supprimée", "collections déclencheuses ont été supprimées", "une collection supprimée"},
	"tag":        {"Un tag déclencheur a été supprimé", "tags déclencheurs ont été supprimés", "un tag supprimé"},
}

func (french) StillName(offer string, others int64) string {
	if others == 1 {
		return offer + " et 1 autre renvoient encore à des éléments supprimés."
	}
	return offer + " et " + French.Count(others) + " autres renvoient encore à des éléments supprimés."
}

func (french) StillNames(offer, gone string, more int) string {
	switch {
	case gone == "":
		return offer + " renvoie encore à un élément supprimé."
	case more == 0:
		return offer + " renvoie encore à " + gone + "."
	}
	return offer + " renvoie encore à " + gone + " et " + French.Plural(int64(more), "autre", "autres") + "."
}

func (french) Gone(kind string) string {
	if k, ok := frenchKinds[kind]; ok {
		return k.gone
	}
	return "un élément supprimé"
}

func (french) OpenOffer() string { return "Ouvrir l’offre" }
func (french) Sync() string      { return "Voir les relevés" }

func (french) Colon() string             { return "\u00a0: " }
func (french) And() string               { return "et" }
func (french) Quoted(name string) string { return "«\u00a0" + name + "\u00a0»" }
func (french) Days(n int) string         { return French.Plural(int64(n), "jour", "jours") }
func (f french) DaysOf(n, of int) string { return strconv.Itoa(n) + " sur " + f.Days(of) }
func (french) PartOfADay() string        { return "une partie d’un jour" }
func (french) MoreDays(n int) string     { return strconv.Itoa(n) + " autres jours" }
func (french) NoWindow() string          { return "sans période" }
func (french) Never() string             { return "jamais" }
func (french) JustNow() string           { return "à l’instant" }

func (french) TimeOf(city string) string {
	switch rest, le := strings.CutPrefix(city, "Le "); {
	case le:
		return "heure du " + rest
	case strings.IndexAny(city, "AÁÂEÉIÎOU") == 0:
		return "heure d’" + city
	}
	return "heure de " + city
}

func (french) Basis(b Basis) string {
	switch b {
	case Reported:
		return "selon le service"
	case Stitched:
		return "somme des jours"
	case Derived:
		return "déduit"
	}
	return "non communiqué"
}

func (french) Ago(n int, u unit) string {
	words := [...][2]string{unitMinutes: {"minute", "minutes"}, unitHours: {"heure", "heures"}, unitDays: {"jour", "jours"}}[u]
	return "il y a " + French.Plural(int64(n), words[0], words[1])
}

func (french) More() string        { return "de plus" }
func (french) Less() string        { return "de moins" }
func (french) Fewer() string       { return "de moins" }
func (french) NoChange() string    { return "inchangé" }
func (french) NoBaseline() string  { return "pas de base de comparaison" }
func (french) NotCompared() string { return "non comparé" }

func (french) Points(size string, one bool) string {
	if one || strings.HasPrefix(size, "0") {
		return size + " point"
	}
	return size + " points"
}

func (french) PointsMoved(points string, up bool) string {
	if up {
		return "en hausse de " + points
	}
	return "en baisse de " + points
}

func (french) Under(size string) string { return "moins de " + size }

func (french) OpenStores() string { return "Ouvrir les boutiques" }

func (french) OpenStore() string { return "Ouvrir la boutique" }

func (french) Stores(n int64) string { return French.Plural(n, "boutique", "boutiques") }

func (french) NoStoreOpen() string { return "Aucune boutique ne vous est ouverte." }

func (french) NoneComparable() string {
	return "Aucune boutique ne se compare encore à la semaine précédente"
}

func (f french) YourStore(moved Direction, week bool) string {
	switch moved {
	case Up:
		return "Votre boutique a rapporté plus que " + f.before(week)
	case Down:
		return "Votre boutique a rapporté moins que " + f.before(week)
	}
	return "Votre boutique a rapporté autant que " + f.before(week)
}

func (french) before(week bool) string {
	if week {
		return "la semaine précédente"
	}
	return "sur autant de jours avant"
}

func (french) StoresEarnedMore(more, of int64, week bool) string {
	than := "sur la semaine précédente"
	if !week {
		than = "par rapport à autant de jours avant"
	}
	return French.Plural(of, "boutique", "boutiques") + ", dont " + French.Count(more) + " en hausse " + than
}

func (french) AndMissDays(n int64) string {
	return "\u00a0; il manque des jours pour " + French.Plural(n, "boutique", "boutiques")
}

func (french) AndNeedPerson(n int64) string {
	return "\u00a0; " + French.Plural(n, "boutique", "boutiques") + " à traiter"
}

func (french) DigestSubject(more, less int64, dates string) string {
	return French.Count(more) + " en hausse, " + French.Count(less) + " en baisse, " + dates
}

func (french) WeekOf(dates string) string { return "semaine " + dates }

func (french) DaysByStore() string { return "jours comptés indiqués par boutique" }

func (french) ComparedByStore() string {
	return "chaque boutique par rapport à autant de jours avant"
}

func (french) OwnClocks() string { return "chaque boutique dans son fuseau horaire" }

func (french) ReportedAndStitched(reported, stitched int64) string {
	return French.Plural(reported, "valeur", "valeurs") + " du service, " + French.Count(stitched) + " par somme des jours"
}

func (french) EarnedMore() string { return "En hausse" }

func (french) EarnedLess() string { return "En baisse" }

func (french) NeedPerson() string { return "À traiter" }

func (french) GrewMost() string { return "Plus fortes hausses" }

func (french) FellMost() string { return "Plus fortes baisses" }

func (french) AllStores() string { return "Toutes les boutiques" }

func (french) NoNumbers() string { return "pas de chiffres" }

func (french) TwoCurrenciesHere() string { return "deux devises" }

func (french) NoOffersHere() string { return "pas encore d’offre" }

func (french) Doubt(f Flag) string {
	switch f {
	case FlagChanged:
		return "mise à jour en cours"
	case FlagDrift:
		return "les jours ne concordent pas"
	case FlagRateDisagrees:
		return "le taux ne correspond pas à ses composantes"
	case FlagIncomplete:
		return "réponse incomplète"
	}
	return "en cours de vérification"
}

func (french) LastGood() string { return "derniers chiffres valables" }

func (french) MoreNotWhole(n int64) string {
	return French.Plural(n, "autre boutique est incomplète", "autres boutiques sont incomplètes") + "\u00a0; détails sur la page."
}

func (french) OfCompared(n int64) string { return "sur " + French.Plural(n, "comparée", "comparées") }

func (french) OfStores(n int64) string { return "sur " + French.Plural(n, "boutique", "boutiques") }

func (french) FirstByName(n, more int64) string {
	return "les " + French.Count(n) + " premières par nom\u00a0; " + French.Count(more) + " de plus sur la page"
}

func (french) UpsoldOf(upsold int64, rate string, orders int64) string {
	return French.Plural(upsold, "commande", "commandes") + " avec upsell · " + rate + " sur " + French.Count(orders)
}

func (french) StoreNeeds(c need, since string) string {
	text := map[need]string{
		needsServices:      "Pas connectée",
		needsUpsellToken:   "Jeton upsell refusé",
		needsUpsellAddress: "Adresse upsell refusée",
		needsGiftKey:       "Clé cadeaux refusée",
		needsGiftAddress:   "Adresse cadeaux refusée",
		needsGiftPlan:      "Forfait cadeaux terminé",
		needsGiftTrial:     "Essai cadeaux terminé",
		needsGiftApp:       "App cadeaux désinstallée",
		needsEmbed:         "Le widget cadeaux ne peut pas s’afficher",
		needsCampaigns:     "Plus de campagnes cadeaux que le forfait n’en permet",
		needsRevenue:       "Plafond de chiffre d’affaires du forfait cadeaux atteint",
	}[c]
	if since != "" {
		text += " depuis le " + since
	}
	return text
}

func (french) StoreWithout(store string, c Cause) string {
	switch c {
	case CauseNeverConnected:
		return store + "\u00a0: les upsells ne sont pas connectés."
	case CauseFilling:
		return store + "\u00a0: les premiers chiffres sont en route."
	}
	return store + "\u00a0: aucun jour de cette semaine n’est enregistré."
}

func (french) StoreInTwoCurrencies(store string) string {
	return store + "\u00a0: ses jours sont en deux devises, qui ne s’additionnent pas."
}

func (french) StoreNotOver(store, days string, n int) string {
	if n == 1 {
		return store + "\u00a0: le " + days + " n’y est pas terminé et n’est pas compté."
	}
	return store + "\u00a0: " + days + " n’y sont pas terminés et ne sont pas comptés."
}

func (f french) StoreMissing(store, days string, n int) string {
	return store + "\u00a0: " + days + f.missing(n) + "\u00a0; le vrai montant peut être plus élevé."
}

func (french) StoreNotCompared(store string, c uncompared) string {
	return store + " n’est pas comparée\u00a0: " + map[uncompared]string{
		isLastGood:      "ce sont les derniers chiffres valables.",
		isNotWhole:      "un jour n’était pas terminé quand ses chiffres sont arrivés.",
		beforeNotStored: "la semaine précédente n’est pas enregistrée.",
		beforeNotWhole:  "il manque des jours de la semaine précédente.",
		beforeOtherwise: "la semaine précédente est dans une autre devise.",
	}[c]
}
