// Turns the trend's data into options: colours from the style sheet, words from
// the server. Numbers are never computed here.
const FONT = "Inter, system-ui, sans-serif";
const LANE = 68; // height of axis days, lane and its words
const SYMBOL = {
  start: "path://M0 0 9 5 0 10Z",
  gift: "path://M0 0 9 5 0 10Z",
  end: "roundRect",
  "gift-end": "roundRect",
};

const FLAG = "path://M0 10V0H8L6 3 8 6H0";

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// hatch is the pattern of days that are not stored, as the renderer's own element.
function hatch(stroke) {
  const size = 7;
  const path = { tag: "path", attrs: { d: `M-1 1 1-1M0 ${size} ${size} 0M${size - 1} ${size + 1} ${size + 1} ${size - 1}`, stroke, "stroke-width": 0.7, "stroke-opacity": 0.65, fill: "none" } };
  return { svgElement: path, svgWidth: size, svgHeight: size };
}

// SIZE is that of all type in the chart, in pixels.
const SIZE = 12;

// textWidth measures a label.
const measure = document.createElement("canvas").getContext("2d");
function textWidth(text) {
  measure.font = `400 ${SIZE}px ${FONT}`;
  return measure.measureText(text).width;
}

// shortened is a text that is no wider than the pixels; empty where hardly anything fits.
function shortened(text, wide) {
  if (textWidth(text) <= wide) return text;
  let end = text.length;
  while (end > 0 && textWidth(`${text.slice(0, end)}…`) > wide) end--;
  return end < 3 ? "" : `${text.slice(0, end).trimEnd()}…`;
}

// laneNames are the names under the lane's signs: to the right of a sign, or to the left near
// the edge. One that would touch the name before it follows on that. null when they don't
// fit: then the lane has numbers.
function laneNames(marks, x, right) {
  const names = new Map();
  let free = -Infinity, open;
  for (const m of marks) {
    const width = textWidth(m.text), at = x(m.at);
    if (at - 5 < free) {
      if (open.align === "right") return null;
      open.text += `, ${m.text}`;
      free += textWidth(`, ${m.text}`);
      names.set(m, { text: "", align: "left" });
      if (free > right + 22) return null;
      continue;
    }
    open = { text: m.text, align: at - 5 + width > right + 14 ? "right" : "left" };
    const from = open.align === "right" ? at + 5 - width : at - 5;
    if (from < free) return null;
    names.set(m, open);
    free = from + width + 8;
  }
  return names;
}

