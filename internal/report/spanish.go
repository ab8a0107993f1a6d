package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

type spanish struct{}

func (spanish) WeekNumber(n int) string         { return "semana " + strconv.Itoa(n) }
func (spanish) ByDay() string                   { return "Ventas de upsell por día" }
func (spanish) NoDay() string                   { return "falta" }
func (spanish) WeekBefore(amount string) string { return "semana anterior " + amount }
func (spanish) WorthDoing() string              { return "Tareas para esta semana" }
func (spanish) MoreOnThePage(n int) string      { return "Y " + strconv.Itoa(n) + " más en la página." }
func (spanish) OpenOverview() string            { return "Abrir el resumen" }
func (spanish) SameNumbers() string             { return "Las mismas cifras, con el origen de cada una." }
func (spanish) NotInThisMail() string           { return "No está en este correo" }
func (spanish) Revised() string                 { return "Corregido después" }
func (spanish) Change() string                  { return "Cambiar" }
func (spanish) Stop() string                    { return "Cancelar la suscripción" }
func (spanish) Preview() string                 { return "Vista previa: no se ha enviado a nadie." }

func (spanish) NoPDF() string              { return "El PDF: no se pudo crear en este servidor." }
func (spanish) Test(address string) string { return "Una prueba, enviada solo a " + address + "." }
func (spanish) OpenInBrowser() string      { return "Abrir en el navegador" }
func (spanish) EarlierReports(n int) string {
	if n == 1 {
		return "No pudimos enviar 1 informe anterior. Puede verlo aquí:"
	}
	return fmt.Sprintf("No pudimos enviar %d informes anteriores. Puede verlos aquí:", n)
}
func (spanish) AllReports(n int) string { return fmt.Sprintf("Los %d informes", n) }

func (spanish) ChangedSince(day, was, is string) string {
	return day + ": " + was + " en el último correo, ahora " + is + "."
}

func (spanish) SentTo(address string, weekday time.Weekday, hour, clock string) string {
	day := [...]string{"domingos", "lunes", "martes", "miércoles", "jueves", "viernes", "sábados"}[weekday]
	return "Enviado a " + address + " los " + day + " a las " + hour + ", " + clock + "."
}

func (spanish) in(week string) string {
	if week == "" {
		return "la semana pasada"
	}
	return "en la semana " + week
}

func (spanish) of(week string) string {
	if week == "" {
		return "de la semana pasada"
	}
	return "de la semana " + week
}

func (s spanish) NoOfferYet(week string) string {
	return "Aún no hay ninguna oferta, así que los upsells no aportaron nada " + s.in(week) + "."
}

func (s spanish) NoNumbersYet(week string) string {
	return "Aún no hay cifras de upsell " + s.of(week) + "."
}

func (s spanish) BroughtOn(value string, days int, week string) string {
	return fmt.Sprintf("Los upsells aportaron %s en %d de los 7 días %s.", value, days, s.of(week))
}

func (s spanish) SoldNothing(week string) string {
	return "No se vendió ningún upsell " + s.in(week) + "."
}

func (s spanish) SoldNothingAfter(before, week string) string {
	return "No se vendió ningún upsell " + s.in(week) + ", tras " + before + " la semana anterior."
}

func (s spanish) Brought(value, week string) string {
	return "Los upsells aportaron " + value + " " + s.in(week) + "."
}

func (s spanish) BroughtMore(value string, by Delta, week string) string {
	return "Los upsells aportaron " + value + " " + s.in(week) + ", un " + by.Amount + " " + by.Word + " que la semana anterior."
}

func (s spanish) BroughtAsMuch(value, week string) string {
	return "Los upsells aportaron " + value + " " + s.in(week) + ", lo mismo que la semana anterior."
}

func (s spanish) BroughtAfterNothing(value, week string) string {
	return "Los upsells aportaron " + value + " " + s.in(week) + "; la semana anterior no aportó nada."
}

