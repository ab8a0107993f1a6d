// Shows the results of a list's search as you type. The form works without it.
import { pageAt } from "./page.js";

export function startSearch() {
  const form = document.querySelector("form[data-search]");
  const input = form?.querySelector("input[type=search]");
  if (!input) return;
  let timer, asked = 0;
  const show = async () => {
    const fields = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...fields]) if (!value.trim()) fields.delete(name);
    const address = form.action + (fields.size ? "?" + fields : "");
    const turn = ++asked;
    try {
      const { page, ok } = await pageAt(address);
      if (turn !== asked) return; // something newer was typed
      if (!ok) throw new Error("no list");
      for (const part of document.querySelectorAll("[data-search-part]")) {
        const next = page.querySelector(`[data-search-part="${part.dataset.searchPart}"]`);
        if (next) part.replaceChildren(...next.childNodes);
      }
      history.replaceState(null, "", address);
    } catch {
      if (turn === asked) form.submit(); // the whole page says why
    }
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, 250);
  });
}
