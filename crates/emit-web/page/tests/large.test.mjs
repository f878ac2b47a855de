// A million slices: the file stays small, and everything still works.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, render, run, scratch } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("a page of a million slices", { timeout: 300_000 }, async () => {
  const dump = join(scratch(), "large");
  run("synth", dump, "--chip", "aks", "--cores", "8", "--mode", "2", "--launches", "2600", "--seed", "1", "--quiet");
  const { file } = render(dump);
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=timeline" });
  await page.waitForFunction(() => window.bigtpu?.firstPicture > 0, null, { timeout: 120_000 });
  const events = await page.evaluate(() => window.bigtpuPage.head.events);
  assert.ok(events >= 1_000_000, `${events} events`);
  assert.ok(statSync(file).size < (14e6 * events) / 1e6, `${statSync(file).size} bytes`);
  const [decoded, told] = await page.evaluate(async () => {
    let rows = 0;
    for (const track of window.bigtpuPage.tracks.filter((t) => t.isEngine)) rows += (await track.loadTimes()).start.length;
    return [rows, document.querySelector(".notices")?.textContent ?? ""];
  });
  assert.equal(decoded, events);
  assert.ok(told.includes("register fields"), `what is left out is told: ${told}`);
  const rectangles = await page.evaluate(() => window.bigtpu.rectangles);
  assert.ok(rectangles > 100 && rectangles < 400_000, `${rectangles} rectangles`);
  // Eight cores fit below the notices; each notice can be closed.
  const bottom = await page.evaluate(() => Math.max(...window.bigtpu.rows().map((row) => row.y + row.height)));
  assert.ok(bottom <= 800, `the last row ends at ${bottom}`);
  const notices = page.locator(".notices p");
  for (let left = await notices.count(); left > 0; left--) {
    assert.equal(await notices.count(), left);
    await notices.first().locator("button").click();
  }
  assert.equal(await notices.count(), 0);
  await page.click("#tab-find");
  await page.waitForFunction((n) => document.querySelector("#find-count")?.dataset.count === String(n), events, { timeout: 60_000 });
  assert.deepEqual(errors, []);
  await page.context().close();
});
