// Charts are pictures from the server until somebody turns to one: the script that draws
// them is large, and comes then. Which number is shown can be chosen before that.
let loading;

// startPictures makes what is on the page answer to keys and buttons; load brings the script.
export function startPictures(load) {
  const turned = (event) => {
    const chart = event.target.closest?.("[data-chart]");
    if (!chart || loading) return;
    loading = load();
    // the chart that was waited for sees the pointer that called it
    if (event.clientX) loading.addEventListener("load", () => chart.dispatchEvent(new CustomEvent("turn", { detail: event.clientX })));
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, turned);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-metric]");
    if (button) choose(button);
  });
  showPictures();
}

// showPictures does the same for what came later.
export function showPictures() {
  for (const chart of document.querySelectorAll("[data-chart]")) chart.tabIndex = 0;
  for (const metrics of document.querySelectorAll(".trend:has([data-chart]) [data-chart-metrics]")) metrics.hidden = false;
  for (const button of document.querySelectorAll('.trend:has([data-chart]) [data-metric][aria-pressed="true"]')) choose(button);
  if (loading) document.dispatchEvent(new Event("refreshed"));
}

function choose(button) {
  const panel = button.closest(".trend"), chart = panel.querySelector("[data-chart]");
  for (const each of panel.querySelectorAll("[data-metric]")) each.setAttribute("aria-pressed", String(each === button));
  for (const picture of panel.querySelectorAll("[data-picture]")) picture.hidden = picture.dataset.picture !== button.dataset.metric;
  panel.querySelector("[data-chart-title]").textContent = button.dataset.title;
  chart.dataset.view = button.dataset.metric;
  chart.dispatchEvent(new Event("view"));
}
