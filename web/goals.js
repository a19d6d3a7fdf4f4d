// A study with several goals: its front as a picture and a table, and how it grew.
import {h, shown, section, plainTable, colour} from "./dom.js";
import {levelText, sourceOf} from "./data.js";
import {Chart, lookOf} from "./chart.js";
import {structureText} from "./value.js";

/** What a trial has in a goal, as it was reported. */
export function goalValue(state, trial, k) {
  const value = k === 0 ? trial.value : trial.metrics[state.goals[k].name];
  return value === undefined || value === null ? NaN : value;
}

/** Smaller is better in every goal. */
function turned(state, trial) {
  return state.goals.map((goal, k) => (goal.direction === "maximize" ? -1 : 1) * (k === 0 ? trial.total : goalValue(state, trial, k)));
}

/** The volume below `reference` that the points dominate: slices along the last goal. */
export function hypervolume(points, reference) {
  const goals = reference.length, last = goals - 1;
  const inside = points.filter((p) => p.every((v, k) => v < reference[k])).sort((a, b) => a[last] - b[last]);
  if (inside.length === 0) return 0;
  if (goals === 1) return reference[0] - inside[0][0];
  let sum = 0;
  inside.forEach((p, i) => {
    const end = i + 1 < inside.length ? inside[i + 1][last] : reference[last];
    if (end > p[last]) sum += (end - p[last]) * hypervolume(inside.slice(0, i + 1).map((q) => q.slice(0, last)), reference.slice(0, last));
  });
  return sum;
}

/** Of every allowed trial in order: [number, share of the box between the best and the reference that is dominated]. */
export function growth(state) {
  const trials = state.complete().filter((t) => state.allowed(t));
  if (trials.length === 0) return [];
  const all = trials.map((t) => turned(state, t));
  const low = state.goals.map((_, k) => Math.min(...all.map((p) => p[k])));
  const high = state.goals.map((goal, k) => goal.reference === null ? Math.max(...all.map((p) => p[k])) : (goal.direction === "maximize" ? -1 : 1) * goal.reference);
  const place = (p) => p.map((v, k) => high[k] > low[k] ? (v - low[k]) / (high[k] - low[k]) : 0);
  let front = [], volume = 0;
  return trials.map((t, i) => {
    const p = place(all[i]);
    if (!front.some((q) => q.every((v, k) => v <= p[k]))) {
      front = [...front.filter((q) => !p.every((v, k) => v <= q[k])), p];
      volume = hypervolume(front, p.map(() => 1));
    }
    return [t.number, volume];
  });
}

function partText(state, i, x) {
  const v = state.variables[i];
  return v.structure ? structureText(v.structure, state.variables, x) : levelText(v, x[i]);
}

/** The parts of a point: [name, text], one for each structure. */
function parts(state, x) {
  return state.variables.flatMap((v, i) => {
    if (v.structure ? v.structure.first !== i : v.optional && x[i] === 0) return [];
    return [[v.structure ? v.structure.name : v.name, partText(state, i, x)]];
  });
}

/** "mast: hill, mill; crew 3": what is on, the elements of an array after its name. */
function listed(state, parts) {
  const binary = new Set(state.variables.filter((v) => v.kind === "binary" && !v.structure).map((v) => v.name));
  const groups = new Map();
  for (const [name, text] of parts) {
    const element = binary.has(name) ? name.match(/^(.*)\[(.*)\]$/) : null;
    if (element === null) groups.set(name, binary.has(name) ? name : `${name} ${text}`);
    else groups.set(element[1], groups.has(element[1]) ? `${groups.get(element[1])}, ${element[2]}` : `${element[1]}: ${element[2]}`);
  }
  return [...groups.values()].join("; ");
}

