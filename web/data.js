// The document of schema.json as the page uses it: trials, points, constraints, and the model's posterior.
import {h} from "./dom.js";
import {markStructures, structureValue} from "./value.js";

/** A study that grows: take() adds what a later document says. */
export class StudyState {
  constructor(document) {
    this.trials = [];
    this.posterior = null;
    this.explanation = null;
    this.learning = false;  // the model is being fitted elsewhere
    this.document = document;
    this.take(document);
  }

  take(document) {
    if (document !== this.document) this.document = {...this.document, ...document};
    if (document.variables) markStructures(document);
    const columns = document.trials;
    if (document.whole) this.trials = [];
    if (columns) {
      for (let i = 0; i < columns.number.length; ++i) this.put(readTrial(columns, i, this.variables.length));
      this.encoding = columns.encoding;
      this.start = columns.start;
      this.programs = [...new Set([...(document.whole ? [] : this.programs || []), ...columns.programs])];
    }
    if (document.posterior) this.posterior = new Posterior(document.posterior);
    if (document.explanation !== undefined) this.explanation = document.explanation;
  }

  /** In order of number, in the place of what was known of the trial. */
  put(trial) {
    let place = this.trials.length;
    while (place > 0 && this.trials[place - 1].number >= trial.number) --place;
    this.trials.splice(place, this.trials[place]?.number === trial.number ? 1 : 0, trial);
  }

  get study() { return this.document.study; }
  get variables() { return this.document.variables; }
  get maximize() { return this.study.direction === "maximize"; }
  get penalized() { return this.study.l1 > 0 || this.study.l2 > 0; }
  get best() { return this.trials.find((trial) => trial.number === this.document.best) || null; }
  /** The point of the setting that is in use, or null. */
  get present() { return this.study.present ? readPoint(this.study.present, this.encoding, this.variables.length) : null; }
  get goals() { return this.study.goals; }
  /** Of several goals, the best in the first one first. */
  get front() { const all = new Map(this.trials.map((t) => [t.number, t])); return this.document.front.map((n) => all.get(n)).filter((t) => t); }
  /** Within all limits on what evaluations report. */
  allowed(trial) {
    return trial.state === "complete" && this.study.outcomes.every(({metric, low, high}) => {
      const value = trial.metrics[metric];
      return value !== undefined && (low === null || value >= low) && (high === null || value <= high);
    });
  }
  /** While there is no answer: why. */
  nearestNote() {
    const {nearest} = this.document;
    if (nearest === null) return h("p", {}, "No trial is complete yet.");
    return h("p", {}, `No trial is within all limits yet; proposals aim at one. The nearest is trial ${nearest.number}: ${nearest.text}.`);
  }
  complete() { return this.trials.filter((trial) => trial.state === "complete"); }
  failed() { return this.trials.filter((trial) => trial.state === "failed"); }
  better(a, b) { return this.maximize ? a > b : a < b; }

  /** Weight of the penalty, in the user's sense: what is added to f. */
  penalty(x) {
    let sum = 0;
    const {present} = this;
    if (present) {  // changes count
      sum = (this.study.l1 + this.study.l2) * x.filter((level, i) => level !== present[i]).length;
      return this.maximize ? -sum : sum;
    }
    this.variables.forEach((v, i) => {
      if (v.kind === "categorical" || v.unsized || (v.optional && x[i] === 0)) return;
      const value = v.kind === "binary" ? x[i] : Number(levelText(v, x[i]));
      sum += this.study.l1 * Math.abs(value) + this.study.l2 * value * value;
    });
    return this.maximize ? -sum : sum;
  }

  /** The first constraint that a point violates, in words; null: none. */
  violated(x) {
    const broken = this.document.constraints.find((constraint) => !constraint.rows.every((row) => this.allows(row, x)) ||
      (constraint.points && !this.candidates(constraint).has(x.join())));
    return broken ? broken.text : null;
  }

  /** The points of a table of candidates, as texts. */
  candidates(constraint) {
    constraint.known ||= new Set(constraint.points.map((text) => readPoint(text, this.encoding, this.variables.length).join()));
    return constraint.known;
  }

