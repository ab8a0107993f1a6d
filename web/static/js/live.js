// An open page follows its stores. The server says on a stream that something has changed;
// the page is then read again, and what differs is replaced.
import { pageAt } from "./page.js";
import { update } from "./update.js";

const SECOND = 1000;
const longestWait = 60 * SECOND;

export function startLive(updated) {
  const main = () => document.querySelector("main[data-live]");
  if (!main()) return;
  const said = document.createElement("p");
  said.className = "sr-only";
  said.setAttribute("role", "status");
  document.body.append(said);
  let stream, timer, since = 0, tries = 0, opened = false, gone = false;
  let reading = false, again = false, tag = "";

  const close = () => {
    clearTimeout(timer);
    stream?.close();
    stream = undefined;
  };

  const open = () => {
    if (stream || gone || document.hidden) return;
    stream = new EventSource(main().dataset.live);
    since = 0;
    stream.onopen = () => {
      since = Date.now();
      if (opened) read(); // something may have changed while we weren't listening
      opened = true;
    };
    stream.onmessage = read;
    stream.onerror = () => {
      close();
      tries = since && Date.now() - since > 20 * SECOND ? 0 : tries + 1;
      if (!since) read(); // perhaps the reader may no longer see the page
      timer = setTimeout(open, Math.min(longestWait, SECOND * 2 ** tries) * (0.5 + Math.random() / 2));
    };
  };

  const selecting = () => {
    const s = getSelection();
    return !s.isCollapsed && main().contains(s.anchorNode);
  };

  async function read() {
    if (reading || selecting()) {
      again = true; // later
      return;
    }
    reading = true;
    again = false;
    try {
      const { page, tag: now } = await pageAt(location.href);
      const next = page.querySelector("main[data-live]");
      if (!next) { // signed out, or no longer allowed
        gone = true;
        close();
      } else if (!now || now !== tag) {
        if (selecting()) again = true;
        else show(page, next, now);
      }
    } catch {
      const lost = main().querySelector("[data-lost]");
      if (lost) lost.hidden = false;
    }
    reading = false;
    if (again && !selecting()) read();
  }

  function show(page, next, now) {
    const loading = main().dataset.loaded;
    tag = now;
    update(main(), next);
    const tabs = [document, page].map((d) => d.querySelector("nav.tabs"));
    if (tabs[0] && tabs[1]) update(...tabs);
    document.title = page.title;
    if (loading && !next.dataset.loaded) said.textContent = loading;
    updated();
  }

  // A refresh leads back to this page: it is shown in place.
  document.addEventListener("submit", async (e) => {
    const form = e.target;
    if (!form.matches("form.refresh")) return;
    e.preventDefault();
    try {
      const { page, ok, tag: now, at } = await pageAt(form.action, new URLSearchParams(new FormData(form)));
      const next = page.querySelector("main[data-live]");
      if (!ok || !next || new URL(at).pathname !== location.pathname) throw new Error("another page");
      show(page, next, now);
    } catch {
      form.submit(); // the whole page says why
    }
  });
  document.addEventListener("selectionchange", () => { if (again && !reading && !selecting()) read(); });
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close); // an open stream keeps a page out of the browser's memory
  addEventListener("pageshow", open);
  open();
}
