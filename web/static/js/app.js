// What JavaScript adds to a page that works without it.
import { startAges, tickAges } from "./ages.js";
import { startAppearance } from "./appearance.js";
import { startColour } from "./colour.js";
import { showCopy, startCopy } from "./copy.js";
import { startDrops } from "./drops.js";
import { startFind } from "./find.js";
import { startLive } from "./live.js";
import { startOnce } from "./once.js";
import { startPasskeys } from "./passkey.js";
import { showPictures, startPictures } from "./pictures.js";
import { startPreview } from "./preview.js";
import { startSearch } from "./search.js";

startAges();
startAppearance();
startDrops();
startCopy();
startColour();
startFind();
startSearch();
startPreview();
document.addEventListener("click", (e) => { if (e.target.closest("[data-print]")) print(); });
// A refused form opens at what was wrong, once the browser has looked for autofocus.
requestAnimationFrame(() => document.querySelector('[aria-invalid="true"]')?.focus());
startPasskeys();
startPictures(loadCharts);
startLive(() => {
  tickAges();
  showCopy();
  showPictures();
});
startOnce(); // must be last, to see which forms another script sends

let charts;

function loadCharts() {
  return charts ??= new Promise((done, fail) => {
    const script = Object.assign(document.createElement("script"), { src: ours(document.body.dataset.charts), onload: done, onerror: fail });
    document.head.append(script);
  });
}

// ours allows a script address only if it is one of our files. In browsers that know
// trusted types, the page's policy accepts no other source, and no text as markup.
function ours(address) {
  const check = (at) => {
    const url = new URL(at, location.href);
    if (url.origin !== location.origin || !url.pathname.startsWith("/static/")) throw new TypeError("not a file of ours: " + at);
    return url.href;
  };
  if (!window.trustedTypes) return check(address);
  return window.trustedTypes.createPolicy("ours", { createScriptURL: check }).createScriptURL(address);
}
