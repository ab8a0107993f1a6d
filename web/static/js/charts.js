// Draws the charts whose data stand in the page as JSON.
import { LineChart } from "echarts/charts";
import { AriaComponent, GridComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { trendOption } from "./trend.js";

use([LineChart, GridComponent, TooltipComponent, MarkLineComponent, MarkAreaComponent, AriaComponent, SVGRenderer]);

const root = document.documentElement;

function start(element) {
  const source = () => document.getElementById(element.dataset.chart).textContent;
  let text = source(), data = JSON.parse(text);
  const panel = element.closest(".trend");
  const metrics = panel?.querySelector("[data-chart-metrics]");
  const chart = init(element, null, { renderer: "svg" });
  let metric = data.metrics[0];

  const draw = () => {
    const { option, numbered } = trendOption(data, metric, element.clientWidth, element.clientHeight);
    chart.setOption(option, { notMerge: true });
    panel?.toggleAttribute("data-numbered", numbered);
    element.dataset.drawn = metric.key;
  };
  draw();

  let width = element.clientWidth;
  const resized = new ResizeObserver(() => {
    if (!element.isConnected) return resized.disconnect();
    chart.resize();
    if (element.clientWidth !== width) {
      width = element.clientWidth;
      draw();
    }
  });
  resized.observe(element);
  const gone = new AbortController();
  root.addEventListener("appearance", draw, { signal: gone.signal });
  // An open page gets new numbers; a chart that is not on it any more is let go.
  document.addEventListener("refreshed", () => {
    if (!element.isConnected) {
      gone.abort();
      Object.defineProperty(element, "innerHTML", { writable: true }); // it is emptied through this, which the page's policy refuses
      return chart.dispose();
    }
    if (source() === text) return;
    data = JSON.parse(text = source());
    metric = data.metrics.find((m) => m.key === metric.key) ?? data.metrics[0];
    draw();
  }, { signal: gone.signal });
  matchMedia("print").addEventListener("change", draw, { signal: gone.signal }); // paper is always light

  if (metrics) {
    metrics.hidden = false;
    metrics.addEventListener("click", (event) => {
      const button = event.target.closest("[data-metric]");
      if (!button) return;
      metric = data.metrics.find((m) => m.key === button.dataset.metric) ?? metric;
      for (const b of metrics.querySelectorAll("[data-metric]")) b.setAttribute("aria-pressed", String(b === button));
      panel.querySelector("[data-chart-title]").textContent = metric.title;
      draw();
    });
  }
}

// Text is measured in the page's own type face, so it has to be there first.
const startAll = () => {
  for (const element of document.querySelectorAll("[data-chart]:not([data-drawn])")) start(element);
};
Promise.allSettled([document.fonts.load("400 11px Inter"), document.fonts.load("500 11px Inter")]).then(() => {
  startAll();
  document.addEventListener("refreshed", startAll);
});
