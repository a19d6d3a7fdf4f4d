// Large studies: the file stays small, and the page works with 10,000 trials. Takes minutes: label slow.
import {statSync} from "node:fs";
import {assert, assertQuiet, bocs, file, lines, openPage, run, write} from "./support.mjs";

/** A study whose trials are past data: of `variables` binary variables with a few effects. */
function imported(name, variables, trials) {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const rows = [[...Array.from({length: variables}, (_, i) => `x[${i}]`), "value"].join(",")];
  for (let n = 0; n < trials; ++n) {
    const x = Array.from({length: variables}, () => Number(random() < 0.5));
    rows.push([...x, 3 * x[0] - 2 * x[1] * x[2] + x[3] - 0.5 * x[4] + 0.2 * (random() - 0.5)].join(","));
  }
  write(`${name}.csv`, `${rows.join("\n")}\n`);
  write(`${name}.toml`, `[study]\ndata = "${name}.csv"\ntrials = 10\n[[variables]]\nname = "x"\ntype = "binary"\ncount = ${variables}\n[objective]\ncommand = ["sh", "-c", "tr -cd 1 | wc -c"]\n`);
  bocs("create", `${name}.toml`);
}

async function open(name, options) {
  const {page, seen} = await openPage({watched: false, ...options});
  await page.goto(`file://${file(`${name}.report.html`)}`);
  await page.waitForSelector("#how dd", {timeout: 120000});
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  console.log(`${name}: ${statSync(file(`${name}.report.html`)).size} bytes, first paint after ${Math.round(paint)} ms`);
  return {page, seen};
}

await run({
  async "1000 trials of 50 variables fit into 300 KB"() {
    imported("wide", 50, 990);
    bocs("run", "wide.toml", "-q");
    bocs("report", "wide.toml");
    assert.ok(statSync(file("wide.report.html")).size <= 300 * 1024);
    const {page, seen} = await open("wide");
    assert.ok((await page.textContent("#trials [role=status]")).includes("of 1000 trials"));
    assertQuiet(seen, "file://");
  },

  async "10,000 trials fit into 5 MB, and the page says how many the model has seen"() {
    imported("long", 12, 10000);
    bocs("report", "long.toml");
    assert.ok(statSync(file("long.report.html")).size <= 5 * 1024 * 1024);
    const {page, seen} = await open("long");
    assert.ok((await page.textContent("#trials [role=status]")).includes("of 10000 trials"));
    assert.match(await page.textContent("#learnt"), /of the 10000 complete trials|all 10000 complete trials/);
    const strongest = lines("explain", "long.toml").find((line) => line.names);
    assert.deepEqual(strongest.names, ["x[0]"]);
    assert.ok(Math.abs(strongest.mean - 3) < 0.1);
    assertQuiet(seen, "file://");
  },
});
