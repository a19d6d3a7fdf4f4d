// The picture of each type of variable: what it draws is the point that `bocs best` prints, at any width.
import {assert, assertAccessible, assertQuiet, bocs, file, lines, openPage, run, write} from "./support.mjs";

const STUDY = `
[study]
name = "every type"
trials = 24
[[variables]]
name = "route"
type = "permutation"
items = ["north", "river", "hill", "old town", "port"]
[[variables]]
name = "panel"
type = "subset"
items = ["p", "q", "r", "s"]
size = [1, 3]
[[variables]]
name = "crew"
type = "multiset"
items = ["ann", "ben", "eva"]
size = 4
[[variables]]
name = "shift"
type = "assignment"
items = ["mon", "tue", "wed"]
places = ["early", "late", "night"]
[[variables]]
name = "steel"
type = "mixture"
parts = ["Fe", "Ni", "Cr"]
total = 100
step = 5
[[variables]]
name = "tool"
type = "categorical"
levels = ["saw", "laser"]
[[variables]]
name = "power"
type = "real"
low = 0.5
high = 20
log = true
when = "tool == laser"
[[variables]]
name = "share"
type = "real"
low = 0
high = 1
[[variables]]
name = "pump"
type = "binary"
[method]
spec = "random"
[objective]
command = ["sh", "cost.sh"]
`;

const texts = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((e) => e.textContent.trim()));

await run({
  async "each picture shows the best point"() {
    write("types.toml", STUDY);
    write("cost.sh", "wc -c");
    bocs("run", "types.toml", "-q");
    bocs("report", "types.toml");
    const [{best: {point}}] = lines("best", "types.toml");
    const {page, seen} = await openPage();
    await page.goto(`file://${file("types.report.html")}`);
    await page.waitForSelector("#how dd");

    assert.deepEqual(await texts(page, "#answer ol.order li"), point.route);
    const chosen = await page.locator("#answer .picture span.on").evaluateAll((all) => all.map((e) => e.title));
    for (const item of point.panel) assert.ok(chosen.includes(`${item}: chosen`), item);
    const answer = await page.textContent("#answer");
    for (const text of [point.panel.join(", "), point.crew.join(", "), String(point.share)]) assert.ok(answer.includes(text), text);
    const names = await texts(page, "#answer dl.point dt");
    assert.equal(names.includes("power"), point.power !== undefined);  // what is absent is left out
    if (point.power !== undefined) assert.ok(answer.includes(String(point.power)));

    const places = await texts(page, "#answer table.places tr:first-child th");
    const rows = await page.locator("#answer table.places tr + tr").evaluateAll((all) =>
      all.map((row) => [row.querySelector("th").textContent, [...row.querySelectorAll("td")].findIndex((cell) => cell.className === "on")]));
    assert.deepEqual(Object.fromEntries(rows.map(([item, k]) => [item, places[k]])), point.shift);

    const amounts = await texts(page, "#answer .amounts span:not(.amount)");
    const shown = Object.fromEntries(amounts.flatMap((text, k) => k % 2 === 0 ? [[text, Number(amounts[k + 1])]] : []));
    assert.deepEqual(shown, point.steel);
    const widths = await page.locator("#answer .amounts .amount").evaluateAll((all) => all.map((e) => parseFloat(e.style.width)));
    const largest = Math.max(...Object.values(point.steel));
    Object.values(point.steel).forEach((amount, k) => assert.ok(Math.abs(widths[k] - (100 * amount) / largest) < 0.01));
    if (process.env.BOCS_SHOTS) await page.screenshot({path: `${process.env.BOCS_SHOTS}/types-1280.png`, fullPage: true});
    await assertAccessible(page);
    assertQuiet(seen, "file://");
  },

  async "nothing is cut off on a telephone"() {
    const {page, seen} = await openPage({viewport: {width: 400, height: 800}});
    await page.goto(`file://${file("types.report.html")}`);
    await page.waitForSelector("#how dd");
    const outside = await page.evaluate(() => [...document.querySelectorAll("#answer *")]
      .filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.outerHTML.slice(0, 80)));
    assert.deepEqual(outside, []);
    if (process.env.BOCS_SHOTS) await page.screenshot({path: `${process.env.BOCS_SHOTS}/types-400.png`, fullPage: true});
    assertQuiet(seen, "file://");
  },
});
