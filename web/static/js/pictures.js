// Charts are pictures from the server until someone interacts with one: the script that
// draws them is large and is loaded then, as is their data. Which number is shown can
// be chosen before that.
import { pageAt } from "./page.js";

let drawing = false;

// startPictures makes the page's charts respond to keys and buttons; load loads the script.
export function startPictures(load) {
  const turned = async (event) => {
    const chart = event.target.closest?.("[data-chart]");
    if (!chart || drawing) return;
    drawing = true;
    try {
      await Promise.all([load(), readCharts()]);
    } catch {
      drawing = false; // until someone interacts with one again
      return;
    }
    document.dispatchEvent(new Event("refreshed"));
    // the chart that was waited for sees the pointer that called it
    if (event.clientX) chart.dispatchEvent(new CustomEvent("turn", { detail: event.clientX }));
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, turned);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-metric]");
    if (button) choose(button);
  });
  showPictures();
}

// showPictures does the same for charts added later.
export function showPictures() {
  for (const chart of document.querySelectorAll("[data-chart]")) chart.tabIndex = 0;
  for (const metrics of document.querySelectorAll(".trend:has([data-chart]) [data-chart-metrics]")) metrics.hidden = false;
  for (const button of document.querySelectorAll('.trend:has([data-chart]) [data-metric][aria-pressed="true"]')) choose(button);
  if (drawing) readCharts().catch(() => {}).then(() => document.dispatchEvent(new Event("refreshed")));
}

// readCharts requests this page with its charts' data.
async function readCharts() {
  const at = new URL(location.href);
  at.searchParams.set("charts", "");
  const { page } = await pageAt(at.href);
  for (const data of page.querySelectorAll('[data-chart] + script')) {
    document.getElementById(data.id)?.remove();
    document.body.append(data);
  }
}

function choose(button) {
  const panel = button.closest(".trend"), chart = panel.querySelector("[data-chart]");
  for (const each of panel.querySelectorAll("[data-metric]")) each.setAttribute("aria-pressed", String(each === button));
  for (const picture of panel.querySelectorAll("[data-picture]")) picture.hidden = picture.dataset.picture !== button.dataset.metric;
  panel.querySelector("[data-chart-title]").textContent = button.dataset.title;
  chart.dataset.view = button.dataset.metric;
  chart.dispatchEvent(new Event("view"));
}
