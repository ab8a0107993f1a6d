// What JavaScript adds to a page that works without it.
import { startAppearance } from "./appearance.js";
import { startCopy } from "./copy.js";
import { startDrops } from "./drops.js";

startAppearance();
startDrops();
startCopy();

if (document.querySelector("[data-chart]")) {
  const script = document.createElement("script");
  script.src = document.body.dataset.charts;
  document.head.append(script);
}
