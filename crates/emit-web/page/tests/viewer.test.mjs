// The analyzer's door to Perfetto's viewer: the viewer itself, a copy of which PERFETTO_UI names, answers at its own address and takes
// the trace from the page's memory. The browser knows no network: each request to the address is answered from the copy.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { launch, render, ROOT, scratch } from "./support.mjs";

const VIEWER = process.env.PERFETTO_UI;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".woff2": "font/woff2" };

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("the viewer takes the trace", { skip: VIEWER ? false : "PERFETTO_UI names no copy of the viewer" }, async () => {
  const { out } = render(join(ROOT, "fixtures/real/cdm_profile_data_dev0_bm1690"), "--perfetto");
  const here = dirname(fileURLToPath(import.meta.url));
  const { outputFiles } = await build({ entryPoints: [join(here, "../src/analyzer/perfetto.ts")], bundle: true, format: "iife", globalName: "door", write: false });
  const file = join(scratch(), "page.html");
  const trace = readFileSync(join(out, "perfetto.pftrace")).toString("base64");
  writeFileSync(file, `<!doctype html><button>Open</button><script>${outputFiles[0].text}
const bytes = Uint8Array.from(atob("${trace}"), (c) => c.charCodeAt(0));
document.querySelector("button").onclick = async () => (window.taken = await door.openInPerfetto(bytes, "a run"));</script>`);

  const context = await browser.newContext({ serviceWorkers: "block" });
  await context.route("https://**", (route) => {
    const url = new URL(route.request().url());
    const path = join(VIEWER, url.pathname === "/" ? "index.html" : url.pathname);
    if (url.origin !== "https://ui.perfetto.dev" || !existsSync(path)) return route.abort();
    return route.fulfill({ path, contentType: TYPES[extname(path)] ?? "application/octet-stream" });
  });
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  const [viewer] = await Promise.all([context.waitForEvent("page"), page.click("button")]);
  await page.waitForFunction(() => window.taken !== undefined, null, { timeout: 120_000 });
  assert.equal(await page.evaluate(() => window.taken), true);
  // The viewer asks whether a page of an unknown origin may hand it a trace.
  const yes = viewer.getByRole("button", { name: /^yes/i });
  await Promise.race([yes.first().click({ timeout: 120_000 }), viewer.waitForFunction(() => window.app?.trace, null, { timeout: 120_000 })]);
  await viewer.waitForFunction(() => window.app?.trace, null, { timeout: 120_000 });
  const { title, slices } = await viewer.evaluate(async () => {
    const row = (await window.app.trace.engine.query("select count(*) as n from slice")).firstRow({ n: 0 });
    return { title: window.app.trace.traceInfo.traceTitle, slices: row.n };
  });
  assert.match(title, /a run/);
  assert.ok(slices > 400, `${slices} slices`);
  await context.close();
});
