// "What if": choose levels, see what the model expects there, computed from the draws that the page carries.
import {h, shown, section, button, replace} from "./dom.js";
import {groupsOf, levelCount, levelOf, levelText, pointObject} from "./data.js";
import {changeText} from "./structure.js";
import {changed} from "./value.js";

const SHORT_RANGE = 129;  // levels that are all tried for single changes
const NEAR_LEVELS = 32;   // of a longer range: on each side of the present one

/** The levels to try instead of `level`: all of a short range; of a long one those near it, then ever wider steps (1, 2, 4, ...) and both ends. */
export function levelsToTry(level, count) {
  if (count <= SHORT_RANGE) return Array.from({length: count}, (_, i) => i).filter((i) => i !== level);
  const levels = new Set([0, count - 1]);
  for (let step = 1; step < count; step += step < NEAR_LEVELS ? 1 : step) {
    for (const other of [level - step, level + step]) if (other >= 0 && other < count) levels.add(other);
  }
  levels.delete(level);
  return [...levels].sort((a, b) => a - b);
}

/** Points that differ from x in one variable and satisfy the constraints, most promising first. */
export function singleChanges(state, x) {
  const at = state.posterior.predict(x), here = at.mean + state.penalty(x);
  const seen = new Set(state.trials.map((trial) => trial.x.join()));
  const changes = [];
  state.variables.forEach((variable, v) => {
    for (const level of levelsToTry(x[v], levelCount(variable))) {
      if (variable.optional && (x[v] === 0 || level === 0)) continue;  // it comes and goes with another variable
      const other = changed(state.variables, x, v, level);
      if (state.violated(other) !== null) continue;
      const {mean, deviation} = state.posterior.predict(other, x);
      const total = at.mean + mean + state.penalty(other);
      changes.push({v, level, x: other, total, gain: state.maximize ? total - here : here - total, deviation, known: seen.has(other.join())});
    }
  });
  return changes.sort((a, b) => b.gain - a.gain);
}

/** What sets one variable: a button, a field or a list. level() is its level now, choose(level) sets another one, and
 *  each function of `marks` shows the present one. */
function controlOf(variable, label, level, choose, marks) {
  const count = levelCount(variable);
  if (variable.kind === "binary") {
    const name = label === "on" ? `${variable.name} on` : variable.name;  // a name begins with, or has, what is shown
    const cell = h("button", {type: "button", class: "cell", title: variable.name, "aria-label": name, onclick: () => choose(1 - level())}, label);
    marks.push(() => { cell.setAttribute("aria-pressed", String(level() === 1)); });
    return cell;
  }
  if (!variable.values) {  // a long range of whole numbers, or a number without a step
    const first = variable.optional ? 1 : 0;
    const field = h("input", {type: "number", "aria-label": variable.name, step: variable.scale ? "any" : 1,
      min: Number(levelText(variable, first)), max: Number(levelText(variable, count - 1)),
      onchange: () => choose(field.value === "" && first ? 0 : levelOf(variable, Number(field.value)))});
    marks.push(() => { field.value = first && level() === 0 ? "" : levelText(variable, level()); });
    return field;
  }
  const list = h("select", {"aria-label": variable.name, onchange: () => choose(Number(list.value))},
    Array.from({length: count}, (_, k) => h("option", {value: k}, levelText(variable, k))));
  marks.push(() => { list.value = String(level()); });
  return list;
}

/** actions: {enqueue(x)} in a dashboard that may write; null in a report. */
export function whatIfSection(state, actions) {
  const {node, body} = section("whatif", "What if",
    "Choose values and see what the model expects there. It is computed in this page from draws of the model’s posterior.");
  const answer = h("div", {class: "prediction", role: "status", "aria-live": "polite"});
  const controls = h("div", {class: "controls"});
  const changes = h("div", {});
  let x = null, marks = [];

  const choose = (v, level) => { x = changed(state.variables, x, v, level); refresh(); };

  const labelled = (v, label) => {  // of an array or a structure: which element it is
    const made = controlOf(state.variables[v], label, () => x[v], (level) => choose(v, level), marks);
    return label === "" || made.tagName === "BUTTON" ? made : h("span", {class: "element"}, h("small", {class: "quiet", "aria-hidden": "true"}, label), made);
  };

  const build = () => {
    marks = [];
    controls.replaceChildren(...groupsOf(state.variables).map((group) =>
      h("div", {class: "group", role: "group", "aria-label": group.name}, h("span", {class: "name"}, group.name), h("span", {class: "cells"},
        group.members.map(({index, label}) => labelled(index, group.array ? label : state.variables[index].kind === "binary" ? "on" : ""))))));
  };

  const refresh = () => {
    for (const mark of marks) mark();
    const {mean, deviation} = state.posterior.predict(x);
    const total = mean + state.penalty(x), broken = state.violated(x);
    const known = state.trials.find((trial) => trial.state === "complete" && trial.x.join() === x.join());
    replace(answer,
      h("div", {}, h("span", {class: "big", "data-exact": total}, shown(total)), h("span", {class: "quiet"}, ` ± ${shown(1.96 * deviation, 3)}`)),
      h("p", {class: "quiet"}, `the model’s mean and 95 % interval of ${state.penalized ? "f with the penalty" : "f"}, without the noise of a measurement`),
      known ? h("p", {}, `measured in trial ${known.number}: ${shown(known.total)}`) : h("p", {}, "not measured yet"),
      broken ? h("p", {class: "warning"}, `not allowed: ${broken}`) : null,
      h("div", {class: "tools"},
        button("as the best", () => { x = [...state.best.x]; refresh(); }),
        actions && actions.enqueue ? button("evaluate this point next", () => actions.enqueue(pointObject(state.variables, x)), {class: "main", disabled: broken !== null}) : null));
    const list = singleChanges(state, x).slice(0, 8);
    replace(changes, h("h3", {}, "The most promising single changes"), list.length === 0 ? h("p", {class: "quiet"}, "No change of one variable alone is allowed.") :
      h("ol", {class: "changes"}, list.map((change) => h("li", {},
        button(changeText(state.variables[change.v], change.level), () => { x = change.x; refresh(); }),
        ` ${shown(change.total, 5)} `, h("small", {class: "quiet"}, `${change.gain > 0 ? `better by ${shown(change.gain, 3)}` : `worse by ${shown(-change.gain, 3)}`} ± ${shown(1.96 * change.deviation, 2)} (95 %)${change.known ? ", known" : ""}`)))));
  };

  const update = () => {
    if (!state.posterior || !state.best) {
      body.replaceChildren(h("p", {class: "note"}, "Needs a model and a complete trial."));
      return;
    }
    const first = x === null;
    if (first) x = [...state.best.x];
    if (first || controls.childElementCount === 0) {
      build();
      const {posterior} = state;
      const thin = posterior.terms.length < posterior.allTerms
        ? `The page carries the ${posterior.terms.length} strongest of ${posterior.allTerms} terms; the others scatter by ${shown(posterior.leftOut, 2)}, which is in the interval.` : "";
      body.replaceChildren(h("div", {class: "two"}, h("div", {}, controls), h("div", {}, answer, changes)),
        h("p", {class: "quiet"}, `${posterior.rows.length - 1} draws of the posterior. ${thin}`));
    }
    refresh();
  };
  update();
  return {node, update, needsModel: true};
}