export function trendOption(data, metric, width, height) {
  const small = width < 560;
  const ink = colour("ink"), muted = colour("muted"), faint = colour("faint"), inner = colour("inner");
  const accent = colour(data.stale ? "faint" : "accent"), surface = colour("surface"), compare = colour("compare");
  const marks = data.marks ?? [];
  const left = Math.max(small ? 34 : 44, ...metric.axis.map((t) => textWidth(t) + 10)), right = small ? 12 : 17, top = data.notes ? 30 : 12;
  const last = Math.max(data.days.length - 1, 1);
  const x = (at) => left + ((width - left - right) * at) / last;
  const names = small ? null : laneNames(marks, x, width - right);
  const numbered = names === null;
  const lane = marks.length === 0 ? 24 : small ? LANE - 8 : LANE;
  const step = Number(metric.option.yAxis[0].max) / (metric.axis.length - 1);
  const text = { fontFamily: FONT, fontSize: SIZE, color: muted };
  const ticks = new Set(data.ticks);

  const series = metric.option.series.map((s) => ({ ...s, ...look(s.id) }));
  function look(id) {
    const common = { symbol: "none", silent: true, animation: false, lineStyle: { cap: "round", join: "round" } };
    if (id === "then") return { ...common, z: 2, lineStyle: { ...common.lineStyle, color: compare, width: 1.25 } };
    if (id === "today") {
      return {
        ...common, z: 4, showSymbol: true, showAllSymbol: true, lineStyle: { ...common.lineStyle, color: accent, width: 2.25, type: [5, 4], cap: "butt" },
        symbol: (_, p) => (p.dataIndex === data.today.at ? "circle" : "none"), symbolSize: 8,
        itemStyle: { color: surface, borderColor: accent, borderWidth: 2 },
      };
    }
    return { ...common, z: 3, lineStyle: { ...common.lineStyle, color: accent, width: 2.25 } };
  }

  const now = series.find((s) => s.id === "now");
  if (now) {
    const end = now.data.findLastIndex((v) => v !== null);
    // A day alone between two gaps has no line: it gets a dot, as the last day does.
    const alone = (i) => now.data[i] !== null && (now.data[i - 1] ?? null) === null && (now.data[i + 1] ?? null) === null;
    now.showSymbol = true;
    now.showAllSymbol = true;
    now.symbol = (_, p) => (p.dataIndex === end || alone(p.dataIndex) ? "circle" : "none");
    now.symbolSize = 6.5;
    now.itemStyle = { color: accent };
    const repaired = new Set(data.repaired);
    now.data = now.data.map((v, i) => (v === null || !repaired.has(i) ? v : { value: v, symbol: "circle", symbolSize: 7, itemStyle: { color: surface, borderColor: accent, borderWidth: 1.5 } }));
    now.markLine = marksAsLines([...marks, ...(data.notes ?? []).map((n) => ({ at: n.from }))], faint);
    now.markArea = {
      silent: true, animation: false, itemStyle: { color: hatch(faint) },
      data: (data.missing ?? []).map((run) => [{ x: x(Math.max(run.from - 0.5, 0)), y: top }, { x: x(Math.min(run.to + 0.5, last)), y: height - lane }]),
    };
  }
  function metricMax() { return Number(metric.option.yAxis[0].max); }
  const today = series.find((s) => s.id === "today");
  if (today) {
    const words = small ? data.today.short : data.today.text;
    today.data = today.data.map((v, i) => (i !== data.today.at ? v : {
      value: v,
      label: { ...text, show: true, position: "left", align: "right", distance: 5, offset: [0, clear(words, i, v)], formatter: words, textBorderColor: surface, textBorderWidth: 3 },
    }));
  }
  return { numbered, option: { animation: false, textStyle: { fontFamily: FONT }, aria: { enabled: false }, ...frame(), series: [...series, ...missingWords(), ...noteSeries(), ...laneSeries()] } };

  // How far from its point a label to the left must move, so that no line runs through it.
  function clear(words, at, value) {
    const bottom = height - lane, y = (v) => top + (bottom - top) * (1 - v / metricMax());
    const to = x(at) - 9, from = to - textWidth(words);
    const crossed = [];
    for (const { data: values } of series) {
      for (let i = 1; i < values.length; i++) {
        const a = values[i - 1]?.value ?? values[i - 1], b = values[i]?.value ?? values[i];
        if (a === null || b === null || x(i) <= from || x(i - 1) >= to) continue;
        const along = (px) => y(Number(a) + (Number(b) - Number(a)) * (px - x(i - 1)) / (x(i) - x(i - 1)));
        const ends = [along(Math.max(from, x(i - 1))), along(Math.min(to, x(i)))];
        crossed.push([Math.min(...ends) - 9, Math.max(...ends) + 9]);
      }
    }
    const free = (move) => {
      const middle = y(Number(value)) + move;
      return middle > top + 6 && middle < bottom - 8 && crossed.every(([above, below]) => middle < above || middle > below);
    };
    for (let move = 0; move <= bottom - top; move += 4) {
      if (free(move)) return move;
      if (free(-move)) return -move;
    }
    return 0;
  }

  function frame() {
    const hidden = { show: false };
    const category = { type: "category", data: data.days, boundaryGap: false, axisTick: hidden };
    return {
      grid: [{ left, right, top, bottom: lane, outerBoundsMode: "none" }, { left, right, height: lane, bottom: 0, outerBoundsMode: "none" }],
      xAxis: [
        { ...category, axisLine: { lineStyle: { color: compare, width: 1 } },
          axisLabel: { ...text, interval: (i) => ticks.has(i), margin: 9, showMinLabel: true, alignMinLabel: "left", hideOverlap: true } },
        { ...category, gridIndex: 1, axisLine: hidden, axisLabel: hidden, axisPointer: { show: false } },
      ],
      yAxis: [
        { type: "value", min: 0, max: Number(metric.option.yAxis[0].max), interval: step, axisLine: hidden, axisTick: hidden,
          splitLine: { lineStyle: { color: inner, width: 1 } }, axisLabel: { ...text, margin: 9, formatter: (v) => metric.axis[Math.round(v / step)] ?? "" } },
        { type: "value", gridIndex: 1, min: 0, max: lane, show: false },
      ],
      tooltip: {
        trigger: "axis", renderMode: "richText", confine: true, backgroundColor: surface, borderColor: colour("line"), borderWidth: 1, padding: [9, 12],
        shadowBlur: 16, shadowColor: "rgba(0,0,0,0.12)", shadowOffsetY: 4, textStyle: { ...text, fontSize: 12, color: ink, rich: rich() },
        axisPointer: { type: "line", lineStyle: { color: faint, width: 1, type: "solid" } },
        formatter: (points) => tip(points[0]?.dataIndex ?? 0),
      },
    };
  }

  function rich() {
    return {
      d: { fontSize: 12, lineHeight: 18, color: muted, fontFamily: FONT },
      v: { fontSize: 13, lineHeight: 20, color: ink, fontWeight: 600, fontFamily: FONT },
      c: { fontSize: 12, lineHeight: 18, color: muted, fontFamily: FONT },
    };
  }

  // Names come from the services: braces and bars would be read as rich text.
  function plain(words) { return String(words).replace(/[{}|]/g, " "); }

  function tip(i) {
    const lines = [`{d|${plain(data.days[i])}}`, `{v|${plain(metric.words[i] ?? "missing")}}`];
    if (data.then?.[i] && metric.thenWords?.[i]) lines.push(`{c|${plain(data.then[i])}: ${plain(metric.thenWords[i])}}`);
    for (const m of marks) if (m.at === i) lines.push(`{c|${plain(m.text)}}`);
    for (const n of data.notes ?? []) if (n.from <= i && i <= n.to) lines.push(`{c|${plain(shortened(n.text, 320))}}`);
    return lines.join("\n");
  }

  // The words over a missing day stand on the chart's upper edge.
  function missingWords() {
    const max = Number(metric.option.yAxis[0].max);
    const runs = data.missing ?? [];
    if (runs.length === 0 || runs.length > 3) return [];
    const words = new Map(), taken = [];
    for (const run of runs.toSorted((a, b) => b.to - b.from - (a.to - a.from))) { // the longest is named first; what would touch it is only hatched
      const i = Math.floor((run.from + run.to) / 2), wide = textWidth(run.text);
      const align = x(i) < left + 50 ? "left" : x(i) > width - right - 50 ? "right" : "center";
      const from = x(i) - { left: 0, center: wide / 2, right: wide }[align];
      if (taken.some(([a, b]) => from < b + 6 && a < from + wide + 6)) continue;
      taken.push([from, from + wide]);
      words.set(i, { run, align });
    }
    return [{
      type: "line", silent: true, animation: false, symbol: "none", showSymbol: true, showAllSymbol: true, lineStyle: { width: 0 }, z: 6, tooltip: { show: false },
      data: data.days.map((_, i) => {
        if (!words.has(i)) return null;
        const { run, align } = words.get(i);
        return { value: max, symbol: "circle", symbolSize: 1, itemStyle: { color: "transparent" }, label: { ...text, show: true, position: [1, 4], align, verticalAlign: "top", formatter: () => run.text, textBorderColor: surface, textBorderWidth: 4 } };
      }),
    }];
  }

  // Outlined flags over the chart, each with as many of its note's words as there is room for.
  function noteSeries() {
    const flags = new Map();
    (data.notes ?? []).forEach((n, i, all) => {
      if (flags.has(n.from)) return; // the list below has both
      const next = all.find((each) => each.from > n.from);
      flags.set(n.from, shortened(n.text, Math.min(next ? x(next.from) : width, width) - x(n.from) - 20));
    });
    if (flags.size === 0) return [];
    const max = Number(metric.option.yAxis[0].max);
    return [{
      type: "line", silent: true, animation: false, showSymbol: true, showAllSymbol: true, lineStyle: { width: 0 }, z: 6, tooltip: { show: false },
      data: data.days.map((_, i) => !flags.has(i) ? null : {
        value: max, symbol: FLAG, symbolSize: [8, 10], symbolOffset: [4, -12], itemStyle: { color: surface, borderColor: ink, borderWidth: 1.2 },
        label: { ...text, show: flags.get(i) !== "", position: [12, -2], verticalAlign: "top", formatter: () => flags.get(i) },
      }),
    }];
  }

  function marksAsLines(list, stroke) {
    return { silent: true, animation: false, symbol: "none", label: { show: false }, lineStyle: { color: stroke, width: 1, type: [1.5, 3] }, data: list.map((m) => ({ xAxis: m.at })) };
  }

  // The numbers in the lane; one that would touch the number before it is left out.
  function laneNumbers() {
    const out = new Map();
    let free = -Infinity;
    for (const m of marks) {
      const words = String(m.number);
      const half = textWidth(words) / 2;
      if (x(m.at) - half < free) continue;
      out.set(m, words);
      free = x(m.at) + half + 4;
    }
    return out;
  }

  // The lane of starts and ends below the days.
  function laneSeries() {
    if (marks.length === 0) return [];
    const orders = laneNumbers();
    const y = small ? 25 : 33; // above the lower edge
    const base = { type: "line", xAxisIndex: 1, yAxisIndex: 1, silent: true, animation: false, tooltip: { show: false } };
    return [
      { ...base, symbol: "none", lineStyle: { color: inner, width: 1 }, data: data.days.map(() => y), z: 1 },
      {
        ...base, z: 5, showSymbol: true, showAllSymbol: true, lineStyle: { width: 0 }, labelLayout: { hideOverlap: true },
        markLine: { ...marksAsLines([], faint), data: marks.map((m) => [{ coord: [m.at, lane] }, { coord: [m.at, y + 6] }]) },
        data: data.days.map((_, i) => {
          const m = marks.find((each) => each.at === i);
          if (!m) return { value: null };
          const outlined = m.kind.startsWith("gift");
          return {
            value: y, symbol: SYMBOL[m.kind], symbolSize: m.kind.endsWith("end") ? 9 : [9, 11],
            itemStyle: { color: outlined ? surface : ink, borderColor: ink, borderWidth: outlined ? 1.3 : 0 },
            label: { ...text, color: ink, show: true, fontWeight: numbered ? 600 : 400, position: numbered ? "bottom" : [names.get(m).align === "right" ? 8 : 1, m.kind.endsWith("end") ? 16 : 17], align: numbered ? "center" : names.get(m).align, verticalAlign: "top", distance: 4, formatter: () => (numbered ? orders.get(m) ?? "" : names.get(m).text) },
          };
        }),
      },
    ];
  }
}