func (spanish) SubjectNoNumbers(dates string) string { return "aún sin cifras de upsell, " + dates }
func (spanish) SubjectNoOffers(dates string) string  { return "aún sin ofertas, " + dates }

func (spanish) SubjectOn(value string, days int, dates string) string {
	return fmt.Sprintf("%s de upsells en %d de 7 días, %s", value, days, dates)
}

func (spanish) Subject(value, dates string) string { return value + " de upsells, " + dates }

func (spanish) Preheader(orders, rate, window string) string {
	return "Pedidos con upsell: " + orders + ", tasa de éxito " + rate + ". " + window
}

func (spanish) ComparedWith(window string, week bool) string {
	if week {
		return "en comparación con la semana " + window
	}
	return "en comparación con el periodo " + window
}
func (spanish) NotComparedAs(reason string) string { return "sin comparar: " + reason }
func (spanish) DaysAreMissing() string             { return "faltan días de esta semana" }
func (spanish) AnswerNotWhole() string {
	return "un día de esta semana no había terminado cuando llegaron sus cifras"
}
func (spanish) OtherCurrency() string { return "la semana anterior estaba en otra moneda" }
func (spanish) NotFullyStored(dates string) string {
	return "la semana " + dates + " no está guardada por completo"
}

func (spanish) UpsoldValue() string  { return "Ventas de upsell" }
func (spanish) UpsoldOrders() string { return "Pedidos con upsell" }
func (spanish) SuccessRate() string  { return "Tasa de éxito" }
func (spanish) AverageValue() string { return "Valor medio por upsell" }

func (spanish) ShareOfOrders(orders int64) string {
	if orders == 1 {
		return "Tasa de éxito: porcentaje del único pedido."
	}
	return "Tasa de éxito: porcentaje de los " + Spanish.Count(orders) + " pedidos."
}

func (spanish) OffersSeen(times int64) string {
	if times == 1 {
		return "Las ofertas se vieron 1 vez."
	}
	return "Las ofertas se vieron " + Spanish.Count(times) + " veces."
}

func (spanish) LineIsBefore() string { return "línea: mismo día de la semana anterior" }

// missing is "falta" or "faltan".
func (spanish) missing(n int) string {
	if n == 1 {
		return "falta "
	}
	return "faltan "
}

func (s spanish) DaysMissing(days string, n int) string { return s.missing(n) + days }

func (spanish) Placements() string         { return "Ubicaciones" }
func (spanish) SideBySide() string         { return "una junto a otra, nunca sumadas" }
func (spanish) SwitchedOff() string        { return "desactivada" }
func (spanish) NeverCreated() string       { return "nunca creada" }
func (spanish) NoRowSent() string          { return "ninguna fila enviada" }
func (spanish) RevenueNotReported() string { return "ventas no comunicadas" }
func (spanish) Impressions(n int64) string {
	return Spanish.Plural(n, "visualización", "visualizaciones")
}
func (spanish) Claims(n int64) string { return Spanish.Plural(n, "aceptación", "aceptaciones") }

func (spanish) BestEarners() string { return "Las que más aportan" }
func (spanish) OffersEarned(n int64) string {
	return Spanish.Plural(n, "oferta aportó algo", "ofertas aportaron algo")
}
func (spanish) Deleted() string          { return "eliminada" }
func (spanish) MovedMost() string        { return "Las que más cambiaron" }
func (spanish) AgainstBefore() string    { return "respecto a la semana anterior" }
func (spanish) Was(amount string) string { return "antes " + amount }

func (spanish) FreeGifts() string      { return "Regalos" }
func (spanish) NeverAdded() string     { return "nunca se suman a los upsells" }
func (spanish) GiftOrders() string     { return "Pedidos con regalo" }
func (spanish) GiftRevenue() string    { return "Ventas con regalo" }
func (spanish) GiftConversion() string { return "Conversión de los regalos" }
func (spanish) ValueWithGift() string  { return "Valor medio del pedido con regalo" }
func (spanish) ValueAllOrders() string { return "Valor medio del pedido, todos los pedidos" }
func (spanish) UnitNotKnown() string   { return "unidad desconocida, no se muestra" }
func (spanish) NotReported() string    { return "no comunicado" }

