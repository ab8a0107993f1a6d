// Shows what has come in while a store fills in: main says after how many seconds the
// page is worth loading again, and does not when everything is there. Whoever reads,
// types or has something open is left alone until done.
const patience = 40; // looks at an unchanged page before they become rare

export function startRefresh(refreshed) {
  const main = () => document.querySelector("main[data-refresh]");
  if (!main()) return;
  const said = document.createElement("p");
  said.className = "sr-only";
  said.setAttribute("role", "status");
  document.body.append(said);
  let tag = "";
  let same = 0;

  const later = () => {
    const seconds = Number(main()?.dataset.refresh);
    if (seconds > 0) setTimeout(look, 1000 * (same > patience ? Math.max(seconds, 60) : seconds));
  };

  const busy = () => document.hidden || main().querySelector("details[open], :popover-open, input:focus, select:focus") || !getSelection().isCollapsed;

  // A request that parses: no text of ours becomes markup here.
  const load = () => new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.onload = () => done(request);
    request.onerror = fail;
    request.send();
  });

  async function look() {
    if (busy()) return later();
    try {
      const answer = await load();
      if (answer.status !== 200 || new URL(answer.responseURL).pathname !== location.pathname) return; // signed out, or gone
      const now = answer.getResponseHeader("ETag");
      const fresh = answer.response.querySelector("main");
      if (!now || now === tag || !fresh || busy()) same++;
      else {
        tag = now;
        same = 0;
        main().replaceWith(document.adoptNode(fresh));
        refreshed();
        if (!fresh.dataset.refresh) said.textContent = fresh.dataset.loaded;
      }
    } catch {
      same++; // the network is away: later
    }
    later();
  }
  later();
}
