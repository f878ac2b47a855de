// Local memory and messages: filters count what they show, many messages are gathered.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, fixture, launch, open, render, run, scratch } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** Waits until the chart was drawn once (`data-end`): before that it has no width, and a click on it hits nothing. */
const chartDrawn = (page) => page.waitForSelector("#memory-chart[data-shown][data-end]");
const shown = (page) => page.$eval("#memory-chart", (c) => Number(c.dataset.shown));

test("a bank's filter counts the accesses to it, the focus stays on the core", async () => {
  const { page, errors } = await open(browser, render(fixture("aks-mode2-sync")).file, { hash: "lang=en&tab=memory" });
  await chartDrawn(page);
  const all = await shown(page);
  const expected = await page.evaluate(async () => {
    const { lmem, cores } = window.bigtpuPage.head;
    const { addr, bytes } = (await window.bigtpuPage.localMemory(lmem.cores[0].core ?? cores[0].core)).accesses;
    const bank = Math.floor(addr[0] / lmem.bankBytes);
    const [from, to] = [bank * lmem.bankBytes, (bank + 1) * lmem.bankBytes];
    return { bank, count: [...addr].filter((a, i) => a < to && a + bytes[i] > from).length };
  });
  await page.selectOption("#memory-bank", String(expected.bank));
  assert.equal(await shown(page), expected.count);
  assert.ok(expected.count < all);
  await page.selectOption("#memory-bank", "all");
  assert.equal(await shown(page), all);
  await page.focus("#memory-core");
  await page.selectOption("#memory-core", "1");
  await page.waitForFunction(() => document.querySelector("#memory-chart[data-shown]") && document.activeElement?.id === "memory-core");
  assert.deepEqual(errors, []);
  await page.context().close();
});

/** Live bytes of a lane (-1 of all together), counted address by address: the greatest total. */
const greatest = (page, core, lane) => page.evaluate(async ([core, lane]) => {
  const { accesses: a } = await window.bigtpuPage.localMemory(core);
  const times = await Promise.all([...a.track].map(async (n) => (await window.bigtpuPage.tracks[n].loadTimes(), window.bigtpuPage.tracks[n].times)));
  const end = times.map(({ start, dur }, i) => start[a.row[i]] + dur[a.row[i]]);
  const touching = [...end.keys()].filter((i) => lane < 0 || (lane >= a.lane[i] && lane < a.lane[i] + a.lanes[i]));
  const order = touching.sort((x, y) => end[x] - end[y] || a.write[x] - a.write[y]);
  const change = new Map();
  const add = (at, by) => change.set(at, (change.get(at) ?? 0) + by);
  for (let address = 0; address < window.bigtpuPage.head.lmem.laneBytes; address++) {
    const own = order.filter((i) => a.addr[i] <= address && address < a.addr[i] + a.bytes[i]);
    own.forEach((i, n) => {
      if (!a.write[i]) return;
      const after = own.slice(n + 1);
      const next = after.findIndex((j) => a.write[j]);
      const last = (next < 0 ? after : after.slice(0, next)).at(-1);
      if (last !== undefined) add(end[i], 1), add(end[last], -1);
    });
  }
  let [total, most] = [0, 0];
  for (const at of [...change.keys()].sort((x, y) => x - y)) most = Math.max(most, (total += change.get(at)));
  return most;
}, [core, lane]);

test("live bytes are those of the chosen lane, or of all lanes together", async () => {
  const { page, errors } = await open(browser, render(fixture("aks-layers")).file, { hash: "lang=en&tab=memory" });
  await chartDrawn(page);
  const liveMost = () => page.$eval("#memory-chart", (c) => Number(c.dataset.liveMost));
  const found = [];
  for (const lane of [-1, 0, 20, 45, 63]) {
    await page.selectOption("#memory-lane", lane < 0 ? "" : String(lane));
    found.push(await liveMost());
    assert.equal(found.at(-1), await greatest(page, 0, lane), `lane ${lane}`);
  }
  assert.ok(new Set(found).size > 2, found.join());
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the strip of kernels leads to the launch", async () => {
  const { page } = await open(browser, render(fixture("aks-mode2-sync")).file, { hash: "lang=en&tab=memory" });
  await chartDrawn(page);
  const box = await page.locator("#memory-chart").boundingBox();
  const unit = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector(".plot")).fontSize) / 12);
  await page.mouse.click(box.x + 125 * unit, box.y + 32 * unit);
  await page.waitForFunction(() => window.bigtpu?.selected());
  assert.equal(await page.evaluate(() => window.bigtpuPage.tracks[window.bigtpu.selected().track].kind), "kernel");
  await page.context().close();
});