func (spanish) AllTime() string       { return "Desde el principio" }
func (spanish) NotOfThisWeek() string { return "no es de esta semana" }
func (spanish) Orders(n int64) string { return Spanish.Plural(n, "pedido", "pedidos") }
func (spanish) OfferViews() string    { return "Ofertas vistas" }
func (spanish) AllPlacements() string { return "visualizaciones, las cuatro ubicaciones" }

func (spanish) Missing(part, title, text string) string {
	return part + ": " + strings.TrimSpace(lowerFirst(sentence(title))+" "+sentence(text))
}

func (spanish) UpsellsOfTheWeek() string { return "Upsells de la semana" }
func (spanish) LivePlacements() string   { return "Ubicaciones activas" }
func (spanish) DailyLines() string       { return "Los valores por día" }
func (spanish) RankingOfOffers() string  { return "La clasificación de ofertas" }
func (spanish) GiftsOfTheWeek() string   { return "Regalos de la semana" }
func (spanish) ViewsNotReported() string { return "Ofertas vistas de la semana: no comunicado." }

func (s spanish) MissingCounted(days string, n int) string {
	them := "los"
	if n == 1 {
		them = "lo"
	}
	return "En los valores por día " + s.missing(n) + days + ". El total de la semana es el del servicio y " + them + " incluye."
}

func (s spanish) MissingNotCounted(days string, n int) string {
	return "En los valores por día " + s.missing(n) + days + ". El total real es mayor, por lo que se vendió entonces."
}

func (s spanish) MissingBefore(days string, n int) string {
	return "En los valores por día " + s.missing(n) + days + " de la semana anterior."
}

func (s spanish) PlacementsWithout(days string, n int) string {
	return "Ubicaciones: en sus sumas " + s.missing(n) + days + "."
}

func (s spanish) GiftsWithout(days string, n int) string {
	return "Regalos: en sus sumas " + s.missing(n) + days + "."
}

func (spanish) NoAnswerOfThisWeek() string {
	return "no hay guardada ninguna respuesta de esta semana"
}

func (spanish) MovesNotKept() string {
	return "Ofertas que más cambiaron: la clasificación de la semana anterior no está guardada."
}

// changed is about days of a week.
func (spanish) changed(days string, n int, week string) string {
	verb := " cambiaron"
	if n == 1 {
		verb = " cambió"
	}
	return days + " " + week + verb + " después de la primera consulta; estas cifras son las más recientes."
}

func (s spanish) ChangedThisWeek(days string, n int) string {
	return s.changed(days, n, "de esta semana")
}

func (s spanish) ChangedBefore(days string, n int) string {
	return s.changed(days, n, "de la semana anterior")
}

func (spanish) ConnectUpsells(store string) saying {
	return saying{"Falta conectar " + store + " para ver lo que aportan sus upsells", "Ningún servicio de upsell está conectado, así que todavía no hay nada que mostrar. Hace falta un token de solo lectura, en los ajustes de la aplicación, Developer Tools."}
}

func (spanish) UpsellsNotConnected(store string) saying {
	return saying{"Los upsells no están conectados", "Ningún servicio de upsell está conectado para " + store + ". Hace falta un token de solo lectura, en los ajustes de la aplicación, Developer Tools."}
}

func (spanish) GiftsNotConnected(store string) saying {
	return saying{"Los regalos no están conectados", "Ningún servicio de regalos está conectado para " + store + ". Hace falta una clave de lectura, en los ajustes de la aplicación, Store API."}
}

func (spanish) FirstNumbersOnTheWay() saying {
	return saying{"Las primeras cifras están en camino", "La tienda está conectada y sus primeras consultas esperan su turno."}
}

