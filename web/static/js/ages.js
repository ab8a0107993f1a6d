// Keeps the ages on a page true while it is open. data-age is the age in seconds when
// the page was made; what is added is time spent here, so a wrong clock does no harm.
const units = [
  [48 * 3600, 86400, "day"],
  [3600, 3600, "hour"],
  [60, 60, "minute"],
];

// ageWords is the age in the page's language, or "" in the first minute, which the page
// itself says.
export function ageWords(seconds, language = document.documentElement.lang) {
  for (const [from, size, unit] of units) {
    if (seconds >= from) return new Intl.RelativeTimeFormat(language, { numeric: "always" }).format(-Math.floor(seconds / size), unit);
  }
  return "";
}

// A part of the page that came later counts from when it was first met.
const met = new WeakMap();

function tick() {
  for (const at of document.querySelectorAll("time[data-age]")) {
    if (!met.has(at)) met.set(at, performance.now());
    const words = ageWords(Number(at.dataset.age) + (performance.now() - met.get(at)) / 1000);
    if (words && at.textContent !== words) at.textContent = words;
  }
}

export function startAges() {
  tick();
  setInterval(tick, 15_000);
  document.addEventListener("visibilitychange", tick);
}
