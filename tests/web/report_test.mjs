// `bocs report` in a browser: what the page shows is what the commands say, and nothing in a study is markup.
import {mkdirSync, readFileSync, statSync} from "node:fs";
import {HOSTILE, assert, assertAccessible, assertHarmless, assertQuiet, bocs, file, lines, near, openPage, run, write} from "./support.mjs";

const STUDY = `
[study]
name = '''study ${HOSTILE}'''
trials = 40
lambda = 0.1
[[variables]]
name = '''x ${HOSTILE.replaceAll("=", ":")}'''
type = "binary"
count = 6
[[variables]]
name = "depot"
type = "categorical"
levels = ["north", '''river ${HOSTILE}''', "south"]
[[variables]]
name = "crew"
type = "integer"
low = 1
high = 5
[[constraints]]
at_most = 5
of = '''x ${HOSTILE.replaceAll("=", ":")}'''
[objective]
command = ["sh", "objective.sh", '''${HOSTILE}''']
`;
const OBJECTIVE = `read -r point
case "$point" in *'"crew":5'*) echo '${HOSTILE} <b>bold</b>' >&2; exit 1;; esac
n=$(printf %s "$point" | tr -cd 1 | wc -c)
case "$point" in *north*) n=$((n + 4));; esac
echo "$n"
`;

