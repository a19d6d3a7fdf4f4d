// Elements, numbers and small controls. Text from data only ever becomes text nodes and attribute values.

const SVG = "http://www.w3.org/2000/svg";

/** Sets what `given` holds: on… are listeners, the others attributes; null and false are left out. */
function dress(element, given, children) {
  for (const [name, value] of Object.entries(given || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

/** h("p", {class: "note"}, "text", h("b", {}, "more")) */
export function h(tag, given, ...children) { return dress(document.createElement(tag), given, children); }
/** The same for SVG. */
export function svg(tag, given, ...children) { return dress(document.createElementNS(SVG, tag), given, children); }

export function replace(parent, ...children) { parent.replaceChildren(...children.flat().filter((c) => c !== null)); }

/** "12.3457", "1.2e-7", "–" for what is not known. */
export function shown(value, digits = 6) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const text = String(Number(value.toPrecision(digits)));
  return text.replace("e+", "e").replace("-", "−");
}

export function percent(share) { return `${Math.round(100 * share)} %`; }

/** "3.4 s", "12 min", "5.2 h" */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 0.0995) return `${shown(1000 * seconds, 2)} ms`;
  if (seconds < 99.5) return `${shown(seconds, 2)} s`;
  if (seconds < 5970) return `${shown(seconds / 60, 2)} min`;
  return seconds < 180000 ? `${shown(seconds / 3600, 2)} h` : `${shown(seconds / 86400, 2)} days`;
}

/** A colour of the page's theme: colour("accent"). */
export function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(); }

export function button(text, onclick, more) { return h("button", {type: "button", onclick, ...more}, text); }

/** A button that copies a text, and says so. */
export function copyButton(words, text) {
  const state = h("span", {class: "quiet", role: "status"});
  const say = (what) => {
    state.textContent = what;
    setTimeout(() => { state.textContent = ""; }, 2500);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      say("copied");
    } catch {
      // Pages from a file may not use the clipboard: a field that is selected can.
      const field = h("textarea", {class: "away", "aria-hidden": "true"});
      field.value = text();
      document.body.append(field);
      field.select();
      say(document.execCommand("copy") ? "copied" : "could not be copied");
      field.remove();
    }
  };
  return h("span", {class: "copy"}, button(words, copy), " ", state);
}

export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = h("a", {href: url, download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** <section> with a heading and a place for its content. */
export function section(id, title, note) {
  const body = h("div", {class: "body"});
  const node = h("section", {id, "aria-labelledby": `${id}-title`},
    h("h2", {id: `${id}-title`}, title), note ? h("p", {class: "note"}, note) : null, body);
  return {node, body};
}

/** A table from texts and elements; columns whose cells are numbers are aligned by `numeric`. */
export function plainTable(head, rows, numeric = []) {
  const cell = (tag, content, i) => h(tag, {class: numeric.includes(i) ? "number" : null, scope: tag === "th" ? "col" : null}, content);
  return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "table"}, h("table", {},
    h("thead", {}, h("tr", {}, head.map((text, i) => cell("th", text, i)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((content, i) => cell("td", content, i)))))));
}
