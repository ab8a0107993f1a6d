// A form is sent once: a second click or Enter while it is on its way would save the same again.
const onItsWay = 5000; // ms; after that, whoever tries again means it

export function startOnce() {
  let sent, at;
  document.addEventListener("submit", (e) => {
    if (e.defaultPrevented || e.target.method !== "post") return;
    if (e.target === sent && Date.now() - at < onItsWay) e.preventDefault();
    else [sent, at] = [e.target, Date.now()];
  });
  addEventListener("pageshow", () => { sent = undefined; });
}
