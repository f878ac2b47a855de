// Find: searches, filters, sorts, copies, and leads to the timeline.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fixture, launch, open, registerTexts, render } from "./support.mjs";

let browser, file, out;
before(async () => {
  browser = await launch();
  ({ file, out } = render(fixture("aks-mode2-sync")));
});
after(() => browser.close());

function transfers() {
  const all = [...registerTexts(out, "tdmaRegInfo_").values()].flat();
  return all.filter((r) => r["Function Name"] === "tensorLd");
}

test("a search finds what the register texts have", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=find", acceptDownloads: true });
  await page.fill("#find-q", "name:tensorLd");
  const expected = transfers();
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), expected.length);
  const ns = expected.reduce((sum, r) => sum + Number(r["End Time(ns)"]) - Number(r["Start Time(ns)"]), 0);
  assert.equal(Number(await page.getAttribute("#find-count", "data-ns")), ns);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#find-save")]);
  const lines = readFileSync(await download.path(), "utf8").trim().split("\r\n");
  assert.equal(lines.length - 1, expected.length);
  const hash = await page.evaluate(() => new Promise((done) => setTimeout(() => done(location.hash.slice(1)), 400)));
  await page.context().close();
  const again = await open(browser, file, { hash });
  await again.page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), expected.length);
  await again.page.context().close();
  assert.deepEqual(errors, []);
});

test("a result leads to its slice in the timeline", async () => {
  const { page } = await open(browser, file, { hash: "lang=en&tab=find" });
  await page.fill("#find-q", "name:tensorLd");
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), transfers().length);
  await page.focus("#find-grid");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.bigtpu?.selected() !== null && window.bigtpu !== undefined);
  const name = await page.evaluate(async () => {
    const { track, row } = window.bigtpu.selected();
    return window.bigtpuPage.nameText((await window.bigtpuPage.tracks[track].loadTimes()).name[row]);
  });
  assert.equal(name, "tensorLd");
  await page.context().close();
});

test("core: finds a core's commands, and a bound that is no duration is told", async () => {
  const { page } = await open(browser, file, { hash: "lang=en&tab=find" });
  const expected = await page.evaluate(() => window.bigtpuPage.tracks.filter((t) => t.isEngine && t.head.core === 1).reduce((sum, t) => sum + t.head.events, 0));
  assert.ok(expected > 0);
  await page.fill("#find-q", "core:1");
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), expected);
  await page.fill("#find-dmin", "abc");
  await page.waitForSelector("#find-dmin[aria-invalid=true]");
  assert.match(await page.textContent(".find-bad"), /abc/);
  await page.fill("#find-dmin", "1us");
  await page.waitForSelector("#find-dmin[aria-invalid=false]");
  await page.context().close();
});
