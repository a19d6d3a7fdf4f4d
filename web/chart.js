// Charts on a canvas, with axes, zoom, hover and keys. Twenty thousand marks are no trouble.
import {h, shown, colour, button} from "./dom.js";

/** Round numbers within a range, at most about `count`. */
export function ticksOf(low, high, count) {
  const size = high - low;
  if (!(size > 0)) return [low];
  const rough = size / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * size; ++k) ticks.push(k * step);
  return ticks;
}

const SHAPES = {
  circle: (c, x, y, r) => { c.beginPath(); c.arc(x, y, r, 0, 2 * Math.PI); },
  square: (c, x, y, r) => { c.beginPath(); c.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r); },
  diamond: (c, x, y, r) => { c.beginPath(); c.moveTo(x, y - 1.3 * r); c.lineTo(x + 1.3 * r, y); c.lineTo(x, y + 1.3 * r); c.lineTo(x - 1.3 * r, y); c.closePath(); },
  triangle: (c, x, y, r) => { c.beginPath(); c.moveTo(x, y - 1.2 * r); c.lineTo(x + 1.2 * r, y + r); c.lineTo(x - 1.2 * r, y + r); c.closePath(); },
  cross: (c, x, y, r) => { c.beginPath(); c.moveTo(x - r, y - r); c.lineTo(x + r, y + r); c.moveTo(x + r, y - r); c.lineTo(x - r, y + r); },
};

/**
 * A chart: {label, xLabel, yLabel, marks: [{x, y, shape, colour, text}], lines: [{points: [[x, y]], colour, dash, step}],
 * bands: [{points: [[x, low, high]], colour}], bars: [{x, low, high, colour}], log, height}. show(what) draws it anew and keeps the zoom.
 */
