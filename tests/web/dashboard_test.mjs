// `bocs dashboard` in a browser: live, and closed to everybody without the token.
import http from "node:http";
import {chmodSync} from "node:fs";
import {HOSTILE, assert, assertAccessible, assertHarmless, assertQuiet, bocs, file, folder, lines, near, openPage, run, start, until, write} from "./support.mjs";

const TOKEN = "a-token-of-the-tests-42";
const PORT = 20000 + process.pid % 10000;
const HOME = `http://127.0.0.1:${PORT}`;

write("token", TOKEN);
chmodSync(file("token"), 0o600);

/** Starts a dashboard and waits for its URL. */
async function dashboard(...args) {
  const server = start("dashboard", ...args, "--port", PORT, "--token-file", "token");
  let out = "", err = "";
  server.stdout.on("data", (data) => { out += data; });
  server.stderr.on("data", (data) => { err += data; });
  await until(() => out.includes("\n") || server.exitCode !== null, "the URL");
  assert.ok(out.includes("\n"), err);
  return {server, url: out.trim()};
}

function stop(server) { return new Promise((done) => { server.on("exit", done); server.kill("SIGINT"); }); }

/** One request as a program makes it, with the headers given and no others. */
function request(path, {method = "GET", headers = {}, body = ""} = {}) {
  return new Promise((done, fail) => {
    const call = http.request({host: "127.0.0.1", port: PORT, path, method, headers: {"Content-Length": Buffer.byteLength(body), ...headers}}, (answer) => {
      let text = "";
      answer.on("data", (data) => { text += data; });
      answer.on("end", () => done({status: answer.statusCode, headers: answer.headers, text}));
    });
    call.on("error", fail);
    call.end(body);
  });
}

const STUDY = `
[study]
name = "live"
trials = 30
[[variables]]
name = "x"
type = "binary"
count = 8
[objective]
command = ["sh", "-c", "sleep 0.05; tr -cd 1 | wc -c"]
`;

const STORE = ["--store", "sqlite:live.db"];
const token = {Authorization: `Bearer ${TOKEN}`};
let server = null;

