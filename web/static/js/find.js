// Finds a store, a page or an offer as you type: in the dialog over the page, and in
// the store switcher. Both are comboboxes; without JavaScript their forms lead to a page.
import { pageAt } from "./page.js";

let made = 0;

function combobox(box) {
  const form = box.querySelector("form");
  const input = form?.elements.q, list = box.querySelector("[data-find-list]"), said = box.querySelector("[data-find-said]");
  if (!input) return undefined;
  list.id = `found-${++made}`;
  list.setAttribute("role", "listbox");
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "true"], ["aria-controls", list.id]]) input.setAttribute(name, value);
  let timer, asked = 0, at = -1;

  const options = () => [...list.querySelectorAll("a")];
  const choose = (i) => {
    const all = options();
    at = all.length ? (i + all.length) % all.length : -1;
    all.forEach((a, n) => a.setAttribute("aria-selected", String(n === at)));
    if (at < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", all[at].id);
    all[at].scrollIntoView({ block: "nearest" });
  };
  const adopt = () => options().forEach((a, n) => {
    a.id = `${list.id}-${n}`;
    a.tabIndex = -1;
    a.setAttribute("role", "option");
    a.setAttribute("aria-selected", "false");
  });
  const address = () => form.getAttribute("action") + "?" + new URLSearchParams(new FormData(form));

  const show = async () => {
    const turn = ++asked;
    try {
      const { page } = await pageAt(address());
      if (turn !== asked) return; // something newer was typed
      list.replaceChildren(...page.querySelectorAll("[data-found] a"));
      said.textContent = page.querySelector("[data-found-said]")?.textContent ?? "";
      said.classList.toggle("sr-only", list.firstChild !== null);
      adopt();
      choose(input.value.trim() ? 0 : -1);
    } catch { /* the network is away: what was found before is still there */ }
  };
  const type = () => {
    clearTimeout(timer);
    timer = setTimeout(show, 120);
  };

  input.addEventListener("input", type);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1 }[event.key];
    if (step !== undefined) choose(step);
    else if (event.key === "Enter" && !event.isComposing) location.assign(options()[at]?.href ?? address());
    else return;
    event.preventDefault();
  });
  adopt();
  return { input, show, type };
}

// mac: its keyboards have ⌘ where others have Ctrl.
const mac = /Mac|iP/.test(navigator.platform);

const writing = (e) => e.closest?.("input, textarea, select, [contenteditable]");

export function startFind() {
  for (const key of document.querySelectorAll("[data-mod]")) {
    key.textContent = (mac ? "⌘" : "Ctrl ") + key.dataset.mod;
    key.hidden = false;
  }
  for (const menu of document.querySelectorAll("details [data-find]")) {
    const search = combobox(menu);
    if (search) menu.closest("details").addEventListener("toggle", (event) => event.target.open && search.input.focus());
  }
  const dialog = document.getElementById("find"), shortcuts = document.getElementById("shortcuts");
  if (!dialog) return;
  const search = combobox(dialog);
  const open = (text = "") => {
    if (dialog.open) return;
    shortcuts.close();
    search.input.value = text;
    dialog.showModal();
    search.show();
  };

  const field = document.querySelector("[data-find-open]");
  field.addEventListener("submit", (event) => { event.preventDefault(); open(); });
  field.elements.q.addEventListener("click", () => open());
  field.elements.q.addEventListener("input", (event) => {
    open(event.target.value);
    event.target.value = "";
  });
  for (const button of document.querySelectorAll("[data-shortcuts]")) {
    button.hidden = false;
    button.addEventListener("click", () => shortcuts.showModal());
  }
  for (const d of [dialog, shortcuts]) d.addEventListener("click", (event) => event.target === d && d.close()); // beside it

  document.addEventListener("keydown", (event) => {
    if ((mac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return open();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || writing(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "?") shortcuts.showModal();
    else if (event.key === "/") {
      const list = document.querySelector("main input[type=search]");
      if (!list) return;
      list.focus();
      list.select();
    } else return;
    event.preventDefault();
  });
}
