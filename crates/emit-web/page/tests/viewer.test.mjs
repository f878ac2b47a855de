// The analyzer's door to Perfetto's viewer: the viewer itself, a copy of which PERFETTO_UI names, answers at its own address and takes
// the trace from the page's memory. The browser knows no network: the address is that of a server on this machine.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { dirname, extname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { launch, render, ROOT, scratch } from "./support.mjs";

const VIEWER = process.env.PERFETTO_UI;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".woff2": "font/woff2" };

/** The viewer's files, as its site gives them. */
async function site(dir) {
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(dir, name));
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=ui.perfetto.dev", "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const path = normalize(new URL(request.url, "https://ui.perfetto.dev").pathname);
    const file = join(VIEWER, path === "/" ? "index.html" : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  return server;
}

test("the viewer takes the trace", { skip: VIEWER ? false : "PERFETTO_UI names no copy of the viewer" }, async () => {
  const dir = scratch();
  const server = await site(dir);
  const browser = await launch(`--host-resolver-rules=MAP ui.perfetto.dev:443 127.0.0.1:${server.address().port}`);
  const { out } = render(join(ROOT, "fixtures/real/cdm_profile_data_dev0_bm1690"), "--perfetto");
  const here = dirname(fileURLToPath(import.meta.url));
  const { outputFiles } = await build({ entryPoints: [join(here, "../src/analyzer/perfetto.ts")], bundle: true, format: "iife", globalName: "door", write: false });
  const file = join(dir, "page.html");
  const trace = readFileSync(join(out, "perfetto.pftrace")).toString("base64");
  writeFileSync(file, `<!doctype html><button>Open</button><script>${outputFiles[0].text}
const bytes = Uint8Array.from(atob("${trace}"), (c) => c.charCodeAt(0));
document.querySelector("button").onclick = async () => (window.taken = await door.openInPerfetto(bytes, "a run"));</script>`);
  try {
    const context = await browser.newContext({ serviceWorkers: "block", ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    const [viewer] = await Promise.all([context.waitForEvent("page"), page.click("button")]);
    await page.waitForFunction(() => window.taken !== undefined, null, { timeout: 120_000 });
    assert.equal(await page.evaluate(() => window.taken), true);
    // The viewer asks whether a page of an unknown origin may hand it a trace.
    const yes = viewer.getByRole("button", { name: /^yes/i }).first();
    const loaded = () => viewer.waitForFunction(() => window.app?.trace, null, { timeout: 120_000 });
    await Promise.race([yes.click({ timeout: 120_000 }), loaded()]);
    await loaded();
    const { title, slices } = await viewer.evaluate(async () => {
      const result = await window.app.trace.engine.query("select count(*) as n from slice");
      return { title: window.app.trace.traceInfo.traceTitle, slices: Number(result.firstRow({ n: 0 }).n) };
    });
    assert.match(title, /a run/);
    assert.ok(slices > 400, `${slices} slices`);
  } finally {
    await browser.close();
    server.close();
  }
});