func (spanish) OnTheWay(t thing) saying {
	what := [...]string{
		theRanking: "La clasificación está", theAllTimeTotal: "El total desde el principio está", theCoverage: "El estado de las ubicaciones está", theOfferCount: "El número de ofertas está",
		theGiftResult: "El resultado de los regalos está", theGiftPlan: "El plan de regalos está", theSetupHealth: "El estado de la instalación está",
	}[t]
	return saying{what + " en camino", "La tienda está conectada; esta consulta espera su turno."}
}

func (spanish) NoDayStored(from, to, dates string) saying {
	return saying{"No hay guardado ningún día de este periodo", "Lo guardado va del " + from + " al " + to + ". El periodo " + dates + " queda fuera."}
}

func (spanish) NoRanking(days string) saying {
	return saying{"No hay clasificación para este periodo", "El servicio clasifica 7, 30 y 90 días que terminan ayer. Los demás periodos se suman a partir de clasificaciones diarias. Sin clasificación completa: " + days + "."}
}

func (spanish) NoOffers() saying {
	return saying{"Aún no hay ofertas en esta tienda", "El servicio respondió: 0 ofertas, en cualquier estado. Estos ceros son reales."}
}

func (spanish) NothingEarned() saying {
	return saying{"Ninguna oferta aportó nada en este periodo", "El servicio respondió con una clasificación vacía. Las ofertas que no aportaron nada no se clasifican."}
}

func (spanish) NoGiftAnswer() saying {
	return saying{"No hay respuesta del servicio de regalos para este periodo", "Ese servicio responde para 1, 7, 30, 90 y 365 días que terminan ayer. Los demás periodos se hacen con los días guardados, y de este no hay ninguno."}
}

func (spanish) TwoCurrencies(before, after, day string) saying {
	return saying{"Dos monedas en un periodo", "La tienda pasó de " + before + " a " + after + " el " + day + ". Los importes de dos monedas no se suman: hay que elegir un periodo a un lado de ese día."}
}

func (spanish) CurrencyChanged(day string) saying {
	return saying{"Dos monedas en un periodo", "La tienda cambió de moneda el " + day + ". Hay que elegir un periodo a un lado de ese día."}
}

func (spanish) NoGiftRate() string {
	return "El servicio envía la tasa sin sus partes, y las tasas de los días nunca se promedian."
}

func (spanish) NoGiftAverage() string {
	return "El servicio envía la media sin sus partes, y las medias de los días nunca se promedian."
}

func (spanish) RepairedGiftDay() string {
	return "De un día reconstruido solo hay pedidos y ventas."
}

func (spanish) NotPulledSince(day string) string {
	return "Sin nuevas consultas desde el " + day + ". Se muestran las últimas cifras buenas."
}

func (spanish) FirstTryFailed(ago string) string {
	return "Nunca consultado todavía: el primer intento falló " + ago + "."
}

func (spanish) NeverPulled() string { return "Nunca consultado todavía." }

func (spanish) NotPulledAgain(days string) string {
	return "No llegó una nueva respuesta para " + days + ". Se muestran las últimas cifras buenas."
}

func (spanish) NotPulled(days string) string { return "No llegó respuesta para " + days + "." }

// service is "servicio de regalos" or "servicio de upsell".
func (spanish) service(name string) string {
	if name == "gift" {
		return "servicio de regalos"
	}
	return "servicio de upsell"
}

func (s spanish) Disconnected(service string) string {
	return "El " + s.service(service) + " se desconectó: no se consulta nada más reciente."
}

func (spanish) Overdue(ago string) string {
	return "La siguiente consulta tocaba " + ago + " y no se ha hecho: ¿está en marcha el worker?"
}

func (s spanish) NeedsPerson(service string) string {
	return "El " + s.service(service) + " requiere atención."
}