await run({
  async "nothing is answered without the token"() {
    write("live.toml", STUDY);
    bocs("create", "live.toml");
    ({server} = await dashboard("live.toml"));
    for (const path of ["/api/studies", "/api/live?study=live", "/api/bogus"]) {
      assert.equal((await request(path)).status, 401, path);
      assert.equal((await request(path, {headers: {Cookie: `bocs_${PORT}=${TOKEN}`}})).status, 401, path);
      assert.equal((await request(`${path}?token=${TOKEN}`)).status, 401, path);
      assert.equal((await request(path, {headers: {Authorization: `Bearer ${TOKEN}x`}})).status, 403, path);
    }
    const page = await request("/");
    assert.equal(page.status, 200);
    assert.ok(!page.text.includes(TOKEN));
    assert.equal(page.headers["set-cookie"], undefined);
    assert.match(page.headers["content-security-policy"], /script-src 'self'/);
    assert.doesNotMatch(page.headers["content-security-policy"], /unsafe/);
    for (const path of ["/bogus", "/../etc/passwd", "/api/bogus"]) assert.equal((await request(path, {headers: token})).status, 404, path);
  },

  async "no change from another page's origin, none by GET, none under a stranger's name"() {
    const body = JSON.stringify({study: "live", act: "pause"});
    const json = {...token, "Content-Type": "application/json"};
    const paused = () => lines("studies", "--store", "sqlite:live.db")[0];
    assert.equal((await request("/api/act", {headers: token})).status, 405);
    assert.equal((await request("/api/act", {method: "POST", headers: {...json, Origin: "http://evil.example"}, body})).status, 403);
    assert.equal((await request("/", {headers: {...token, Host: "evil.example"}})).status, 403);
    assert.equal((await request("/api/act", {method: "POST", headers: {...token, Origin: HOME, "Content-Type": "text/plain"}, body})).status, 409);
    for (const wrong of ["", "[]", "{}", '{"study":"live","act":"bogus"}', '{"study":"bogus","act":"pause"}', '{"study":"live","act":"budget","trials":-1}',
      '{"study":"live","act":"budget","trials":"many"}', '{"study":"live","act":"tell","trial":0}', '{"study":"live","act":"tell","trial":7,"value":1}',
      '{"study":"live","act":"release","trial":3}', '{"study":"live","act":"enqueue","point":{"x[0]":2}}']) {
      assert.equal((await request("/api/act", {method: "POST", headers: {...json, Origin: HOME}, body: wrong})).status, 409, wrong);
    }
    assert.equal(paused().waiting + paused().running + paused().complete, 0);
    assert.throws(() => bocs("dashboard", "live.toml", "--host", "0.0.0.0"), /token/);
  },

  async "a study that runs appears while the page is open; pause, budget, tell, release, enqueue"() {
    const {page, seen} = await openPage();
    await page.goto(`${HOME}/#token=${TOKEN}`);
    await page.click("a:has-text('live')");
    await page.waitForSelector("#now");
    const worker = start("run", "live.toml", "-q");
    const ended = new Promise((done) => { worker.on("exit", done); });
    const status = () => page.textContent("#now");
    await until(async () => (await status()).includes("running"), "the worker's trial");
    await page.click("#now >> text=pause");
    await until(async () => (await status()).includes("paused") && lines("studies", "--store", "sqlite:live.db")[0].running === 0, "a pause");
    const at = lines("studies", "--store", "sqlite:live.db")[0].complete;
    assert.ok(at < 30);
    await page.click("#now >> text=resume");
    await ended;
    await until(async () => (await status()).includes("30 of 30") && (await status()).includes("finished"), "the end");
    const [best] = lines("best", "live.toml");
    near(Number(await page.getAttribute("#best-value", "data-exact")), best.best.total);
    await page.waitForSelector("#learnt [aria-label='effects'] [data-exact]", {timeout: 120000});

    await page.fill("#now input[aria-label^=budget]", "33");
    await page.click("text=change the budget");
    await until(() => lines("studies", "--store", "sqlite:live.db")[0].trials === 33, "the budget");
    // A point of "what if" is evaluated first; here a person asks for it and tells it in the page.
    await page.click("#whatif .cell >> nth=0");
    await page.click("text=evaluate this point next");
    await until(() => lines("trials", "live.toml").some((t) => t.origin === "enqueued"), "the wish");
    const [asked] = lines("ask", ...STORE);  // the file would set its own budget again
    assert.equal(asked.number, 30);
    const field = `input[aria-label='value of trial ${asked.number}']`;
    await page.waitForSelector(field, {timeout: 120000});
    await page.fill(field, "-7.25");
    await page.click("#now button:text-is('tell')");
    await until(() => lines("trials", "live.toml").find((t) => t.number === 30).value === -7.25, "the value");
    await until(async () => await page.getAttribute("#best-value", "data-exact") === "-7.25", "the new best");
    bocs("ask", ...STORE);
    await page.click("#now >> text=release", {timeout: 120000});
    await until(() => lines("trials", "live.toml").find((t) => t.number === 31).state === "waiting", "the release");
    // A wrong measurement is struck, with a reason; the table shows both, and the answer is another one.
    await page.click("button[aria-label='strike trial 30']");
    await page.click("dialog >> text=cancel");
    await page.click("button[aria-label='strike trial 30']");
    await assertAccessible(page);
    await page.click("dialog button.main");  // without a reason nothing happens
    assert.ok(await page.isVisible("dialog"));
    await page.fill("#strike-why", "the sensor was loose");
    await page.click("dialog button.main");
    await until(() => lines("trials", "live.toml").find((t) => t.number === 30).state === "struck", "the strike");
    await until(async () => await page.getAttribute("#best-value", "data-exact") !== "-7.25", "another best");
    assert.ok((await page.textContent("#trials tr:has(td:text-is('30'))")).includes("the sensor was loose"));
    assertQuiet(seen, HOME);
    await assertAccessible(page);
  },

  async "no other server gets what the browser keeps, and nothing of it is in the URL"() {
    const heard = [];
    const other = http.createServer((call, answer) => {
      heard.push(call.url + JSON.stringify(call.headers));
      answer.setHeader("Content-Type", "text/html");
      answer.end(`<script>fetch("${HOME}/api/studies", {credentials: "include"}).then((r) => r.text()).then((t) => { document.title = t; }, () => { document.title = "refused"; })</script>`);
    });
    await new Promise((done) => { other.listen(0, "127.0.0.1", done); });
    const {page, context} = await openPage();
    await page.goto(`${HOME}/#token=${TOKEN}&study=live`);
    await page.waitForSelector("#now");
    assert.equal(page.url(), `${HOME}/#study=live`);
    assert.deepEqual(await context.cookies(), []);
    await page.reload();
    await page.waitForSelector("#now");  // the tab still has it
    await page.goto(`http://127.0.0.1:${other.address().port}/`);
    await until(async () => await page.title() !== "", "its answer");
    assert.equal(await page.title(), "refused");
    assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length), 0);
    assert.ok(heard.length > 0);
    assert.ok(heard.every((text) => !text.includes(TOKEN)), heard.join("\n"));
    other.close();
  },

  async "a server that is killed and started again goes on"() {
    const {page, seen} = await openPage();
    await page.goto(`${HOME}/#token=${TOKEN}`);
    await page.click("a:has-text('live')");
    await page.waitForSelector("#now");
    await new Promise((done) => { server.on("exit", done); server.kill("SIGKILL"); });
    await until(async () => (await page.textContent("header")).includes("does not answer"), "the news");
    bocs("tell", ...STORE, "--trial", "31", "--value", "-9");
    ({server} = await dashboard(...STORE));
    await until(async () => await page.getAttribute("#best-value", "data-exact") === "-9", "the value told meanwhile");
    await until(async () => !(await page.textContent("header")).includes("does not answer"), "good news");
    assert.deepEqual(seen.errors.filter((error) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(error)), []);
    await stop(server);
  },

  async "names are text, a read-only store is shown and says so"() {
    write("hostile.toml", `[study]\nname = '''${HOSTILE}'''\ntrials = 6\n[[variables]]\nname = '''v ${HOSTILE.replaceAll("=", ":")}'''\ntype = "binary"\ncount = 4\n` +
      `[objective]\ncommand = ["sh", "-c", "echo '${HOSTILE}' >&2; exit 1"]\n[store]\nurl = "sqlite:hostile.db"\n`);
    try { bocs("run", "hostile.toml", "-q"); } catch { /* a study of nothing but failures may end with an error */ }
    try { bocs("ask", "hostile.toml"); } catch { /* the budget may be used up */ }
    chmodSync(file("hostile.db"), 0o444);
    chmodSync(folder, 0o555);
    ({server} = await dashboard("hostile.toml"));
    const {page, seen} = await openPage();
    await page.goto(`${HOME}/#token=${TOKEN}`);
    await page.waitForSelector("#list a");
    const readOnly = process.getuid() !== 0;  // to root nothing is read-only
    if (readOnly) assert.ok((await page.textContent("#list")).includes("read-only"));
    await page.click("#list a");
    await page.waitForSelector("#how dd");
    if (readOnly) assert.ok((await page.textContent("#now")).includes("read-only"));
    await assertHarmless(page);
    assertQuiet(seen, HOME);
    chmodSync(folder, 0o755);
    await stop(server);
  },
});
