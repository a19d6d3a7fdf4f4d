// The page of `bocs dashboard`: the studies of a store, and one of them live.
import {h, shown, duration, button, section, plainTable, replace} from "./dom.js";
import {StudyState, isFinished, workerName} from "./data.js";
import {showStudy, pointPicture} from "./study.js";
import {header} from "./page.js";

const page = document.getElementById("page");
const news = h("div", {class: "news", role: "status", "aria-live": "polite"});
let leave = () => {};  // ends what the current view does in the background

function say(text, bad = false) {
  replace(news, text ? h("p", {class: bad ? "warning" : "done"}, text) : null);
  if (text && !bad) setTimeout(() => { if (news.textContent === text) news.replaceChildren(); }, 4000);
}

/** An answer of the server, or null, and on the page why. The token is a header: unlike a cookie, it goes nowhere else. */
async function call(path, options = {}) {
  try {
    const token = sessionStorage.getItem("token") || "";
    const answer = await fetch(path, {...options, headers: {...options.headers, ...(token && {Authorization: `Bearer ${token}`})}});
    if (answer.ok) return answer;
    const said = (await answer.text()).trim();
    if (answer.status === 401 || answer.status === 403) say("Session expired: open the URL that `bocs dashboard` printed.", true);
    else say(said || `the dashboard answered ${answer.status}`, true);
  } catch {
    if (!options.signal?.aborted) say("The dashboard does not answer: is `bocs dashboard` still running?", true);
  }
  return null;
}

async function ask(path, options) { return (await call(path, options))?.json() ?? null; }

async function act(study, what, more) {
  const done = await ask("/api/act", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({study, act: what, ...more})});
  if (done) say(what === "enqueue" ? `The point waits as trial ${done.trial}.` : `Done: ${what}.`);
  return done !== null;
}

/** past: trials that were told or imported on top of the budget; they are in `done` and `budget`. */
function progress(done, budget, past) {
  if (budget === 0) return h("span", {}, String(done));
  const words = past === 0 ? `${done} of ${budget}` : `${Math.max(0, done - past)} of ${budget - past} + ${past} past`;
  return h("span", {class: "progress"}, h("progress", {max: budget, value: done, "aria-label": "finished trials"}), ` ${words}`);
}

/** The list of studies, asked for again and again. */
async function showList() {
  leave();
  let gone = false;
  leave = () => { gone = true; };
  document.title = "bocs";
  page.replaceChildren(h("h1", {}, "Studies"), h("div", {id: "list"}));
  while (!gone) {
    const data = await ask("/api/studies");
    if (gone) return;
    if (data) {
      if (news.querySelector(".warning")) say("");
      const rows = data.studies.map((s) => [h("a", {href: `#study=${encodeURIComponent(s.name)}`}, s.name), progress(s.complete + s.failed, s.budget, s.past),
        s.best === null ? "–" : shown(s.best), s.direction === "maximize" ? "max" : "min", String(s.variables), s.paused ? "paused" : String(s.running), String(s.failed), s.method]);
      const body = document.getElementById("list");
      const focus = document.activeElement?.getAttribute?.("href");
      replace(body, h("p", {class: "note"}, `${data.store}${data.writable ? "" : " – read-only: studies can be looked at, but not changed"}`),
        rows.length === 0 ? h("p", {}, "There is no study yet.") :
          h("section", {"aria-label": "studies"}, plainTable(["study", "trials", "best", "", "variables", "running", "failed", "method"], rows, [2, 4, 5, 6])));
      if (focus) [...body.querySelectorAll("a")].find((a) => a.getAttribute("href") === focus)?.focus();
    }
    await new Promise((done) => setTimeout(done, 3000));
  }
}