await run({
  async "numbers are those of the commands, names are text"() {
    write("study.toml", STUDY);
    write("objective.sh", OBJECTIVE);
    bocs("run", "study.toml", "-q");
    const html = bocs("report", "study.toml").trim();
    assert.equal(html, "study.report.html");
    const {page, seen} = await openPage();
    await page.goto(`file://${file(html)}`);
    await page.waitForSelector("#how dd");

    const [best] = lines("best", "study.toml");
    near(Number(await page.getAttribute("#best-value", "data-exact")), best.best.total);
    assert.ok((await page.textContent("#answer")).includes(`found in trial${best.best.number}`));
    await page.evaluate(() => { navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; });
    await page.click("text=copy as JSON");
    assert.deepEqual(JSON.parse(await page.evaluate(() => window.copied)), best.best.point);

    const explained = lines("explain", "study.toml");
    const shares = explained.filter((line) => line.variable && line.share >= 0.01);
    const shown = await page.locator("#learnt [aria-label='share of each variable'] [data-exact]").evaluateAll((all) => all.map((e) => Number(e.dataset.exact)));
    assert.deepEqual(shown, shares.map((line) => line.share));
    const effects = explained.filter((line) => line.names);
    const drawn = await page.locator("#learnt [aria-label='effects'] [data-exact]").evaluateAll((all) => all.map((e) => Number(e.dataset.exact)));
    assert.ok(drawn.length > 0);
    assert.deepEqual(drawn, effects.slice(0, drawn.length).map((line) => line.mean));

    const trials = lines("trials", "study.toml");
    const failed = trials.filter((trial) => trial.state === "failed");
    assert.ok(failed.length > 0 && trials.length === 40);
    assert.ok((await page.textContent("#trust")).includes(`${failed.length} of 40`));
    assert.ok((await page.textContent("#trust")).includes("bocs trials study.toml --verify"));
    const table = new Map();
    for (let more = true; more;) {
      for (const row of await page.locator("#trials tbody tr").evaluateAll((all) => all.map((tr) => [...tr.cells].map((td) => td.dataset.exact ?? td.textContent)))) table.set(Number(row[0]), row);
      more = await page.isEnabled("text=later rows");
      if (more) await page.click("text=later rows");
    }
    for (const trial of trials) {
      const row = table.get(trial.number);
      assert.equal(row[1], trial.state);
      if (trial.state === "complete") { near(Number(row[2]), trial.value); near(Number(row[3]), trial.total); }
    }
    assertQuiet(seen, "file://");
    await assertHarmless(page);
  },

  async "is read at once: models in words, points with names, metrics, what may be left, changes from the default"() {
    write("plain.toml", `[study]\ntrials = 40\nlambda = 0.01\n${[..."abcdefgh"].map((c) => `[[variables]]\nname = "a_rather_long_name_of_${c}"\ntype = "binary"\n`).join("")}[[variables]]
name = "x"\ntype = "binary"\ncount = 3\n[default]\n${[..."abcdefgh"].map((c) => `a_rather_long_name_of_${c} = 1\n`).join("")}"x[0]" = 0\n"x[1]" = 0\n"x[2]" = 1
[objective]\ncommand = ["sh", "plain.sh"]\n`);
    write("plain.sh", "echo '{\"heat\": '$BOCS_X_1', \"value\": '$((3 * BOCS_A_RATHER_LONG_NAME_OF_A + 2 * BOCS_X_0 - BOCS_X_2 * BOCS_A_RATHER_LONG_NAME_OF_B))'}'\n");
    bocs("run", "plain.toml", "-q");
    bocs("report", "plain.toml");
    const {page, seen} = await openPage();
    await page.setViewportSize({width: 400, height: 800});
    await page.goto(`file://${file("plain.report.html")}`);
    await page.waitForSelector("#how dd");
    const [best] = lines("best", "plain.toml");
    const answer = await page.textContent("#answer");
    assert.ok(answer.includes(`heat${best.best.metrics.heat}`), answer);
    assert.ok(answer.includes(`${best.changes.length} changes from the default`), answer);
    assert.ok(best.changes.length > 0 && best.changes.every(({name}) => answer.includes(name)), answer);
    if (best.remaining) near(Number(await page.getAttribute("#remaining", "data-exact")), best.remaining.mean, 1e-6);
    else assert.ok(answer.includes("not known"), answer);
    assert.match(await page.textContent("#curve .legend"), /sparse polynomial \(order \d\)|Gaussian process \(ei\)/);
    const points = await page.locator("#trials td.point").allTextContents();
    assert.ok(points.every((text) => /^(a_rather_long_name_of_[a-h](; )?)*(x: [0-2 ]+)?$|^all off$/.test(text)), points.join("\n"));
    assert.ok((await page.locator("#trials th").allTextContents()).includes("heat"));
    // On a phone nothing scrolls sideways but tables and pictures, and no name is cut.
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
    const cut = await page.locator(".bar .name").evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent));
    assert.deepEqual(cut, []);
    assertQuiet(seen, "file://");
  },

  async "values far outside the rest do not press the good ones together"() {
    write("far.sh", "test $BOCS_TRIAL != 3 && test $BOCS_TRIAL != 5 && test $BOCS_TRIAL != 9 && echo $BOCS_X_1 || echo 1000000\n");
    write("far.toml", "[study]\ntrials = 16\n[[variables]]\nname = \"x\"\ntype = \"binary\"\ncount = 6\n[objective]\ncommand = [\"sh\", \"far.sh\"]\n");
    bocs("run", "far.toml", "-q");
    bocs("report", "far.toml");
    const {page, seen} = await openPage();
    await page.goto(`file://${file("far.report.html")}`);
    await page.waitForSelector("#how dd");
    assert.ok((await page.textContent("#curve .legend")).includes("3 worse than the axis, at its end"));
    assertQuiet(seen, "file://");
  },

  async "what if is the model at the point"() {
    const {page, seen} = await openPage();
    await page.goto(`file://${file("study.report.html")}`);
    await page.waitForSelector("#whatif .cell");
    // The noise-free objective is in the span of the model; at the best point model and measurement agree.
    const value = () => page.getAttribute("#whatif .big", "data-exact").then(Number);
    const [best] = lines("best", "study.toml");
    const before = await value();
    assert.ok(Math.abs(before - best.best.total) < 0.6, `${before} at ${best.best.total}`);
    // Another level of the depot: the difference of the predictions is what the document's draws say, summed up here.
    const data = JSON.parse(bocs("report", "study.toml", "--json"));
    await page.selectOption("#whatif select >> nth=0", "0");
    const x = data.trials.point[data.trials.number.indexOf(data.best)].split("").map(Number);
    const at = (levels) => {
      const {features, terms, intercepts, units, rows} = data.posterior;
      const bytes = Buffer.from(rows, "base64");
      const phi = features.map(([v, level, scale, square]) => scale === 0 ? Number(levels[v] === level) : square ? (2 * scale * levels[v] - 1) ** 2 : scale * levels[v]);
      return intercepts[0] + terms.reduce((sum, factors, k) => sum + units[0] * bytes.readInt16LE(2 * k) * factors.reduce((p, f) => p * phi[f], 1), 0);
    };
    const other = [...x];
    other[6] = 0;
    near((await value()) - before, at(other) - at(x), 1e-6);
    // A change that the constraint forbids is refused in words.
    for (const cell of await page.locator("#whatif .cell").all()) if (await cell.getAttribute("aria-pressed") === "false") await cell.click();
    assert.ok((await page.textContent("#whatif")).includes("not allowed: "));
    await page.click("text=as the best");
    near(await value(), before);
    assertQuiet(seen, "file://");
  },

  async "the table sorts and filters, the chart zooms by keys"() {
    const {page, seen} = await openPage();
    await page.goto(`file://${file("study.report.html")}`);
    await page.click("#trials th >> text=with penalty");
    const first = await page.getAttribute("#trials tbody tr:first-child td:nth-child(4)", "data-exact");
    near(Number(first), lines("best", "study.toml")[0].best.total);
    await page.selectOption("#trials select", "failed");
    assert.ok((await page.textContent("#trials [role=status]")).startsWith(`${lines("trials", "study.toml").filter((t) => t.state === "failed").length} of 40`));
    await page.focus("#curve canvas >> nth=0");
    await page.keyboard.press("ArrowRight");
    assert.ok((await page.textContent("#curve .tip")).startsWith("trial "));
    await page.keyboard.press("+");
    await page.keyboard.press("Home");
    await page.selectOption("#curve select", "time");
    const [save] = await Promise.all([page.waitForEvent("download"), page.click("text=download CSV")]);
    assert.ok((await save.createReadStream()).readable);
    assertQuiet(seen, "file://");
    await assertHarmless(page);
  },

  async "it is accessible, and fits a telephone"() {
    for (const width of [1280, 380]) {
      const {page, seen} = await openPage({viewport: {width, height: 800}});
      await page.goto(`file://${file("study.report.html")}`);
      await page.waitForSelector("#how dd");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width}`);
      if (width === 1280) await assertAccessible(page);
      assertQuiet(seen, "file://");
    }
    assert.ok(statSync(file("study.report.html")).size < 200000);
  },

  async "an experiment: its table is that of the command, its names are text"() {
    write("grid.toml", 'problems = ["bqp:d=6,lc=10"]\nmethods = ["rs", "annealing"]\nlambdas = [0, 0.1]\ntrials = 15\ninitial = 5\ninstances = 3\nrepeats = 2\nresults = "grid"\n');
    bocs("experiment", "run", "grid.toml", "-q");
    assert.equal(bocs("report", "grid.toml").trim(), "grid.report.html");
    const {page, seen} = await openPage();
    await page.goto(`file://${file("grid.report.html")}`);
    await page.waitForSelector("#curves canvas");
    const {rows} = JSON.parse(bocs("experiment", "table", "grid.toml", "--json"));
    const means = await page.locator("td [data-exact]").evaluateAll((all) => all.map((e) => Number(e.dataset.exact)));
    assert.deepEqual(means, rows.map((row) => row.mean));
    assert.equal(await page.locator("#curves .chart").count(), 2);
    await page.check("#curves input >> nth=0");  // logarithmic
    await assertAccessible(page);
    assertQuiet(seen, "file://");
    // Results that somebody else wrote.
    const cells = readFileSync(file("results/grid/cells.jsonl"), "utf8").replaceAll('"rs"', JSON.stringify(HOSTILE));
    mkdirSync(file("strange"));
    write("strange/cells.jsonl", cells);
    bocs("report", "strange", "-o", "strange.html");
    await page.goto(`file://${file("strange.html")}`);
    await page.waitForSelector("#curves canvas");
    assert.ok((await page.textContent("main")).includes("<img src=x"));
    await assertHarmless(page);
    assertQuiet(seen, "file://");
  },

  async "under noise, the recommendation is that of bocs best"() {
    write("noisy.toml", '[study]\ntrials = 40\nlambda = 0.1\n[[variables]]\nname = "pixel[0,0]"\ntype = "binary"\n[[variables]]\nname = "pixel[1,1]"\ntype = "binary"\n' +
      '[[variables]]\nname = "y"\ntype = "binary"\ncount = 3\n[objective]\ncommand = ["sh", "-c", "n=$(tr -cd 1 | wc -c); echo $n.$(($$ % 10))"]\n[method]\nspec = "bocs:noise=true"\n');
    bocs("run", "noisy.toml", "-q");
    bocs("report", "noisy.toml");
    const {page, seen} = await openPage();
    await page.goto(`file://${file("noisy.report.html")}`);
    await page.waitForSelector("#how dd");
    const [{recommended}] = lines("best", "noisy.toml");
    near(Number(await page.getAttribute("#recommended", "data-exact")), recommended.total);
    assert.ok((await page.textContent("#answer")).includes(`from ${recommended.measurements} measurement`));
    assert.equal(await page.locator("#answer .picture.grid span").count(), 2);  // named by row and column
    assertQuiet(seen, "file://");
  },

  async "structures, goals and limits are shown, from what the schema names"() {
    write("plan.sh", `n=$(wc -c); printf '{"price": %d, "speed": %d, "growth": %d}\\n' $n $((n % 5)) $((n % 3))`);
    write("plan.toml", `
[study]
trials = 20
outcomes = ["growth >= 1"]
[[variables]]
name = "route"
type = "permutation"
items = ["a", "b", "c"]
[[variables]]
name = "panel"
type = "subset"
items = ["p", "q", "r"]
[[variables]]
name = "steel"
type = "mixture"
parts = ["Fe", "Ni"]
total = 100
step = 25
[[variables]]
name = "degree"
type = "integer"
low = 2
high = 5
when = "chosen"
[[variables]]
name = "chosen"
type = "binary"
[[goals]]
name = "price"
direction = "minimize"
[[goals]]
name = "speed"
direction = "maximize"
[method]
spec = "random"
[objective]
command = ["sh", "plan.sh"]
`);
    bocs("run", "plan.toml", "-q");
    bocs("report", "plan.toml");
    const {page, seen} = await openPage();
    await page.goto(`file://${file("plan.report.html")}`);
    await page.waitForSelector("#how dd");
    const text = await page.textContent("#page");
    for (const word of ["route", "panel", "steel", "price", "speed", "growth >= 1"]) assert.ok(text.includes(word), word);
    assertQuiet(seen, "file://");
  },

  async "a study without trials, and one without a model"() {
    write("empty.toml", "[[variables]]\nname = \"a\"\ntype = \"binary\"\n");
    bocs("create", "empty.toml");
    bocs("report", "empty.toml", "-o", "empty.html");
    const {page, seen} = await openPage();
    await page.goto(`file://${file("empty.html")}`);
    assert.ok((await page.textContent("#answer")).includes("No trial is complete yet"));
    assert.ok((await page.textContent("#learnt")).includes("Too little is known"));
    assertQuiet(seen, "file://");
  },
});
