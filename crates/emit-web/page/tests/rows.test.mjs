// Which rows the timeline shows: folded cores, idle engines, pins, order, legend, lines.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fixture, launch, open, render, run, scratch } from "./support.mjs";

let browser, file;
before(async () => {
  browser = await launch();
  const dump = join(scratch(), "eight");
  run("synth", dump, "--chip", "aks", "--cores", "8", "--launches", "12");
  ({ file } = render(dump));
});
after(() => browser.close());

const settled = (page) => page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
const rows = (page) => page.evaluate(() => window.bigtpu.rows());

async function timeline(hash = "", from = file) {
  const opened = await open(browser, from, { hash: `lang=en&tab=timeline${hash}` });
  await settled(opened.page);
  return opened;
}

test("rows of eight cores fit on one screen", async () => {
  const { page } = await timeline();
  const all = await rows(page);
  assert.equal(all.filter((row) => row.kind === "group").length, 8);
  const last = all.at(-1);
  assert.ok(last.y + last.height <= 800, `the last row ends at ${last.y + last.height}`);
  await page.context().close();
});

for (const renderer of ["canvas", "webgl2"]) {
  test(`a folded core is one row with its kernels and how busy it is: ${renderer}`, async () => {
    const { page, errors } = await timeline(`&tl.renderer=${renderer}`);
    assert.equal(await page.evaluate(() => window.bigtpu.renderer), renderer);
    await page.click("text=One row per core");
    await page.waitForFunction(() => window.bigtpu.rows().length === 8);
    const before = await page.evaluate(() => window.bigtpu.frames.length);
    await page.keyboard.press("w");
    await page.waitForFunction((n) => window.bigtpu.frames.length > n && window.bigtpu.rectangles > 100, before);
    const tall = (await rows(page)).map((row) => row.height);
    assert.ok(Math.min(...tall) >= 30, `${tall}`);
    await page.click("text=All rows");
    await page.waitForFunction(() => window.bigtpu.rows().length > 8);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test("engines under a share of the time are hidden, and the link keeps it", async () => {
  const { page } = await timeline();
  const kinds = async () => new Set(await page.evaluate(() => window.bigtpu.rows().filter((r) => r.track >= 0).map((r) => window.bigtpuPage.tracks[r.track].kind)));
  assert.ok((await kinds()).has("sdma"));
  const most = await page.evaluate(() => Math.max(...window.bigtpuPage.head.cores.map((c) => c.sdmaNs)) / window.bigtpuPage.head.totalNs);
  await page.click("text=Rows >> visible=true");
  await page.selectOption("#tl-least", most < 0.05 ? "5" : most < 0.1 ? "10" : "25");
  await page.waitForFunction(() => !window.bigtpu.rows().some((r) => r.track >= 0 && window.bigtpuPage.tracks[r.track].kind === "sdma"));
  assert.ok((await kinds()).has("kernel"), "kernels have no share and stay");
  await page.waitForTimeout(300);
  const hash = await page.evaluate(() => location.hash.slice(1));
  await page.context().close();
  const again = await open(browser, file, { hash });
  await settled(again.page);
  assert.ok(!(await rows(again.page)).some((r) => r.track >= 0 && r.kind === "sdma"));
  await again.page.context().close();
});

test("tracks are pinned to the top and moved, and go back", async () => {
  const { page, errors } = await timeline();
  const before = (await rows(page)).map((row) => row.id);
  const name = page.locator(".tl-label.gdma").nth(3);
  await name.hover();
  await name.getByRole("button", { name: /Pin/ }).click();
  await page.waitForFunction(() => window.bigtpu.rows()[0].id === "pinned");
  const pinned = (await rows(page))[1];
  assert.equal(await page.evaluate((i) => `${window.bigtpuPage.tracks[i].kind}${window.bigtpuPage.tracks[i].head.core}`, pinned.track), "gdma3");
  assert.equal((await rows(page)).filter((row) => row.id === pinned.id).length, 1, "it left its group");
  const group = page.locator(".tl-label.group", { hasText: "Core 1" });
  await group.hover();
  await group.getByRole("button", { name: /Move up/ }).click();
  await page.waitForFunction(() => window.bigtpu.rows().filter((r) => r.kind === "group")[1].id === "core1");
  await page.click("text=Rows >> visible=true");
  await page.click("#tl-reset-rows");
  await page.waitForFunction((n) => window.bigtpu.rows().length === n, before.length);
  assert.deepEqual((await rows(page)).map((row) => row.id), before);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the legend names the colours in use and lets a function stand out", async () => {
  const { page } = await timeline();
  const shown = await page.locator(".tl-strip button").allTextContents();
  const types = await page.evaluate(() => {
    const { names, types } = window.bigtpuPage.head;
    const work = new Set(names.filter((n) => n.role === "work").map((n) => n.type));
    return [...new Set(types.flat().map((t) => t.type))].filter((t) => work.has(t)).map((t) => window.bigtpuPage.text(t));
  });
  // Transfers have a colour for each direction: loads that of the type, stores and transfers of L2M their own.
  const ofTypes = new Set(shown.map((name) => name.replace(/ (store|L2M)$/, "")));
  assert.deepEqual([...ofTypes].toSorted(), types.toSorted());
  assert.ok(shown.includes("DMA_tensor store") && new Set(shown).size === shown.length, shown.join());
  await page.click(".tl-strip button");
  assert.equal(await page.getAttribute(".tl-strip button", "aria-pressed"), "true");
  await page.keyboard.press("c");
  await page.waitForFunction(() => document.querySelectorAll(".tl-strip button").length === 0);
  const kernels = await page.locator(".tl-strip .tl-key").allTextContents();
  const known = await page.evaluate(() => window.bigtpuPage.head.topKernels.map((k) => window.bigtpuPage.text(window.bigtpuPage.head.kernels[k.kernel])));
  assert.deepEqual(kernels.slice(1), known.slice(0, 14));
  await page.context().close();
});

test("a dump without uArch rates has no rows for them; bandwidth rows tell the peak", async () => {
  const { page } = await timeline("&tl.lines=1", render(fixture("bm1688-mode1")).file);
  const lines = (await rows(page)).filter((row) => row.kind === "line");
  const kinds = await page.evaluate((all) => all.map((i) => window.bigtpuPage.tracks[i].kind), lines.map((row) => row.track));
  const known = await page.evaluate(() => window.bigtpuPage.head.cores.filter((c) => c.uarchRate > 0).length);
  assert.equal(kinds.filter((kind) => kind === "tiu").length, known);
  const peak = await page.evaluate(() => window.bigtpuPage.head.chip.ddrGbps);
  if (peak > 0 && kinds.includes("gdma")) assert.ok((await page.locator(".tl-label.line").allTextContents()).some((text) => text.includes(`peak ${Number(peak.toPrecision(3))}`)));
  await page.context().close();
});