func (spanish) Told(outcome, _ string) string {
	switch outcome {
	case "refused":
		return "El servicio rechazó la consulta. Los detalles están en la página Sync."
	case "quarantined":
		return "La respuesta no era como el servicio la describe y no se ha usado. Los detalles están en la página Sync."
	case "paused":
		return "El acceso está en pausa. Los detalles están en la página Sync."
	}
	return "La consulta falló y se repetirá. Los detalles están en la página Sync."
}

func (spanish) Advice(service, cause, _ string) string {
	switch adviceOn(service, cause) {
	case adviceShop:
		return "El servicio de upsell rechaza este token para la dirección usada. Hay que copiar la dirección base en los ajustes de la aplicación, Developer Tools, y volver a conectar la tienda."
	case adviceToken:
		return "El token de upsell se rechaza. Hay que comprobar en los ajustes de la aplicación, Developer Tools, si está instalada y si el token fue revocado, y volver a conectar la tienda."
	case adviceTrial:
		return "La prueba del plan de regalos terminó y el plan no está pagado. Una llamada haría ahora que se revocaran todas las claves de la tienda, así que no se hace ninguna. Hay que elegir un plan en la aplicación de regalos y luego reanudar esta tienda."
	case advicePlan:
		return "La tienda ya no tiene un plan de regalos de pago y el servicio revocó todas sus claves: primero hay que contratar el plan y luego crear una clave nueva."
	case adviceUninstalled:
		return "La aplicación de regalos se desinstaló. Una clave nueva no sirve: hay que volver a instalar la aplicación y luego crear una clave."
	case adviceSurface:
		return "Esta clave es para el asistente (MCP), no para Store API. Hay que crear una clave para Store API."
	case adviceScope:
		return "El nivel de acceso de la clave es demasiado bajo. Hay que subirlo a lectura en los ajustes de la aplicación; la clave sigue siendo la misma."
	case adviceHeader:
		return "La clave no llegó al servicio. Algo en el camino quita la cabecera Authorization; la clave puede ser buena."
	}
	return "La clave de regalos se rechaza. Hay que crear una nueva en los ajustes de la aplicación, Store API, y volver a conectar la tienda."
}

func (s spanish) Doubted(service string, outage bool) saying {
	if outage {
		return saying{"El " + s.service(service) + " está rechazando a muchas tiendas.", "Lo más probable es que el problema sea del servicio. De momento no hay que hacer nada: Storeglass lo sigue comprobando y continuará por sí solo."}
	}
	return saying{"El " + s.service(service) + " ha rechazado el acceso.", "A menudo es pasajero. De momento no hay que hacer nada: Storeglass lo sigue comprobando y continuará por sí solo."}
}

func (spanish) ChecksAgain(day, clock string) string {
	return "Próxima comprobación: " + day + " a las " + clock + "."
}

func (spanish) GiftWidgetOff(theme, fix string) saying {
	s := saying{"El widget de regalos no puede aparecer", "La inserción de la aplicación está desactivada en el tema publicado."}
	if theme != "" {
		s.text = "La inserción de la aplicación está desactivada en el tema publicado, " + theme + "."
	}
	s.text += " " + fix
	return s
}

func (spanish) ThemeWithoutBlocks() string {
	return "El tema publicado no puede mostrar el widget de regalos"
}
func (spanish) NoCampaign() string       { return "No hay ninguna campaña de regalos" }
func (spanish) NoActiveCampaign() string { return "Ninguna campaña de regalos está activa" }

func (spanish) Fix(code string) string {
	switch code {
	case "APP_EMBED_DISABLED":
		return "En el editor de temas, abra las inserciones de aplicaciones, active el widget de regalos y guarde."
	case "THEME_NOT_OS2":
		return "El tema publicado no admite bloques de aplicaciones: publique uno que los admita o añada el widget a mano como dice su guía."
	case "NO_CAMPAIGN":
		return "Cree la primera campaña en la aplicación de regalos."
	case "NO_ACTIVE_CAMPAIGN":
		return "Active una campaña o dé a una de ellas una fecha de inicio que ya haya llegado."
	}
	return ""
}

