// A screen on a wall asks for itself every minute. Without an answer it keeps what it
// has, and says so; without a session it shows what the server says.
import { pageAt } from "./page.js";

export function startWall() {
  const wall = document.querySelector("[data-wall]");
  if (!wall) return;
  const refresh = async () => {
    try {
      const { page } = await pageAt(location.href);
      const next = page.querySelector("[data-wall]");
      if (!next) throw new Error("no wallboard");
      wall.replaceChildren(...next.childNodes);
    } catch {
      const lost = wall.querySelector("[data-wall-lost]");
      if (lost) lost.hidden = false;
    }
  };
  setInterval(refresh, 60_000);
  wall.addEventListener("refresh", refresh);
}