/** What all points of the front have in common, and what tells each from the others. */
export function distinguish(state, front) {
  const all = front.map((t) => new Map(parts(state, t.x)));
  const common = [...all[0]].filter(([name, text]) => all.every((p) => p.get(name) === text));
  const shared = new Set(common.map(([name]) => name));
  const isOff = (name, text) => text === "0" && state.variables.some((v) => v.kind === "binary" && v.name === name);
  return {common: common.filter(([name, text]) => !isOff(name, text)),
    own: all.map((p) => [...p].filter(([name, text]) => !shared.has(name) && !isOff(name, text))).map((own) => listed(state, own))};
}

function frontTable(state, front) {
  const {common, own} = distinguish(state, front);
  const head = ["trial", ...state.goals.map((goal) => `${goal.name} (${goal.direction === "maximize" ? "max" : "min"})`), "what is its own"];
  const rows = front.map((t, i) => [String(t.number), ...state.goals.map((_, k) => shown(goalValue(state, t, k))), own[i] || "nothing but what all have"]);
  const words = listed(state, common.slice(0, 12));
  return [h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "the front"}, plainTable(head, rows, [0, ...state.goals.map((_, k) => k + 1)])),
    words ? h("p", {class: "note"}, `In all of them: ${words}${common.length > 12 ? `, and ${common.length - 12} more` : ""}.`) : null];
}

export function frontSection(state) {
  const {node, body} = section("answer", "The answer");
  const chart = new Chart(), grown = new Chart();
  const update = () => {
    const front = state.front;
    if (front.length === 0) {
      body.replaceChildren(state.nearestNote());
      return;
    }
    body.replaceChildren(...[
      h("p", {class: "note"}, `${front.length} trial${front.length === 1 ? "" : "s"} of ${state.complete().length}: in this front no trial is better than another in every goal. Choose by what a step in one goal costs in the others.`),
      h("div", {class: "two"}, h("div", {}, h("h3", {}, state.goals.length > 2 ? "The first two goals; the front is large" : "The front"), chart.node),
        h("div", {}, h("h3", {}, "How it grew"), h("p", {class: "note"}, "Hypervolume: the share of the box, from the best of each goal to its reference or worst value, that the front dominates."), grown.node)),
      ...frontTable(state, front)].filter((part) => part !== null));
    chart.show(() => frontChart(state, front));
    const points = growth(state);
    grown.show(() => ({label: "hypervolume over trials", xLabel: "trial", yLabel: "hypervolume", height: 300, lines: [{points, step: true, colour: colour("text")}]}));
  };
  update();
  return {node, update};
}

function frontChart(state, front) {
  const complete = state.complete(), chosen = new Set(front.map((t) => t.number));
  const sources = [...new Set(complete.map(sourceOf))];
  const text = (t) => `trial ${t.number}, ${sourceOf(t)}\n${state.goals.map((goal, k) => `${goal.name} ${shown(goalValue(state, t, k))}`).join("\n")}${state.allowed(t) ? "" : "\nbeyond a limit"}`;
  const marks = complete.map((t) => ({x: goalValue(state, t, 1), y: goalValue(state, t, 0), text: text(t),
    ...(state.allowed(t) ? lookOf(sources.indexOf(sourceOf(t))) : {shape: "cross", colour: colour("c5")}), size: chosen.has(t.number) ? 6 : 3}));
  const legend = [...(state.goals.length === 2 ? [{line: true, colour: colour("text"), text: "front"}] : []), ...sources.map((s, i) => ({...lookOf(i), text: s}))];
  if (complete.some((t) => !state.allowed(t))) legend.push({shape: "cross", colour: colour("c5"), text: "beyond a limit"});
  const line = front.map((t) => [goalValue(state, t, 1), goalValue(state, t, 0)]).sort((a, b) => a[0] - b[0]);
  return {label: `${state.goals[0].name} against ${state.goals[1].name}, ${front.length} on the front`, xLabel: state.goals[1].name, yLabel: state.goals[0].name, height: 300, marks,
    lines: state.goals.length === 2 ? [{points: line, colour: colour("text")}] : [], legend};
}