func (spanish) PlacementOff(placement string, offers int64) saying {
	exist := "Hay 1 oferta y no está activa."
	if offers != 1 {
		exist = "Hay " + Spanish.Count(offers) + " ofertas y ninguna está activa."
	}
	return saying{placement + ": desactivada", exist}
}

func (spanish) SeeOffers(n int64) string {
	if n == 1 {
		return "Ver la oferta"
	}
	return "Ver las " + Spanish.Count(n) + " ofertas"
}

func (spanish) NeverMade(placements string) saying {
	return saying{"Nunca creada: " + placements, "Ahí nunca se creó ninguna oferta, en ningún estado."}
}

func (spanish) TooManyCampaigns() saying {
	return saying{"Más campañas de las que permite el plan de regalos", "Desactive campañas o cambie de plan en la aplicación de regalos."}
}

func (spanish) OffersSoldNothing(n int64) saying {
	if n == 1 {
		return saying{"1 oferta activa no vendió nada en este periodo", "Estuvo activa todos los días."}
	}
	return saying{Spanish.Count(n) + " ofertas activas no vendieron nada en este periodo", "Estuvieron activas todos los días."}
}

func (spanish) ShowTheseOffers(n int64) string {
	if n == 1 {
		return "Ver esta oferta"
	}
	return "Ver estas ofertas"
}

func (spanish) LinesDiffer(reported, stitched string) saying {
	return saying{"Los valores por día y el total comunicado no coinciden", "Comunicado: " + reported + ", suma de los días guardados: " + stitched + ". Los días se están consultando de nuevo."}
}

func (spanish) MakeFirstOffer(orders int64) saying {
	return saying{"Cree la primera oferta", Spanish.Plural(orders, "pedido pasó", "pedidos pasaron") + " sin upsell."}
}

func (spanish) TriggersDeleted(offers int64) string {
	return Spanish.Count(offers) + " ofertas tienen un activador eliminado"
}

func (spanish) TriggerDeleted(kind string, n int) string {
	k, ok := spanishKinds[kind]
	switch {
	case !ok:
		return "Se eliminó algo que nombra un activador"
	case n > 1:
		return "Se eliminaron " + strconv.Itoa(n) + " " + k.many
	}
	return "Se eliminó " + k.one
}

var spanishKinds = map[string]struct{ one, many, gone string }{
	"product":    {"un producto activador", "productos activadores", "un producto eliminado"},
	"collection": {"una colección activadora", "colecciones activadoras", "una colección eliminada"},
	"tag":        {"una etiqueta activadora", "etiquetas activadoras", "una etiqueta eliminada"},
}

func (spanish) StillName(offer string, others int64) string {
	if others == 1 {
		return offer + " y 1 más siguen apuntando a elementos eliminados."
	}
	return offer + " y " + Spanish.Count(others) + " más siguen apuntando a elementos eliminados."
}

func (spanish) StillNames(offer, gone string, more int) string {
	switch {
	case gone == "":
		return offer + " sigue apuntando a un elemento eliminado."
	case more == 0:
		return offer + " sigue apuntando a " + gone + "."
	}
	return offer + " sigue apuntando a " + gone + " y " + strconv.Itoa(more) + " más."
}

func (spanish) Gone(kind string) string {
	if k, ok := spanishKinds[kind]; ok {
		return k.gone
	}
	return "un elemento eliminado"
}

func (spanish) OpenOffer() string { return "Abrir la oferta" }
func (spanish) Sync() string      { return "Ver las consultas" }

