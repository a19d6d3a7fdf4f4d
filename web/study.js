// A study on the page: answer, curve, what was learnt, what if, trust, trials, how it was run.
import {h, shown, duration, percent, section, copyButton, plainTable, replace, colour} from "./dom.js";
import {groupsOf, isFinished, levelText, pointObject, readPoint, sourceOf, workerName} from "./data.js";
import {Chart, lookOf} from "./chart.js";
import {frontSection} from "./goals.js";
import {learntSection} from "./structure.js";
import {structurePicture} from "./value.js";
import {whatIfSection} from "./whatif.js";
import {metricsOf, trialsSection, pointText} from "./trials.js";

/** A point in the user's names; binary arrays as cells, in rows and columns where they are named so. */
export function pointPicture(variables, x) {
  return h("dl", {class: "point"}, groupsOf(variables).flatMap((group) => {
    const single = group.members.length === 1, binary = group.kind === "binary";
    let value;
    if (group.structure) {
      value = structurePicture(group.structure, variables, x);
    } else if (group.members.every(({index}) => variables[index].optional && x[index] === 0)) {
      return [];  // absent
    } else if (binary && !single) {
      const on = group.members.filter(({index}) => x[index] === 1).map(({label}) => label);
      const cells = h("span", {class: group.columns ? "picture grid" : "picture", "aria-hidden": "true"}, group.members.map(({index, label, row, column}) => {
        const cell = h("span", {class: x[index] === 1 ? "on" : "off", title: `${group.name}[${label}] = ${x[index]}`});
        if (group.columns) { cell.style.gridRow = String(row + 1); cell.style.gridColumn = String(column + 1); }
        return cell;
      }));
      value = [cells, h("span", {class: "words"}, on.length === 0 ? "none" : on.join(on.every((label) => /^\d+$/.test(label)) ? " " : group.columns ? "  " : ", ")), h("small", {class: "quiet"}, ` ${on.length} of ${group.members.length} on`)];
    } else {
      value = group.members.map(({index}) => levelText(variables[index], x[index])).join(", ");
      if (binary) value = x[group.members[0].index] === 1 ? "on" : "off";
    }
    return [h("dt", {}, group.name), h("dd", {}, value)];
  }));
}

function fact(title, ...content) { return h("div", {class: "fact"}, h("div", {class: "quiet"}, title), h("div", {}, content)); }

/** What the answer has otherwise than the setting that is in use. */
function changesNote(state, x) {
  const {present} = state;
  if (!present) return null;
  const changes = state.variables.flatMap((v, i) => x[i] === present[i] ? [] : [`${v.name} ${levelText(v, x[i])} instead of ${levelText(v, present[i])}`]);
  return h("p", {class: "note", id: "changes"}, `${changes.length} changes from the default${changes.length ? ": " : ""}${changes.join(", ")}. `,
    "bocs simplify says which of them are needed.");
}

/** How much better the best could still get; null while nobody has computed it. */
function remainingFact(state) {
  const {remaining} = state.document;
  if (!remaining) return null;
  if (remaining.why_not || remaining.rows.length === 0) return fact("may be left", "not known", h("small", {class: "quiet"}, ` ${remaining.why_not}`));
  const [, mean, low, high, chance] = remaining.rows[remaining.rows.length - 1];
  if (chance === 1) return fact("may be left", "nothing better is expected");
  return fact("may be left", h("span", {id: "remaining", "data-exact": mean}, shown(mean, 2)),
    h("small", {class: "quiet"}, ` 90 %: ${shown(low, 2)} to ${shown(high, 2)}; ${Math.floor(100 * chance)} % that nothing is better`));
}

/** Where the optimum may be, at 90 %, as known after some trials: [[trial, low, high]] around the best value of that time. */
function leftBand(state, done) {
  const sign = state.maximize ? 1 : -1;
  return (state.document.remaining?.rows || []).flatMap(([number, , low, high]) => {
    const before = done.filter((t) => t.number <= number && state.allowed(t)).map((t) => t.total);
    if (before.length === 0) return [];
    const best = before.reduce((a, b) => state.better(a, b) ? a : b);
    return [[number, best + sign * low, best + sign * high]];
  });
}

/** Values so bad that an axis with them would press the good ones together stand at its end. */
function worstShown(state, values) {
  const sorted = [...values].sort((a, b) => state.better(a, b) ? -1 : 1);
  if (sorted.length < 8) return sorted[sorted.length - 1];
  const most = sorted[Math.floor(0.8 * sorted.length)], limit = most + 2 * (most - sorted[0]);
  return sorted.filter((v) => !state.better(limit, v)).pop();
}

