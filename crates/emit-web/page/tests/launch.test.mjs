// A launch of a kernel in the panel, host calls and their kernels, and numbers of a range.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, fixture, launch, open, render } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const settled = (page) => page.waitForFunction(() => window.bigtpu?.firstPicture > 0);

/** Opens the timeline with the first slice of the first track of a kind selected. */
async function selected(file, kind, row = 0) {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await settled(page);
  const track = await page.evaluate((k) => window.bigtpuPage.tracks.find((t) => t.kind === k && t.head.events > 0).index, kind);
  await page.evaluate((hash) => (location.hash = hash), `lang=en&tab=timeline&tl.slice=${track}.${row}`);
  await page.waitForSelector(".tl-main dl");
  return { page, errors, track };
}

test("a kernel's launch shows its engines and all launches of the kernel", async () => {
  const { page, errors, track } = await selected(render(fixture("aks-mode2-sync")).file, "kernel");
  await page.waitForSelector("#unit-distribution");
  const expected = await page.evaluate(async (index) => {
    const own = window.bigtpuPage.tracks[index];
    const { start, dur, name } = await own.loadTimes();
    const text = window.bigtpuPage.nameText(name[0]);
    let launches = 0;
    let slower = 0;
    for (const t of window.bigtpuPage.tracks.filter((x) => x.kind === "kernel")) {
      const times = await t.loadTimes();
      times.dur.forEach((ns, i) => {
        if (window.bigtpuPage.nameText(times.name[i]) !== text) return;
        launches++;
        if (ns > dur[0]) slower++;
      });
    }
    const engines = {};
    for (const t of window.bigtpuPage.tracks.filter((x) => x.isEngine && x.head.core === own.head.core)) {
      const times = await t.loadTimes();
      const facts = await t.facts();
      const n = [...times.start].filter((s, i) => window.bigtpuPage.kernelOfTag(facts.tag[i]) === text && s < start[0] + dur[0] && s + times.dur[i] > start[0]).length;
      if (n > 0) engines[t.engine] = n;
    }
    return { launches, slower, engines };
  }, track);
  const shown = await page.$eval("#unit-distribution", (e) => ({ launches: Number(e.dataset.units), slower: Number(e.dataset.slower) }));
  assert.deepEqual(shown, { launches: expected.launches, slower: expected.slower });
  const engines = Object.fromEntries(await page.$$eval("#unit-engines tbody tr", (all) => all.map((r) => [r.children[0].textContent.split(" · ").at(-1), Number(r.children[1].textContent)])));
  assert.deepEqual(engines, expected.engines);
  // A mark of another launch leads there.
  const other = page.locator("#unit-distribution rect:not(.own)").first();
  await other.click({ force: true });
  await page.waitForFunction((t) => window.bigtpu.selected().track !== t || window.bigtpu.selected().row !== 0, track);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a run of kernels is a tree: steps or kernels, launches, commands", async () => {
  const { page, errors } = await open(browser, render(fixture("aks-mode2-sync")).file, { hash: "lang=en&tab=overview" });
  await page.click("#units-tree");
  await page.waitForSelector("#unit-tree tbody tr[aria-level='2']");
  const events = async (level) => page.$$eval(`#unit-tree tbody tr[aria-level='${level}']`, (all) => all.map((row) => Number(row.cells[row.cells.length - 1].textContent.replaceAll(",", "")) || 1));
  for (const level of [2, 3]) {
    await page.click(`#unit-tree tbody tr[aria-level='${level}'] .tree-toggle`);
    await page.waitForSelector(`#unit-tree tbody tr[aria-level='${level + 1}']`);
  }
  // Of a short run all launches and commands are listed.
  const [whole] = await events(2);
  const launches = await events(3);
  assert.equal(launches.reduce((a, b) => a + b, 0), whole);
  assert.equal((await events(4)).length, launches[0]);
  await page.click("#unit-tree tbody tr[aria-level='4'] td.num");
  await page.waitForSelector("#tab-timeline[aria-selected=true]");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("host calls stand on top and are tied to the kernels that they launched", async () => {
  const trace = join(ROOT, "fixtures/aksv-mode2-trace/host_trace.json");
  const { file } = render(fixture("aksv-mode2-trace"), "--trace_file", trace);
  const { page, errors } = await selected(file, "kernel", 1);
  assert.equal(await page.evaluate(() => window.bigtpu.rows()[0].id), "host");
  const { start, end } = await page.evaluate(() => window.bigtpu.visible());
  const length = await page.evaluate(() => window.bigtpuPage.head.span.length);
  assert.ok(start <= 0 && end >= length, "host and device are in view");
  const link = page.locator(".tl-flow");
  assert.match(await link.textContent(), /^Called by/);
  await link.click();
  await page.waitForFunction(() => window.bigtpuPage.tracks[window.bigtpu.selected().track].kind === "host");
  const name = await page.evaluate(async () => {
    const { track, row } = window.bigtpu.selected();
    return window.bigtpuPage.nameText((await window.bigtpuPage.tracks[track].loadTimes()).name[row]);
  });
  assert.equal(name, "tpudnnOp1Async", "the second call launched the second kernel");
  await page.waitForFunction(() => document.querySelectorAll(".tl-flow").length > 0);
  const cores = await page.evaluate(() => window.bigtpuPage.tracks.filter((t) => t.kind === "kernel" && t.head.events > 0).length);
  assert.equal(await page.locator(".tl-flow").count(), cores, "one kernel a core");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a range over all of the run counts the uArch rate as the summary does", async () => {
  const { file } = render(fixture("aks-mode2-sync"));
  const { page } = await open(browser, file, { hash: "lang=en&tab=timeline&tl.range=0~9999999999" });
  await page.waitForSelector(".tl-stats table");
  const head = await page.$$eval(".tl-stats table:first-child th", (all) => all.map((th) => th.textContent.replace(/[▾▴ ]+$/u, "")));
  const row = await page.$$eval(".tl-stats table:first-child tbody tr:last-child td", (all) => all.map((td) => td.textContent));
  const shown = row[head.indexOf("uArch rate")];
  const summary = await page.evaluate(() => {
    const { columns, rows } = window.bigtpuPage.head.table;
    return rows.at(-1)[columns.indexOf("uArchURate")];
  });
  assert.equal(parseFloat(shown), parseFloat(summary), `${shown}, ${summary}`);
  await page.context().close();
});
