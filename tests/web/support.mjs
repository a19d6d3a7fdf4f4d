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

const schema = JSON.parse(readFileSync(new URL("../../web/schema.json", import.meta.url), "utf8"));

/** In the page: a key that it reads of a document, and that web/schema.json does not name, is an error on the console. */
function watchReads(schema) {
  const resolved = (node) => node?.$ref ? resolved(schema.$defs[node.$ref.slice("#/$defs/".length)]) : node;
  // Of alternatives the page may ask for the keys of each, to tell which one it is.
  const merged = (nodes) => ({properties: Object.assign({}, ...nodes.map((node) => resolved(node).properties || {}))});
  const told = new Set();
  const written = new WeakMap();  // what the page adds to a document
  const guarded = (value, node, path) => {
    if (value === null || typeof value !== "object") return value;
    const known = resolved(node)?.oneOf ? merged(resolved(node).oneOf) : resolved(node);
    return new Proxy(value, {
      set(target, key, content) {
        if (!written.has(target)) written.set(target, new Set());
        written.get(target).add(key);
        target[key] = content;
        return true;
      },
      get(target, key) {
        const found = target[key];
        if (typeof key === "symbol" || written.get(target)?.has(key)) return found;
        if (Array.isArray(target)) return /^\d+$/.test(key) ? guarded(found, known.prefixItems?.[key] ?? known.items, `${path}[]`) : found;
        const inside = known.properties?.[key] ?? (known.additionalProperties || undefined);
        if (inside !== undefined) return guarded(found, inside, `${path}.${key}`);
        const strange = `${path}.${key}`;
        if (!(key in Object.prototype) && key !== "toJSON" && key !== "then" && !told.has(strange)) {
          told.add(strange);
          console.error(`the page reads ${strange}, which web/schema.json does not name`);
        }
        return found;
      },
    });
  };
  const study = merged(["report", "whole", "news", "heartbeats", "thought", "trouble"].map((name) => schema.$defs[name]));
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const data = parse(text, ...more);
    if (data?.kind === "experiment") return guarded(data, schema.$defs.experiment, "experiment");
    const isStudy = data?.kind === "study" || data?.trials?.encoding || data?.claims || data?.recommended !== undefined;
    return isStudy ? guarded(data, study, "study") : data;
  };
}

let browser = null;
export async function openPage({watched = true, ...options} = {}) {
  browser ??= await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox"]});
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  if (watched) await page.addInitScript(watchReads, schema);
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
