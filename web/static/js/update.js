// Turns a part of the page into what the server says now. An element that is still there
// stays the same element, so scroll, focus and what is open stay as they are.
import { Idiomorph } from "idiomorph/dist/idiomorph.esm.js";

const changed = (f) => {
  if (f.type === "checkbox" || f.type === "radio") return f.checked !== f.defaultChecked;
  if (f.options) return [...f.options].some((o) => o.selected !== o.defaultSelected);
  return f.value !== f.defaultValue;
};

// inUse reports whether somebody is filling the form in.
const inUse = (form) => [...form.elements].some((f) => f.matches("input, select, textarea") && (f === document.activeElement || (f.type !== "hidden" && changed(f))));

// drawn are the parts of a chart that its own script changes: it reads its numbers again.
const drawn = "[data-chart], [data-chart-metrics], [data-chart-title]";

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
        return !(from.matches(drawn) || (from.matches("form") && inUse(from)));
      },
      beforeAttributeUpdated: (name, e) => !(name === "open" && e.matches("details, dialog")),
    },
  });
  for (const [from, to] of texts) from.replaceWith(to);
}