  /** Of one row of a constraint: a sum between bounds, or a set of combinations. */
  allows(row, x) {
    if (row.runs) {
      const number = row.digits.reduce((sum, [v, base]) => sum * base + x[v], 0);
      return row.runs.some(([first, count]) => first <= number && number < first + count);
    }
    let sum = 0;
    for (const [v, level, weight] of row.terms) {
      const variable = this.variables[v];
      if (level !== null) sum += x[v] === level ? weight : 0;
      else sum += weight * (variable.kind === "binary" ? x[v] : Number(levelText(variable, x[v])));
    }
    const slack = 1e-9 * Math.max(1, Math.abs(sum));
    return (row.low === null || sum >= row.low - slack) && (row.high === null || sum <= row.high + slack);
  }
}

export const isFinished = (trial) => trial.state !== "waiting" && trial.state !== "running";
const STATES = {w: "waiting", r: "running", c: "complete", f: "failed", s: "struck"};

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The levels of a point: see docs/report.md. */
export function readPoint(text, encoding, size) {
  if (encoding === "bits") return Array.from({length: size}, (_, i) => (BASE64.indexOf(text[Math.floor(i / 6)]) >> (5 - i % 6)) & 1);
  if (encoding === "letters") return Array.from(text, (c) => parseInt(c, 36));
  return text.split(",").map(Number);
}

function readTrial(columns, i, size) {
  const number = columns.number[i];
  const value = columns.value[i];
  return {
    number, value,
    state: STATES[columns.state[i]],
    origin: columns.origins[columns.origin[i]],
    member: columns.members[columns.member[i]],
    worker: columns.workers[columns.worker[i]],
    x: readPoint(columns.point[i], columns.encoding, size),
    total: columns.total ? columns.total[i] : value,
    seconds: columns.seconds[i],
    thinking: columns.thinking[i],
    finished: columns.finished[i],
    predicted: columns.predicted[i],
    bound: columns.bound[i],
    error: columns.error[number] || "",
    remark: (columns.remark || {})[number] || "",
    metrics: columns.metrics[number] || {},
    carried: (columns.carried || {})[number] || {},
  };
}

const MEMBERS = {ei: "Gaussian process", smac: "random forest", fmqa: "factorization machine", again: "measured again"};
/** "Gaussian process (ei)": what a member of the method is, with its short name. */
export function memberWords(name) {
  const words = name.startsWith("order ") ? "sparse polynomial" : MEMBERS[name];
  return words ? `${words} (${name})` : name;
}

const ORIGINS = {initial: "initial design", told: "told by hand", imported: "past data", enqueued: "asked for by a person"};
/** Where a trial came from: the model that proposed it, or the way it came in. */
export function sourceOf(trial) {
  if (trial.origin === "proposed") return trial.member ? memberWords(trial.member) : "proposed";
  return ORIGINS[trial.origin] || trial.origin;
}

/** "host/process" of the long name under which a worker signs. */
export function workerName(worker) { return worker.split("/").slice(0, 2).join("/"); }

export function levelCount(variable) {
  if (variable.kind === "binary") return 2;
  if (variable.scale) return variable.scale.levels + (variable.optional ? 1 : 0);
  return variable.values ? variable.values.length : variable.high - variable.low + 1;
}

/** Of a number without a step: the same value as the library computes. */
function fineValue({low, high, levels, log, first, digits}, level) {
  if (!log) return Math.min(high, Math.max(low, Number(`${first + level}e${-digits}`)));
  if (level <= 0 || level >= levels - 1) return level <= 0 ? low : high;
  const range = Math.log(high) - Math.log(low), exact = Math.exp(Math.log(low) + (level / (levels - 1)) * range);
  for (let count = 1; count <= 16; count += 1) {
    const rounded = Number(exact.toPrecision(count));
    if (Math.abs(rounded - exact) <= (0.499 * exact * range) / (levels - 1)) return rounded;
  }
  return exact;
}

/** The level whose value is nearest to a number; of a variable whose values are computed. */
export function levelOf(variable, value) {
  const absent = variable.optional ? 1 : 0, last = levelCount(variable) - 1;
  if (!Number.isFinite(value)) return absent;
  const {scale} = variable;
  let level = value - variable.low;
  if (scale) {
    level = scale.log ? ((Math.log(Math.max(value, scale.low)) - Math.log(scale.low)) / (Math.log(scale.high) - Math.log(scale.low))) * (scale.levels - 1)
      : value * 10 ** scale.digits - scale.first;
  }
  return Math.max(absent, Math.min(last, Math.round(level) + absent));
}

