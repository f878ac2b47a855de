// The analyzer's door to Perfetto's viewer: the viewer itself, a copy of which PERFETTO_UI names, answers at its own address and takes
// the trace from the page's memory. The browser knows no network: the address is that of a server on this machine.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { launch, render, ROOT, scratch } from "./support.mjs";
import { site, VIEWER } from "./viewer-site.mjs";

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
