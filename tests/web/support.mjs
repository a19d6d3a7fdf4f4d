// What the tests in a browser share: bocs as a program, a folder of its own, a page that is watched.
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";

const [program, modules] = process.argv.slice(2);
const require = createRequire(resolve(modules, "x.js"));
const {chromium} = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export {assert};
export const folder = mkdtempSync(join(tmpdir(), "bocs_web_"));
process.on("exit", () => rmSync(folder, {recursive: true, force: true}));

export function file(name) { return join(folder, name); }
export function write(name, text) { writeFileSync(file(name), text); }
export function bocs(...args) { return execFileSync(program, args.map(String), {cwd: folder, encoding: "utf8", maxBuffer: 1 << 28}); }
export function lines(...args) { return bocs(...args, "--json").trim().split("\n").map((line) => JSON.parse(line)); }
export function start(...args) {
  const child = spawn(program, args.map(String), {cwd: folder, stdio: ["ignore", "pipe", "pipe"]});
  process.on("exit", () => child.kill("SIGKILL"));
  return child;
}

let browser = null;
export async function openPage(options = {}) {
  browser ??= await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox"]});
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  const seen = {errors: [], requests: []};
  page.on("console", (message) => { if (message.type() === "error") seen.errors.push(message.text()); });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("request", (request) => seen.requests.push(request.url()));
  return {page, seen, context};
}

/** No error on the console, no request to anywhere but `home`. */
export function assertQuiet(seen, home) {
  assert.deepEqual(seen.errors, []);
  const strange = seen.requests.filter((url) => !url.startsWith(home) && !url.startsWith("data:") && !url.startsWith("blob:"));
  assert.deepEqual(strange, []);
}

/** axe-core finds nothing serious, in light and in dark. */
export async function assertAccessible(page) {
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({colorScheme: scheme});
    await page.waitForTimeout(100);
    await page.evaluate(axe);
    const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ["violations"]}));
    const bad = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
    assert.deepEqual(bad.map((v) => `${scheme}: ${v.id}: ${v.nodes[0].html.slice(0, 150)} (${v.nodes.length})`), []);
  }
}

/** Text that would do harm as markup, and says so if it does. */
export const HOSTILE = "<img src=x onerror=window.pwned=1></script><script>window.pwned=1</script>";
export async function assertHarmless(page) {
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator("main img, main script, main b:has-text('bold')").count(), 0);
}

export function near(a, b, tolerance = 1e-9) { assert.ok(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)), `${a} is not ${b}`); }

/** Waits until `condition` gives something true; a deadline of minutes, so that no busy machine fails it. */
export async function until(condition, what) {
  for (const begin = Date.now(); Date.now() - begin < 120000;) {
    const value = await condition();
    if (value) return value;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`waited in vain: ${what}`);
}

/** Runs tests one after the other; the name of each is printed. */
export async function run(tests) {
  for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(`ok ${name}`);
  }
  await browser?.close();
}