test("messages of a long run are gathered in few arrows, and single ones when zoomed in", async () => {
  const dump = join(scratch(), "long");
  run("synth", dump, "--chip", "aks", "--cores", "8", "--launches", "300");
  const { page, errors } = await open(browser, render(dump).file, { hash: "lang=en&tab=compare" });
  await page.waitForFunction(() => /gathered|one arrow/.test(document.querySelector("#message-arrows")?.textContent ?? ""));
  const end = await page.evaluate(() => Math.round(window.bigtpuPage.head.device.start + (window.bigtpuPage.head.device.end - window.bigtpuPage.head.device.start) / 40));
  await page.evaluate((to) => (location.hash = `lang=en&tab=compare&m.range=0-${to}`), end);
  await page.waitForFunction(() => !/one arrow/.test(document.querySelector("#message-arrows").textContent));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("what the page's limit left out is not called unknown", { timeout: 240_000 }, async () => {
  const dump = join(scratch(), "big");
  run("synth", dump, "--chip", "aks", "--cores", "8", "--launches", "1100", "--quiet");
  const { page } = await open(browser, render(dump).file, { hash: "lang=en&tab=memory" });
  const words = await page.textContent("#memory-missing");
  const events = await page.evaluate(() => window.bigtpuPage.head.events);
  assert.ok(events > 400_000 && words.includes("the page does not store") && !words.includes("not known"), words);
  await page.context().close();
});

test("what stays in local memory: its bytes are the live bytes, a click lists the contents", async () => {
  const { page, errors } = await open(browser, render(join(ROOT, "fixtures/real/bmprofile_data-1_bm1688")).file, { hash: "lang=en&tab=memory&l.show=held" });
  await chartDrawn(page);
  const most = Number(await page.$eval("#memory-chart", (c) => c.dataset.liveMost));
  assert.equal(Number(await page.getAttribute("#memory-peak", "data-bytes")), most);
  // It opens at the peak.
  assert.equal(Number(await page.getAttribute("#memory-contents", "data-bytes")), most);
  assert.match(await page.textContent("#memory-peak"), /80_Relu \(Conv2D\) 32 KiB/);
  assert.match(await page.textContent("#memory-spilled"), /MB/);
  const box = await page.locator("#memory-chart").boundingBox();
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.4);
  await page.waitForFunction((old) => document.querySelector("#memory-contents").dataset.at !== old, await page.getAttribute("#memory-peak", "data-at"));
  await page.click("#memory-pieces tbody tr:first-child");
  await page.waitForFunction(() => window.bigtpu?.selected() != null);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("what stays in L2M has the commands of all cores", async () => {
  const dump = join(scratch(), "dump");
  run("synth", dump, "--cores", "2", "--launches", "12", "--mode", "2");
  const { page, errors } = await open(browser, render(dump).file, { hash: "lang=en&tab=memory&l.core=l2m&l.show=held" });
  await chartDrawn(page);
  const expected = await page.evaluate(async () => {
    const { accesses: a, residency: r } = await window.bigtpuPage.sharedMemory();
    const times = await Promise.all([...a.track].map((n) => window.bigtpuPage.tracks[n].loadTimes()));
    const end = times.map(({ start, dur }, i) => start[a.row[i]] + dur[a.row[i]]);
    const inOrder = [...r.write].every((w, i) => end[w] <= end[r.last[i]] && a.write[w] === 1 && a.write[r.last[i]] === 0);
    return { inOrder, pieces: r.write.length, base: window.bigtpuPage.head.lmem.l2m.base };
  });
  assert.ok(expected.inOrder);
  assert.ok(expected.base > 0);
  assert.equal(await page.inputValue("#memory-core"), "l2m");
  assert.deepEqual(errors, []);
  await page.context().close();
});