function answerSection(state) {
  if (state.goals.length > 1) return frontSection(state);
  const {node, body} = section("answer", "The answer");
  const update = () => {
    const best = state.best;
    if (best === null) {
      body.replaceChildren(state.nearestNote());
      return;
    }
    const recommended = state.document.recommended;
    const complete = state.complete(), last = state.trials.filter((t) => isFinished(t)).length;
    const after = state.trials.filter((t) => t.number > best.number && isFinished(t)).length;
    const hint = complete.length < 10 ? "" : 10 * after < last ? "still improving at the last trials: more of them may bring more" : `last improvement ${after} trials ago`;
    const facts = [];
    if (recommended) {  // under noise the answer is what is likely best, not the best single measurement
      facts.push(fact("recommended", h("span", {class: "big", id: "recommended", "data-exact": recommended.total}, shown(recommended.total)),
        recommended.error !== null ? ` ± ${shown(1.96 * recommended.error, 3)} (95 %)` : "",
        h("small", {class: "quiet"}, ` from ${recommended.measurements} measurement${recommended.measurements === 1 ? "" : "s"} of the point below`)));
    }
    const title = recommended ? "best single measurement (likely too optimistic)" : state.penalized ? "value with penalty" : "best value";
    facts.push(fact(title, h("span", {class: recommended ? "" : "big", id: "best-value", "data-exact": best.total}, shown(best.total, 8))));
    if (state.penalized) facts.push(fact("value", shown(best.value, 8)), fact("penalty", shown(state.penalty(best.x))));
    facts.push(fact("found in trial", `${best.number}`, h("small", {class: "quiet"}, ` of ${last} finished, ${sourceOf(best)}`)));
    for (const limit of state.study.outcomes) facts.push(fact(limit.metric, shown(best.metrics[limit.metric]), h("small", {class: "quiet"}, ` ${limit.text}`)));
    const limited = new Set(state.study.outcomes.map(({metric}) => metric));
    for (const name of metricsOf(state)) if (!limited.has(name) && best.metrics[name] !== undefined) facts.push(fact(name, shown(best.metrics[name])));
    const left = remainingFact(state);
    if (left) facts.push(left);
    for (const [name, text] of Object.entries(best.carried)) facts.push(fact(name, text));
    if (best.finished !== null) facts.push(fact("after", duration(best.finished)));
    const chosen = recommended ? readPoint(recommended.point, state.encoding, state.variables.length) : best.x;
    replace(body,
      h("div", {class: "facts"}, facts), hint ? h("p", {class: "note"}, hint) : null,
      state.document.outliers ? h("p", {class: "note", id: "outliers"}, state.document.outliers) : null,
      pointPicture(state.variables, chosen), changesNote(state, chosen),
      h("div", {class: "tools"}, copyButton("copy as JSON", () => JSON.stringify(pointObject(state.variables, chosen)))));
  };
  update();
  return {node, update};
}

function curveSection(state) {
  const {node, body} = section("curve", "How it was found");
  const chart = new Chart();
  let time = false;
  const axis = h("select", {"aria-label": "horizontal axis", onchange: () => { time = axis.value === "time"; chart.view = null; update(); }},
    h("option", {value: "trials"}, "over trials"), h("option", {value: "time"}, "over time"));
  body.append(h("div", {class: "tools"}, axis, h("span", {class: "quiet"}, "drag to zoom, or + and −; arrows walk from trial to trial")), chart.node);
  const update = () => chart.show(() => {
    const place = (t) => time ? t.finished ?? NaN : t.number;
    const done = state.trials.filter((t) => Number.isFinite(place(t)) && (t.state === "complete" || t.state === "failed"));
    if (time) done.sort((a, b) => a.finished - b.finished);
    const sources = [...new Set(state.complete().map(sourceOf))];
    const values = done.filter((t) => t.state === "complete").map((t) => t.total);
    // Where a failed trial stands: at the worse end of what was measured.
    const edge = values.length === 0 ? 0 : worstShown(state, values), beyond = values.filter((v) => state.better(edge, v)).length;
    let best = null;
    const line = [], marks = [];
    for (const t of done) {
      const failed = t.state === "failed";
      const words = `trial ${t.number}, ${sourceOf(t)}\n${failed ? `failed: ${t.error}` : shown(t.total, 7)}\n${pointText(state.variables, t.x).slice(0, 90)}`;
      marks.push(failed ? {x: place(t), y: edge, shape: "cross", colour: colour("bad"), text: words, size: 4}
        : {x: place(t), y: state.better(edge, t.total) ? edge : t.total, ...(state.allowed(t) ? lookOf(sources.indexOf(sourceOf(t))) : {shape: "cross", colour: colour("c5"), size: 4}), text: words});
      if (state.allowed(t) && (best === null || state.better(t.total, best))) best = t.total;
      if (best !== null) line.push([place(t), state.better(edge, best) ? edge : best]);
    }
    const legend = [{line: true, colour: colour("text"), text: "best so far"}, ...sources.map((s, i) => ({...lookOf(i), text: s}))];
    if (done.some((t) => t.state === "complete" && !state.allowed(t))) legend.push({shape: "cross", colour: colour("c5"), text: "beyond a limit"});
    if (beyond > 0) legend.push({line: true, dash: [2, 3], colour: colour("quiet"), text: `${beyond} worse than the axis, at its end`});
    const band = time ? [] : leftBand(state, done);
    if (band.length > 1) legend.push({shape: "square", colour: colour("c3"), text: "where the optimum may be (90 %)"});
    if (done.some((t) => t.state === "failed")) legend.push({shape: "cross", colour: colour("bad"), text: "failed"});
    return {label: `best value over ${time ? "time" : "trials"}, ${marks.length} trials`, xLabel: time ? "time since the first trial" : "trial", xText: time ? duration : null,
      yLabel: state.penalized ? "value with penalty" : "value", marks, lines: [{points: line, step: true, colour: colour("text")}], bands: band.length > 1 ? [{points: band, colour: colour("c3")}] : [], legend};
  });
  update();
  return {node, update};
}

