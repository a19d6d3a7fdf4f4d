// An experiment on the page: tables with errors, curves with bands, profiles over instances, times.
import {h, shown, percent, duration, section, plainTable, colour} from "./dom.js";
import {Chart, lookOf, dashOf} from "./chart.js";

function estimateText(e) {
  if (e.runs === 0 || e.mean === null) return "–";
  return e.error === null ? shown(e.mean, 4) : `${shown(e.mean, 4)} ± ${shown(e.error, 2)}`;
}

function tableOf(rows, data) {
  const optimized = rows[0].kind === "optimization", compared = rows.some((row) => row.difference), published = rows.some((row) => row.paper);
  const head = ["method", "mean ± 95 %", "median", "runs", ...(optimized ? ["found", "best value", "s/suggestion"] : []),
    ...(published ? ["published"] : []), ...(compared ? [`minus ${data.against}`, "better : worse"] : [])];
  const lines = rows.map((row) => [row.best ? h("strong", {}, row.method) : row.method,
    h("span", {"data-exact": row.estimate.mean}, estimateText(row.estimate)), shown(row.estimate.median, 4), `${row.estimate.runs} on ${row.estimate.instances}`,
    ...(optimized ? [row.found === null ? "–" : percent(row.found), estimateText(row.value), shown(row.seconds, 2)] : []),
    ...(published ? [row.paper ? `${shown(row.paper.mean, 4)} ± ${shown(row.paper.error, 2)}` : ""] : []),
    ...(compared ? (row.difference ? [estimateText(row.difference), `${row.better} : ${row.worse}`] : ["", ""]) : [])]);
  return plainTable(head, lines, head.map((_, i) => i).slice(1));
}

/** A chart of docs/report.md with bands and a switch for a logarithmic axis. */
function curvePart(chart) {
  const picture = new Chart();
  const positive = chart.series.every((s) => s.points.every(([, y]) => y >= 0)) && chart.series.some((s) => s.points.some(([, y]) => y > 0));
  let log = false;
  const draw = () => picture.show(() => {
    const looks = chart.series.map((s, i) => s.style === "points" ? {colour: colour("text")} : lookOf(i));
    const marked = (s) => s.style === "bars" || s.style === "points";
    return {
      label: `${chart.title}: ${chart.y} against ${chart.x}`, xLabel: chart.x, yLabel: chart.y, log, height: 340,
      lines: chart.series.map((s, i) => ({points: s.points.map(([x, y]) => [x, y]), colour: looks[i].colour, width: marked(s) ? 1.2 : 2.2, dash: dashOf(i)})),
      bands: chart.series.flatMap((s, i) => s.style === "band" ? [{points: s.points.map(([x, , low, high]) => [x, low, high]), colour: looks[i].colour}] : []),
      bars: chart.series.flatMap((s, i) => s.style === "bars" ? s.points.map(([x, , low, high]) => ({x, low, high, colour: looks[i].colour})) : []),
      marks: chart.series.flatMap((s, i) => s.points.map(([x, y, low, high]) => ({x, y, ...looks[i], size: marked(s) ? 3 : 1.3,
        text: `${s.name}\n${chart.x} ${shown(x, 4)}\n${shown(y, 4)} (${shown(low, 4)} to ${shown(high, 4)})`}))),
      legend: chart.series.map((s, i) => ({line: true, colour: looks[i].colour, dash: dashOf(i), text: s.name})),
    };
  });
  draw();
  const box = h("input", {type: "checkbox", onchange: () => { log = box.checked; picture.view = null; draw(); }});
  return h("div", {}, h("h3", {}, chart.title), positive ? h("label", {class: "quiet"}, box, " logarithmic") : "", picture.node);
}

function profilePart(profiles) {
  const picture = new Chart();
  picture.show(() => ({
    label: `profile over instances: ${profiles[0].metric}`, xLabel: "share of the instances", yLabel: profiles[0].metric, xText: percent, height: 280,
    lines: profiles.map((p, i) => ({step: true, colour: lookOf(i).colour, dash: dashOf(i), points: [[0, p.values[0]], ...p.values.map((v, k) => [(k + 1) / p.values.length, v])]})),
    marks: profiles.flatMap((p, i) => p.values.map((v, k) => ({x: (k + 1) / p.values.length, y: v, ...lookOf(i), size: 1.5, text: `${p.method}\n${percent((k + 1) / p.values.length)} of the instances: at most ${shown(v, 4)}`}))),
    legend: profiles.map((p, i) => ({line: true, colour: lookOf(i).colour, dash: dashOf(i), text: p.method})),
  }));
  return h("div", {}, h("h3", {}, "Profile over instances"),
    h("p", {class: "note"}, `On which share of the instances a method ended with at most this ${profiles[0].metric}, repetitions averaged.`), picture.node);
}

export function showExperiment(page, data) {
  const parts = [h("h1", {}, data.name, h("small", {class: "quiet"}, ` ${data.cells} runs, ${duration(data.seconds)} of computing`)),
    h("p", {class: "note"}, `Means with half of their 95 % interval (Student’s t), clustered by instance; the best mean is bold. Bands hold 95 %. Made by ${data.programs.join(", ")}.`)];
  const key = (row) => `${row.problem}, λ = ${row.lambda}, ${row.trials} ${row.kind === "optimization" ? "evaluations" : "training points"}`;
  const blocks = new Map();
  for (const row of data.rows) blocks.set(key(row), [...(blocks.get(key(row)) || []), row]);
  const places = new Map();
  let number = 0;
  for (const [title, rows] of blocks) {
    const scale = data.scale_by === 1 ? "" : ` × ${data.scale_by}`;
    const {node, body} = section(`block${number++}`, `${title}: ${rows[0].metric}${scale}`);
    body.append(tableOf(rows, data));
    places.set(title, body);
    parts.push(node);
  }
  for (const [title, rows] of blocks) {
    const own = data.profiles.filter((p) => p.problem === rows[0].problem && p.lambda === rows[0].lambda && p.trials === rows[0].trials && p.values.length > 1);
    if (own.length > 0) places.get(title).append(profilePart(own));
  }
  if (data.charts.length > 0) {
    const {node, body} = section("curves", "Curves");
    body.append(...data.charts.map(curvePart));
    parts.push(node);
  }
  page.replaceChildren(...parts);
}
