// A page of two runs: what changed, and both timelines, aligned by launches of the same kernels.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fixture, launch, onPage, open, ROOT, run, scratch } from "./support.mjs";

let browser;
let dir;
before(async () => {
  browser = await launch();
  dir = scratch();
  run("synth", join(dir, "even"), "--cores", "2", "--launches", "11");
  run("synth", join(dir, "slow"), "--cores", "2", "--launches", "11", "--plant", "slow-kernel=rope:3");
});
after(() => browser.close());

/** The page of two dumps. */
function compared(first, second) {
  const out = scratch();
  run("diff", first, second, "-o", out, "-q");
  return join(out, "diff.html");
}

const drawn = (page) => page.waitForFunction(() => window.bigtpuBoth?.length === 2 && window.bigtpuBoth.every((line) => line.firstPicture > 0));

test("the changes are those of diff.json, and a kernel leads to both timelines", async () => {
  const { page, errors } = await open(browser, compared(join(dir, "even"), join(dir, "slow")), { hash: "lang=en" });
  assert.deepEqual(await page.$$eval("[role=tab]", (tabs) => tabs.slice(0, 2).map((tab) => tab.textContent)), ["Changes", "Both timelines"]);
  const diff = JSON.parse(run("diff", join(dir, "even"), join(dir, "slow"), "--json"));
  const kernels = diff.rows.filter((row) => row.subject === "kernel");
  const shown = await page.$$eval("#changes-kernel tbody tr", (rows) => rows.map((row) => row.cells[0].textContent));
  assert.deepEqual(shown, kernels.map((row) => row.name));
  assert.equal(shown[0], "rope");
  assert.match(await page.textContent("#changes-headline"), /slower/);
  assert.equal(await page.textContent("#changes-verdict"), onPage(diff.verdict.text));
  const causes = await page.$$eval("#changes-causes li", (items) => items.map((item) => item.textContent));
  assert.deepEqual(causes, diff.verdict.causes.slice(1, 5).map((cause) => onPage(cause.text)));
  await page.click("#changes-kernel tbody tr:first-child");
  await drawn(page);
  await page.waitForFunction(() => window.bigtpuBoth.every((line) => line.selected() !== null));
  // Both show a launch of the kernel, and it starts at the same place of the screen.
  const places = await page.evaluate(async () => {
    return Promise.all(window.bigtpuBoth.map(async (line) => {
      const { x, width } = await line.locate(line.selected());
      return { left: x - width / 2, length: line.visible().end - line.visible().start };
    }));
  });
  assert.ok(Math.abs(places[0].left - places[1].left) < 1.5, JSON.stringify(places));
  assert.ok(Math.abs(places[0].length - places[1].length) < 1e-3, "one scale");
  const times = await page.$$eval("#both-launches tbody tr:first-child td", (cells) => cells.map((cell) => cell.textContent));
  assert.match(times[4], /^\+/, "the launch took longer");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("totals of launches are the kernels' times of diff.json", async () => {
  const { page, errors } = await open(browser, compared(join(dir, "even"), join(dir, "slow")), { hash: "lang=en&tab=both" });
  await page.waitForSelector("#both-kernels tbody tr");
  const shown = await page.evaluate(async () => {
    const sums = {};
    for (const pair of await window.bigtpuRuns.pairs()) {
      const of = (sums[(pair.before ?? pair.after).name] ??= [0, 0]);
      of[0] += pair.before?.ns ?? 0;
      of[1] += pair.after?.ns ?? 0;
    }
    return sums;
  });
  const diff = JSON.parse(run("diff", join(dir, "even"), join(dir, "slow"), "--json"));
  const expected = Object.fromEntries(diff.rows.filter((row) => row.subject === "kernel").map((row) => [row.name, [row.changes[0].before.median, row.changes[0].after.median]]));
  assert.deepEqual(shown, expected);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("moving one timeline takes the other along; without alignment it stays", async () => {
  const { page, errors } = await open(browser, compared(join(dir, "even"), join(dir, "slow")), { hash: "lang=en&tab=both" });
  await drawn(page);
  const views = () => page.evaluate(() => window.bigtpuBoth.map((line) => line.visible()));
  const [before] = await views();
  await page.hover(".runs-side:first-child .tl-plot");
  for (let i = 0; i < 6; i++) await page.keyboard.press("w");
  const [first, second] = await views();
  assert.ok(first.end - first.start < (before.end - before.start) / 3);
  assert.ok(Math.abs(second.end - second.start - (first.end - first.start)) < 1e-3);
  assert.ok(Number(await page.getAttribute(".runs-ribbon", "data-bands")) > 0);
  await page.selectOption("#both-align", "off");
  await page.hover(".runs-side:first-child .tl-plot");
  await page.keyboard.press("d");
  const [moved, stayed] = await views();
  assert.notEqual(moved.start, first.start);
  assert.deepEqual(stayed, second);
  // A choice of rows holds for both.
  const kinds = () => page.evaluate(() => window.bigtpuBoth.map((line) => line.rows().filter((row) => row.id.startsWith("line")).length > 0));
  assert.deepEqual(await kinds(), [false, false]);
  await page.click(".tl-toolbar >> text=Lines");
  assert.deepEqual(await kinds(), [true, true]);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the other views show either run", async () => {
  const { page, errors } = await open(browser, compared(join(dir, "even"), join(dir, "slow")), { hash: "lang=en&tab=overview" });
  const time = () => page.textContent("#tiles");
  const before = await time();
  await page.click(".runs-switch button:last-child");
  assert.notEqual(await time(), before);
  await page.click("#tab-timeline");
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("static models are aligned by their layers, in Chinese as well", async () => {
  const dump = fixture("aks-layers");
  const { page, errors } = await open(browser, compared(dump, dump), { hash: "lang=zh&tab=both" });
  await drawn(page);
  await page.click("#both-kernels tbody tr:first-child");
  await page.waitForFunction(() => window.bigtpuBoth.every((line) => line.selected() !== null));
  const selected = await page.evaluate(() => window.bigtpuBoth.map((line) => line.selected()));
  assert.deepEqual(selected[0], selected[1]);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("what differs from a simulation is the model's error, not a speed, and the digits are those of the console", async () => {
  const out = scratch();
  const dump = join(ROOT, "fixtures/real/bmprofile_data-1_bm1688");
  const [, simulated, measured, error] = /simulated: ([\d.]+) us, measured ([\d.]+) us \(([-+][\d.]+) %\)/.exec(run("simulate", dump, out));
  const { page, errors } = await open(browser, join(out, "simulate.html"), { hash: "lang=en" });
  const headline = await page.textContent("#changes-headline");
  assert.ok(headline.includes(`${measured} µs`) && headline.includes(`${simulated} µs`), headline);
  assert.ok(headline.includes(`error of the model: ${error.replace("-", "−")}%`), headline);
  assert.doesNotMatch(await page.textContent("main"), /faster|slower|\bgone\b|\bnew\b/);
  assert.equal(await page.$$eval(".longer, .shorter", (cells) => cells.length), 0);
  const metrics = await page.$$eval("#changes-total tbody td:first-child", (cells) => cells.map((cell) => cell.textContent));
  assert.ok(metrics.includes("Time") && !metrics.includes("Bytes"), metrics.join());
  assert.match(await page.textContent("#changes-remark"), /not compared/);
  assert.equal(await page.textContent("#tab-changes"), "Model error");
  const chinese = (await open(browser, join(out, "simulate.html"), { hash: "lang=zh" })).page;
  assert.match(await chinese.textContent("#changes-headline p:nth-child(2)"), /^模拟 [\d.]+ µs 由指令位算出$/);
  await chinese.context().close();
  assert.deepEqual(errors, []);
  await page.context().close();
});