function trustSection(state) {
  const {node, body} = section("trust", "How far to trust it");
  const calibration = new Chart(), gaps = new Chart();
  const update = () => {
    const judged = state.complete().filter((t) => t.predicted !== null);
    const proved = state.trials.filter((t) => t.bound !== null && t.predicted !== null);
    const failures = state.document.failures;
    const points = state.complete().map((t) => t.x.join());
    const repeated = points.length - new Set(points).size;
    const command = `bocs trials ${state.document.command || "study.toml"} --verify`;
    const gap = (t) => Math.max(0, state.maximize ? t.bound - t.predicted : t.predicted - t.bound);
    const facts = [fact("failed", `${state.failed().length} of ${state.trials.length}`), fact("points measured twice", String(repeated), repeated > 0 ? h("small", {class: "quiet"}, " by choice, where measurements are random") : "")];
    const spread = judged.length === 0 ? 0 : Math.max(...judged.map((t) => t.total)) - Math.min(...judged.map((t) => t.total));
    // A proof says something where the gap is small beside the values themselves.
    const middle = proved.map(gap).sort((a, b) => a - b)[Math.floor(proved.length / 2)];
    const telling = proved.length > 1 && middle < 0.2 * spread;
    if (telling) facts.push(fact("proposals with a proof", `${proved.length}`), fact("proved optimal for the model", percent(proved.filter((t) => gap(t) <= 1e-9 * Math.max(1, Math.abs(t.predicted))).length / proved.length)));
    if (state.document.late > 0) facts.push(fact("results too late", String(state.document.late)));
    const parts = [h("div", {class: "facts"}, facts)];
    if (judged.length > 1) {
      const errors = judged.map((t) => t.total - t.predicted), bias = errors.reduce((a, b) => a + b, 0) / errors.length;
      const rms = Math.sqrt(errors.reduce((a, b) => a + b * b, 0) / errors.length);
      parts.push(h("div", {class: "two"}, h("div", {}, h("h3", {}, "Predicted and measured"),
        h("p", {class: "note"}, `What the draw that chose a point expected there, against what was measured. A proposal is chosen for its draw’s optimism: most marks lie on the worse side. Mean error ${shown(bias, 3)}, root mean square ${shown(rms, 3)}, ${judged.length} proposals.`), calibration.node),
      telling ? h("div", {}, h("h3", {}, "Certified gap of each proposal"),
        h("p", {class: "note"}, "How much better than the proposed point, under the same draw of the model, any point could at most be: proved, not estimated. Zero: no point is better for that draw."), gaps.node) : ""));
    }
    if (failures.length > 0) {
      parts.push(h("h3", {}, "Failures"), plainTable(["reason", "trials", "last"], failures.map(([reason, count, last]) => [reason || "no reason given", String(count), String(last)]), [1, 2]));
    }
    parts.push(h("p", {class: "note"}, "Every proposal can be computed again from what was known when it was made: ", h("code", {}, command)));
    body.replaceChildren(...parts);
    if (judged.length > 1) {
      calibration.show(() => {
        const sources = [...new Set(judged.map(sourceOf))];
        const all = judged.flatMap((t) => [t.predicted, t.total]);
        const [low, high] = [Math.min(...all), Math.max(...all)];
        return {label: `predicted against measured values of ${judged.length} proposals`, xLabel: "predicted", yLabel: "measured", height: 300,
          marks: judged.map((t) => ({x: t.predicted, y: t.total, ...lookOf(sources.indexOf(sourceOf(t))), text: `trial ${t.number}, ${sourceOf(t)}\npredicted ${shown(t.predicted, 5)}\nmeasured ${shown(t.total, 5)}`})),
          lines: [{points: [[low, low], [high, high]], colour: colour("quiet"), dash: [5, 4], width: 1.2}],
          legend: [{line: true, dash: [4, 3], colour: colour("quiet"), text: "as predicted"}, ...sources.map((s, i) => ({...lookOf(i), text: s}))]};
      });
    }
    if (telling) {
      gaps.show(() => ({label: `certified gaps of ${proved.length} proposals`, xLabel: "trial", yLabel: "gap", height: 300,
        marks: proved.map((t) => ({x: t.number, y: gap(t), colour: colour("c1"), text: `trial ${t.number}: gap ${shown(gap(t), 3)}\npredicted ${shown(t.predicted, 5)}, bound ${shown(t.bound, 5)}`}))}));
    }
  };
  update();
  return {node, update};
}

