// Draws the charts whose options the server built, and shows the tooltip of a point.
// Colors are CSS variables, so a change of appearance needs no redrawing.
import { BarChart, LineChart } from "echarts/charts";
import { AxisPointerComponent, GridComponent, MarkLineComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([LineChart, BarChart, GridComponent, AxisPointerComponent, MarkLineComponent, SVGRenderer]);

const make = (tag, className, ...children) => {
  const element = Object.assign(document.createElement(tag), { className });
  element.append(...children);
  return element;
};

// written is a tip: its title, rows of a name and a value, and notes.
function written([title, rows, notes]) {
  return [
    make("b", "tip-title", title),
    ...rows.map(([name, value, tone]) => make("span", tone ? `tip-row tip-${tone}` : "tip-row", make("span", "", name), make("b", "", value))),
    ...notes.map((note) => make("span", "tip-note", note)),
  ];
}

function start(element, size) {
  const source = () => document.getElementById(element.dataset.chart)?.textContent ?? "";
  const drawing = make("div", "drawing"), tip = make("div", "tip");
  drawing.setAttribute("aria-hidden", "true");
  tip.hidden = true;
  tip.setAttribute("role", "status");
  element.append(drawing, tip);
  element.setAttribute("role", "application");
  const chart = init(drawing, null, { renderer: "svg", ...size });
  let text, data, view, at = -1;

  const show = () => {
    if (text !== source()) data = JSON.parse((text = source()));
    element.setAttribute("aria-label", `${data.label} ${data.keys}`);
    view = data.views.find((v) => v.key === element.dataset.view) ?? data.views[0];
    view.option.yAxis.axisLabel.formatter = (value) => view.axis[Math.round(value / view.step)] ?? "";
    chart.setOption(view.option, { notMerge: true });
    element.dataset.drawn = view.key;
  };

  const hide = () => {
    tip.hidden = true;
    at = -1;
  };
  const point = (x) => chart.dispatchAction({ type: "updateAxisPointer", currTrigger: "mousemove", x, y: element.clientHeight / 2 });
  chart.on("updateAxisPointer", ({ axesInfo: [axis] }) => {
    if (!axis) return hide();
    if (axis.value === at) return;
    at = axis.value;
    tip.replaceChildren(...written(view.tips[at]));
    tip.hidden = false;
    const [x] = chart.convertToPixel({ gridIndex: 0 }, [at, 0]), room = element.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(Math.min(x + 16 < room ? x + 16 : x - 16 - tip.offsetWidth, room), 0)}px`;
  });

  // The keys move along the points; the tip is a status, so what it shows is also said.
  element.addEventListener("keydown", (event) => {
    const last = view.tips.length - 1;
    const to = { ArrowRight: Math.min(at + 1, last), ArrowLeft: at < 0 ? last : Math.max(at - 1, 0), Home: 0, End: last, Escape: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0) return point(-1);
    point(chart.convertToPixel({ gridIndex: 0 }, [to, 0])[0]);
  });
  element.addEventListener("blur", () => point(-1));
  element.addEventListener("view", show);
  element.addEventListener("turn", ({ detail }) => point(detail - element.getBoundingClientRect().left));
  show();

  // The event has the size: asking the element would force a layout for every chart.
  const resized = new ResizeObserver(([{ contentRect: { width, height } }]) => chart.resize({ width, height }));
  resized.observe(element);
  // An open page gets new numbers; a chart that is no longer on it is disposed of.
  const gone = new AbortController();
  document.addEventListener("refreshed", () => {
    if (element.isConnected) return text === source() || show();
    gone.abort();
    resized.disconnect();
    Object.defineProperty(drawing, "innerHTML", { writable: true }); // it is emptied through this, which the page's policy refuses
    chart.dispose();
  }, { signal: gone.signal });
}

const startAll = () => {
  // Read all sizes before drawing the first chart, so that the page is laid out once.
  const sized = [...document.querySelectorAll("[data-chart]:not([data-drawn])")]
    .filter((e) => document.getElementById(e.dataset.chart))
    .map((e) => [e, { width: e.clientWidth, height: e.clientHeight }]);
  for (const [element, size] of sized) start(element, size);
};
startAll();
document.addEventListener("refreshed", startAll);
