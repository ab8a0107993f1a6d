package alerts

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

func TestAStoredAlertReadsInEveryLanguage(t *testing.T) {
	t.Parallel()
	in := watched()
	in.Store.Currency = "EUR"
	in.Credentials[1] = report.StoredCredential{Service: "gift", State: "paused", Cause: "NO_PLAN", Said: "Upgrade"}
	in.UpsellAt = alertNow.Add(-31 * time.Hour)
	in.Coverage[0].ActiveCount, in.Coverage[0].TotalCount = 0, 1
	in.Worked = map[string]time.Time{"placement Post-purchase upsell": alertNow.Add(-2 * 24 * time.Hour)}
	in.Checks[0].Agrees, in.Checks[0].Reported, in.Checks[0].Stitched = false, decimal.RequireFromString("1402.5"), decimal.RequireFromString("1390")
	want := map[string][4]string{
		"plan": {
			"Gift plan ended: This store is no longer on a paid gift plan, and the app revoked its keys. Upgrade the plan, then create a new key. The app said: “Upgrade.”",
			"Geschenktarif abgelaufen: Der Shop hat keinen bezahlten Geschenktarif mehr, und die App hat alle seine Schlüssel widerrufen: Buchen Sie zuerst einen Tarif und erstellen Sie dann einen neuen Schlüssel. Meldung der App: „Upgrade“.",
			"Forfait cadeaux terminé: La boutique n’a plus de forfait cadeaux payant et l’application a révoqué toutes ses clés\u00a0: reprenez d’abord un forfait, puis créez une nouvelle clé. Réponse de l’application\u00a0: «\u00a0Upgrade\u00a0».",
			"Plan de regalos terminado: La tienda ya no tiene un plan de regalos de pago y la aplicación revocó todas sus claves: contrate primero un plan y cree después una clave nueva. Respuesta de la aplicación: «Upgrade».",
		},
		"placement-off": {
			"Post-purchase upsell: no offer is active any more: Until 18 Nov an offer was active there. 1 offer exists, none is active.",
			"Post-Purchase-Upsell: kein Angebot mehr aktiv: Bis zum 18. Nov. war dort ein Angebot aktiv. 1 Angebot ist vorhanden, aber nicht aktiv.",
			"Upsell post-achat\u00a0: plus aucune offre active: Une offre y était active jusqu’au 18 nov. 1 offre existe, mais n’est pas active.",
			"Upsell poscompra: ya no hay ninguna oferta activa: Hasta el 18 de nov. había una oferta activa. Existe 1 oferta, pero no está activa.",
		},
		"sync-stale": {
			"No new upsell numbers since 19 Nov, 05:00: Nothing has been updated since. Is the worker running?",
			"Keine neuen Upsell-Zahlen seit dem 19. Nov., 05:00: Seitdem wurde nichts aktualisiert. Läuft der Worker?",
			"Aucun nouveau chiffre d’upsell depuis le 19 nov., 5\u00a0h: Rien n’a été mis à jour depuis. Le worker est-il en marche\u202f?",
			"Sin cifras nuevas de upsell desde el 19 de nov., 05:00: Desde entonces no se ha actualizado nada. ¿Está en marcha el worker?",
		},
		"drift": {
			"Reported totals differ from the stored days: 21 Oct – 19 Nov 2026: reported €1,402.50, sum of the stored days €1,390.00. Loading the days again didn’t help. The Sync page shows which days are in doubt.",
			"Gemeldete Summen weichen von den gespeicherten Tageswerten ab: 21. Okt. – 19. Nov. 2026: gemeldet 1.402,50\u00a0€, Summe der gespeicherten Tage 1.390,00\u00a0€. Erneutes Laden der Tage half nicht. Die Seite Sync zeigt, welche Tage unsicher sind.",
			"Les totaux communiqués diffèrent des jours enregistrés: Total communiqué du 21 oct. au 19 nov. 2026\u00a0: 1\u202f402,50\u00a0€\u202f; somme des jours enregistrés\u00a0: 1\u202f390,00\u00a0€. Recharger les jours n’a rien changé. La page Synchro indique les jours en cause.",
			"Los totales comunicados difieren de los días guardados: Total comunicado del 21 de oct. al 19 de nov. de 2026: 1402,50\u00a0€; suma de los días guardados: 1390,00\u00a0€. Volver a cargar los días no sirvió. La página Sincronización muestra qué días están en duda.",
		},
	}
	found, _ := Find(in, alertNow)
	for _, f := range found {
		if f.Standing != Wrong {
			continue
		}
		kept, err := json.Marshal(map[string]any{"title": f.Title, "text": f.Text})
		if err != nil {
			t.Fatal(err)
		}
		var read struct {
			Title locale.Message
			Text  locale.Sentences
		}
		if err := json.Unmarshal(kept, &read); err != nil {
			t.Fatal(err)
		}
		for _, l := range locale.All() {
			title, text := report.OpenAlert{Rule: f.Rule, Title: read.Title, Text: read.Text}.Say(l)
			if got := title + ": " + text; got != want[f.Rule][l] {
				t.Errorf("%s in %s: %q, want %q", f.Rule, l.Code(), got, want[f.Rule][l])
			}
		}
	}
}
