// A chooser of colours beside the field that holds one: it needs JavaScript, and
// stays away without.
export function startColour() {
  for (const chooser of document.querySelectorAll("[data-colour-for]")) {
    const field = document.getElementById(chooser.dataset.colourFor);
    chooser.hidden = false;
    chooser.addEventListener("input", () => { field.value = chooser.value; });
    field.addEventListener("input", () => { if (/^#[0-9a-f]{6}$/i.test(field.value)) chooser.value = field.value; });
  }
}
