// Keeps the ages on an open page up to date. data-age is the age in seconds when
// the page was made; only time spent here is added, so a wrong clock does no harm.
const units = [
  [48 * 3600, 86400, "day"],
  [3600, 3600, "hour"],
  [60, 60, "minute"],
];

// ageWords is the age in the page's language, or "" in the first minute, which the page
// itself says.
export function ageWords(seconds, language = document.documentElement.lang, short = false) {
  for (const [from, size, unit] of units) {
    if (seconds < from) continue;
    const n = Math.floor(seconds / size);
    if (short) return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(n);
    return new Intl.RelativeTimeFormat(language, { numeric: "always" }).format(-n, unit);
  }
  return "";
}

// An age counts from when it was first seen, and again when the server sends a new one.
const met = new WeakMap();

// clocks: while a laptop sleeps, only the second one keeps running.
const clocks = () => [performance.now(), Date.now()];

export function tickAges() {
  const now = clocks();
  for (const at of document.querySelectorAll("[data-age]")) {
    const said = (at.dateTime ?? "") + at.dataset.age;
    if (met.get(at)?.said !== said) met.set(at, { said, since: now });
    const since = met.get(at).since;
    const words = ageWords(Number(at.dataset.age) + Math.max(...now.map((t, i) => t - since[i])) / 1000, undefined, "short" in at.dataset);
    if (words && at.textContent !== words) at.textContent = words;
  }
}

export function startAges() {
  tickAges();
  setInterval(tickAges, 15_000);
  document.addEventListener("visibilitychange", tickAges);
}
