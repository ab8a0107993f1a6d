// Light, dark or as the system: kept on this machine only.
const root = document.documentElement;

function mark(theme) {
  for (const b of document.querySelectorAll("[data-theme-choice]")) {
    b.setAttribute("aria-pressed", String(b.dataset.themeChoice === theme));
  }
}

export function startAppearance() {
  for (const el of document.querySelectorAll("[data-appearance]")) el.hidden = false;
  mark(root.dataset.theme ?? "");
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-choice]");
    if (!button) return;
    const theme = button.dataset.themeChoice;
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    try {
      if (theme) localStorage.setItem("theme", theme);
      else localStorage.removeItem("theme");
    } catch { /* storage may be refused: the choice lasts for this page */ }
    mark(theme);
    root.dispatchEvent(new Event("appearance"));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => root.dispatchEvent(new Event("appearance")));
}
