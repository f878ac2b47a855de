// Gaps and layers are things: what is this gap, and what does this layer cost and hold, take one click on each real dump.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { ROOT, launch, open, render, run, scratch } from "./support.mjs";

const browser = await launch();
after(() => browser.close());

const DUMPS = ["cdm_profile_data_dev0_bm1690", "bmprofile_data-1_bm1688", "bmprofile_data_bm1688_2core", "bmprofile_data-1_bm1684x", "bmprofile_data-1_cv184x"];

/** Start and length of a slice, in ns since the page's start. */
const timesOf = (page, { track, row }) => page.evaluate(async ([at, number]) => {
  const { start, dur } = await window.bigtpuPage.tracks[at].loadTimes();
  return [start[number], dur[number]];
}, [track, row]);

/** Those of the first row of "Gaps with the highest cost". */
const costliestOfOverview = (page) => page.evaluate(() => {
  const { answers, device } = window.bigtpuPage.head;
  const [{ start_ns: start, end_ns: end }] = answers.gaps.longest;
  return [start + device.zero, end - start];
});

for (const dump of DUMPS) {
  const { file } = render(join(ROOT, "fixtures/real", dump));

  test(`${dump}: one click or key on a gap says how long, what ended it, what it costs, what ran meanwhile`, async () => {
    const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
    await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
    await page.focus(".tl-plot");
    await page.keyboard.press("g");
    await page.waitForSelector("#gap-panel #gap-meanwhile");
    const text = await page.textContent("#gap-panel");
    for (const part of ["Ended by", "Cost of the run", "What ended it?", "What ran meanwhile"]) assert.ok(text.includes(part), `${part} in ${text}`);
    const costliest = await page.evaluate(() => window.bigtpu.selected());
    assert.deepEqual(await timesOf(page, costliest), await costliestOfOverview(page), "the first gap of the overview's table");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => window.bigtpu.selected() === null);
    // The same gap by a click in its middle.
    const at = await page.evaluate((slice) => window.bigtpu.locate(slice), costliest);
    await page.mouse.click(at.x, at.y);
    await page.waitForSelector("#gap-panel");
    assert.deepEqual(await page.evaluate(() => window.bigtpu.selected()), costliest);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test(`${dump}: the table of layers leads to a layer, whose panel has its commands`, async () => {
    const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
    await page.click("#layers tbody tr:first-child");
    await page.waitForSelector("#unit-commands");
    assert.ok((await page.locator("#unit-engines tbody tr").count()) > 0);
    assert.ok((await page.locator("#unit-commands tbody tr").count()) > 0);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  test(`${dump}: gaps are found, and no list is empty where another has rows`, async () => {
    const { page } = await open(browser, file, { hash: "lang=en&tab=find&f.q=gap" });
    await page.waitForFunction(() => Number(document.querySelector("#find-count").dataset.count) > 0);
    const count = await page.evaluate(() => window.bigtpuPage.tracks.filter((t) => t.kind === "gap").reduce((sum, t) => sum + t.head.events, 0));
    assert.equal(Number(await page.getAttribute("#find-count", "data-count")), count);
    assert.equal(await page.evaluate(() => window.bigtpuPage.head.answers.gaps.longest.length > 0), true);
    await page.context().close();
  });
}

test("the first gap is the costliest, not the idle end of an engine that finished early", async () => {
  const dump = join(scratch(), "dump");
  run("synth", dump, "--cores", "2", "--launches", "8", "--pipelined", "--plant", "imbalance=1:3", "-q");
  const { page } = await open(browser, render(dump).file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const longest = await page.evaluate(async () => {
    const tracks = window.bigtpuPage.tracks.filter((track) => track.kind === "gap");
    return Math.max(...(await Promise.all(tracks.map((track) => track.loadTimes()))).flatMap(({ dur }) => [...dur]));
  });
  await page.focus(".tl-plot");
  await page.keyboard.press("g");
  await page.waitForSelector("#gap-panel");
  const found = await timesOf(page, await page.evaluate(() => window.bigtpu.selected()));
  assert.deepEqual(found, await costliestOfOverview(page));
  assert.ok(found[1] < longest, `${found[1]} of ${longest}: here the longest gap is another one`);
  await page.context().close();
});