function howSection(state) {
  const {node, body} = section("how", "How it was run");
  const update = () => {
    const {study, document} = {study: state.study, document: state.document};
    const sum = (key) => state.trials.reduce((total, t) => total + (t[key] || 0), 0);
    const workers = new Map();
    for (const t of state.trials) if (t.worker) workers.set(workerName(t.worker), (workers.get(workerName(t.worker)) || 0) + 1);
    const rows = [["direction", study.direction], ["method", study.method], ["seed", String(study.seed)],
      ["budget", study.budget === 0 ? "no limit" : `${study.budget} trials`], ["running at once", study.parallel === 0 ? "no limit" : String(study.parallel)]];
    for (const goal of state.goals) rows.push(["goal", `${goal.direction} ${goal.name}${goal.known ? ` = ${goal.known}` : ""}${goal.reference === null ? "" : `, reference ${goal.reference}`}`]);
    for (const limit of study.outcomes) rows.push(["outcome", limit.text]);
    if (state.penalized) rows.push(["penalty", study.l1 > 0 ? `${study.l1} |x|` : `${study.l2} |x|²`]);
    if (study.objective.length > 0) rows.push(["program", study.objective.join(" ")]);
    for (const c of document.constraints) if (!c.own || c.candidates) rows.push([c.candidates ? "points" : "constraint", c.text]);
    for (const [key, value] of Object.entries(study.labels)) rows.push([key, value]);
    rows.push(["store", study.store], ["evaluating", duration(sum("seconds"))], ["thinking", duration(sum("thinking"))],
      ["workers", workers.size === 0 ? "none by name" : [...workers].map(([name, count]) => `${name} (${count})`).join(", ")],
      ["proposed by", (state.programs || []).join(", ") || "–"], ["this page", `bocs ${document.program}, ${document.made}`]);
    body.replaceChildren(h("dl", {class: "how"}, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
  };
  update();
  return {node, update};
}

const SECTIONS = [["answer", "The answer", answerSection], ["curve", "How it was found", curveSection], ["learnt", "What was learnt", learntSection],
  ["whatif", "What if", whatIfSection], ["trust", "How far to trust it", trustSection], ["trials", "Trials", trialsSection], ["how", "How it was run", howSection]];

/** After what is there has been painted; a page that nobody sees is not painted. */
function later(f) {
  if (document.hidden) setTimeout(f);
  else requestAnimationFrame(() => setTimeout(f));
}

/**
 * Puts a study on the page, section by section, so that the answer is seen before ten thousand trials are drawn; returns update(with the model).
 * `extra`: sections of a dashboard, above all; actions: see whatIfSection and trialsSection.
 */
export function showStudy(page, state, extra = [], actions = null) {
  const {study} = state;
  const title = h("h1", {}, study.name, h("small", {class: "quiet"}, ` ${state.goals.length > 1 ? `${state.goals.length} goals` : study.direction}, ${state.variables.length} variables`));
  page.replaceChildren(title,
    h("nav", {"aria-label": "sections"}, SECTIONS.map(([id, name]) => h("a", {href: `#${id}`}, name))), ...extra.map(({node}) => node));
  const parts = [...extra], left = SECTIONS.map(([, , make]) => make);
  const make = () => {
    const part = left.shift()(state, actions);
    parts.push(part);
    page.append(part.node);
  };
  const next = () => {
    if (!title.isConnected) return;  // another study was opened
    if (left.length > 0) make();
    if (left.length > 0) later(next);
  };
  const all = () => { while (title.isConnected && left.length > 0) make(); };
  if (document.readyState === "complete") next();
  else all();  // a file: all of it is there when it has been loaded, for those who print from a script
  window.addEventListener("beforeprint", all);
  return (model) => { for (const part of parts) if (model || !part.needsModel) part.update(); };
}