func (spanish) Colon() string             { return ": " }
func (spanish) And() string               { return "y" }
func (spanish) Quoted(name string) string { return "«" + name + "»" }
func (spanish) Days(n int) string         { return Spanish.Plural(int64(n), "día", "días") }
func (s spanish) DaysOf(n, of int) string { return strconv.Itoa(n) + " de " + s.Days(of) }
func (spanish) PartOfADay() string        { return "parte de un día" }
func (spanish) MoreDays(n int) string     { return strconv.Itoa(n) + " días más" }
func (spanish) NoWindow() string          { return "sin periodo" }
func (spanish) TimeOf(city string) string { return "hora de " + city }
func (spanish) Never() string             { return "nunca" }
func (spanish) JustNow() string           { return "ahora mismo" }

func (spanish) Basis(b Basis) string {
	switch b {
	case Reported:
		return "según el servicio"
	case Stitched:
		return "suma de días"
	case Derived:
		return "deducido"
	}
	return "no comunicado"
}

func (spanish) Ago(n int, u unit) string {
	words := [...][2]string{unitMinutes: {"minuto", "minutos"}, unitHours: {"hora", "horas"}, unitDays: {"día", "días"}}[u]
	return "hace " + Spanish.Plural(int64(n), words[0], words[1])
}

func (spanish) More() string        { return "más" }
func (spanish) Less() string        { return "menos" }
func (spanish) Fewer() string       { return "menos" }
func (spanish) NoChange() string    { return "sin cambios" }
func (spanish) NoBaseline() string  { return "sin base de comparación" }
func (spanish) NotCompared() string { return "sin comparar" }

func (spanish) Points(size string, one bool) string {
	if one {
		return size + " punto"
	}
	return size + " puntos"
}

func (spanish) PointsMoved(points string, up bool) string {
	if up {
		return points + " más"
	}
	return points + " menos"
}

func (spanish) Under(size string) string { return "menos de " + size }

func (spanish) OpenStores() string { return "Abrir las tiendas" }

func (spanish) OpenStore() string { return "Abrir la tienda" }

func (spanish) Stores(n int64) string { return Spanish.Plural(n, "tienda", "tiendas") }

func (spanish) NoStoreOpen() string { return "Ninguna tienda está abierta para esta cuenta." }

func (spanish) NoneComparable() string {
	return "Todavía no se puede comparar ninguna tienda con la semana anterior"
}

func (s spanish) YourStore(moved Direction, week bool) string {
	switch moved {
	case Up:
		return "La tienda ingresó más que " + s.before(week)
	case Down:
		return "La tienda ingresó menos que " + s.before(week)
	}
	return "La tienda ingresó tanto como " + s.before(week)
}

func (spanish) before(week bool) string {
	if week {
		return "la semana anterior"
	}
	return "en otros tantos días antes"
}

func (s spanish) StoresEarnedMore(more, of int64, week bool) string {
	return Spanish.Count(more) + " de " + Spanish.Plural(of, "tienda", "tiendas") + " con más ingresos que " + s.before(week)
}

func (spanish) AndMissDays(n int64) string {
	return "; faltan días de " + Spanish.Plural(n, "tienda", "tiendas")
}

func (spanish) AndNeedPerson(n int64) string {
	return "; " + Spanish.Plural(n, "tienda requiere", "tiendas requieren") + " atención"
}

func (spanish) DigestSubject(more, less int64, dates string) string {
	up, down := " suben, ", " bajan, "
	if more == 1 {
		up = " sube, "
	}
	if less == 1 {
		down = " baja, "
	}
	return Spanish.Count(more) + up + Spanish.Count(less) + down + dates
}

func (spanish) WeekOf(dates string) string { return "semana " + dates }

func (spanish) DaysByStore() string { return "los días contados figuran en cada tienda" }

func (spanish) ComparedByStore() string {
	return "cada tienda en comparación con otros tantos días antes"
}

func (spanish) OwnClocks() string { return "cada tienda en su zona horaria" }

func (spanish) ReportedAndStitched(reported, stitched int64) string {
	return Spanish.Count(reported) + " según el servicio, " + Spanish.Count(stitched) + " por suma de días"
}

func (spanish) EarnedMore() string { return "Suben" }

