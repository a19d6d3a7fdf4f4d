// `bocs dashboard` in a browser: live, and closed to everybody without the token.
import http from "node:http";
import {chmodSync} from "node:fs";
import {HOSTILE, assert, assertAccessible, assertHarmless, assertQuiet, bocs, file, folder, lines, near, openPage, run, start, until, write} from "./support.mjs";

const TOKEN = "a-token-of-the-tests-42";
const PORT = 20000 + process.pid % 10000;
const HOME = `http://127.0.0.1:${PORT}`;

/** Starts a dashboard and waits for its URL. */
async function dashboard(...args) {
  const server = start("dashboard", ...args);
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
const cookie = {Cookie: `bocs_${PORT}=${TOKEN}`};
let server = null;

await run({
  async "nothing is answered without the token"() {
    write("live.toml", STUDY);
    bocs("create", "live.toml");
    ({server} = await dashboard("live.toml", "--port", PORT, "--token", TOKEN));
    for (const path of ["/", "/page.css", "/dashboard.js", "/api/studies", "/api/live?study=live", "/bogus"]) {
      assert.equal((await request(path)).status, 401, path);
      assert.equal((await request(path, {headers: {Cookie: `bocs_${PORT}=${TOKEN}x`}})).status, 403, path);
    }
    assert.equal((await request("/?token=wrong")).status, 403);
    const first = await request(`/?token=${TOKEN}`);
    assert.equal(first.status, 303);
    assert.match(first.headers["set-cookie"][0], /HttpOnly; SameSite=Strict/);
    const page = await request("/", {headers: cookie});
    assert.equal(page.status, 200);
    assert.match(page.headers["content-security-policy"], /script-src 'self'/);
    assert.doesNotMatch(page.headers["content-security-policy"], /unsafe/);
    assert.equal((await request("/bogus", {headers: cookie})).status, 404);
    assert.equal((await request("/../etc/passwd", {headers: cookie})).status, 404);
  },

  async "no change without the page's own origin, none by GET, none under a stranger's name"() {
    const body = JSON.stringify({study: "live", act: "pause"});
    const json = {...cookie, "Content-Type": "application/json"};
    const paused = () => lines("studies", "--store", "sqlite:live.db")[0];
    assert.equal((await request("/api/act", {headers: cookie})).status, 405);
    assert.equal((await request("/api/act", {method: "POST", headers: json, body})).status, 403);
    assert.equal((await request("/api/act", {method: "POST", headers: {...json, Origin: "http://evil.example"}, body})).status, 403);
    assert.equal((await request("/", {headers: {...cookie, Host: "evil.example"}})).status, 403);
    assert.equal((await request("/api/act", {method: "POST", headers: {...cookie, Origin: HOME, "Content-Type": "text/plain"}, body})).status, 409);
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
    await page.goto(`${HOME}/?token=${TOKEN}`);
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
    assertQuiet(seen, HOME);
    await assertAccessible(page);
  },

  async "a server that is killed and started again goes on"() {
    const {page, seen} = await openPage();
    await page.goto(`${HOME}/?token=${TOKEN}`);
    await page.click("a:has-text('live')");
    await page.waitForSelector("#now");
    await new Promise((done) => { server.on("exit", done); server.kill("SIGKILL"); });
    await until(async () => (await page.textContent("header")).includes("does not answer"), "the news");
    bocs("tell", ...STORE, "--trial", "31", "--value", "-9");
    ({server} = await dashboard(...STORE, "--port", PORT, "--token", TOKEN));
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
    ({server} = await dashboard("hostile.toml", "--port", PORT, "--token", TOKEN));
    const {page, seen} = await openPage();
    await page.goto(`${HOME}/?token=${TOKEN}`);
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
