// A form with a preview updates it while it is filled in. Its button does the same without
// JavaScript.
import { pageAt } from "./page.js";

export function startPreview() {
  const part = document.querySelector("[data-preview-part]");
  const form = part?.closest("form");
  if (!form) return;
  let timer, asked = 0;
  const show = async () => {
    const fields = new URLSearchParams(new FormData(form));
    fields.set("do", "preview");
    const turn = ++asked;
    try {
      const { page } = await pageAt(form.action, fields);
      const next = page.querySelector("[data-preview-part]");
      if (turn === asked && next) part.replaceChildren(...next.childNodes);
    } catch {
      // The button is still there.
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, 250);
  });
}