func (spanish) EarnedLess() string { return "Bajan" }

func (spanish) NeedPerson() string { return "Requieren atención" }

func (spanish) GrewMost() string { return "Mayores subidas" }

func (spanish) FellMost() string { return "Mayores bajadas" }

func (spanish) AllStores() string { return "Todas las tiendas" }

func (spanish) NoNumbers() string { return "sin cifras" }

func (spanish) TwoCurrenciesHere() string { return "dos monedas" }

func (spanish) NoOffersHere() string { return "aún sin ofertas" }

func (spanish) Doubt(f Flag) string {
	switch f {
	case FlagChanged:
		return "en actualización"
	case FlagDrift:
		return "los días no cuadran"
	case FlagRateDisagrees:
		return "la tasa no cuadra con sus partes"
	case FlagIncomplete:
		return "respuesta incompleta"
	}
	return "en revisión"
}

func (spanish) LastGood() string { return "últimas cifras válidas" }

func (spanish) MoreNotWhole(n int64) string {
	return Spanish.Plural(n, "tienda más está incompleta", "tiendas más están incompletas") + "; la página da los detalles."
}

func (spanish) OfCompared(n int64) string {
	return "de " + Spanish.Plural(n, "comparada", "comparadas")
}

func (spanish) OfStores(n int64) string { return "de " + Spanish.Plural(n, "tienda", "tiendas") }

func (spanish) FirstByName(n, more int64) string {
	return "las primeras " + Spanish.Count(n) + " por nombre; " + Spanish.Count(more) + " más en la página"
}

func (spanish) UpsoldOf(upsold int64, rate string, orders int64) string {
	return Spanish.Plural(upsold, "pedido", "pedidos") + " con upsell · " + rate + " de " + Spanish.Count(orders)
}

func (spanish) StoreNeeds(c need, since string) string {
	text := map[need]string{
		needsServices:      "Sin conectar",
		needsUpsellToken:   "Token de upsell rechazado",
		needsUpsellAddress: "Dirección de upsell rechazada",
		needsGiftKey:       "Clave de regalos rechazada",
		needsGiftAddress:   "Dirección de regalos rechazada",
		needsGiftPlan:      "Plan de regalos terminado",
		needsGiftTrial:     "Prueba de regalos terminada",
		needsGiftApp:       "App de regalos desinstalada",
		needsEmbed:         "El widget de regalos no puede aparecer",
		needsCampaigns:     "Más campañas de regalos de las que permite el plan",
		needsRevenue:       "Límite de ingresos del plan de regalos alcanzado",
	}[c]
	if since != "" {
		text += " desde el " + since
	}
	return text
}

func (spanish) StoreWithout(store string, c Cause) string {
	switch c {
	case CauseNeverConnected:
		return store + ": los upsells no están conectados."
	case CauseFilling:
		return store + ": las primeras cifras están en camino."
	}
	return store + ": no hay guardado ningún día de esta semana."
}

func (spanish) StoreInTwoCurrencies(store string) string {
	return store + ": sus días están en dos monedas, que no se suman."
}

func (spanish) StoreNotOver(store, days string, n int) string {
	if n == 1 {
		return store + ": el " + days + " aún no ha terminado allí y no se cuenta."
	}
	return store + ": " + days + " aún no han terminado allí y no se cuentan."
}

func (s spanish) StoreMissing(store, days string, n int) string {
	return store + ": " + s.missing(n) + days + "; el importe real puede ser mayor."
}

func (spanish) StoreNotCompared(store string, c uncompared) string {
	return store + " no se compara: " + map[uncompared]string{
		isLastGood:      "son las últimas cifras válidas.",
		isNotWhole:      "un día no había terminado cuando llegaron sus cifras.",
		beforeNotStored: "la semana anterior no está guardada.",
		beforeNotWhole:  "faltan días de la semana anterior.",
		beforeOtherwise: "la semana anterior está en otra moneda.",
	}[c]
}
