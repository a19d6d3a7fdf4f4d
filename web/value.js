// The value of a structure (a subset, an order, an assignment, a mixture) as people read it, and its picture.
import {h} from "./dom.js";
import {levelText} from "./data.js";

/** Marks the coordinates that make up a structure: variable.structure = {name, type, first, items}. */
export function markStructures(document) {
  for (const variable of document.variables) variable.structure = null;
  for (const structure of document.structures || []) {
    structure.items.forEach((_, i) => { document.variables[structure.first + i].structure = structure; });
  }
}

/** The levels of a structure in a point. */
const levelsOf = (structure, x) => structure.items.map((_, i) => x[structure.first + i]);

/** The items of an order, first to last. */
function ordered(structure, x) {
  const order = [];
  levelsOf(structure, x).forEach((position, i) => { order[position] = structure.items[i]; });
  return order;
}

/** The items chosen, or [item, text] of what each item has, as `bocs best --json` has them. */
export function structureValue(structure, variables, x) {
  const text = (i) => levelText(variables[structure.first + i], x[structure.first + i]);
  if (structure.type === "permutation") return ordered(structure, x);
  if (structure.type === "subset") return structure.items.filter((_, i) => x[structure.first + i] === 1);
  if (structure.type === "multiset") return structure.items.flatMap((item, i) => new Array(x[structure.first + i]).fill(item));
  const entries = structure.items.map((item, i) => [item, text(i)]);
  if (structure.type === "assignment") return Object.fromEntries(entries);
  return Object.fromEntries(entries.filter(([, amount]) => Number(amount) > 0).map(([part, amount]) => [part, Number(amount)]));
}

/** In one line: "c > a > b", "water 0.7, oil 0.3". */
export function structureText(structure, variables, x) {
  const value = structureValue(structure, variables, x);
  if (structure.type === "permutation") return value.join(" > ");
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  const between = structure.type === "mixture" ? " " : ": ";
  return Object.entries(value).map(([item, own]) => `${item}${between}${own}`).join(", ");
}

/** Lanes of an order, cells of a subset, a table of an assignment, bars of a mixture. */
export function structurePicture(structure, variables, x) {
  const words = h("span", {class: "words"}, structureText(structure, variables, x));
  if (structure.type === "permutation") {
    return h("ol", {class: "order"}, ordered(structure, x).map((item) => h("li", {}, item)));
  }
  if (structure.type === "multiset") return words;
  if (structure.type === "subset") {
    const cells = structure.items.map((item, i) => {
      const on = x[structure.first + i] === 1;
      return h("span", {class: on ? "on" : "off", title: `${item}: ${on ? "chosen" : "not chosen"}`});
    });
    return [h("span", {class: "picture", "aria-hidden": "true"}, cells), words];
  }
  const value = structureValue(structure, variables, x);
  if (structure.type === "mixture") {
    const largest = Math.max(...Object.values(value), 1e-300);
    return h("div", {class: "amounts"}, Object.entries(value).flatMap(([part, amount]) => [h("span", {}, part),
      h("span", {class: "amount", "aria-hidden": "true", style: `width:${(100 * amount) / largest}%`}), h("span", {}, String(amount))]));
  }
  const places = variables[structure.first].values;
  return h("table", {class: "places"}, h("tr", {}, h("td", {}), places.map((place) => h("th", {scope: "col"}, place))),
    structure.items.map((item) => h("tr", {}, h("th", {scope: "row"}, item),
      places.map((place) => h("td", {class: value[item] === place ? "on" : "off"}, value[item] === place ? "●" : "")))));
}

/** The point with one coordinate changed; in an order the item that stood there takes the other's position. */
export function changed(variables, x, v, level) {
  const other = [...x], {structure} = variables[v];
  if (structure && structure.type === "permutation") {
    const there = structure.items.findIndex((_, i) => x[structure.first + i] === level);
    other[structure.first + there] = x[v];
  }
  other[v] = level;
  return other;
}
