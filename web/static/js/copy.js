// "Copy as JSON": a number with its provenance as the JSON API writes it.
export function startCopy() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
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
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(JSON.stringify(value, null, 2));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copying was refused";
    }
    setTimeout(() => { button.textContent = words; }, 2000);
  });
}