/** What is happening now: progress, workers, running trials, and what can be done about it. */
function nowSection(state) {
  const {node, body} = section("now", "Now");
  const name = state.study.name;
  const status = h("div", {}), running = h("div", {}), tools = h("div", {class: "tools"});
  body.append(status, tools, running);
  const budget = h("input", {type: "number", class: "short", min: 0, "aria-label": "budget: trials without past ones"});
  const pause = button("", () => act(name, state.document.paused ? "resume" : "pause"));
  const setBudget = button("change the budget", () => {
    act(name, "budget", {trials: Math.max(0, Math.round(Number(budget.value)))});
  });
  if (state.document.writable) tools.append(pause, h("label", {class: "quiet"}, "trials (without past ones) ", budget), setBudget);
  else body.append(h("p", {class: "warning"}, "This store is read-only: its studies can be looked at, but not changed."));
  budget.value = String(state.study.trials);

  let drawn = null;  // the running trials that are on the page

  const claimRow = (claim) => {
    const trial = state.trials.find((t) => t.number === claim.number);
    const value = h("input", {type: "number", step: "any", class: "short", "aria-label": `value of trial ${claim.number}`});
    const heart = claim.worker === "" ? "by hand" : claim.gone ? "has ended" : `heard ${duration(claim.silent)} ago`;
    const cells = [String(claim.number), claim.worker === "" ? "–" : workerName(claim.worker), duration(claim.seconds), heart,
      trial ? h("details", {}, h("summary", {}, "point"), pointPicture(state.variables, trial.x)) : "thinking"];
    if (state.document.writable) {
      cells.push(h("span", {class: "tools"}, trial ? [value, button("tell", () => {
        if (value.value === "" || !Number.isFinite(Number(value.value))) { say("A value is a number.", true); return; }
        act(name, "tell", {trial: claim.number, value: Number(value.value)});
      })] : "", button("release", () => act(name, "release", {trial: claim.number}))));
    }
    return cells;
  };

  const update = () => {
    const done = state.trials.filter((t) => isFinished(t)).length;
    const waiting = state.trials.filter((t) => t.state === "waiting").length;
    const words = [state.document.paused ? "paused" : state.document.finished ? "finished" : state.document.claims.length > 0 ? "running" : "nobody works on it",
      `${state.failed().length} failed`, waiting > 0 ? `${waiting} waiting` : ""].filter(Boolean);
    replace(status, h("p", {}, progress(done, state.study.budget, state.study.past), h("span", {class: "quiet", id: "status"}, `, ${words.join(", ")}`)));
    pause.textContent = state.document.paused ? "resume" : "pause";
    const claims = state.document.claims, numbers = claims.map((claim) => claim.number).join();
    const inUse = (running.contains(document.activeElement) && document.activeElement.tagName === "INPUT") || running.querySelector("details[open]");
    if (inUse && numbers === drawn) return;  // the user types or reads
    drawn = numbers;
    replace(running, claims.length === 0 ? null : plainTable(["running trial", "worker", "for", "heartbeat", "", ...(state.document.writable ? [""] : [])], claims.map(claimRow), [0]));
  };
  update();
  return {node, update};
}

/** The documents of a stream, a line each; ends with it, however it ends. */
async function* documents(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const parts = [];
  for (;;) {
    const {done, value} = await reader.read().catch(() => ({done: true}));
    if (done) return;
    const pieces = value.split("\n");
    for (const piece of pieces.slice(0, -1)) {
      yield JSON.parse(parts.splice(0).join("") + piece);
    }
    parts.push(pieces[pieces.length - 1]);
  }
}

/** A study, as long as its view is open; the stream is asked for again when it ends. */
async function showLive(name) {
  leave();
  const end = new AbortController();
  leave = () => end.abort();
  document.title = `${name} – bocs`;
  page.replaceChildren(h("p", {class: "note"}, "Opening…"));
  let state = null, refresh = null, now = null;
  const take = (data) => {
    if (data.trouble) { say(data.trouble, true); return; }
    if (news.querySelector(".warning")) say("");
    if (state === null) {
      state = new StudyState(data);
      state.learning = true;
      const actions = !data.writable ? null
        : {enqueue: (point) => act(name, "enqueue", {point}), strike: (trial, why) => act(name, "strike", {trial, why})};
      now = nowSection(state);
      refresh = showStudy(page, state, [now], actions);
      return;
    }
    const model = data.explanation !== undefined;
    if (model) state.learning = false;
    state.take(data);
    if (model || data.trials || "recommended" in data) refresh(model);
    else now.update();  // heartbeats
  };
  while (!end.signal.aborted) {
    const answer = await call(`/api/live?study=${encodeURIComponent(name)}`, {signal: end.signal});
    if (answer) {
      for await (const data of documents(answer)) {
        if (end.signal.aborted) return;
        take(data);
      }
      if (!end.signal.aborted && !news.querySelector(".warning")) say("The dashboard does not answer; trying again…", true);
    }
    await new Promise((done) => setTimeout(done, 2000));
  }
}

/** Takes the token out of the URL that `bocs dashboard` printed, so that nobody copies it from there. */
function takeToken() {
  const [, token, study] = /^#token=([\w-]+)(?:&(study=.*))?$/.exec(location.hash) || [];
  if (!token) return;
  sessionStorage.setItem("token", token);
  history.replaceState(null, "", study ? `#${study}` : location.pathname);
}

function route() {
  takeToken();
  if (location.hash.startsWith("#study=")) showLive(decodeURIComponent(location.hash.slice(7)));
  else if (location.hash === "" || page.childElementCount === 0) showList();  // else: a section of the study that is open
}

document.body.prepend(header(h("a", {href: "#"}, "all studies"), news));
addEventListener("hashchange", route);
route();
