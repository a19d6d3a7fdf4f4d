// Starts a report: the data are in the page itself.
import {h, button} from "./dom.js";
import {StudyState} from "./data.js";
import {showStudy} from "./study.js";
import {showExperiment} from "./experiment.js";

/** Light, dark, or as the system has it. */
export function themeButton() {
  const root = document.documentElement;
  const apply = (theme) => {
    if (theme) root.dataset.theme = theme;
    document.dispatchEvent(new Event("themechange"));
  };
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => apply(null));
  return button("◐", () => apply(dark() ? "light" : "dark"), {class: "theme", "aria-label": "light or dark", title: "light or dark"});
}

export function header(...content) { return h("header", {}, h("span", {class: "brand"}, "bocs"), ...content, themeButton()); }

export function startReport() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  document.body.prepend(header());
  if (data.kind === "experiment") {
    document.title = `${data.name} – bocs`;
    showExperiment(page, data);
    return;
  }
  document.title = `${data.study.name} – bocs`;
  showStudy(page, new StudyState(data));
}
