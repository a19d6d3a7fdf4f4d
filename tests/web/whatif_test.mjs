// Single changes of the "what if" section, without a browser: node whatif_test.mjs
import assert from "node:assert/strict";
import {copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const web = new URL("../../web/", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "bocs_whatif_"));
process.on("exit", () => rmSync(folder, {recursive: true, force: true}));
for (const name of readdirSync(web).filter((file) => file.endsWith(".js"))) copyFileSync(join(web, name), join(folder, name));
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
const {singleChanges, levelsToTry} = await import(join(folder, "whatif.js"));

/** A study whose model expects `value(x)`. */
function state(count, value) {
  const variables = [{name: "pitch", kind: "real", values: Array.from({length: count}, (_, i) => String(i))}];
  return {variables, trials: [], maximize: false, penalty: () => 0, violated: () => null,
    posterior: {predict: (x, from) => ({mean: value(x[0]) - (from ? value(from[0]) : 0), deviation: 0.1})}};
}

// The best level is offered wherever it is: at either end, beside the present one, and not far from it.
for (const count of [2, 65, 101, 10001]) {
  for (const at of [0, Math.floor(count / 2), count - 1]) {
    for (const best of [0, count - 1, at - 1, at + 1, at + 20, at - 20].filter((level) => level >= 0 && level < count && level !== at)) {
      const [first] = singleChanges(state(count, (level) => Math.abs(level - best)), [at]);
      assert.equal(first.level, best, `${count} levels, at ${at}`);
    }
  }
  const levels = levelsToTry(Math.floor(count / 3), count);
  assert.ok(levels.length <= 128 && new Set(levels).size === levels.length && levels.every((level) => level >= 0 && level < count));
}
assert.deepEqual(levelsToTry(5, 40), Array.from({length: 40}, (_, i) => i).filter((i) => i !== 5));  // a short range is tried whole
console.log("ok single changes");
