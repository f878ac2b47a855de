// "Slower than its bits explain": as colour and filter in the timeline, as a filter of the search, from the table.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, launch, open, render } from "./support.mjs";

let browser;
let file;
before(async () => {
  browser = await launch();
  ({ file } = render(join(ROOT, "fixtures/real/bmprofile_data-1_bm1688")));
});
after(() => browser.close());

const drawn = (page) => page.waitForFunction(() => window.bigtpu?.firstPicture > 0);

for (const renderer of ["canvas", "webgl2"]) {
  test(`the timeline shows lost time as colours, and dims what is not slower: ${renderer}`, async () => {
    const { page, errors } = await open(browser, file, { hash: `lang=en&tab=timeline&theme=light&tl.renderer=${renderer}` });
    await drawn(page);
    const shot = async () => (await page.waitForTimeout(300), page.locator(".tl-plot").screenshot());
    const byFunction = await shot();
    await page.click('.tl-chip:text-is("by loss")');
    const byExpected = await shot();
    assert.notEqual(Buffer.compare(byFunction, byExpected), 0);
    assert.match(await page.textContent(".tl-strip"), /as its bits explain.*from 1.3x.*from 2x/s);
    await page.click('.tl-chip:text-is("Slower")');
    assert.notEqual(Buffer.compare(byExpected, await shot()), 0);
    await page.waitForFunction(() => location.hash.includes("tl.slower=1.3") && location.hash.includes("tl.colour=expected"));
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test("a row of the table lists its slower commands", async () => {
  const { page, errors } = await open(browser, file, { hash: "lang=en&tab=overview" });
  const expected = await page.evaluate(async () => {
    const { slower } = window.bigtpuPage.head.answers.expected;
    const row = [...slower].sort((a, b) => b.lost_ns - a.lost_ns)[1];
    const track = window.bigtpuPage.tracks.find((t) => t.engine === row.engine);
    const [{ expected, layer }, { dur }] = [await track.facts(), await track.loadTimes()];
    return { row, found: [...dur].filter((ns, i) => layer[i] + 1 === row.layer_id && expected[i] > 0 && ns >= 1.3 * expected[i]).length };
  });
  await page.click("#slower tbody tr >> nth=1");
  await page.waitForSelector("#tab-find[aria-selected=true]");
  assert.equal(await page.inputValue("#find-q"), `slower:1.3 layer:#${expected.row.layer_id}`);
  await page.waitForFunction((n) => document.querySelector("#find-count")?.textContent.includes(String(n)), expected.found);
  assert.deepEqual(errors, []);
  await page.context().close();
});
