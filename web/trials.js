// All trials as a table: sorted, filtered, some rows at a time, and as CSV.
import {h, shown, section, button, download} from "./dom.js";
import {groupsOf, levelText, sourceOf, workerName} from "./data.js";
import {structureText} from "./value.js";

const PAGE = 25;

/** "station: 2 4 8; depot: river; pump": with names, and of what is on or off only what is on. */
export function pointText(variables, x) {
  const parts = groupsOf(variables).map(({name, kind, array, structure, members}) => {
    if (structure) return `${name}: ${structureText(structure, variables, x)}`;
    const there = members.filter(({index}) => !(variables[index].optional && x[index] === 0));
    if (there.length === 0) return "";
    if (kind !== "binary") return `${name}: ${there.map(({index}) => levelText(variables[index], x[index])).join(" ")}`;
    const on = there.filter(({index}) => x[index] === 1);
    if (on.length === 0) return "";
    return array ? `${name}: ${on.map(({label}) => label).join(on.every(({label}) => /^\d+$/.test(label)) ? " " : ", ")}` : name;
  });
  return parts.filter((part) => part !== "").join("; ") || "all off";
}

const SHOWN_METRICS = 8;
/** The metrics of a program, the first few, in the order in which they came. */
export function metricsOf(state) {
  return [...new Set(state.trials.flatMap((t) => Object.keys(t.metrics)))].slice(0, SHOWN_METRICS);
}

function csvField(text) { return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text; }

/** One row per trial; columns by the names of the variables, as `bocs export` has them. */
export function csvOf(state) {
  const metrics = [...new Set(state.trials.flatMap((t) => Object.keys(t.metrics)))];
  const carried = [...new Set(state.trials.flatMap((t) => Object.keys(t.carried)))];
  const head = ["number", "state", ...state.variables.map((v) => v.name), ...carried, "value", ...(state.penalized ? ["total"] : []), "seconds", "origin", "member", "worker", "error", ...metrics];
  const rows = state.trials.map((t) => [t.number, t.state, ...state.variables.map((v, i) => levelText(v, t.x[i])),
    ...carried.map((name) => t.carried[name] ?? ""), t.value ?? "",
    ...(state.penalized ? [t.total ?? ""] : []), t.seconds ?? "", t.origin, t.member, t.worker, t.error, ...metrics.map((m) => t.metrics[m] ?? "")]);
  return [head, ...rows].map((row) => row.map((field) => csvField(String(field))).join(",")).join("\n") + "\n";
}

/** Asks for the reason, then strikes the trial. Returns the dialog and what opens it. */
function strikeDialog(strike) {
  let number = null;
  const title = h("h3", {id: "strike-title"}), why = h("input", {type: "text", id: "strike-why", maxlength: 500, required: true});
  const node = h("dialog", {"aria-labelledby": "strike-title"}, title,
    h("p", {class: "note"}, "For a wrong measurement: models and the answer leave the trial out from now on. It stays in the table, with the reason. This cannot be undone."),
    h("p", {}, h("label", {for: "strike-why"}, "Why? "), why),
    h("div", {class: "tools"}, button("strike", () => {
      if (!why.reportValidity()) return;
      node.close();
      strike(number, why.value.trim());
    }, {class: "main"}), button("cancel", () => node.close())));
  const open = (trial) => {
    number = trial.number;
    title.textContent = `Strike trial ${number}, value ${shown(trial.value, 7)}?`;
    why.value = "";
    node.showModal();
  };
  return {node, open};
}

