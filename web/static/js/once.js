// Sends a form only once: a second click while the first is still loading would save it twice.
const loading = 5000; // ms; a click after that is a new try

export function startOnce() {
  let sent, at;
  document.addEventListener("submit", (e) => {
    if (e.defaultPrevented || e.target.method !== "post") return;
    if (e.target === sent && Date.now() - at < loading) e.preventDefault();
    else [sent, at] = [e.target, Date.now()];
  });
  addEventListener("pageshow", () => { sent = undefined; });
}
