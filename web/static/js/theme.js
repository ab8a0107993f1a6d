// Runs before the first paint: the chosen appearance, or the system's.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch { /* storage may be refused: the system's appearance stands */ }
