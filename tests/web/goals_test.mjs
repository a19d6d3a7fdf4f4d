// A study with several goals, and one with a limit, in a browser: the front on the page is the one that bocs says.
import {assert, assertAccessible, assertQuiet, bocs, file, lines, openPage, run, write} from "./support.mjs";

const VARIABLES = `
[[variables]]
name = "x"
type = "binary"
count = 6
[method]
spec = "bocs:initial=6"
[objective]
command = ["sh", "-c", '''cat > /dev/null
echo '{"cost": '$((3 * BOCS_X_0 + 2 * BOCS_X_1 + BOCS_X_3))', "gain": '$((4 * BOCS_X_0 + BOCS_X_1 + 2 * BOCS_X_4))', "heat": '$((BOCS_X_4 + BOCS_X_5))', "value": '$BOCS_X_2'}'
''']
`;
const GOALS = `
[[goals]]
name = "cost"
[[goals]]
name = "gain"
direction = "maximize"
`;
const ITEMS = `
[[goals]]
name = "items"
known = "sum(x)"
`;

function study(name, limit, goals) {
  write(`${name}.toml`, `[study]\ntrials = 30\n${limit ? `outcomes = ["heat <= ${limit}"]` : ""}\n${goals}${VARIABLES}`);
  bocs("run", `${name}.toml`, "-q");
  bocs("report", `${name}.toml`);
  return `${name}.toml`;
}

async function opened(name, options = {}) {
  const {page, seen} = await openPage(options);
  await page.goto(`file://${file(`${name}.report.html`)}`);
  await page.waitForSelector("#how dd");
  return {page, seen};
}

const cells = (page) => page.locator("#answer [aria-label='the front'] tbody tr").evaluateAll((rows) => rows.map((tr) => [...tr.cells].map((td) => td.textContent)));

await run({
  async "the front is that of the command, in two goals and in three"() {
    for (const [name, goals] of [["two", GOALS], ["three", GOALS + ITEMS]]) {
      const front = lines("front", study(name, "1", goals));
      const {page, seen} = await opened(name);
      const shown = await cells(page);
      const count = goals === GOALS ? 2 : 3;
      assert.deepEqual(shown.map((row) => row.slice(0, count + 1).map(Number)), front.map((trial) => [trial.number, ...Object.values(trial.goals)]));
      assert.equal(await page.locator("#answer svg, #answer canvas").count() > 0, true);
      assert.ok((await page.textContent("#answer")).includes("beyond a limit"));
      const points = Number((await page.textContent("#answer")).match(/^The answer(\d+) trials of/)[1]);
      assert.equal(points, front.length);
      await assertAccessible(page);
      assertQuiet(seen, "file://");
    }
  },

  async "on a telephone nothing is cut off"() {
    const {page} = await opened("three", {viewport: {width: 400, height: 800}});
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  },

  async "a limit: the best allowed trial with its margin"() {
    const name = study("limit", "1", "");
    const {page, seen} = await opened("limit");
    const [best] = lines("best", name);
    const answer = await page.textContent("#answer");
    assert.ok(answer.includes("heat <= 1") && answer.includes(`found in trial${best.best.number}`), answer);
    assertQuiet(seen, "file://");
  },

  async "none allowed yet is said, with the nearest trial"() {
    for (const [name, goals] of [["none", ""], ["none-of-two", GOALS]]) {
      study(name, "-1", goals);
      const {page, seen} = await opened(name);
      assert.match(await page.textContent("#answer"), /No trial is within all limits yet; proposals aim at one\. The nearest is trial \d+: heat/);
      assertQuiet(seen, "file://");
    }
  },
});
