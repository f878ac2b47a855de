// The overview shows the numbers of the other outputs.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, onPage, fixture, launch, open, render, run, scratch } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** Rows of the first table of summary.txt. */
function summary(dump) {
  const out = scratch();
  run(dump, out, "--perfetto", "--quiet");
  const lines = readFileSync(join(out, "summary.txt"), "utf8").split("\n");
  const rules = lines.flatMap((line, i) => (/^-+$/.test(line) ? [i] : []));
  return lines.slice(rules[0] + 1, rules[1] + 2).filter((l) => l.includes("|")).map((l) => l.split("|").map((c) => c.trim()));
}

for (const name of ["aks-mode2-sync", "bm1688-mode1", "cv84x6-bmodel", "aksv-mode2-cdma"]) {
  test(`summary of ${name}`, async () => {
    const { out, file } = render(fixture(name));
    const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
    const shown = await page.$$eval("#summary tbody tr, #summary tfoot tr", (rows) => rows.map((r) => [...r.children].map((c) => c.textContent.trim())));
    assert.deepEqual(shown.filter((r) => r.length > 3), summary(fixture(name)));
    const report = JSON.parse(readFileSync(join(out, "report.json"), "utf8"));
    assert.equal(await page.locator("#advice [data-advice]").count(), report.advice.length);
    const phases = await page.$$eval("#phases [data-phase]", (all) => all.length);
    assert.ok(phases > 0 || report.intervals.overall.wall_ns === 0);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

const REAL = ["bmprofile_data_bm1688_2core", "bmprofile_data-1_cv184x"].map((name) => [name, join(ROOT, "fixtures/real", name)]);
for (const [name, dump] of [["aks-mode2-sync", fixture("aks-mode2-sync")], ...REAL]) {
  test(`the DDR's share of ${name} is what moved of the peak that stands beside it`, async () => {
    const { file } = render(dump);
    const { page } = await open(browser, file, { hash: "lang=en&tab=overview" });
    const tile = await page.textContent("[data-measure=ddr]");
    const [, share, moved, peak] = tile.match(/peak([\d.]+)%([\d.]+) GB\/s a core over the run, of ([\d.]+) GB\/s/) ?? assert.fail(tile);
    assert.ok(Math.abs(moved / peak - share / 100) < 0.01, tile);
    await page.context().close();
  });
}

test("more than the DDR's peak is told to be impossible", async () => {
  const peaks = join(scratch(), "peaks.json");
  writeFileSync(peaks, JSON.stringify({ ddr_gbps: 0.5 }));
  const { file } = render(REAL[1][1], "--hw", peaks);
  const { page } = await open(browser, file, { hash: "lang=en&tab=overview" });
  assert.match(await page.textContent("[data-measure=ddr]"), /% *5\.\d+ GB\/s a core over the run, .*; more than the chip can: a clock, a count or the peak is wrong/);
  await page.context().close();
});

test("damage is told in words", async () => {
  const { file } = render(fixture("aksv-lost-records"));
  const { page } = await open(browser, file, { hash: "lang=en" });
  assert.notEqual(await page.getAttribute("#quality", "data-state"), "good");
  const words = await page.textContent("#quality");
  const notes = await page.evaluate(() => window.bigtpuPage.head.ledger.notes.map((n) => n.text));
  assert.ok(notes.length === 0 || notes.some((n) => words.includes(onPage(n))), words);
  await page.context().close();
});

test("both languages, both themes, every tab", async () => {
  const { file } = render(fixture("aks-mode2-sync"));
  for (const lang of ["en", "zh"]) {
    for (const theme of ["light", "dark"]) {
      const { page, errors } = await open(browser, file, { hash: `lang=${lang}&theme=${theme}` });
      for (const tab of ["overview", "timeline", "compare", "memory", "find"]) {
        await page.click(`#tab-${tab}`);
        assert.ok(await page.locator(`#panel-${tab}`).isVisible());
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${tab} is ${wide} px too wide`);
      }
      assert.equal(await page.getAttribute("html", "lang"), lang === "zh" ? "zh-CN" : "en");
      assert.equal(await page.getAttribute("html", "data-theme"), theme);
      assert.deepEqual(errors, []);
      await page.context().close();
    }
  }
});

test("the roofline has a dot for each kernel whose operations are known, the longest the largest", async () => {
  const { out, file } = render(fixture("aks-mode2-sync"));
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
  const { kernels } = JSON.parse(readFileSync(join(out, "report.json"), "utf8")).roofline;
  const known = kernels.filter((k) => k.ddr_intensity > 0 && k.tops > 0);
  const dots = await page.$$eval("#roofline circle", (all) => all.map((dot) => [dot.dataset.kernel, Number(dot.getAttribute("r")), dot.textContent]));
  const of = new Map(dots.filter(([kernel]) => kernel).map(([kernel, radius, title]) => [kernel, { radius, title }]));
  assert.ok(known.length > 0);
  assert.deepEqual([...of.keys()].sort(), known.map((k) => k.kernel).sort());
  for (const [i, k] of known.entries()) {
    assert.ok(of.get(k.kernel).title.startsWith(`${k.kernel}: `), of.get(k.kernel).title);
    if (i > 0) assert.ok(of.get(k.kernel).radius <= of.get(known[i - 1].kernel).radius);
  }
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("more than the time allows is no share of the roof", async () => {
  const { file } = render(fixture("aks-mode2-every-command"));
  const { page } = await open(browser, file, { hash: "lang=en&tab=overview" });
  const cells = await page.$$eval("#roofs tbody tr", (rows) => rows.map((r) => [r.querySelector("[data-key=bound]").textContent, r.querySelector("[data-key=roof]").textContent]));
  assert.ok(cells.some(([bound]) => bound === "implausible"));
  for (const [bound, roof] of cells) {
    if (bound === "implausible") assert.equal(roof, "> 100%");
    else assert.ok(parseFloat(roof) <= 105, roof);
  }
  await page.context().close();
});

test("layers of a static model: totals of their stretches, and the way to the timeline", async () => {
  const { page, errors } = await open(browser, render(fixture("aks-layers")).file, { hash: "lang=en&tab=overview" });
  await page.waitForSelector("#layers tbody tr");
  const expected = await page.evaluate(async () => {
    const totals = {};
    for (const track of window.bigtpuPage.tracks.filter((t) => t.kind === "layer")) {
      const { dur, name } = await track.loadTimes();
      dur.forEach((ns, row) => (totals[window.bigtpuPage.nameText(name[row])] = (totals[window.bigtpuPage.nameText(name[row])] ?? 0) + ns));
    }
    return Object.values(totals).reduce((a, b) => a + b, 0);
  });
  // The share of a layer is that of the wall time, as in all outputs.
  const wall = await page.evaluate(() => window.bigtpuPage.head.answers.intervals.overall.wall_ns);
  const shares = await page.$$eval("#layers tbody [data-key=wall_share]", (cells) => cells.map((c) => parseFloat(c.textContent)));
  assert.ok(expected > 0 && Math.abs(shares.reduce((a, b) => a + b, 0) - (100 * expected) / wall) < 1, shares.join());
  assert.equal(await page.locator("#top-kernels").count(), 0, "no empty table of kernels");
  await page.click("#layers tbody tr");
  await page.waitForFunction(() => window.bigtpu?.selected() !== null && window.bigtpu !== undefined);
  const kind = await page.evaluate(() => window.bigtpuPage.tracks[window.bigtpu.selected().track].kind);
  assert.equal(kind, "layer");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("cards show their numbers whole at 800 px", async () => {
  const { page } = await open(browser, render(fixture("aksv-mode2-cdma")).file, { hash: "lang=en&tab=overview", viewport: { width: 800, height: 900 } });
  const cut = await page.$$eval("#tiles b", (all) => all.filter((b) => b.scrollWidth > b.clientWidth + 1).map((b) => b.textContent));
  assert.deepEqual(cut, []);
  await page.context().close();
});

test("bandwidths say how well they are known, and who says so", async () => {
  const { page, errors } = await open(browser, render(fixture("aks-mode2-sync")).file, { hash: "lang=en&tab=overview" });
  const chip = page.locator("#tiles [data-fact=chip]");
  const { roofs } = await page.evaluate(() => window.bigtpuPage.head.answers.roofline);
  const ddr = roofs.find((roof) => roof.name === "DDR, one core alone");
  assert.equal(ddr.source, "derived");
  assert.match(await chip.textContent(), new RegExp(`DDR, one core alone ${ddr.value} GB/s \\(derived\\) · L2M .* GB/s \\(published\\)`));
  const hint = await chip.getAttribute("title");
  for (const roof of roofs.filter(({ unit }) => unit === "GB/s")) assert.ok(hint.includes(roof.text), `${roof.name}: ${hint}`);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("text has the same size on a 4K screen", async () => {
  const { file } = render(fixture("aks-mode2-sync"));
  const sizes = [];
  for (const viewport of [{ width: 1280, height: 800 }, { width: 3840, height: 2160 }]) {
    const { page } = await open(browser, file, { hash: "lang=en&tab=overview", viewport });
    sizes.push(await page.$$eval("#phases, #phases td, #tiles b, h2", (all) => all.map((e) => getComputedStyle(e).fontSize)));
    await page.context().close();
  }
  assert.deepEqual(sizes[1], sizes[0]);
});

test("the roofline names its dots, and no name lies on another", async () => {
  const { page } = await open(browser, render(fixture("aks-mode2-every-command")).file, { hash: "lang=en&tab=overview" });
  const boxes = await page.$$eval("#roofline .dot-name", (all) => all.map((t) => t.getBoundingClientRect().toJSON()));
  assert.ok(boxes.length > 0);
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) assert.ok(a.right < b.left + 1 || b.right < a.left + 1 || a.bottom < b.top + 3 || b.bottom < a.top + 3, JSON.stringify([a, b]));
  }
  await page.context().close();
});

test("advice, its numbers and places are Chinese on a Chinese page", async () => {
  let pieces = 0;
  for (const name of ["aks-mode2-sync", "aks-mode2-every-command", "bm1688-mode1", "aksv-mode2-cdma", "bm1688-sync-dynamic"]) {
    const { page } = await open(browser, render(fixture(name)).file, { hash: "lang=zh&tab=overview" });
    const texts = await page.$$eval("#advice .remedy, #advice summary b, #advice table:not(.places) td:first-child, #advice .places th", (all) => all.map((e) => e.textContent));
    for (const text of texts) assert.match(text, /[\u4e00-\u9fff]/, `${name}: ${text}`);
    const places = await page.$$eval("#advice .place", (all) => all.map((e) => e.textContent));
    for (const place of places) assert.doesNotMatch(place, /\b(core|cores|kernel) /, `${name}: ${place}`);
    pieces += texts.length;
    await page.context().close();
  }
  assert.ok(pieces > 10);
});

test("advice leads to the timeline", async () => {
  const { page } = await open(browser, render(fixture("aks-mode2-sync")).file, { hash: "lang=en&tab=overview" });
  await page.$$eval("#advice > details", (all) => all.forEach((d) => (d.open = true)));
  await page.locator("#advice .place button").first().click();
  await page.waitForSelector("#panel-timeline:not([hidden])");
  await page.waitForFunction(() => window.bigtpu?.selected() || window.bigtpu?.range());
  await page.context().close();
});
