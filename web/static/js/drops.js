// Menus are <details>: they close on Esc, and when something else is clicked.
export function startDrops() {
  const open = () => document.querySelectorAll("details.drop[open]");
  document.addEventListener("click", (event) => {
    for (const drop of open()) if (!drop.contains(event.target)) drop.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const drop of open()) {
      drop.open = false;
      if (drop.contains(document.activeElement)) drop.querySelector("summary").focus();
    }
  });
  // If tabs scroll, keep the current one in view.
  for (const tab of document.querySelectorAll(":is(.tabs, .subtabs) [aria-current]")) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
}
