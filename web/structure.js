// What was learnt: shares, effects with intervals, the heat map and the graph of interactions.
import {h, svg, shown, percent, colour, section, plainTable} from "./dom.js";
import {levelText, memberWords} from "./data.js";

/** Horizontal bars with an interval: rows of {name, mean, low, high, text}. */
function intervals(rows, label, zero) {
  const low = Math.min(0, ...rows.map((r) => r.low)), high = Math.max(0, ...rows.map((r) => r.high));
  const at = (value) => 100 * (value - low) / (high - low || 1);
  return h("div", {class: zero ? "bars wide" : "bars", role: "list", "aria-label": label}, rows.map((row) =>
    h("div", {class: "bar", role: "listitem", title: row.title || null},
      h("span", {class: "name"}, row.name),
      svg("svg", {class: "track", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true"},
        svg("rect", {class: zero ? (row.mean < 0 ? "less" : "more") : "share", x: Math.min(at(0), at(row.mean)), y: 1.5,
          width: Math.max(0.4, Math.abs(at(row.mean) - at(0))), height: 7}),
        svg("path", {class: "interval", d: `M${at(row.low)},5H${at(row.high)}`, "vector-effect": "non-scaling-stroke"}),
        zero ? svg("path", {class: "zero", d: `M${at(0)},0V10`, "vector-effect": "non-scaling-stroke"}) : null),
      h("span", {class: "value"}, row.text))));
}

function sharesPart(state) {
  const {shares} = state.explanation;
  const seen = shares.filter(([, mean]) => mean >= 0.01).slice(0, 30);
  const rest = shares.slice(seen.length);
  const rows = seen.map(([v, mean, low, high]) => ({
    name: state.variables[v].name, mean, low, high,
    text: h("span", {"data-exact": mean}, percent(mean)), title: `${percent(low)} to ${percent(high)}`,
  }));
  const others = rest.length === 0 ? null : h("p", {class: "quiet"},
    `${rest.length} other variables: ${percent(rest.reduce((sum, [, mean]) => sum + mean, 0))} together`);
  return h("div", {}, h("h3", {}, "How much each variable matters"),
    h("p", {class: "note"}, "Share of the model’s variation over all points. What several variables do together is divided equally among them."),
    intervals(rows, "share of each variable", false), others);
}

function effectsPart(state) {
  const {effects, sure, matter, terms} = state.explanation;
  const all = effects.slice(0, Math.max(1, Math.min(matter, effects.length)));
  const box = h("div", {});
  const draw = (count) => {
    const rows = all.slice(0, count).map(([names, mean, low, high, probability]) => ({
      name: names.join(" × "), mean, low, high,
      text: h("span", {"data-exact": mean}, shown(mean, 4), h("small", {}, ` ${percent(probability)} sure of the sign`)),
      title: `95 % between ${shown(low, 4)} and ${shown(high, 4)}`,
    }));
    box.replaceChildren(intervals(rows, "effects", true));
    if (count < all.length) box.append(h("button", {type: "button", onclick: () => draw(all.length)}, `show all ${all.length} that matter`));
  };
  draw(12);
  const verdict = sure === 0
    ? h("p", {class: "warning"}, `No effect is sure yet: zero is within the 95 % interval of each of the ${terms} terms.`)
    : h("p", {class: "note"}, `${sure} of ${terms} terms are sure: their 95 % interval leaves out zero.`);
  return h("div", {}, h("h3", {}, "Effects on the value"), verdict, box, meaning(state));
}

/** What a coefficient means, for the kinds of variables there are. */
function meaning(state) {
  const kinds = new Set(state.variables.map((v) => v.kind));
  const raises = state.maximize ? "A positive effect raises the value: better here." : "A positive effect raises the value: worse here, for smaller is better.";
  const words = [raises];
  if (kinds.has("binary")) words.push("A binary variable counts from 0 to 1.");
  if (kinds.has("integer") || kinds.has("real")) words.push("A number counts from its lowest to its highest value, its square (²) from the middle of the range to an end.");
  if (kinds.has("categorical")) words.push("A level counts against the first level of its variable.");
  words.push("A product (×) comes on top, when all its parts are present. The line through a bar is the interval that holds 95 % of the posterior.");
  return h("p", {class: "note"}, words.join(" "));
}

/** Strength of pairs of variables, from the posterior mean: [{a, b, mean}] with the strongest coefficient of each pair. */
export function pairsOf(state) {
  const {posterior} = state;
  const pairs = new Map();
  posterior.terms.forEach((factors, k) => {
    if (factors.length !== 2) return;
    const [a, b] = factors.map((f) => posterior.features[f][0]);
    const mean = posterior.rows[0][k], key = a * state.variables.length + b;
    if (!pairs.has(key) || Math.abs(pairs.get(key).mean) < Math.abs(mean)) pairs.set(key, {a, b, mean, k});
  });
  return [...pairs.values()].sort((p, q) => Math.abs(q.mean) - Math.abs(p.mean));
}

/** Main effects of variables: the strongest coefficient of each. */
function mainsOf(state) {
  const mains = state.variables.map(() => 0);
  state.posterior.terms.forEach((factors, k) => {
    if (factors.length !== 1) return;
    const v = state.posterior.features[factors[0]][0], mean = state.posterior.rows[0][k];
    if (Math.abs(mean) > Math.abs(mains[v])) mains[v] = mean;
  });
  return mains;
}

/** The colour of a coefficient: one hue for each sign, paler towards zero. */
function tint(value, largest) {
  const share = largest > 0 ? Math.sqrt(Math.min(1, Math.abs(value) / largest)) : 0;
  return `color-mix(in srgb, ${colour(value < 0 ? "less" : "more")} ${Math.round(100 * share)}%, ${colour("card")})`;
}

/** The beginning and the end of a long name: those of an array differ at the end. */
function shortName(name) { return name.length > 22 ? `${name.slice(0, 11)}…${name.slice(-10)}` : name; }

function heatPart(state) {
  const pairs = pairsOf(state), mains = mainsOf(state);
  const touched = new Map();
  mains.forEach((mean, v) => touched.set(v, Math.abs(mean)));
  for (const {a, b, mean} of pairs) for (const v of [a, b]) touched.set(v, (touched.get(v) || 0) + Math.abs(mean));
  const order = [...touched.entries()].sort((p, q) => q[1] - p[1]).slice(0, 40).map(([v]) => v).sort((a, b) => a - b);
  const size = order.length, place = new Map(order.map((v, i) => [v, i]));
  const canvas = h("canvas", {role: "img", "aria-label": `heat map of the interactions of ${size} variables`});
  const says = h("p", {class: "quiet", role: "status"}, "The diagonal is the variable alone. Point at a cell for its number.");
  const values = Array.from({length: size}, () => new Array(size).fill(0));
  order.forEach((v, i) => { values[i][i] = mains[v]; });
  for (const {a, b, mean} of pairs) {
    if (place.has(a) && place.has(b)) { values[place.get(a)][place.get(b)] = mean; values[place.get(b)][place.get(a)] = mean; }
  }
  const largest = Math.max(...values.flat().map(Math.abs), 1e-300);
  const names = order.map((v) => shortName(state.variables[v].name));
  let place0 = 0, cell = 1;  // where the cells begin, to the right of the names and below them
  const draw = () => {
    const ratio = window.devicePixelRatio || 1, width = Math.min(canvas.parentNode?.clientWidth || 400, 560);
    const c = canvas.getContext("2d");
    const font = (pixels) => `${pixels}px system-ui, sans-serif`;
    c.font = font(11);
    place0 = Math.ceil(Math.max(...names.map((name) => c.measureText(name).width))) + 8;
    cell = Math.max(9, Math.min(32, Math.floor((width - place0) / size)));  // a name needs 9 pixels: on a phone the map scrolls
    const side = place0 + cell * size;
    canvas.width = canvas.height = side * ratio;
    canvas.style.width = canvas.style.height = `${side}px`;
    c.scale(ratio, ratio);
    c.font = font(Math.min(11, cell + 1));
    c.fillStyle = colour("text");
    c.textBaseline = "middle";
    names.forEach((name, i) => {
      const middle = place0 + (i + 0.5) * cell;
      c.textAlign = "right";
      c.fillText(name, place0 - 4, middle);
      c.save();
      c.translate(middle, place0 - 4);
      c.rotate(-Math.PI / 2);
      c.textAlign = "left";
      c.fillText(name, 0, 0);
      c.restore();
    });
    values.forEach((row, i) => row.forEach((value, j) => {
      c.fillStyle = tint(value, largest);
      c.fillRect(place0 + j * cell, place0 + i * cell, cell - 1, cell - 1);
    }));
  };
  canvas.addEventListener("pointermove", (event) => {
    const r = canvas.getBoundingClientRect();
    const j = Math.floor((event.clientX - r.left - place0) / cell), i = Math.floor((event.clientY - r.top - place0) / cell);
    if (!(i >= 0 && j >= 0 && i < size && j < size)) return;
    const pair = i === j ? state.variables[order[i]].name : `${state.variables[order[i]].name} × ${state.variables[order[j]].name}`;
    says.textContent = `${pair}: ${shown(values[i][j], 4)}`;
  });
  document.addEventListener("themechange", draw);
  const node = h("div", {}, h("h3", {}, "Interactions, as a heat map"), h("div", {class: "square"}, canvas), says,
    size < state.variables.length ? h("p", {class: "quiet"}, `The ${size} variables with the largest effects of ${state.variables.length}.`) : null);
  new ResizeObserver(draw).observe(canvas.parentNode);
  return node;
}

function graphPart(state) {
  const pairs = pairsOf(state).filter((pair) => pair.mean !== 0), mains = mainsOf(state);
  const most = Math.min(60, pairs.length);
  if (most === 0) return null;
  const picture = svg("svg", {viewBox: "-160 -112 320 224", role: "img", class: "graph"});
  const table = h("div", {});
  const draw = (count) => {
    const chosen = pairs.slice(0, count);
    const nodes = [...new Set(chosen.flatMap(({a, b}) => [a, b]))].sort((p, q) => p - q);
    const angle = new Map(nodes.map((v, i) => [v, 2 * Math.PI * i / nodes.length - Math.PI / 2]));
    const at = (v, r = 84) => [r * Math.cos(angle.get(v)), r * Math.sin(angle.get(v))];
    const largest = Math.abs(chosen[0].mean), big = Math.max(...mains.map(Math.abs), 1e-300);
    picture.setAttribute("aria-label", `graph of the ${count} strongest interactions`);
    picture.replaceChildren(
      ...chosen.map(({a, b, mean}) => {
        const [p, q] = [at(a), at(b)];
        return svg("path", {class: mean < 0 ? "less" : "more", d: `M${p[0]},${p[1]}Q0,0 ${q[0]},${q[1]}`,
          "stroke-width": 0.4 + 3 * Math.abs(mean) / largest, "stroke-dasharray": mean < 0 ? "3 2" : null},
        svg("title", {}, `${state.variables[a].name} × ${state.variables[b].name}: ${shown(mean, 4)}`));
      }),
      ...nodes.flatMap((v) => {
        const [x, y] = at(v), [tx, ty] = at(v, 91), left = Math.cos(angle.get(v)) < -0.1, middle = Math.abs(Math.cos(angle.get(v))) <= 0.1;
        const name = state.variables[v].name;
        return [svg("circle", {class: mains[v] < 0 ? "less" : "more", cx: x, cy: y, r: 2 + 3 * Math.sqrt(Math.abs(mains[v]) / big)},
          svg("title", {}, `${name}: ${shown(mains[v], 4)} alone`)),
        svg("text", {x: tx, y: ty + (middle ? (ty < 0 ? -2 : 6) : 2), "text-anchor": middle ? "middle" : left ? "end" : "start"},
          name.length > 16 ? `${name.slice(0, 8)}…${name.slice(-7)}` : name)];
      }));
    table.replaceChildren(h("details", {}, h("summary", {}, "as a table"), plainTable(["pair", "strongest coefficient"],
      chosen.map(({a, b, mean}) => [`${state.variables[a].name} × ${state.variables[b].name}`, shown(mean, 4)]), [1])));
  };
  const first = Math.min(12, most);
  const count = h("output", {}, String(first));
  const slider = h("input", {type: "range", min: 1, max: most, value: first, oninput: () => { count.textContent = slider.value; draw(Number(slider.value)); }});
  draw(first);
  return h("div", {}, h("h3", {}, "Interactions, as a graph"),
    h("label", {class: "slider"}, "the strongest ", slider, " ", count), picture,
    h("p", {class: "note"}, "Solid lines and filled orange raise the value, dashed and blue lower it; the thicker, the stronger."), table);
}

/** The model in one sentence. */
function modelText(state) {
  const e = state.explanation, used = state.complete().length;
  const members = new Map();
  for (const t of state.trials) if (t.origin === "proposed" && t.member) members.set(t.member, (members.get(t.member) || 0) + 1);
  const who = [...members].map(([name, count]) => `${memberWords(name)} ${count}`).join(", ");
  return `${e.own ? "The sparse polynomial of the study’s method" : "A sparse polynomial beside the study’s method, which has none"}, products of up to ${e.order} choices, fitted to ` +
    `${e.trials === used ? `all ${used} complete trials` : `${e.trials} of the ${used} complete trials`}; ${e.draws} draws of its posterior.` +
    (who ? ` Proposals so far, by model: ${who}.` : "");
}

export function learntSection(state) {
  const {node, body} = section("learnt", "What was learnt");
  const update = () => {
    if (!state.explanation) {
      body.replaceChildren(h("p", {class: "note"}, state.learning ? "The model is being fitted…" : "Too little is known yet for a model."));
      return;
    }
    const pairs = state.explanation.order > 1 && pairsOf(state).length > 0;
    body.replaceChildren(h("p", {class: "note"}, modelText(state)),
      h("div", {class: "two"}, sharesPart(state), effectsPart(state)),
      pairs ? h("div", {class: "two"}, heatPart(state), graphPart(state)) : "");
  };
  update();
  return {node, update, needsModel: true};
}

/** "depot=river": for a change of one variable. */
export function changeText(variable, level) {
  if (variable.kind === "binary") return level === 1 ? `${variable.name} on` : `${variable.name} off`;
  return `${variable.name} = ${levelText(variable, level)}`;
}
