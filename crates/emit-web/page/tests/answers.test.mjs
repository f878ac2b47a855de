// Panels of the answers: advice, steps, host and device, communication, gaps.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, fixture, launch, open, render, run, scratch } from "./support.mjs";

let browser;
let synthetic;
let withHost;
before(async () => {
  browser = await launch();
  const dump = join(scratch(), "dump");
  run("synth", dump, "--cores", "2", "--launches", "44", "--mode", "2", "--plant", "imbalance=1:1.5");
  synthetic = render(dump).file;
  withHost = render(fixture("aksv-mode2-trace"), "--trace_file", join(ROOT, "fixtures/aksv-mode2-trace/host_trace.json")).file;
});
after(() => browser.close());

const texts = (page, selector) => page.locator(selector).allTextContents();
const answers = (page) => page.evaluate(() => window.bigtpuPage.head.answers);

test("several pieces of advice: what all of them together save is told", async () => {
  const { page, errors } = await open(browser, synthetic, { hash: "lang=en" });
  const { advice, advice_together: together } = await answers(page);
  assert.ok(advice.length > 1 && together, "the run has several pieces of advice");
  assert.deepEqual(await page.$$eval("#advice > details", (all) => all.map((e) => e.dataset.advice)), advice.map((a) => a.id));
  assert.ok((await page.textContent("#advice-together")).includes(`${(together.gain * 100).toFixed(1)}%`));
  const largest = Math.max(...advice.map((a) => a.gain_ns ?? 0));
  const sum = advice.reduce((ns, a) => ns + (a.gain_ns ?? 0), 0);
  assert.ok(together.gain_ns >= largest && together.gain_ns <= sum);
  assert.match(await page.textContent("#advice .key"), /do not sum/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("steps are listed with their phases, and lead to the timeline", async () => {
  const { page, errors } = await open(browser, synthetic, { hash: "lang=en" });
  const { steps } = await answers(page);
  assert.ok(steps.steps.length >= 2);
  await page.click("#units-steps");
  assert.ok((await page.textContent("#steps")).startsWith(`${steps.times.count} steps`));
  assert.equal(await page.locator("#steps-table tbody tr").count(), Math.min(steps.steps.length, 12));
  // Phases of a step sum to its time.
  for (const s of steps.steps) assert.equal(s.compute_only_ns + s.overlapped_ns + s.transfer_only_ns + s.sync_ns + s.idle_ns, s.end_ns - s.start_ns);
  const wide = await page.$eval("#units-panel .scroll", (e) => e.scrollWidth - e.clientWidth);
  assert.ok(wide <= 0, `the table is ${wide} px too wide`);
  await page.click("#steps-table tbody tr:nth-child(2)");
  await page.waitForSelector("#unit-engines");
  const { kind, row, ns } = await page.evaluate(async () => {
    const { track, row } = window.bigtpu.selected();
    const own = window.bigtpuPage.tracks[track];
    return { kind: own.kind, row, ns: (await own.loadTimes()).dur[row] };
  });
  assert.deepEqual({ kind, row, ns }, { kind: "step", row: 1, ns: steps.steps[1].end_ns - steps.steps[1].start_ns });
  // The panel has the commands that start in the step.
  const shown = await page.$$eval("#unit-engines tbody td:nth-child(2)", (all) => all.reduce((sum, e) => sum + Number(e.textContent.replaceAll(",", "")), 0));
  assert.equal(shown, steps.steps[1].events);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("host and device: launches, queue, idle time and operators are those of the report", async () => {
  const { page, errors } = await open(browser, withHost, { hash: "lang=en" });
  const { host } = await answers(page);
  const [launches, queue] = await texts(page, "#host > p");
  assert.ok(launches.startsWith(`${host.matched} of ${host.launches} launches`), launches);
  assert.ok(queue.includes(`at most ${host.queue.max}`), queue);
  assert.deepEqual(await texts(page, "#host-operators tbody td:first-child"), host.operators.map((o) => o.name));
  assert.deepEqual(errors, []);
  await page.context().close();
  const alone = await open(browser, synthetic, { hash: "lang=en" });
  assert.equal(await alone.page.locator("#host").count(), 0, "without a host trace there is no such panel");
  await alone.page.context().close();
});

test("communication has a row for each SDMA and port", async () => {
  const { page, errors } = await open(browser, render(fixture("aksv-mode2-cdma")).file, { hash: "lang=en" });
  const { communication } = await answers(page);
  const names = communication.channels.map((c) => `${c.engine} ${c.index}`);
  assert.ok(names.some((name) => name.startsWith("CDMA")));
  assert.deepEqual((await texts(page, "#communication-table tbody td:first-child")).toSorted(), names.toSorted());
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("answers come first, gaps by cost; the table of summary.txt and a clean ledger are folded", async () => {
  const { page } = await open(browser, synthetic, { hash: "lang=en" });
  const ids = ["phases", "advice", "critical-path", "engine-busy", "summary"];
  assert.deepEqual(await page.$$eval(ids.map((id) => `#${id}`).join(), (all) => all.map(({ id }) => id)), ids);
  for (const id of ["#summary", "#ledger"]) assert.equal(await page.$eval(id, (e) => e.closest("details").open), false, id);
  const { gaps } = await answers(page);
  const shown = await texts(page, "#longest-gaps tbody td:first-child");
  // Bubbles of one barrier are one row.
  const engine = (g) => `${g.engine} ${g.index}${g.with.length > 0 ? ` and ${g.with.length} more` : ""}`;
  assert.deepEqual(shown, gaps.longest.slice(0, shown.length).map(engine));
  assert.ok(gaps.longest[0].cost_ns > 0);
  await page.context().close();
});

test("ratios of Overall: the page says how the workbook's differ", async () => {
  const { page } = await open(browser, synthetic, { hash: "lang=en" });
  const { shown, mean } = await page.evaluate(() => {
    const { table, cores, totalNs } = window.bigtpuPage.head;
    return { shown: table.rows.at(-1)[table.columns.indexOf("TiuWorkingRatio")], mean: cores.reduce((ns, c) => ns + c.tiuNs, 0) / (totalNs * cores.length) };
  });
  assert.ok(Math.abs(parseFloat(shown) - mean * 100) < 0.01, `${shown}, ${mean}`);
  assert.match(await page.textContent("#summary-key"), /means over all cores/);
  await page.context().close();
});

test("a count of what is shown is of all there are; the time of several cores is called so", async () => {
  const { page } = await open(browser, synthetic, { hash: "lang=en" });
  const { gaps } = await answers(page);
  const inner = gaps.causes.filter(({ cause }) => cause !== "start" && cause !== "end").reduce((sum, { count }) => sum + count, 0);
  const said = () => page.$eval("#longest-gaps", (table) => {
    const around = table.closest(".panel");
    return { more: around.querySelector(".more"), text: [...around.querySelectorAll(".more, .rest")].filter((e) => !e.hidden).map((e) => e.textContent).join() };
  });
  assert.ok(inner > gaps.longest.length, "the dump has more gaps than are listed");
  assert.ok((await said()).text.includes(`of ${inner}`), (await said()).text);
  const button = page.locator("#gaps .more");
  if (await button.isVisible()) await button.click();
  assert.equal((await said()).text, `The first ${gaps.longest.length} of ${inner}`);
  assert.equal(await page.textContent("#roofs th [data-sort=time]").then((title) => title.startsWith("Core time")), true);
  await page.context().close();
});