/** The value of a level as people write it. */
export function levelText(variable, level) {
  if (variable.kind === "binary") return String(level);
  if (variable.scale) {
    if (variable.optional && level === 0) return "(absent)";
    return String(fineValue(variable.scale, level - (variable.optional ? 1 : 0)));
  }
  return variable.values ? variable.values[level] : String(variable.low + level);
}

/** {"crew": 3, "depot": "river"}: as `bocs best --json` has it. */
export function pointObject(variables, x) {
  const entries = variables.map((v, i) => {
    if (v.structure) return v.structure.first === i ? [v.structure.name, structureValue(v.structure, variables, x)] : null;
    if (v.optional && x[i] === 0) return null;
    const text = levelText(v, x[i]);
    return [v.name, v.kind === "categorical" || Number.isNaN(Number(text)) ? text : Number(text)];
  });
  return Object.fromEntries(entries.filter((entry) => entry !== null));
}

/** Variables in groups: the elements of an array together. [{name, rows: null | [...], members: [{index, label}]}] */
export function groupsOf(variables) {
  const groups = [];
  variables.forEach((variable, index) => {
    const {structure} = variable;
    const match = /^(.+)\[([^[\]]+)\]$/.exec(variable.name);
    const name = match ? match[1] : variable.name;
    const label = match ? match[2] : "";
    const last = groups[groups.length - 1];
    const joins = match && last && last.array && last.name === name && last.kind === variable.kind && last.structure === structure;
    if (joins) last.members.push({index, label});
    else groups.push({name, array: Boolean(match), kind: variable.kind, structure, members: [{index, label}]});
  });
  for (const group of groups) {
    // Elements named by row and column, as in pixel[2,7], are drawn as a grid.
    const places = group.members.map(({label}) => /^(\d+)[,;:x ](\d+)$/.exec(label));
    if (group.array && places.every(Boolean)) {
      group.columns = 1 + Math.max(...places.map((place) => Number(place[2])));
      group.members.forEach((member, i) => { member.row = Number(places[i][1]); member.column = Number(places[i][2]); });
    }
  }
  return groups;
}

/** Draws of the coefficients of a polynomial: row 0 is the mean of all draws, the others show how far they scatter. */
export class Posterior {
  constructor(data) {
    this.features = data.features;
    this.terms = data.terms;
    this.intercepts = data.intercepts;
    this.allTerms = data.all_terms;
    this.leftOut = data.left_out_deviation;
    const bytes = Uint8Array.from(atob(data.rows), (c) => c.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const width = data.terms.length;
    this.rows = data.units.map((unit, r) => Float64Array.from({length: width}, (_, k) => unit * view.getInt16(2 * (r * width + k), true)));
  }

  feature(f, x) {
    const [variable, level, scale, square] = this.features[f];
    if (scale === 0) return x[variable] === level ? 1 : 0;
    const value = scale * x[variable];
    return square ? (2 * value - 1) ** 2 : value;
  }

  /** f without the penalty under each row: the mean, then the draws. */
  values(x) {
    const features = this.features.map((_, f) => this.feature(f, x));
    const sums = Float64Array.from(this.intercepts);
    this.terms.forEach((factors, k) => {
      let product = 1;
      for (const f of factors) product *= features[f];
      if (product === 0) return;
      for (let r = 0; r < sums.length; ++r) sums[r] += product * this.rows[r][k];
    });
    return sums;
  }

  /** The posterior mean of f, or of f(x) - f(other), and the deviation of the draws, with what was left out of the page. */
  predict(x, other = null) {
    const values = this.values(x), less = other === null ? null : this.values(other);
    const rows = less === null ? values : values.map((value, r) => value - less[r]);
    let squares = 0, average = 0;
    for (let r = 1; r < rows.length; ++r) average += rows[r] / (rows.length - 1);
    for (let r = 1; r < rows.length; ++r) squares += (rows[r] - average) ** 2;
    const variance = rows.length > 2 ? squares / (rows.length - 2) : 0;
    return {mean: rows[0], deviation: Math.sqrt(variance + (less === null ? 1 : 2) * this.leftOut ** 2)};
  }

  featureName(f, variables) {
    const [variable, level, scale, square] = this.features[f];
    const v = variables[variable];
    if (scale !== 0) return square ? `${v.name}²` : v.name;
    return v.kind === "binary" ? v.name : `${v.name}=${levelText(v, level)}`;
  }
}
