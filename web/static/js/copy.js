// showCopy shows the buttons that need a clipboard, including those added later.
export function showCopy() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

// "Copy as JSON": a number with its provenance as the JSON API writes it; and
// "Copy" beside a field that is shown once.
export function startCopy() {
  for (const field of document.querySelectorAll("[data-select]")) field.addEventListener("focus", () => field.select());
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy-field]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(document.getElementById(button.dataset.copyField).value);
        say(button, button.dataset.copied);
      } catch {
        say(button, button.dataset.refused);
      }
    });
  }
  showCopy();
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const box = button.closest(".prov");
    const all = JSON.parse(document.getElementById("provenances")?.textContent ?? "{}");
    const value = {
      name: box.querySelector(".quiet-name").textContent.trim(),
      field: button.dataset.field || undefined,
      value: box.querySelector(".amount")?.textContent.trim().replace(/\s+/g, " "),
      provenance: all[button.dataset.copy],
    };
    try {
      await navigator.clipboard.writeText(JSON.stringify(value, null, 2));
      say(button, button.dataset.copied);
    } catch {
      say(button, button.dataset.refused);
    }
  });
}

// say briefly shows the result of a button.
function say(button, text) {
  const words = (button.dataset.words ??= button.textContent);
  button.textContent = text;
  setTimeout(() => { button.textContent = words; }, 2000);
}
