// What JavaScript adds to a page that works without it.
import { startAges, tickAges } from "./ages.js";
import { startAppearance } from "./appearance.js";
import { startColour } from "./colour.js";
import { showCopy, startCopy } from "./copy.js";
import { startDrops } from "./drops.js";
import { startLive } from "./live.js";
import { startPasskeys } from "./passkey.js";
import { startSearch } from "./search.js";

startAges();
startAppearance();
startDrops();
startCopy();
startColour();
startSearch();
startPasskeys();
drawCharts();
startLive(() => {
  tickAges();
  showCopy();
  drawCharts();
});

// drawCharts has the charts' script loaded where there are any; loaded once, it draws
// whatever came later by itself.
function drawCharts() {
  if (!document.querySelector("[data-chart]")) return;
  if (document.head.querySelector("script[data-charts]")) {
    document.dispatchEvent(new Event("refreshed"));
    return;
  }
  const script = document.createElement("script");
  script.src = ours(document.body.dataset.charts);
  script.dataset.charts = "";
  document.head.append(script);
}

// ours lets an address be a script's if it is a file of ours: the page's policy
// lets browsers that know trusted types take it from nobody else, and no text as markup.
function ours(address) {
  const check = (at) => {
    const url = new URL(at, location.href);
    if (url.origin !== location.origin || !url.pathname.startsWith("/static/")) throw new TypeError("not a file of ours: " + at);
    return url.href;
  };
  if (!window.trustedTypes) return check(address);
  return window.trustedTypes.createPolicy("ours", { createScriptURL: check }).createScriptURL(address);
}
