// A color chooser next to the field for a color: it needs JavaScript, and
// stays hidden without it.
export function startColour() {
  for (const chooser of document.querySelectorAll("[data-colour-for]")) {
    const field = document.getElementById(chooser.dataset.colourFor);
    chooser.hidden = false;
    chooser.addEventListener("input", () => { field.value = chooser.value; });
    field.addEventListener("input", () => { if (/^#[0-9a-f]{6}$/i.test(field.value)) chooser.value = field.value; });
  }
}
