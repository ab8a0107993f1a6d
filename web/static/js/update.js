// Updates a part of the page to what the server says now. An element that is still there
// stays the same element, so scroll, focus and what is open stay as they are.
import { Idiomorph } from "idiomorph/dist/idiomorph.esm.js";

const changed = (f) => {
  if (f.type === "checkbox" || f.type === "radio") return f.checked !== f.defaultChecked;
  if (f.options) return [...f.options].some((o) => o.selected !== o.defaultSelected);
  return f.value !== f.defaultValue;
};

// inUse reports whether someone is filling the form in.
const inUse = (form) => [...form.elements].some((f) => f.matches("input, select, textarea") && (f === document.activeElement || (f.type !== "hidden" && changed(f))));

// chosen are the parts of a panel that follow what was chosen in it, and drawn those that a
// chart's own script adds beside its picture.
const chosen = "[data-chart-metrics], [data-chart-title]";
const drawn = ".drawing, .tip";

export function update(old, next) {
  const texts = [];
  Idiomorph.morph(old, next, {
    morphStyle: "outerHTML",
    callbacks: {
      beforeNodeMorphed(from, to) {
        if (from.nodeType !== Node.ELEMENT_NODE) return true;
        if (from.matches("script")) { // its text is never changed in place: the policy forbids that
          if (from.textContent !== to.textContent) texts.push([from, to]);
          return false;
        }
        return !(from.matches(chosen) || (from.matches("form") && inUse(from)));
      },
      beforeNodeRemoved: (e) => !(e.nodeType === Node.ELEMENT_NODE && e.matches(drawn)),
      beforeAttributeUpdated: (name, e) => !(e.matches("[data-chart]") || (name === "open" && e.matches("details, dialog"))),
    },
  });
  for (const [from, to] of texts) from.replaceWith(to);
}