export class Chart {
  constructor(what) {
    this.canvas = h("canvas", {tabindex: "0", role: "img"});
    this.tip = h("div", {class: "tip", role: "status"});
    this.legend = h("div", {class: "legend"});
    const tools = h("div", {class: "tools"},
      button("+", () => this.zoom(0.5), {"aria-label": "zoom in"}),
      button("−", () => this.zoom(2), {"aria-label": "zoom out"}),
      button("all", () => this.reset(), {"aria-label": "show all"}));
    this.frame = h("div", {class: "frame"}, this.canvas, this.tip);
    this.node = h("div", {class: "chart"}, tools, this.frame, this.legend);
    this.view = null;  // [x low, x high, y low, y high]; null: all
    this.at = -1;      // the mark that is pointed at
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.frame);
    document.addEventListener("themechange", () => { this.what = this.make(); this.draw(); });
    this.make = () => this.what;
    if (what) this.show(what);
  }

  show(what) {
    this.make = typeof what === "function" ? what : () => what;
    this.what = this.make();
    this.canvas.setAttribute("aria-label", this.what.label);
    this.legend.replaceChildren(...(this.what.legend || []).map((entry) => {
      const swatch = h("canvas", {width: 28, height: 28, "aria-hidden": "true"});
      const c = swatch.getContext("2d");
      c.scale(2, 2);
      this.paint(c, entry, 7, 7, 4);
      return h("span", {}, swatch, entry.text);
    }));
    this.draw();
  }

  reset() { this.view = null; this.draw(); }

  extent() {
    const xs = [], ys = [];
    const {marks = [], lines = [], bands = [], bars = [], log} = this.what;
    const put = (x, ...values) => {
      if (!Number.isFinite(x)) return;
      xs.push(x);
      for (const y of values) if (Number.isFinite(y) && !(log && y <= 0)) ys.push(y);
    };
    for (const m of marks) put(m.x, m.y);
    for (const line of lines) for (const [x, y] of line.points) put(x, y);
    for (const band of bands) for (const [x, low, high] of band.points) put(x, low, high);
    for (const bar of bars) put(bar.x, bar.low, bar.high);
    const range = (list, wide) => {
      let low = Infinity, high = -Infinity;
      for (const v of list) { if (v < low) low = v; if (v > high) high = v; }
      if (low > high) return [0, 1];
      if (low === high) return [low - Math.max(1e-9, Math.abs(low) * 0.05), high + Math.max(1e-9, Math.abs(high) * 0.05)];
      return [low - wide * (high - low), high + wide * (high - low)];
    };
    if (log) {
      // An interval may come as near to zero as it likes; the axis does not follow it for ever.
      const least = Math.min(...lines.flatMap((line) => line.points.map(([, v]) => v)).filter((v) => v > 0)) / 30;
      for (let i = ys.length - 1; i >= 0; --i) if (ys[i] < least) ys[i] = least;
    }
    const y = log ? range(ys.map(Math.log10), 0.05).map((v) => 10 ** v) : range(ys, 0.06);
    return [...range(xs, 0.02), ...y];
  }

  get scaleY() { return this.what.log ? Math.log10 : (v) => v; }

  layout() {
    const width = Math.max(200, this.frame.clientWidth), height = this.what.height || 320;
    const [x0, x1, y0, y1] = this.view || this.extent();
    const f = this.scaleY;
    const box = {left: width < 500 ? 52 : 66, right: width - 12, top: 10, bottom: height - 42};
    const px = (x) => box.left + (box.right - box.left) * (x - x0) / (x1 - x0);
    const py = (y) => this.what.log && y <= 0 ? 1e5 : box.bottom - (box.bottom - box.top) * (f(y) - f(y0)) / (f(y1) - f(y0));
    return {width, height, box, px, py, x0, x1, y0, y1};
  }

  paint(c, mark, x, y, r) {
    if (mark.line) {
      c.strokeStyle = mark.colour; c.lineWidth = 2.2; c.setLineDash(mark.dash || []);
      c.beginPath(); c.moveTo(x - 6, y); c.lineTo(x + 6, y); c.stroke(); c.setLineDash([]);
      return;
    }
    SHAPES[mark.shape || "circle"](c, x, y, r);
    if (mark.shape === "cross") { c.strokeStyle = mark.colour; c.lineWidth = 1.6; c.stroke(); }
    else { c.fillStyle = mark.colour; c.fill(); }
  }

  draw() {
    if (!this.what || this.frame.clientWidth === 0) return;
    const l = this.layout(), {box} = l, ratio = window.devicePixelRatio || 1;
    this.canvas.width = l.width * ratio; this.canvas.height = l.height * ratio;
    this.canvas.style.height = `${l.height}px`;
    const c = this.canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.font = "12px system-ui, sans-serif";
    this.axes(c, l);
    c.save();
    c.beginPath(); c.rect(box.left, box.top, box.right - box.left, box.bottom - box.top); c.clip();
    for (const band of this.what.bands || []) {
      c.fillStyle = band.colour; c.globalAlpha = 0.16; c.beginPath();
      band.points.forEach(([x, low], i) => c[i ? "lineTo" : "moveTo"](l.px(x), l.py(low)));
      for (const [x, , high] of [...band.points].reverse()) c.lineTo(l.px(x), l.py(high));
      c.fill(); c.globalAlpha = 1;
    }
    for (const bar of this.what.bars || []) {
      c.strokeStyle = bar.colour; c.globalAlpha = 0.5; c.beginPath();
      c.moveTo(l.px(bar.x), l.py(bar.low)); c.lineTo(l.px(bar.x), l.py(bar.high)); c.stroke(); c.globalAlpha = 1;
    }
    c.globalAlpha = (this.what.marks || []).length > 1500 ? 0.6 : 0.9;
    for (const mark of this.what.marks || []) this.paint(c, mark, l.px(mark.x), l.py(mark.y), mark.size || 3);
    c.globalAlpha = 1;
    for (const line of this.what.lines || []) {
      c.strokeStyle = line.colour; c.lineWidth = line.width || 2.2; c.setLineDash(line.dash || []); c.beginPath();
      line.points.forEach(([x, y], i) => {
        if (i > 0 && line.step) c.lineTo(l.px(x), l.py(line.points[i - 1][1]));
        c[i ? "lineTo" : "moveTo"](l.px(x), l.py(y));
      });
      c.stroke(); c.setLineDash([]);
    }
    const at = (this.what.marks || [])[this.at];
    if (at) { c.strokeStyle = colour("text"); c.lineWidth = 1.5; SHAPES.circle(c, l.px(at.x), l.py(at.y), 6.5); c.stroke(); }
    c.restore();
  }

  axes(c, l) {
    const {box, x0, x1, y0, y1} = l;
    c.strokeStyle = colour("line"); c.fillStyle = colour("quiet"); c.lineWidth = 1;
    c.textAlign = "right"; c.textBaseline = "middle";
    let ys = ticksOf(y0, y1, 6);
    if (this.what.log) {
      ys = [];
      for (let d = Math.floor(Math.log10(y0)); d <= Math.log10(y1); ++d) for (const f of y1 / y0 < 1000 ? [1, 2, 5] : [1]) ys.push(f * 10 ** d);
      ys = ys.filter((y) => y >= y0 && y <= y1);
    }
    for (const y of ys) {
      const p = Math.round(l.py(y)) + 0.5;
      c.beginPath(); c.moveTo(box.left, p); c.lineTo(box.right, p); c.stroke();
      c.fillText(shown(y, 5), box.left - 7, p);
    }
    c.textAlign = "center"; c.textBaseline = "top";
    for (const x of ticksOf(x0, x1, l.width < 500 ? 4 : 8)) {
      const p = Math.round(l.px(x)) + 0.5;
      c.beginPath(); c.moveTo(p, box.bottom); c.lineTo(p, box.bottom + 4); c.stroke();
      c.fillText(this.what.xText ? this.what.xText(x) : shown(x, 6), p, box.bottom + 7);
    }
    c.strokeStyle = colour("quiet");
    c.beginPath(); c.moveTo(box.left, box.top); c.lineTo(box.left, box.bottom); c.lineTo(box.right, box.bottom); c.stroke();
    c.fillStyle = colour("text");
    c.fillText(this.what.xLabel || "", (box.left + box.right) / 2, l.height - 15);
    c.save(); c.translate(11, (box.top + box.bottom) / 2); c.rotate(-Math.PI / 2); c.textBaseline = "middle";
    c.fillText(this.what.yLabel || "", 0, 0); c.restore();
  }

  /** Zooms the x axis about a share of its width; the y axis follows what is then seen. */
  zoom(factor, about = 0.5, low = null, high = null) {
    const [x0, x1] = this.view || this.extent();
    const middle = x0 + about * (x1 - x0);
    const all = this.extent();
    let a = low === null ? middle - (middle - x0) * factor : low, b = high === null ? middle + (x1 - middle) * factor : high;
    a = Math.max(a, all[0]); b = Math.min(b, all[1]);
    if (!(b - a > 1e-9 * (all[1] - all[0]))) return;
    if (a <= all[0] && b >= all[1]) { this.reset(); return; }
    let ylow = Infinity, yhigh = -Infinity;
    const see = (x, ...ys) => { if (x >= a && x <= b) for (const y of ys) if (Number.isFinite(y) && !(this.what.log && y <= 0)) { ylow = Math.min(ylow, y); yhigh = Math.max(yhigh, y); } };
    for (const m of this.what.marks || []) see(m.x, m.y);
    for (const line of this.what.lines || []) for (const [x, y] of line.points) see(x, y);
    for (const band of this.what.bands || []) for (const [x, p, q] of band.points) see(x, p, q);
    const more = 0.06 * (yhigh - ylow);
    this.view = yhigh > ylow ? (this.what.log ? [a, b, ylow / 1.1, yhigh * 1.1] : [a, b, ylow - more, yhigh + more]) : [a, b, all[2], all[3]];
    this.draw();
  }

  point(index, l = this.layout()) {
    const mark = (this.what.marks || [])[index];
    this.at = mark ? index : -1;
    this.tip.textContent = mark ? mark.text : "";
    this.tip.classList.toggle("seen", Boolean(mark));
    if (mark) {
      const right = l.px(mark.x) > l.width / 2;
      this.tip.style.left = right ? "auto" : `${l.px(mark.x) + 12}px`;
      this.tip.style.right = right ? `${l.width - l.px(mark.x) + 12}px` : "auto";
      this.tip.style.top = `${Math.max(0, Math.min(l.py(mark.y) - 14, l.height - 90))}px`;
    }
    this.draw();
  }

  listen() {
    let from = null;
    const place = (event) => { const r = this.canvas.getBoundingClientRect(); return [event.clientX - r.left, event.clientY - r.top]; };
    this.canvas.addEventListener("pointermove", (event) => {
      const [x, y] = place(event), l = this.layout();
      let best = -1, distance = 22 ** 2;
      (this.what.marks || []).forEach((m, i) => {
        const d = (l.px(m.x) - x) ** 2 + (l.py(m.y) - y) ** 2;
        if (d < distance) { distance = d; best = i; }
      });
      if (best !== this.at) this.point(best, l);
    });
    this.canvas.addEventListener("pointerleave", () => this.point(-1));
    this.canvas.addEventListener("blur", () => this.point(-1));
    this.canvas.addEventListener("pointerdown", (event) => { from = place(event)[0]; });
    this.canvas.addEventListener("pointerup", (event) => {
      const to = place(event)[0], l = this.layout();
      if (from !== null && Math.abs(to - from) > 15) {
        const value = (p) => l.x0 + (l.x1 - l.x0) * (p - l.box.left) / (l.box.right - l.box.left);
        this.zoom(1, 0.5, value(Math.min(from, to)), value(Math.max(from, to)));
      }
      from = null;
    });
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;  // a plain wheel scrolls the page
      event.preventDefault();
      const l = this.layout();
      this.zoom(event.deltaY + event.deltaX < 0 ? 0.7 : 1 / 0.7, (place(event)[0] - l.box.left) / (l.box.right - l.box.left));
    }, {passive: false});
    this.canvas.addEventListener("keydown", (event) => {
      const count = (this.what.marks || []).length;
      const acts = {
        ArrowRight: () => this.point(Math.min(count - 1, this.at + 1)), ArrowLeft: () => this.point(Math.max(0, this.at - 1)),
        "+": () => this.zoom(0.5), "-": () => this.zoom(2), Home: () => this.reset(), Escape: () => this.point(-1),
      };
      if (!acts[event.key]) return;
      event.preventDefault();
      acts[event.key]();
    });
  }
}

/** Colours and shapes that tell sources of trials apart, also without colours. */
const LOOKS = [["c1", "circle"], ["c2", "square"], ["c3", "diamond"], ["c4", "triangle"], ["c5", "circle"], ["c6", "square"],
  ["c7", "diamond"], ["c8", "triangle"], ["c9", "circle"], ["c10", "square"]];
/** Lines beyond the colours are dashed. */
export const dashOf = (index) => index < LOOKS.length ? [] : [6, 4];
export function lookOf(index) {
  const [name, shape] = LOOKS[index % LOOKS.length];
  return {colour: colour(name), shape};
}