export function trialsSection(state, actions = null) {
  const {node, body} = section("trials", "Trials");
  let by = "number", down = true, page = 0, words = "", only = "";
  const columns = [
    ["number", "trial", (t) => t.number], ["state", "state", (t) => t.state], ["value", state.penalized ? "f" : "value", (t) => t.value],
    ...(state.penalized ? [["total", "with penalty", (t) => t.total]] : []),
    ...metricsOf(state).map((name) => [`metric ${name}`, name, (t) => t.metrics[name]]),
    ["source", "from", sourceOf], ["point", "point", (t) => [pointText(state.variables, t.x), ...Object.values(t.carried)].join(" · ")],
    ["seconds", "seconds", (t) => t.seconds], ["worker", "worker", (t) => workerName(t.worker)], ["error", "error", (t) => t.error || t.remark],
  ];
  const strike = actions && actions.strike ? strikeDialog(actions.strike) : null;
  const rows = h("tbody", {});
  const count = h("span", {class: "quiet", role: "status"});
  const heads = columns.map(([key, title]) => h("th", {scope: "col"}, button(title, () => {
    down = by === key ? !down : false;
    by = key;
    page = 0;
    update();
  }, {class: "sort"})));
  const filter = h("input", {type: "search", placeholder: "filter: text of a row", "aria-label": "filter the trials",
    oninput: () => { words = filter.value.toLowerCase(); page = 0; update(); }});
  const states = h("select", {"aria-label": "which trials", onchange: () => { only = states.value; page = 0; update(); }},
    h("option", {value: ""}, "all"), ["complete", "failed", "struck", "running", "waiting"].map((s) => h("option", {value: s}, s)));
  const back = button("‹ earlier rows", () => { page -= 1; update(); }), next = button("later rows ›", () => { page += 1; update(); });

  const update = () => {
    const get = columns.find(([key]) => key === by)[2];
    const known = (v) => v !== null && v !== undefined && v !== "";
    let list = state.trials.filter((t) => (only === "" || t.state === only) &&
      (words === "" || columns.some(([, , of]) => String(of(t) ?? "").toLowerCase().includes(words))));
    list = list.sort((a, b) => {
      const [p, q] = [get(a), get(b)];
      if (!known(p) || !known(q)) return known(p) ? -1 : known(q) ? 1 : a.number - b.number;
      const order = typeof p === "number" ? p - q : String(p).localeCompare(String(q));
      return (down ? -order : order) || a.number - b.number;
    });
    const pages = Math.max(1, Math.ceil(list.length / PAGE));
    page = Math.min(Math.max(0, page), pages - 1);
    rows.replaceChildren(...list.slice(page * PAGE, (page + 1) * PAGE).map((t) =>
      h("tr", {class: t.number === state.document.best ? "best" : t.state === "failed" || t.state === "struck" ? "failed" : null}, columns.map(([key, , of]) => {
        const value = of(t), numeric = typeof value === "number";
        const content = numeric && key !== "number" ? shown(value, 7) : String(value ?? "");
        return h("td", {class: numeric ? "number" : key === "point" || key === "error" ? key : null, "data-exact": numeric ? value : null, title: key === "error" && value ? value : null}, content);
      }), strike && h("td", {}, t.state === "complete" ? button("strike", () => strike.open(t), {"aria-label": `strike trial ${t.number}`}) : ""))));
    heads.forEach((head, i) => head.setAttribute("aria-sort", columns[i][0] !== by ? "none" : down ? "descending" : "ascending"));
    count.textContent = `${list.length} of ${state.trials.length} trials` + (pages > 1 ? `, rows ${page * PAGE + 1} to ${Math.min(list.length, (page + 1) * PAGE)}` : "");
    back.disabled = page === 0;
    next.disabled = page === pages - 1;
  };
  const name = () => `${state.study.name.replace(/[^\w.-]+/g, "_")}.csv`;
  body.append(h("div", {class: "tools"}, filter, states, button("download CSV", () => download(name(), csvOf(state), "text/csv"))),
    h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "trials"}, h("table", {class: "trials"}, h("thead", {}, h("tr", {}, heads, strike && h("td", {}))), rows)),
    h("div", {class: "tools"}, back, next, count), ...(strike ? [strike.node] : []));
  update();
  return {node, update};
}
