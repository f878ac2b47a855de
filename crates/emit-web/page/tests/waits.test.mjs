// Waits in the timeline: what released them, and that they do not count as work.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, render, run, scratch } from "./support.mjs";

let browser;
let file;
before(async () => {
  browser = await launch();
  const dump = join(scratch(), "dump");
  run("synth", dump, "--cores", "4", "--launches", "22", "--mode", "2", "--plant", "imbalance=1:3");
  ({ file } = render(dump));
});
after(() => browser.close());

test("of the sends that a wait needs, the last one released it: it is marked and listed first", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  const expected = await page.evaluate(async () => {
    const data = window.bigtpuPage;
    const { sendTrack, sendRow, waitTrack, waitRow, releases } = await data.flows();
    const end = async (track, row) => {
      const { start, dur } = await data.tracks[track].loadTimes();
      return start[row] + dur[row];
    };
    const waits = new Map();
    for (let i = 0; i < sendRow.length; i++) {
      const key = `${waitTrack[i]}.${waitRow[i]}`;
      waits.set(key, [...(waits.get(key) ?? []), { track: sendTrack[i], row: sendRow[i], end: await end(sendTrack[i], sendRow[i]), releases: releases[i] }]);
    }
    // A sync of several engines opens with the last send of all of them: then no send of the wait's own message is marked, and its
    // chain of causes names the other engine's, which ended just before the wait.
    const byOther = [];
    for (const [wait, sends] of waits) {
      const marked = sends.filter((s) => s.releases);
      const last = Math.max(...sends.map((s) => s.end));
      if (marked.length > 1 || (marked.length === 1 && marked[0].end !== last)) return { wrong: sends };
      if (marked.length === 1) continue;
      const [track, row] = wait.split(".").map(Number);
      const causes = await data.tracks[track].causes();
      const ended = causes.track[row] < 0 ? -Infinity : await end(causes.track[row], causes.row[row]);
      const waited = await end(track, row);
      if (ended <= last || ended > waited || waited - ended > 1200) return { wrong: { wait, ended, waited, sends } };
      byOther.push({ wait, releaser: { track: causes.track[row], row: causes.row[row] } });
    }
    const [wait, sends] = [...waits].find(([, all]) => all.length > 2 && all.some((s) => s.releases));
    return { wait, sends: sends.length, releaser: sends.find((s) => s.releases), byOther: byOther[0] };
  });
  assert.equal(expected.wrong, undefined);
  await page.evaluate((hash) => (location.hash = hash), `lang=en&tab=timeline&tl.slice=${expected.wait}`);
  await page.waitForSelector(".tl-flow");
  assert.equal(await page.locator(".tl-flow:not([data-why])").count(), expected.sends);
  assert.match(await page.textContent(".tl-flow >> nth=0"), /^Released by/);
  assert.equal(await page.locator(".tl-flow.releases").count(), 1);
  await page.click(".tl-flow.releases");
  await page.waitForFunction(({ track, row }) => window.bigtpu.selected().track === track && window.bigtpu.selected().row === row, expected.releaser);
  await page.evaluate((hash) => (location.hash = hash), `lang=en&tab=timeline&tl.slice=${expected.byOther.wait}`);
  await page.waitForSelector(".tl-why");
  assert.equal(await page.locator(".tl-flow.releases").count(), 0);
  await page.click(".tl-why .tl-flow >> nth=0");
  await page.waitForFunction(({ track, row }) => window.bigtpu.selected().track === track && window.bigtpu.selected().row === row, expected.byOther.releaser);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("the strip at the top shows work, and no waits", async () => {
  const { page } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0);
  // A stretch of the run in which no TIU or DMA of any core works, though engines wait.
  const stretch = await page.evaluate(async () => {
    const data = window.bigtpuPage;
    const spans = { work: [], wait: [] };
    for (const track of data.tracks.filter((t) => t.isEngine)) {
      const { start, dur, name } = await track.loadTimes();
      start.forEach((s, i) => spans[data.name(name[i]).role === "work" ? "work" : "wait"].push([s, s + dur[i]]));
    }
    spans.work.sort((a, b) => a[0] - b[0]);
    let end = 0;
    let best = null;
    for (const [from, to] of spans.work) {
      const waits = spans.wait.some(([s, e]) => s < from && e > end);
      if (from > end && waits && (!best || from - end > best.to - best.from)) best = { from: end, to: from };
      end = Math.max(end, to);
    }
    return { ...best, length: data.head.span.length };
  });
  assert.ok(stretch.to > stretch.from, "a moment in which engines only wait");
  const column = await page.evaluate(({ from, to, length }) => {
    const canvas = document.querySelector(".tl-minimap canvas, canvas.tl-minimap");
    const x = Math.round(((from + to) / 2 / length) * canvas.width);
    const { data } = canvas.getContext("2d").getImageData(x, 0, 1, canvas.height);
    const style = getComputedStyle(document.documentElement);
    const rgb = (name) => [1, 3, 5].map((at) => parseInt(style.getPropertyValue(name).trim().slice(at, at + 2), 16)).join();
    const colours = [rgb("--tiu"), rgb("--gdma")];
    let painted = 0;
    for (let i = 0; i < data.length; i += 4) painted += colours.includes([data[i], data[i + 1], data[i + 2]].join()) ? 1 : 0;
    return { painted, height: canvas.height, share: (to - from) / length };
  }, stretch);
  if (column.share > 1 / 240) assert.equal(column.painted, 0);
  else assert.ok(column.painted < column.height / 4, "hardly any work in this column");
  await page.context().close();
});

test("tables of a range are clipped to the run and sorted by a click", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline&tl.range=-5000~99999999999" });
  await page.waitForSelector(".tl-stats table");
  const { start, end } = await page.evaluate(() => window.bigtpu.range());
  const length = await page.evaluate(() => window.bigtpuPage.head.span.length);
  assert.ok(start >= 0 && end <= length, `${start} to ${end} of ${length}`);
  assert.ok((await page.locator(".tl-stats caption").allTextContents()).includes("By kernel"));
  const table = page.locator(".tl-stats table", { hasText: "By function" });
  const commands = async () => (await table.locator("tbody td:nth-child(3)").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
  await table.locator("th:nth-child(3) button").click();
  const down = await commands();
  assert.deepEqual(down, down.toSorted((a, b) => b - a));
  await table.locator("th:nth-child(3) button").click();
  assert.deepEqual(await commands(), down.toSorted((a, b) => a - b));
  assert.deepEqual(errors, []);
  await page.context().close();
});
